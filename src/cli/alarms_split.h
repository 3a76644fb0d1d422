/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which runs of the store are compared with which, when a subject is compared with itself. For
 * alarms.c, which tells of it.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct split_side {
	const struct run_row **rows; /* The array is owned, the rows are those of the splits. */
	size_t n;
};

struct split { /* One comparison. Both sides have at least ALARMS_RUNS_MIN runs. */
	struct split_side sides[2];
	bool is_twin; /* They were measured as two subjects. */
};

struct splits {
	struct split *list;
	size_t n, capacity;
	size_t n_short;       /* Subjects whose runs are too few. */
	struct run_row *rows; /* All complete runs, warm-ups aside. */
	size_t n_rows;
};

int splits_find(struct store *store, const char *machine, const char *workload, uint64_t seed,
		struct splits **ret_splits, struct error *err);
void splits_free(struct splits *splits); /* NULL is allowed. */

DEFINE_AUTO(splits, struct splits *, splits_free);
