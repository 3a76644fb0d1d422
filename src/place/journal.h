/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal of changes: one file for each assay that has changes applied, written and synced
 * before the first of them and removed after the last is undone. A journal whose writer is gone
 * belongs to a crashed assay; journal_recover undoes what it lists. Anyone may list the directory,
 * so that results can be warned of what root left applied; only the writer may read the journal.
 */
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "place/change.h"

#include <stddef.h>

/* Writes the journal of this process into `directory` (made when absent). */
int journal_write(const char *directory, const struct changes *changes, struct error *err);

/* Removes it. */
int journal_remove(const char *directory, struct error *err);

/* Undoes the changes of every journal whose writer is gone, below root_fd. *ret_restored counts
 * the changes undone. A journal that cannot be undone stays, and the error says why. */
int journal_recover(const char *directory, int root_fd, unsigned *ret_restored, struct error *err);

/* How many journals have no writer any more. The files that they list are put behind `files`, with
 * ", " between them; a journal that cannot be read stands for its files. Changes nothing. */
size_t journal_leftovers(const char *directory, struct text *files);
