/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names in the temporary directory for the workloads that open and remove files by name. All names
 * of a run begin with one prefix that holds the process's number, so that whatever a killed run left
 * is found: by the supervisor of the run when its workers are dead, or, when that was killed too, by
 * the janitor (janitor.h), or, when even that was, by the next one that asks for a scratch. One name may
 * be a journal of devices (storage_journal.h): what stands in it is given back before it is removed.
 */
#pragma once

#include "base/error.h"

/* "DIRECTORY/assay-scratch-PID-XXXXXX": nothing begins with it yet. Removes what dead processes of
 * this user left in the directory. New string. */
int scratch_new(const char *directory, char **ret_prefix, struct error *err);

/* Removes every file and directory whose path begins with the prefix. */
void scratch_remove(const char *prefix);

/* An open file of the directory without a name, for reading and writing. Fd, or -errno with err set. */
int scratch_nameless(const char *directory, struct error *err);
