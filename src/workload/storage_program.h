/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of the system that set a storage up: mkfs.*, modprobe. They run in prepare only, never in
 * the measured window; what they print goes into the run's log.
 */
#pragma once

#include "base/error.h"

/* Where the program is: in PATH, or where the system keeps its administrator's programs, which are
 * not in everybody's PATH. New string, NULL when it is nowhere. */
char *storage_program_find(const char *name);

/* Runs it to its end; argv[0] is looked up. 0, -ENOENT when it is nowhere, -EIO when it ended badly. */
int storage_program_run(const char *const *argv, struct error *err);
