/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a workload as the probe holds it: the row with its checked parameters. Plug-ins use
 * only the readers in workload.h; this header is for the probe and for tests.
 */
#pragma once

#include "base/error.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stddef.h>

struct work_argument {
	const char *name; /* Full name or alias. */
	const char *value;
};

/* Checks the arguments against the row (names, words, limits), fills in presets ("50%" and plain
 * numbers only: other expressions have been worked out by the controller) and works out the number
 * of workers. Everything is copied. -EINVAL says which parameter and what is allowed. A parameter
 * may be given once, by its name or by its alias. */
int work_new(const struct workload *row, const struct work_argument *arguments, size_t n_arguments,
	     struct work **ret_work, struct error *err);
void work_free(struct work *work); /* NULL is allowed. */

/* What work_root() answers; borrowed. The harness says it before prepare. */
void work_set_root(struct work *work, int root_fd);

const struct workload *work_row(const struct work *work);

/* Nanoseconds; 0 for WORK_FIXED. */
uint64_t work_warmup_ns(const struct work *work);
uint64_t work_duration_ns(const struct work *work);

/* "core", "cpu", "none"; "none" for a row without the parameter pin. */
const char *work_pin(const struct work *work);
