/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of the runs: blocks, the lone block of five, and the twin's share. */
#include "experiment/blocks.h"

#include "base/macros.h"
#include "base/mem.h"
#include "check.h"

/* A plan of nothing but counts; jobs are not looked at. */
static struct plan *ordered(size_t n_points, size_t n_judged, uint64_t runs, double twin_percent)
{
	struct plan *plan = mem_zero(sizeof(*plan));
	plan->n_points = n_points;
	plan->n_judged = n_judged;
	plan->n_subjects = n_judged + (twin_percent > 0);
	plan->n_jobs = plan->n_points * plan->n_subjects;
	plan->jobs = mem_array(plan->n_jobs, sizeof(struct job *));
	plan->stopping.runs_max = runs;
	plan->seed = 11;
	blocks_draw(plan, twin_percent);
	return plan;
}

/* Runs of a subject in a block. */
static unsigned count(const struct plan *plan, uint32_t block, size_t subject)
{
	unsigned n = 0;
	for (size_t i = 0; i < plan->n_runs; i++)
		n += plan->runs[i].block == block &&
		     plan->runs[i].job % plan->n_subjects == subject;
	return n;
}

static void five_runs_of_two_subjects_are_one_block(void **state)
{
	AUTO(plan) struct plan *plan = ordered(2, 2, 5, 0);
	CHECK_INT(plan->n_runs, 20);
	for (uint32_t block = 0; block < 2; block++)
		for (size_t subject = 0; subject < 2; subject++)
			CHECK_INT(count(plan, block, subject), 5);
	AUTO(plan) struct plan *three = ordered(1, 3, 5, 0);
	CHECK_INT(count(three, 0, 0), 2);
	CHECK_INT(count(three, 2, 2), 1);
}

/* For each share: enough runs of the twin, whole blocks of two, no block more than needed. */
static void a_twin_has_its_share_in_whole_blocks(void **state)
{
	static const double shares[] = { 1, 5, 10, 25, 33, 50 };
	for (size_t s = 0; s < ARRAY_SIZE(shares); s++)
		for (size_t points = 1; points <= 3; points++) {
			AUTO(plan) struct plan *plan = ordered(points, 2, 20, shares[s]);
			const uint32_t n_blocks = plan->runs[plan->n_runs - 1].block + 1;
			unsigned n_twins = 0;
			CHECK_INT(n_blocks, 10 * points);
			for (uint32_t block = 0; block < n_blocks; block++) {
				const unsigned of_block = count(plan, block, 2);
				CHECK(of_block == 0 || of_block == 2);
				CHECK_INT(count(plan, block, 0), 2);
				CHECK_INT(count(plan, block, 1), 2);
				n_twins += of_block;
			}
			const double others = 40.0 * (double)points;
			const double share = 100 * n_twins / (others + n_twins);
			const double less = 100 * (n_twins - 2) / (others + n_twins - 2);
			CHECK(less < shares[s]);
			CHECK(share >= shares[s] || n_twins == 2 * n_blocks);
		}
}

/* A campaign that is decided after four blocks of ten has had a twin. */
static void twins_are_spread_from_the_first_block_on(void **state)
{
	AUTO(plan) struct plan *plan = ordered(1, 2, 20, 5);
	CHECK_INT(count(plan, 0, 2), 2);
	CHECK_INT(count(plan, 5, 2), 2);
	CHECK_INT(plan->n_runs, 44);
}

/* Without a twin, seeds give what they always gave: the twin's block draws for itself. */
static void runs_of_a_block_are_shuffled_together(void **state)
{
	unsigned inside = 0;
	AUTO(plan) struct plan *plan = ordered(1, 2, 100, 50);
	for (size_t i = 1; i + 1 < plan->n_runs; i++)
		inside += plan->runs[i].job == 2 &&
			  plan->runs[i - 1].block == plan->runs[i].block &&
			  plan->runs[i + 1].block == plan->runs[i].block;
	CHECK(inside > 20); /* Neither always first nor always last. */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_runs_of_two_subjects_are_one_block),
		cmocka_unit_test(a_twin_has_its_share_in_whole_blocks),
		cmocka_unit_test(twins_are_spread_from_the_first_block_on),
		cmocka_unit_test(runs_of_a_block_are_shuffled_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
