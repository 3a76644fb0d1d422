/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The experiments that come with assay, found by their names: `assay run NAME`. They are files like
 * any other. Where they are: the directory in ASSAY_EXPERIMENTS when that is set, else share/assay/experiments
 * beside the program, else where assay was to be installed; a program that was built and not installed
 * takes those of the tree around its build folder.
 */
#pragma once

#include <stddef.h>

struct ready {
	char *name;     /* "hackbench-numa". */
	char *path;     /* Its file. */
	char *question; /* What it asks, or why it cannot be read. */
};

struct ready_list {
	struct ready *items; /* Sorted by name. */
	size_t n;
};

/* The file of the experiment, or NULL when there is none of this name. New string. */
char *ready_find(const char *name);

/* All of them; none when the directory is not there. */
void ready_list_read(struct ready_list *ret_list);
void ready_list_done(struct ready_list *list);

static inline void auto_release_ready_list(struct ready_list *list)
{
	ready_list_done(list);
}
