/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawing the order of the runs. See blocks.h. */
#include "experiment/blocks.h"

#include "base/mem.h"
#include "base/random.h"

#include <assert.h>
#include <math.h>

#define BLOCK_RUNS 2 /* Of each subject. */
/* 252 orders of 5 + 5 reach 2/252; the 72 of 2 + 2, 2 + 2, 1 + 1 reach 2/72 at best. */
#define LONE_BLOCK_RUNS 5

static void shuffle(struct planned *runs, size_t n, struct random *random)
{
	for (size_t i = n; i > 1; i--) {
		const size_t other = (size_t)random_below(random, i);
		const struct planned kept = runs[i - 1];
		runs[i - 1] = runs[other];
		runs[other] = kept;
	}
}

/* Runs of each subject in the round of blocks that begins when `done` are planned. */
static uint64_t round_runs(const struct plan *plan, uint64_t done)
{
	const uint64_t runs = plan->stopping.runs_max;
	if (runs == LONE_BLOCK_RUNS && plan->n_judged == 2)
		return runs;
	return runs - done < BLOCK_RUNS ? runs - done : BLOCK_RUNS;
}

static uint64_t count_blocks(const struct plan *plan)
{
	uint64_t rounds = 0;
	for (uint64_t done = 0; done < plan->stopping.runs_max; done += round_runs(plan, done))
		rounds++;
	return rounds * plan->n_points;
}

/* Blocks with a twin: enough for the share, at most all. */
static uint64_t count_twin_blocks(const struct plan *plan, double percent, uint64_t n_blocks)
{
	if (plan->n_subjects == plan->n_judged)
		return 0;
	const double others =
		(double)plan->n_points * (double)plan->n_judged * (double)plan->stopping.runs_max;
	const double wanted = ceil(others * percent / (100.0 - percent) / BLOCK_RUNS);
	return wanted < (double)n_blocks ? (uint64_t)wanted : n_blocks;
}

/* Evenly over the blocks, from the first on: a campaign that ends early has its share too. */
static bool has_twin(uint64_t block, uint64_t n_twin_blocks, uint64_t n_blocks)
{
	const uint64_t before = (block * n_twin_blocks + n_blocks - 1) / n_blocks;
	const uint64_t behind = ((block + 1) * n_twin_blocks + n_blocks - 1) / n_blocks;
	return behind > before;
}

static void add_runs(struct plan *plan, size_t job, uint32_t block, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		plan->runs[plan->n_runs++] =
			(struct planned) { .job = (uint32_t)job, .block = block };
}

void blocks_draw(struct plan *plan, double twin_percent)
{
	struct random random;
	const uint64_t n_blocks = count_blocks(plan);
	const uint64_t n_twin_blocks = count_twin_blocks(plan, twin_percent, n_blocks);
	random_seed(&random, plan->seed);
	plan->runs = mem_array(plan->n_jobs * plan->stopping.runs_max, sizeof(*plan->runs));
	plan->n_runs = 0;
	uint32_t block = 0;
	for (uint64_t done = 0; done < plan->stopping.runs_max; done += round_runs(plan, done))
		for (size_t point = 0; point < plan->n_points; point++, block++) {
			const uint64_t of_each = round_runs(plan, done);
			const size_t first_job = point * plan->n_subjects;
			const size_t first_run = plan->n_runs;
			for (size_t subject = 0; subject < plan->n_judged; subject++)
				add_runs(plan, first_job + subject, block, of_each);
			if (n_twin_blocks > 0 && has_twin(block, n_twin_blocks, n_blocks))
				add_runs(plan, first_job + plan->n_judged, block,
					 of_each < BLOCK_RUNS ? of_each : BLOCK_RUNS);
			shuffle(plan->runs + first_run, plan->n_runs - first_run, &random);
		}
	assert(block == n_blocks && block < PLAN_WARM_UP_BLOCK);
}
