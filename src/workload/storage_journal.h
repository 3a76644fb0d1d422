/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal of what a storage took that does not go by itself when all processes of a run are dead:
 * md arrays, the content of RAM disks, the module that was loaded for them. (Mounts go with the run's own
 * mount namespace, loop devices by autoclear, files with the scratch.) It is one file among the names
 * of the scratch, written before each taking; scratch.c, which removes those names however a run ended,
 * gives back what stands in it.
 *
 * Lines: "boot ID" first, then "array NAME", "ram PATH", "module NAME".
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct storage_journal;

/* True for the name of a journal among a scratch's names. */
bool storage_journal_is(const char *name);

/* Makes an empty journal for the scratch of this prefix. */
int storage_journal_new(const char *prefix, struct storage_journal **ret_journal,
			struct error *err);
/* Notes, before it is taken, what is to be given back: kind "array", "ram" or "module". */
int storage_journal_note(struct storage_journal *journal, const char *kind, const char *name,
			 struct error *err);
/* Gives back all that was noted and removes the journal, unless something could not be. NULL is
 * allowed. */
void storage_journal_close(struct storage_journal *journal);

/* Tells what stands in the file, last line first; the number of lines. A file of another user, one that
 * others could write, one of another boot, and lines that name what no storage takes are not believed. */
size_t storage_journal_read(const char *path,
			    void (*each)(const char *kind, const char *name, void *user),
			    void *user);

/* Gives back what the file of a dead run says, and leaves the file. Waits some seconds for what is still in
 * use, and for another process that does the same. False when something could not be given back: then
 * the file is to stay, for the next one to try. */
bool storage_journal_undo(const char *path);
