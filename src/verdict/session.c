/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sequences of two campaigns are two countings, so they order the runs only when the sides share
 * blocks. A share of the runs must lie in shared blocks, not all: the last block of a campaign may
 * have lost a side to a failed run.
 */
#include "verdict/session.h"

#include "base/macros.h"
#include "base/mem.h"
#include "verdict/order.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Of the runs, in blocks with both sides, so that the session counts as interleaved. */
#define SHARE_MIXED 0.8
/* Of the stretches that chance would give. */
#define SHARE_OF_TURNS 0.5

static void gather(struct session *session, const struct comparison *comparison, size_t head)
{
	const size_t sides[] = { 0, head };
	const size_t n_most = comparison->orders[0].n + comparison->orders[head].n;
	session->runs = mem_array(n_most, sizeof(*session->runs));
	for (size_t s = 0; s < ARRAY_SIZE(sides); s++) {
		const struct side_order *order = &comparison->orders[sides[s]];
		for (size_t i = 0; i < order->n; i++)
			session->runs[session->n++] = (struct session_run) {
				.run = order->runs[i],
				.side = sides[s],
				.index = i,
				.block = order->blocks ? order->blocks[i] : 0,
			};
	}
}

/* Share of the runs whose block holds both sides. */
static double shared_blocks(const struct session *session)
{
	size_t n_shared = 0;
	for (size_t i = 0; i < session->n; i++) {
		bool shared = false;
		for (size_t j = 0; j < session->n && !shared; j++)
			shared = session->runs[i].block == session->runs[j].block &&
				 session->runs[i].side != session->runs[j].side;
		n_shared += shared;
	}
	return session->n ? (double)n_shared / (double)session->n : 0.0;
}

struct keyed {
	uint64_t key;
	struct session_run run;
};

static int by_key(const void *one, const void *other)
{
	const struct keyed *a = one;
	const struct keyed *b = other;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->run.side != b->run.side)
		return a->run.side < b->run.side ? -1 : 1;
	return (a->run.index > b->run.index) - (a->run.index < b->run.index);
}

/* Sorts by the sequence or, without a draw, by the time of day at which the runs began. */
static void sort_runs(struct session *session, const struct comparison *comparison)
{
	struct keyed *keyed = mem_array(session->n, sizeof(*keyed));
	session->ordered = session->n > 0;
	for (size_t i = 0; i < session->n; i++) {
		const struct session_run *run = &session->runs[i];
		const uint64_t *sequences = comparison->orders[run->side].sequences;
		keyed[i].run = *run;
		keyed[i].key = session->drawn ? sequences[run->index] : run->run->started_wall_ns;
		if (!session->drawn && run->run->started_wall_ns == 0)
			session->ordered = false;
	}
	if (session->ordered)
		qsort(keyed, session->n, sizeof(*keyed), by_key);
	for (size_t i = 0; session->ordered && i < session->n; i++)
		session->runs[i] = keyed[i].run;
	free(keyed);
}

static void count_turns(struct session *session)
{
	size_t n_head = 0;
	for (size_t i = 0; i < session->n; i++) {
		n_head += session->runs[i].side != 0;
		session->turns += i == 0 || session->runs[i].side != session->runs[i - 1].side;
	}
	const double heads = (double)n_head;
	const double bases = (double)(session->n - n_head);
	session->turns_expected = session->n ? 1.0 + 2.0 * heads * bases / (double)session->n : 0.0;
	session->alternating = !session->drawn && session->ordered && session->n >= 6 &&
			       session->turns == session->n;
	if (session->ordered && !session->drawn)
		session->mixed =
			(double)session->turns >= SHARE_OF_TURNS * session->turns_expected &&
			session->turns > 2;
}

struct session session_make(const struct comparison *comparison, size_t head)
{
	assert(head > 0 && head < comparison->n_sides);
	struct session session = { 0 };
	gather(&session, comparison, head);
	const bool has_blocks = comparison->orders[0].blocks && comparison->orders[head].blocks;
	session.drawn = has_blocks && shared_blocks(&session) >= SHARE_MIXED;
	session.mixed = session.drawn;
	sort_runs(&session, comparison);
	count_turns(&session);
	return session;
}

void session_done(struct session *session)
{
	free(session->runs);
	*session = (struct session) { 0 };
}

size_t session_residuals(const struct session *session, const struct row *row, size_t only,
			 double **ret_residuals)
{
	double *residuals = mem_array(session->n, sizeof(*residuals));
	size_t n = 0;
	for (size_t i = 0; i < session->n; i++) {
		const struct session_run *run = &session->runs[i];
		const struct cell *cell = &row->cells[run->side];
		if ((only != SIZE_MAX && run->side != only) || isnan(cell->values[run->index]))
			continue;
		residuals[n++] = cell->values[run->index] - cell->summary.median;
	}
	*ret_residuals = residuals;
	return n;
}
