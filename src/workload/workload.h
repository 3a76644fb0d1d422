/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract of a workload. A workload is one .c file in this folder that ends in one `const
 * struct workload` row and includes this header and base/ only; its name stands once more, in the
 * sorted list of meson.build.
 *
 * The harness (probe/) owns the loop, the clock, the pinning, the barrier and the stop flag. A
 * workload gives bounded portions of work. Order of the hooks, with the task that runs them:
 *
 *     caller    check(work)              when the parameters have been taken
 *     harness   prepare(work)
 *     harness   before_worker(work, i)   for each worker in turn; a worker that is a
 *     harness   after_worker(work, i)    process inherits what before_worker opened
 *     worker    enter(worker)            already bound to its CPU
 *     ---- barrier: one byte releases all ----
 *     worker    batch(worker)            again and again (WORK_LOOP) or once (WORK_FIXED)
 *     worker    leave(worker)
 *     harness   score(work, tally)       after all workers have been reaped
 *     harness   retire(work)             only when prepare succeeded
 *
 * enter is the place for everything that allocates, opens or maps: between enter and leave a
 * workload allocates nothing that it does not measure. leave runs only when enter succeeded. Every
 * hook but batch may be NULL. Failing hooks return a negative errno with `err` set; -EOPNOTSUPP says
 * "cannot work here" (outcome unsupported).
 */
#pragma once

#include "base/error.h"
#include "record/catalogue.h"
#include "record/value.h"
#include "workload/loop.h" /* Of the rows, not of this text: every looping row has it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum work_shape {
	/* batch is repeated until the harness stops it; the score is a rate. Has warm-up and
	 * duration. */
	WORK_LOOP,
	/* batch does a fixed amount once; the score comes from the time from release until all are
	 * reaped. */
	WORK_FIXED,
};

struct work; /* One run; opaque to the harness's caller, its readers are below. */

/* What a worker's hooks see. One a task; with processes it lives in the worker's own memory. */
struct worker_self {
	struct work *work;
	unsigned index;   /* 0 .. work_workers() - 1. */
	void *state;      /* The workload's own; set in enter, released in leave. */
	struct error err; /* A batch that fails may say why; code 0 = it did not. Starts zeroed. */
};

/* What was measured, for the score hook. */
struct tally {
	/* WORK_FIXED: release until the last worker was reaped. WORK_LOOP: length of the window. */
	uint64_t elapsed_ns;
	uint64_t operations; /* Sum over the workers, inside the window. */
	double rate_per_sec; /* Sum over the workers of operations / own elapsed time; over the window
			      * where they take turns on the CPUs. */
	unsigned n_workers;
	unsigned cpus_online;
};

typedef void workload_emit(void *sink, const struct metric *metric, struct value value);

struct workload {
	struct plugin about;
	enum work_shape shape;
	bool has_names;     /* Its files need names: work_scratch() is there. */
	size_t stack_bytes; /* Stack of a worker thread; 0 = the system's default. */

	/* Parameters that do not fit together: -EINVAL says which and what to do. Before anything is
	 * made; each alone has been checked by its row. */
	int (*check)(const struct work *work, struct error *err);
	/* Number of workers; NULL means the parameter nr_task. */
	unsigned (*count)(const struct work *work);
	int (*prepare)(struct work *work, struct error *err);
	int (*before_worker)(struct work *work, unsigned index, struct error *err);
	void (*after_worker)(struct work *work, unsigned index);
	int (*enter)(struct worker_self *self, struct error *err);
	/* Does a bounded number of operations (for WORK_LOOP: at most some milliseconds) and
	 * returns how many, or -errno (why: self->err). Never prints, never waits for the stop. */
	int64_t (*batch)(struct worker_self *self);
	void (*leave)(struct worker_self *self);
	/* Fills one value for each of about.metrics, in order. NULL: workload_score_rate. */
	void (*score)(const struct work *work, const struct tally *tally, struct value *ret_values);
	/* After score: evidence whose names come from the machine (about.metrics_open). Of several
	 * copies the first one's. */
	void (*more)(const struct work *work, workload_emit *emit, void *sink);
	void (*retire)(struct work *work);
};

/* ---- what a hook may ask of its run ---- */

unsigned work_workers(const struct work *work);
bool work_has_threads(const struct work *work); /* Parameter mode=thread. */
/* A PARAMETER_NUMBER of the row; it must exist. */
uint64_t work_number(const struct work *work, const char *parameter);
/* A PARAMETER_SECONDS of the row, in nanoseconds; it must exist. */
uint64_t work_seconds_ns(const struct work *work, const char *parameter);
/* A PARAMETER_WORD or _TEXT of the row; it must exist. Borrowed; "" when it was left empty. */
const char *work_word(const struct work *work, const char *parameter);
/* Where /proc and /sys are read (base/fs.h): this machine's root or a recorded tree. From prepare
 * on. Borrowed. */
int work_root(const struct work *work);
const char *work_directory(const struct work *work); /* Where files go: TMPDIR or /tmp. Borrowed. */
/* What the names of its files begin with; a suffix makes one. All that begins so is removed after the
 * run, however that ends. Only where the row says has_names. Borrowed. */
const char *work_scratch(const struct work *work);
void *work_shared(const struct work *work); /* What prepare stored; NULL before. */
/* prepare stores the workload's own data; retire frees it. */
void work_share(struct work *work, void *shared);
/* An unlinked sparse file of `size` bytes in work_directory(). Fd, or -errno with err set. */
int work_file(const struct work *work, uint64_t size, struct error *err);

/* The score of a plain WORK_LOOP: metrics must be per_process_ops, per_thread_ops, workload:
 * operations per second and task (the other mode's is not applicable), and their sum over tasks. */
void workload_score_rate(const struct work *work, const struct tally *tally,
			 struct value *ret_values);

/* The table, made from the list in meson.build; sorted by name. */
extern const struct workload *const workload_table[];
extern const size_t workload_table_count;

/* By name or "suite/name"; NULL when absent. */
const struct workload *workload_find(const char *name);
