/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The multiuser model of AIM7: N tasks (the load) start together, each does its jobs one after the other,
 * and the time until the last one has ended gives jobs per minute. Here all jobs of a run are of one
 * kind, as the kernel test robot runs it (a workfile of one test); a row is one kind of job, made of the
 * pieces below.
 *
 * The same names stand for two meanings: AIM7 itself (suite VII, s7110) writes through the page cache
 * and never syncs; reaim syncs the whole machine around each disk job. They are rows of two suites
 * with two prefixes, so that no comparison can mix them.
 */
#pragma once

#include "workload/storage.h"
#include "workload/workload.h"

#include <stdint.h>

#define AIM7_BLOCK_BYTES 1024 /* The original's; its file sizes are in these. */

struct aim7_task {             /* In worker_self.state. */
	const char *directory; /* Borrowed from the storage. */
	uint64_t n_blocks;     /* Of its file. */
	uint64_t seed;
	uint64_t n_names; /* Given so far. */
	char *path;       /* Of the present job's file; room for path_bytes. */
	size_t path_bytes;
	char *shared_path; /* The prepared file that disk_rd and disk_cp of s7110 read. */
	char block[AIM7_BLOCK_BYTES];
};

/* One job; 0 or -errno. Works on the same files in all its runs, allocates nothing. */
typedef int (*aim7_job)(struct aim7_task *task);

/* ---- hooks of a row ---- */

unsigned aim7_count(const struct work *work);
int aim7_prepare(struct work *work, struct error *err);
/* The same, and the shared file is made in each directory. */
int aim7_prepare_shared(struct work *work, struct error *err);
int aim7_enter(struct worker_self *self, struct error *err);
int64_t aim7_run(struct worker_self *self, aim7_job job);
void aim7_leave(struct worker_self *self);
void aim7_score(const struct work *work, const struct tally *tally, struct value *ret_values);
void aim7_retire(struct work *work);

/* Where a row's own prepare puts its files. */
const struct storage *aim7_storage(const struct work *work);

/* ---- pieces of jobs; descriptor or 0, or -errno ---- */

/* Gives the next file a new name, which stays in task->path. */
void aim7_name(struct aim7_task *task);
int aim7_creat(const struct aim7_task *task);
int aim7_open(const char *path, int flags);
int aim7_write(const struct aim7_task *task, int fd);          /* All blocks in order. */
int aim7_read(struct aim7_task *task, int fd);                 /* All blocks in order. */
int aim7_read_random(struct aim7_task *task, int fd);          /* As many, at random. */
int aim7_write_random(struct aim7_task *task, int fd);         /* As many, at random. */
int aim7_copy(struct aim7_task *task, int from_fd, int to_fd); /* All blocks in order. */
/* creat, write, close under a new name. */
int aim7_make(struct aim7_task *task);
int aim7_unlink(const struct aim7_task *task);

/* ---- arithmetic, for the tests too ---- */

/* FILESIZE and a task's share of POOLSIZE, in blocks of 1 KiB. */
uint64_t aim7_blocks(uint64_t file_kib, uint64_t pool_kib, unsigned n_tasks);
/* The original's generator: 15 bits, so that of a file only the first 32768 blocks are met. */
unsigned aim7_random(uint64_t *seed);
double aim7_jobs_per_min(uint64_t jobs_per_task, unsigned n_tasks, uint64_t elapsed_ns);
/* Job timing index, percent: how alike the tasks' times were; 100 for one task. */
double aim7_timing_index(const uint64_t *elapsed_ns, unsigned n_tasks);

/* clang-format off */
#define AIM7_PARAMETERS                                                                            \
	{ .name = "load", .alias = "n", .what = "tasks that start together",                       \
	  .type = PARAMETER_NUMBER, .preset = "2", .min = 1, .max = 100000,                        \
	  .percent_of_cpus = true },                                                               \
	{ .name = "jobs", .what = "jobs of each task",                                             \
	  .type = PARAMETER_NUMBER, .preset = "100", .min = 1, .max = 1000000000 },                \
	{ .name = "file_kib", .what = "FILESIZE: KiB of a task's file (creat-clo, disk_src: unused)", \
	  .type = PARAMETER_NUMBER, .preset = "1024", .min = 1, .max = 1073741824 },               \
	{ .name = "pool_kib", .what = "POOLSIZE: KiB that all tasks share out on top of it",       \
	  .type = PARAMETER_NUMBER, .preset = "10240", .min = 0, .max = 1073741824 },              \
	STORAGE_PARAMETERS

#define AIM7_METRICS(rate, rate_task, index, time)                                                 \
	{ .name = (rate), .unit = "jobs/min", .kind = METRIC_SCORE,                                \
	  .better = BETTER_HIGHER, .role = ROLE_SCORE,                                             \
	  .what = "jobs of all tasks by the time until the last one has ended" },                  \
	{ .name = (rate_task), .unit = "jobs/min/task", .kind = METRIC_SCORE,                      \
	  .better = BETTER_HIGHER, .role = ROLE_RESTATED, .what = "the same by task" },            \
	{ .name = (index), .unit = "%", .kind = METRIC_SCORE,                                      \
	  .better = BETTER_HIGHER, .role = ROLE_EVIDENCE,                                          \
	  .what = "job timing index: 100 less the deviation of the tasks' times in % of their mean" }, \
	{ .name = (time), .unit = "s", .kind = METRIC_SCORE,                                       \
	  .better = BETTER_LOWER, .role = ROLE_RESTATED,                                           \
	  .what = "time from the release of all tasks to the end of the last" }

#define AIM7_S7110_METRICS                                                                         \
	AIM7_METRICS("aim7.jobs-per-min", "aim7.jobs-per-min-per-task", "aim7.jti", "aim7.time_sec")

#define AIM7_REAIM_METRICS                                                                         \
	AIM7_METRICS("reaim.jobs_per_min", "reaim.jobs_per_min_child", "reaim.jti",                \
		     "reaim.parent_time")
/* clang-format on */
