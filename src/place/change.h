/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes to this machine: files below a root that get a new content for the time of a run, and
 * control groups that are made for it. A change knows what was there before; the list is written
 * to a journal before anything is touched, so that also a crashed assay's changes are undone.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum change_kind {
	CHANGE_WRITE,     /* `path` gets `value`; `before` is put back. */
	CHANGE_DIRECTORY, /* `path` is made; it is removed again. */
};

struct change {
	enum change_kind kind;
	char *path; /* Below the root, without a '/' in front. */
	char *value;
	char *before;   /* Read when the change was collected. */
	bool temporary; /* A file inside a directory that goes away: nothing to put back. */
	bool kept;      /* Not written, but put back: the write before it may change it too. */
};

struct changes {
	struct change *items; /* Owned. */
	size_t n;
	size_t capacity;
	size_t n_applied;
};

void changes_done(struct changes *changes);

/* Adds a write; reads what is there now. Bracketed files ("always [madvise] never") count as their
 * chosen word. -ENOENT, -EACCES ... with the sentence when it cannot be read. */
int changes_add_write(struct changes *changes, int root_fd, const char *path, const char *value,
		      struct error *err);

/* Adds a file that the kernel may change when the one added before is written. An absent
 * file, or one that cannot be written, is not added. */
int changes_add_kept(struct changes *changes, int root_fd, const char *path, struct error *err);

/* Adds a directory to be made, or a write into one that is not there yet. */
void changes_add_directory(struct changes *changes, const char *path);
void changes_add_temporary(struct changes *changes, const char *path, const char *value);

/* Applies all, in order, and reads each file back: a value that the kernel did not take is an
 * error. On failure those already applied stay counted in n_applied for changes_undo. */
int changes_apply(struct changes *changes, int root_fd, struct error *err);

/* Undoes the first n_applied changes in reverse order. Goes on after a failure and reports the
 * first one. */
int changes_undo(struct changes *changes, int root_fd, struct error *err);
