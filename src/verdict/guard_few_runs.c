/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can so few runs decide anything at all, and how many would? */
#include "base/mem.h"
#include "base/text.h"
#include "stats/permute.h"
#include "verdict/guard.h"
#include "verdict/measure.h"
#include "verdict/order.h"
#include "verdict/session.h"

#include <math.h>

extern const struct guard guard_few_runs;

typedef size_t block_sizes[2];

/* What the drawn blocks hold; without a draw all runs are one block. */
static double smallest_p(const struct session *session)
{
	block_sizes *sizes = mem_array(session->n, sizeof(*sizes));
	uint32_t *blocks = mem_array(session->n, sizeof(*blocks));
	size_t n_blocks = 0;
	for (size_t i = 0; i < session->n; i++) {
		const uint32_t block = session->drawn ? session->runs[i].block : 0;
		size_t at = 0;
		while (at < n_blocks && blocks[at] != block)
			at++;
		if (at == n_blocks)
			blocks[n_blocks++] = block;
		sizes[at][session->runs[i].side != 0]++;
	}
	const double p = permute_smallest_p((const size_t(*)[2])sizes, n_blocks);
	free(blocks);
	free(sizes);
	return p;
}

static bool has_undecided(const struct comparison *comparison, size_t head)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (comparison->rows[i].metric.role == ROLE_SCORE &&
		    comparison->rows[i].findings[head].verdict == VERDICT_UNDECIDED)
			return true;
	return false;
}

/* "; for hackbench.time_sec, 34 runs would do": those that are known. */
static void add_wanted(const struct comparison *comparison, size_t head, struct text *text)
{
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct finding *finding = &comparison->rows[i].findings[head];
		if (comparison->rows[i].metric.role == ROLE_SCORE &&
		    finding->verdict == VERDICT_UNDECIDED && finding->runs_wanted)
			text_add(text, "; for %s %zu would, if the estimate holds",
				 comparison->rows[i].metric.name, finding->runs_wanted);
	}
}

static void examine_head(struct comparison *comparison, size_t head)
{
	const size_t n_base = comparison->orders[0].n;
	const size_t n_head = comparison->orders[head].n;
	if (n_base == 0 || n_head == 0 || !has_undecided(comparison, head))
		return;
	AUTO(session) struct session session = session_make(comparison, head);
	const double p = smallest_p(&session);
	if (p <= comparison->alpha)
		return;
	AUTO(text_buffer) struct text wanted = { 0 };
	add_wanted(comparison, head, &wanted);
	const size_t needed = measure_runs_least(comparison->alpha);
	guard_warn(comparison, &guard_few_runs, head, NULL,
		   "%zu + %zu run%s %s: the order of so few cannot give p below %.2g, and %.2g is "
		   "asked for; %zu a side is the least%s",
		   n_base, n_head, n_base + n_head == 2 ? "" : "s",
		   n_base < 2 || n_head < 2 ? "have no deviation" : "are too few to decide", p,
		   comparison->alpha, needed, text_string(&wanted));
}

static void examine(struct comparison *comparison)
{
	for (size_t head = 1; head < comparison->n_sides; head++)
		examine_head(comparison, head);
}

static void show(const struct comparison *comparison, size_t head, struct text *text)
{
	AUTO(session) struct session session = session_make(comparison, head);
	text_add(text, "%zu + %zu runs: p can be %.2g at best, and %.2g is asked for\n",
		 comparison->orders[0].n, comparison->orders[head].n, smallest_p(&session),
		 comparison->alpha);
}

const struct guard guard_few_runs = {
	.name = "few_runs",
	.asks = "can so few runs decide anything at all?",
	.explains =
		"The test of a score compares the order of the runs with all orders that could have been "
		"drawn. Three runs a side have 20 of them, so that p is at least 2/20 and no difference, "
		"however large, can be told from chance at 1 %. Where a score is undecided and the runs "
		"could not have reached the false-alarm rate at best, the guard says so, with the "
		"smallest number of runs a side that could (6 at 1 %, in blocks of 2 + 2) and, where the "
		"scatter is known, with how many would decide the difference that was seen in 9 of 10 "
		"cases. One run has no deviation: it is a number and no finding. It warns. With few runs "
		"a moderated t test may still decide; such a verdict is marked provisional.",
	.examine = examine,
	.show = show,
};
