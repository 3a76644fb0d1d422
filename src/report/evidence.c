/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups what moved by cluster and ranks the groups. See evidence.h. */
#include "report/evidence.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct ranked { /* A row that moved, and where it belongs. */
	size_t row;
	size_t cluster; /* 0: alone. */
	double p;
	double group_p;      /* Of the leader of its group. */
	size_t group_leader; /* Row of that leader. */
};

static bool is_moved(const struct finding *finding)
{
	return finding->verdict == VERDICT_MOVED_UP || finding->verdict == VERDICT_MOVED_DOWN;
}

bool evidence_has_moved(const struct comparison *comparison, const struct row *row, size_t side)
{
	if (side)
		return is_moved(&row->findings[side]);
	for (size_t i = 1; i < comparison->n_sides; i++)
		if (is_moved(&row->findings[i]))
			return true;
	return false;
}

/* With one head the order of the rows is the order of surprise already; with several it is that of
 * all heads together, and this head's own p decides. */
static double surprise_of(const struct comparison *comparison, const struct row *row, size_t side)
{
	if (side == 0 || comparison->n_sides == 2)
		return 0.0;
	return isnan(row->findings[side].p) ? 1.0 : row->findings[side].p;
}

static int by_group(const void *one, const void *other)
{
	const struct ranked *a = one;
	const struct ranked *b = other;
	if (a->group_p < b->group_p || a->group_p > b->group_p)
		return a->group_p < b->group_p ? -1 : 1;
	if (a->group_leader != b->group_leader)
		return a->group_leader < b->group_leader ? -1 : 1;
	if (a->p < b->p || a->p > b->p)
		return a->p < b->p ? -1 : 1;
	return a->row < b->row ? -1 : 1;
}

/* Each row learns who leads its group: the smallest p, the earliest of equals. */
static void find_leaders(struct ranked *ranked, size_t n, size_t n_clusters)
{
	size_t *leaders = mem_array(n_clusters + 1, sizeof(*leaders)); /* Place + 1; 0 = none. */
	for (size_t i = 0; i < n; i++) {
		size_t *leader = &leaders[ranked[i].cluster];
		if (*leader == 0 || ranked[i].p < ranked[*leader - 1].p)
			*leader = i + 1;
	}
	for (size_t i = 0; i < n; i++) {
		const size_t leader = ranked[i].cluster ? leaders[ranked[i].cluster] - 1 : i;
		ranked[i].group_p = ranked[leader].p;
		ranked[i].group_leader = ranked[leader].row;
	}
	free(leaders);
}

static void gather(struct evidence *evidence, const struct ranked *ranked)
{
	for (size_t i = 0; i < evidence->n_moved; i++) {
		evidence->rows[i] = ranked[i].row;
		if (i == 0 || ranked[i].group_leader != ranked[i - 1].group_leader)
			evidence->groups[evidence->n_groups++].first = i;
		evidence->groups[evidence->n_groups - 1].n++;
	}
}

/* What did not move is only counted. */
static void count_rest(struct evidence *evidence, const struct row *row, size_t side)
{
	const bool base = row->cells[0].summary.n > 0;
	const bool head = row->cells[side].summary.n > 0;
	if (base != head)
		evidence->n_one_sided++;
	else if (row->findings[side ? side : 1].verdict == VERDICT_UNMOVED)
		evidence->n_unmoved++;
	else
		evidence->n_not_judged++;
}

struct evidence *evidence_make(const struct comparison *comparison, size_t side)
{
	struct evidence *evidence = mem_zero(sizeof(*evidence));
	struct ranked *ranked = mem_array(comparison->n_rows, sizeof(*ranked));
	size_t n_clusters = 0;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		if (row->metric.role != ROLE_EVIDENCE)
			continue;
		if (!evidence_has_moved(comparison, row, side)) {
			count_rest(evidence, row, side);
			continue;
		}
		ranked[evidence->n_moved++] = (struct ranked) {
			.row = i,
			.cluster = row->cluster,
			.p = surprise_of(comparison, row, side),
		};
		n_clusters = row->cluster > n_clusters ? row->cluster : n_clusters;
	}
	find_leaders(ranked, evidence->n_moved, n_clusters);
	qsort(ranked, evidence->n_moved, sizeof(*ranked), by_group);
	evidence->rows = mem_array(evidence->n_moved, sizeof(*evidence->rows));
	evidence->groups = mem_array(evidence->n_moved, sizeof(*evidence->groups));
	gather(evidence, ranked);
	free(ranked);
	return evidence;
}

void evidence_free(struct evidence *evidence)
{
	if (!evidence)
		return;
	free(evidence->rows);
	free(evidence->groups);
	free(evidence);
}
