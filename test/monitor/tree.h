/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A temporary tree of files that stands for the machine's root. A file is replaced in place, so
 * that a descriptor which a monitor holds reads the new content, as it would in /proc.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct tree {
	char path[64];
	int fd; /* The root descriptor. */
};

void tree_make(struct tree *tree);
void tree_done(struct tree *tree); /* Removes it. */

void tree_put(const struct tree *tree, const char *path, const char *text);
void tree_put_bytes(const struct tree *tree, const char *path, const void *bytes, size_t length);

/* Copies the folder over it, file by file. False when there is no such folder. */
bool tree_copy(const struct tree *tree, const char *folder);

/* Copies one file of the machine's to a place in it. */
void tree_copy_file(const struct tree *tree, const char *file, const char *path);

/* Copies "two-nodes/t0" of the fixtures over it. */
void tree_load(const struct tree *tree, const char *fixture);

/* Writes the path of a file or folder among the real cases. False, after having printed why, when
 * they are not here: the test is to skip() then. */
bool tree_case(const char *path, char full[static PATH_MAX]);
