/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people said of metrics and comparisons: expected, or invalid, and why. A mark hides nothing
 * and is never removed: one that is taken back is kept as withdrawn. Merging takes marks along.
 */
#pragma once

#include "base/error.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mark_row {
	int64_t id;
	char *metric;        /* Name or pattern; "" for a mark of a comparison. */
	char *campaign_name; /* Of a comparison: as it is called here now, else as it was called
				when the mark was made. NULL for a mark of a metric. */
	int64_t campaign;    /* 0: the mark is of a metric, or its campaign is not in this store. */
	char *base, *head;   /* Subjects of the comparison; both NULL: any of the campaign. */
	char *point;         /* Pattern of points; "" = any. */
	bool invalid;        /* Else expected. */
	double tolerance_percent; /* Changes within it are expected; NaN = any. */
	char *why;
	char *who; /* Login name. */
	uint64_t made_wall_ns;
	uint64_t withdrawn_wall_ns; /* 0: it holds. */
	char *withdrawn_by;         /* NULL: it holds. */
};

void mark_rows_free(struct mark_row *rows, size_t n);

/* Keeps a mark; of the row metric or campaign, base, head, point, invalid, tolerance_percent, why
 * and who are taken. -ENOENT when there is no such campaign. */
int store_mark_add(struct store *store, const struct mark_row *mark, int64_t *ret_id,
		   struct error *err);

/* -ENOENT when there is no such mark, -EALREADY when it was withdrawn before. */
int store_mark_withdraw(struct store *store, int64_t id, const char *who, struct error *err);

/* In the order in which they were made. *ret_rows is a new array. */
int store_mark_list(struct store *store, bool withdrawn_too, struct mark_row **ret_rows,
		    size_t *ret_n, struct error *err);

/* The names of all metrics that the store has seen, sorted: a new array of new strings. */
int store_metric_names(struct store *store, char ***ret_names, size_t *ret_n, struct error *err);
