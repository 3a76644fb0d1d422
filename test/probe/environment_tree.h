/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recorded trees for the tests of the environment: made file by file, or unpacked from a recorded machine, and the
 * facts that a part of the environment finds in them.
 */
#pragma once

#include "probe/environment_fact.h"
#include "record/run.h"

struct environment_tree {
	char path[64];
	int fd; /* -1: there is none. */
};

/* An empty tree in a new temporary folder. */
struct environment_tree environment_tree_make(void);
/* The recorded machine in `archive` below the folder of cases (its single top folder becomes the root); fd -1, after
 * printing why, when it is absent. Frequencies, idle states and devices are left behind. */
struct environment_tree environment_tree_unpack(const char *archive);
void environment_tree_remove(struct environment_tree *tree);

/* Writes one file, making its folders. */
void environment_tree_file(const struct environment_tree *tree, const char *path, const char *text);
void environment_tree_bytes(const struct environment_tree *tree, const char *path,
			    const void *bytes, size_t length);

/* What a part finds. The caller frees the run. */
struct run *environment_tree_facts(const struct environment_tree *tree,
				   void (*part)(struct environment *));

/* A fact as text: its value, "missing: permission denied", or "no such fact". Valid until the run is freed. */
const char *environment_tree_text(const struct run *run, const char *name);
