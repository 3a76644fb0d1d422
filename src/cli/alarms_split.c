/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of a subject put on two sides. Runs are sorted so that those of one campaign, point and
 * subject settings stand together, by subject, and in the order in which they were carried out.
 */
#include "cli/alarms_split.h"

#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "cli/alarms.h"
#include "experiment/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void splits_free(struct splits *splits)
{
	if (!splits)
		return;
	for (size_t i = 0; i < splits->n; i++)
		for (size_t s = 0; s < 2; s++)
			free(splits->list[i].sides[s].rows);
	free(splits->list);
	run_rows_free(splits->rows, splits->n_rows);
	free(splits);
}

static int compare_settings(const struct job *one, const struct job *other)
{
	if (one->n_settings != other->n_settings)
		return one->n_settings < other->n_settings ? -1 : 1;
	for (size_t i = 0; i < one->n_settings; i++) {
		const struct setting *left = &one->settings[i];
		const struct setting *right = &other->settings[i];
		int order = (int)left->kind - (int)right->kind;
		if (order == 0)
			order = strcmp(left->key, right->key);
		if (order == 0)
			order = strcmp(left->value, right->value);
		if (order != 0)
			return order;
	}
	return 0;
}

/* The same campaign, point and settings: runs of one subject, by whatever names. */
static int compare_what(const struct run_row *one, const struct run_row *other)
{
	if (one->campaign != other->campaign)
		return one->campaign < other->campaign ? -1 : 1;
	const int order = strcmp(one->point, other->point);
	return order != 0 ? order : compare_settings(one->job, other->job);
}

static int compare_rows(const void *one, const void *other)
{
	const struct run_row *left = one;
	const struct run_row *right = other;
	int order = compare_what(left, right);
	if (order == 0)
		order = strcmp(left->subject, right->subject);
	if (order != 0)
		return order;
	if (left->sequence != right->sequence)
		return left->sequence < right->sequence ? -1 : 1;
	return left->attempt < right->attempt ? -1 : left->attempt > right->attempt;
}

struct span { /* Rows that stand together. */
	struct run_row *rows;
	size_t n;
};

static bool has_block(const struct span *span, uint32_t block)
{
	for (size_t i = 0; i < span->n; i++)
		if (span->rows[i].block == block)
			return true;
	return false;
}

static struct split *add_split(struct splits *splits, size_t n_max, bool is_twin)
{
	splits->list =
		mem_grow(splits->list, &splits->capacity, splits->n + 1, sizeof(*splits->list));
	struct split *split = &splits->list[splits->n++];
	*split = (struct split) { .is_twin = is_twin };
	for (size_t s = 0; s < 2; s++)
		split->sides[s].rows = mem_array(n_max, sizeof(*split->sides[s].rows));
	return split;
}

/* Takes the last split back when it is too short to be one. */
static bool keep_split(struct splits *splits)
{
	const struct split *split = &splits->list[splits->n - 1];
	if (split->sides[0].n >= ALARMS_RUNS_MIN && split->sides[1].n >= ALARMS_RUNS_MIN)
		return true;
	for (size_t s = 0; s < 2; s++)
		free(split->sides[s].rows);
	splits->n--;
	return false;
}

static void take(struct split_side *side, const struct run_row *row)
{
	side->rows[side->n++] = row;
}

/* Two names of one subject, in the blocks that both were measured in. */
static bool pair_twins(struct splits *splits, const struct span *one, const struct span *other)
{
	struct split *split = add_split(splits, one->n + other->n, /* is_twin= */ true);
	for (size_t i = 0; i < one->n; i++)
		if (has_block(other, one->rows[i].block))
			take(&split->sides[0], &one->rows[i]);
	for (size_t i = 0; i < other->n; i++)
		if (has_block(one, other->rows[i].block))
			take(&split->sides[1], &other->rows[i]);
	return keep_split(splits);
}

/* FNV-1a: the draws of a subject must not depend on what else is in the store. */
static uint64_t mix(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * 1099511628211ULL;
	return (hash ^ '/') * 1099511628211ULL;
}

static void seed_for(struct random *random, const struct run_row *row, uint64_t seed)
{
	uint64_t hash = 14695981039346656037ULL;
	hash = mix(hash, row->campaign_name);
	hash = mix(hash, row->point);
	hash = mix(hash, row->subject);
	random_seed(random, hash ^ seed);
}

/* Half of the rows of one block on each side; one that is over is left out. */
static void split_block(struct split *split, const struct run_row **rows, size_t n,
			struct random *random)
{
	for (size_t i = n; i > 1; i--) {
		const size_t at = (size_t)random_below(random, i);
		const struct run_row *moved = rows[i - 1];
		rows[i - 1] = rows[at];
		rows[at] = moved;
	}
	for (size_t i = 0; i + 1 < n; i += 2) {
		take(&split->sides[0], rows[i]);
		take(&split->sides[1], rows[i + 1]);
	}
}

/* The runs of one subject on two sides, block by block; not those of blocks that `used` has. */
static bool split_subject(struct splits *splits, const struct span *subject,
			  const struct span *used, uint64_t seed)
{
	struct split *split = add_split(splits, subject->n, /* is_twin= */ false);
	const struct run_row **block = mem_array(subject->n, sizeof(*block));
	struct random random;
	size_t n = 0;
	seed_for(&random, &subject->rows[0], seed);
	for (size_t i = 0; i < subject->n; i++) {
		const struct run_row *row = &subject->rows[i];
		if (n > 0 && block[0]->block != row->block) {
			split_block(split, block, n, &random);
			n = 0;
		}
		if (!used || !has_block(used, row->block))
			block[n++] = row;
	}
	split_block(split, block, n, &random);
	free(block);
	return keep_split(splits);
}

/* The rows from `first` on that are of the same subject, by its name too when `by_name`. */
static struct span span_from(struct run_row *rows, size_t first, size_t n, bool by_name)
{
	size_t end = first + 1;
	while (end < n && compare_what(&rows[first], &rows[end]) == 0 &&
	       (!by_name || strcmp(rows[first].subject, rows[end].subject) == 0))
		end++;
	return (struct span) { .rows = &rows[first], .n = end - first };
}

/* One subject under one name or several: neighbours among the names are twins of each other. */
static void find_in(struct splits *splits, const struct span *what, uint64_t seed)
{
	for (size_t at = 0; at < what->n;) {
		const struct span one = span_from(what->rows, at, what->n, /* by_name= */ true);
		struct span other = { 0 };
		bool found = false;
		at += one.n;
		if (at < what->n)
			other = span_from(what->rows, at, what->n, /* by_name= */ true);
		const bool paired = other.n > 0 && pair_twins(splits, &one, &other);
		found = split_subject(splits, &one, paired ? &other : NULL, seed) || paired;
		if (paired) {
			/* The twin's own blocks without the first, if there are any. */
			(void)split_subject(splits, &other, &one, seed);
			at += other.n;
		}
		splits->n_short += !found;
	}
}

static int list_rows(struct store *store, const char *machine, const char *workload,
		     struct splits *splits, struct error *err)
{
	const struct run_query query = { .workload = workload, .machine = machine };
	size_t kept = 0;
	const int failed = store_run_list(store, &query, &splits->rows, &splits->n_rows, err);
	if (failed)
		return failed;
	for (size_t i = 0; i < splits->n_rows; i++) {
		if (splits->rows[i].outcome == RUN_COMPLETE &&
		    splits->rows[i].block < PLAN_WARM_UP_BLOCK)
			splits->rows[kept++] = splits->rows[i];
		else
			run_row_done(&splits->rows[i]);
	}
	splits->n_rows = kept;
	qsort(splits->rows, kept, sizeof(*splits->rows), compare_rows);
	return 0;
}

int splits_find(struct store *store, const char *machine, const char *workload, uint64_t seed,
		struct splits **ret_splits, struct error *err)
{
	AUTO(splits) struct splits *splits = mem_zero(sizeof(*splits));
	const int failed = list_rows(store, machine, workload, splits, err);
	if (failed)
		return failed;
	for (size_t at = 0; at < splits->n_rows;) {
		const struct span what =
			span_from(splits->rows, at, splits->n_rows, /* by_name= */ false);
		find_in(splits, &what, seed);
		at += what.n;
	}
	*ret_splits = KEEP(splits);
	return 0;
}
