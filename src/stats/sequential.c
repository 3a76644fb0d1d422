/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Question: may the runs end here, because the head is different?
 *
 * Assumption: within each block the order of the sides was drawn; nothing of the values. The looks
 * are those of the plan.
 * Reference: Lan and DeMets (1983), "Discrete sequential boundaries for clinical trials"; Tsiatis,
 * Rosner and Mehta (1984) for the order of outcomes; Besag and Clifford (1991) for counting the
 * observed schedule among the drawn ones, which makes the rate exact with any number of them: under
 * "nothing changed" each of them could as well have been the one that was carried out.
 * Failure mode: a campaign that is ended by anything but the looks and the plan's end (a person who
 * has seen enough) leaves alpha unspent, never overspent. Estimates after an early end lie a little
 * too far out.
 *
 * At a look all values so far are ranked anew, so that the schedules' sums cannot be carried over
 * from the look before; they are added up from tables. Up to TABLE_MAX choices, neighbouring blocks
 * share one table: four blocks of 2 + 2 are one addition a schedule. Blocks that are not carried out
 * yet stand in the table with zeros.
 */
#include "stats/sequential.h"

#include "base/mem.h"
#include "base/random.h"
#include "stats/layout.h"
#include "stats/relabel.h"
#include "stats/score.h"
#include "stats/select.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define TABLE_MAX RELABEL_LIST_MAX

static_assert(TABLE_MAX <= UINT16_MAX, "a choice of a table must fit");

struct table { /* Blocks that are looked up together. */
	size_t first, n_blocks;
	size_t n_choices;
	uint16_t *choices; /* Of each schedule; NULL: one block of too many choices, drawn anew from
			    * its seed at each look. */
};

struct sequential_schedules {
	size_t n;        /* Schedules; [0] is the observed one. */
	uint64_t *seeds; /* Of the blocks. */
	struct layout_block *blocks;
	size_t n_blocks;
	struct table *tables;
	size_t n_tables;
};

DEFINE_AUTO(numbers, double *, free);
DEFINE_AUTO(flags, bool *, free);
DEFINE_AUTO(blocks, struct layout_block *, free);

static size_t schedules_wanted(const struct sequential_plan *plan)
{
	if (plan->n_schedules > 0)
		return plan->n_schedules;
	const double wanted = fmax(SEQUENTIAL_SCHEDULES, ceil(20.0 / plan->alpha));
	return wanted < SEQUENTIAL_SCHEDULES_MAX ? (size_t)wanted : SEQUENTIAL_SCHEDULES_MAX;
}

/* Each block has its own seed, so that blocks that come later change nothing of those before. */
static void draw_choices(const struct sequential_schedules *schedules, struct table *table)
{
	table->choices = mem_array(schedules->n, sizeof(*table->choices));
	size_t stride = 1;
	for (size_t b = table->first; b < table->first + table->n_blocks; b++) {
		const struct layout_block *block = &schedules->blocks[b];
		const size_t n_choices = relabel_choices(block);
		struct random random;
		random_seed(&random, schedules->seeds[b]);
		for (size_t m = 1; m < schedules->n; m++)
			table->choices[m] = (uint16_t)(table->choices[m] +
						       stride * random_below(&random, n_choices));
		stride *= n_choices;
	}
}

static void lay_tables(struct sequential_schedules *schedules)
{
	schedules->tables = mem_array(schedules->n_blocks, sizeof(*schedules->tables));
	for (size_t b = 0; b < schedules->n_blocks;) {
		struct table *table = &schedules->tables[schedules->n_tables++];
		*table = (struct table) { .first = b };
		double choices = 1.0;
		do {
			const struct layout_block *block = &schedules->blocks[b];
			choices *= relabel_choose(block->n, block->n_head);
			if (table->n_blocks > 0 && choices > TABLE_MAX)
				break;
			table->n_blocks++;
			table->n_choices = choices <= TABLE_MAX ? (size_t)choices : 0;
			b++;
		} while (b < schedules->n_blocks);
		if (table->n_choices > 0)
			draw_choices(schedules, table);
	}
}

static struct sequential_schedules *draw_schedules(const struct sequential_plan *plan,
						   const struct layout_block *blocks,
						   size_t n_blocks)
{
	assert(plan->alpha > 0.0 && plan->alpha < 1.0);
	struct sequential_schedules *schedules = mem_zero(sizeof(*schedules));
	schedules->n = schedules_wanted(plan) + 1;
	schedules->n_blocks = n_blocks;
	schedules->blocks = mem_array(n_blocks, sizeof(*schedules->blocks));
	schedules->seeds = mem_array(n_blocks, sizeof(*schedules->seeds));
	struct random random;
	random_seed(&random, plan->seed);
	for (size_t b = 0; b < n_blocks; b++) {
		schedules->blocks[b] = blocks[b];
		schedules->seeds[b] = random_next(&random);
	}
	lay_tables(schedules);
	return schedules;
}

struct sequential_schedules *sequential_schedules_new(const struct sequential_plan *plan,
						      const size_t (*sizes)[2], size_t n_blocks)
{
	AUTO(blocks) struct layout_block *blocks = mem_array(n_blocks, sizeof(*blocks));
	size_t first = 0;
	for (size_t b = 0; b < n_blocks; b++) {
		assert(sizes[b][0] > 0 && sizes[b][1] > 0);
		const size_t n = sizes[b][0] + sizes[b][1];
		blocks[b] = (struct layout_block) { .first = first, .n = n, .n_head = sizes[b][1] };
		first += n;
	}
	return draw_schedules(plan, blocks, n_blocks);
}

void sequential_schedules_free(struct sequential_schedules *schedules)
{
	if (!schedules)
		return;
	for (size_t t = 0; t < schedules->n_tables; t++)
		free(schedules->tables[t].choices);
	free(schedules->tables);
	free(schedules->blocks);
	free(schedules->seeds);
	free(schedules);
}

/* Adds what a table's blocks contribute to each schedule's sum; `n_blocks` were carried out. */
static void add_table(const struct sequential_schedules *schedules, const struct table *table,
		      size_t n_blocks, const double *scores, double *sums)
{
	const struct layout_block *blocks = schedules->blocks;
	if (!table->choices) {
		struct layout_block observed = blocks[table->first];
		for (size_t i = 0; i < observed.n_head; i++)
			sums[0] += scores[observed.first + i];
		struct random random;
		random_seed(&random, schedules->seeds[table->first]);
		relabel_add_drawn(&observed, scores, &random, schedules->n - 1, sums + 1,
				  /* kept= */ NULL);
		return;
	}
	AUTO(numbers) double *list = mem_array(TABLE_MAX, sizeof(*list));
	AUTO(numbers) double *entries = mem_array(table->n_choices, sizeof(*entries));
	size_t n = 1;
	for (size_t b = table->first; b < table->first + table->n_blocks; b++) {
		const size_t n_choices = relabel_choices(&blocks[b]);
		if (b < n_blocks)
			relabel_list(&blocks[b], scores, list, /* ret_kept= */ NULL);
		for (size_t choice = n_choices; choice-- > 0;)
			for (size_t i = 0; i < n; i++)
				entries[choice * n + i] =
					entries[i] + (b < n_blocks ? list[choice] : 0.0);
		n *= n_choices;
	}
	assert(n == table->n_choices);
	for (size_t m = 0; m < schedules->n; m++)
		sums[m] += entries[table->choices[m]];
}

struct looks { /* What was seen so far. */
	const struct sequential_schedules *schedules;
	double *distances; /* From the expectation; -1 for the schedules that were rejected. */
	bool *is_rejected;
	size_t n_rejected;
};

static void find_distances(const struct looks *looks, const double *scores, size_t n_blocks)
{
	const struct sequential_schedules *schedules = looks->schedules;
	double *distances = looks->distances;
	memset(distances, 0, schedules->n * sizeof(*distances));
	for (size_t t = 0; t < schedules->n_tables && schedules->tables[t].first < n_blocks; t++)
		add_table(schedules, &schedules->tables[t], n_blocks, scores, distances);
	for (size_t m = 0; m < schedules->n; m++)
		distances[m] = looks->is_rejected[m] ? -1.0 : fabs(distances[m]);
}

static size_t count_from(const struct looks *looks, double distance)
{
	size_t n = 0;
	for (size_t m = 0; m < looks->schedules->n; m++)
		n += looks->distances[m] >= distance;
	return n;
}

/* Rejects the farthest, at most `allowed` of them: of equal ones all or none. */
static void reject_farthest(struct looks *looks, size_t allowed, double rounding)
{
	if (allowed == 0)
		return;
	AUTO(numbers) double *heap = mem_array(allowed, sizeof(*heap));
	const double last = select_largest(looks->distances, looks->schedules->n, allowed, heap);
	double bound = last - rounding;
	/* Beyond it even where the rounding is 0: all values were 0, and all distances are. */
	if (count_from(looks, bound) > allowed)
		bound = nextafter(last + rounding, (double)INFINITY);
	for (size_t m = 0; m < looks->schedules->n; m++) {
		if (looks->distances[m] >= bound && looks->distances[m] >= 0.0) {
			looks->is_rejected[m] = true;
			looks->n_rejected++;
		}
	}
}

/* One look at the runs of `layout`. False when it was the last one. */
static bool look(struct looks *looks, const struct layout *layout, enum permute_score score,
		 const struct sequential_plan *plan, struct sequential *sequential)
{
	const double n_schedules = (double)looks->schedules->n;
	sequential->known = true;
	sequential->n_looks++;
	sequential->spent =
		plan->alpha * fmin(1.0, (double)sequential->look_runs / (double)plan->n_max);
	const bool is_last = sequential->look_runs >= plan->n_max;

	AUTO(numbers) double *scores = mem_array(layout->n, sizeof(*scores));
	const double rounding = score_centred(layout, score, /* shift= */ 0.0, scores);
	find_distances(looks, scores, layout->n_blocks);
	const size_t farther =
		looks->n_rejected + count_from(looks, fmax(0.0, looks->distances[0] - rounding));
	const double share = sequential->spent * n_schedules;
	const size_t may_reject = (size_t)(share + 1e-9);
	sequential->p = (double)farther / n_schedules;
	sequential->rejected = farther <= may_reject;
	if (sequential->rejected)
		return false;
	if (is_last)
		return false;
	/* A look that is still to come may reject, and then gives p up to alpha. */
	const double above = (floor(plan->alpha * n_schedules + 1e-9) + 1.0) / n_schedules;
	sequential->p = fmax(sequential->p, fmin(above, 1.0));
	reject_farthest(looks, may_reject - looks->n_rejected, rounding);
	return true;
}

static bool fits(const struct sequential_schedules *schedules, const struct layout *layout)
{
	if (layout->n_blocks > schedules->n_blocks)
		return false;
	for (size_t b = 0; b < layout->n_blocks; b++) {
		if (layout->blocks[b].n != schedules->blocks[b].n ||
		    layout->blocks[b].n_head != schedules->blocks[b].n_head)
			return false;
	}
	return true;
}

static struct sequential judge(const struct sequential_schedules *schedules,
			       const struct layout *layout, enum permute_score score,
			       const struct sequential_plan *plan)
{
	struct sequential sequential = { .p = (double)NAN };
	const size_t n_first = plan->n_first > 0 ? plan->n_first : SEQUENTIAL_FIRST_LOOK;
	AUTO(flags) bool *is_rejected = mem_array(schedules->n, sizeof(*is_rejected));
	AUTO(numbers) double *distances = mem_array(schedules->n, sizeof(*distances));
	struct looks looks = { .schedules = schedules,
			       .distances = distances,
			       .is_rejected = is_rejected };
	size_t n_base = 0;
	size_t n_head = 0;
	for (size_t b = 0; b < layout->n_blocks; b++) {
		n_head += layout->blocks[b].n_head;
		n_base += layout->blocks[b].n - layout->blocks[b].n_head;
		const size_t runs = n_base < n_head ? n_base : n_head;
		if (runs < n_first)
			continue;
		const struct layout so_far = layout_prefix(layout, b + 1);
		sequential.look_runs = runs;
		if (!look(&looks, &so_far, score, plan, &sequential))
			break;
	}
	return sequential;
}

struct sequential sequential_judge_with(const struct sequential_schedules *schedules,
					const struct blocked *blocked, enum permute_score score,
					const struct sequential_plan *plan)
{
	assert(plan->alpha > 0.0 && plan->alpha < 1.0 && plan->n_max > 0);
	AUTO(layout) struct layout *layout = layout_new(blocked);
	assert(fits(schedules, layout));
	assert(schedules->n == schedules_wanted(plan) + 1);
	return judge(schedules, layout, score, plan);
}

struct sequential sequential_judge(const struct blocked *blocked, enum permute_score score,
				   const struct sequential_plan *plan)
{
	assert(plan->alpha > 0.0 && plan->alpha < 1.0 && plan->n_max > 0);
	AUTO(layout) struct layout *layout = layout_new(blocked);
	AUTO(sequential_schedules)
	struct sequential_schedules *schedules =
		draw_schedules(plan, layout->blocks, layout->n_blocks);
	return judge(schedules, layout, score, plan);
}
