/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that a worker knows by its name, for the workloads that open, make and remove files. Its path
 * is the state; the file is removed with all that bears the scratch's name (work_scratch()).
 */
#pragma once

#include "workload/workload.h"

enum named_file_place {
	NAMED_FILE_COMMON_DIRECTORY, /* One a worker, all in the temporary directory. */
	NAMED_FILE_OWN_DIRECTORY,    /* One a worker, each in a directory of its own. */
	NAMED_FILE_ONE,              /* One for all workers. */
};

int named_file_enter(struct worker_self *self, enum named_file_place place, struct error *err);
void named_file_leave(struct worker_self *self);

/* `n` times opened and closed; n or -errno. */
int64_t named_file_open(const struct worker_self *self, int n);
/* `n` times made, closed and removed; n or -errno. */
int64_t named_file_make(const struct worker_self *self, int n);
