/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that a worker has open, for the workloads that read and write files: of its own, or one
 * that all workers open. No file has a name after its making, so that none is left behind, however a
 * run ends.
 */
#pragma once

#include "workload/workload.h"

#include <sys/types.h>

#define TASK_FILE_BLOCK 4096

struct task_file { /* In worker_self.state. */
	int fd;
	char *block;  /* TASK_FILE_BLOCK bytes of 0, aligned to a page. */
	off_t offset; /* Where this worker works; starts at 0. */
};

/* Opens a file of the worker's own, filled with `filled` bytes of 0 (written, not a hole), standing
 * at its start. */
int task_file_enter_own(struct worker_self *self, uint64_t filled, struct error *err);
/* The same with a hole of `size` bytes. */
int task_file_enter_sparse(struct worker_self *self, uint64_t size, struct error *err);
/* The same, empty, in a directory other than work_directory(); -EOPNOTSUPP when it is not there. */
int task_file_enter_in(struct worker_self *self, const char *directory, struct error *err);

/* The one file of all workers: made and filled in prepare, opened anew by each worker in enter (a
 * position of its own), closed in retire. */
int task_file_prepare_same(struct work *work, uint64_t filled, struct error *err);
int task_file_open_same(struct worker_self *self, struct error *err);
void task_file_retire(struct work *work);

/* Bytes of a page for each worker, and the worker's own page as its offset. */
uint64_t task_file_page_each(const struct work *work);
void task_file_take_page(struct worker_self *self);

/* Past the page cache from here on. -EOPNOTSUPP, with the worker left, where the filesystem cannot. */
int task_file_make_direct(struct worker_self *self, struct error *err);

void task_file_leave(struct worker_self *self);

/* What a batch answers when a call gave fewer bytes than asked: -errno, or -EIO without one. */
int64_t task_file_short(int code);
