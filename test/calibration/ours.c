/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our own rule, the quick way and the long way. See ours.h. */
#include "calibration/ours.h"

#include "base/macros.h"
#include "base/mem.h"
#include "stats/moderated.h"
#include "stats/permute.h"
#include "stats/summary.h"
#include "verdict/sample.h"

#include <assert.h>
#include <math.h>

#define BLOCK 4
#define SEED 0          /* What verdict_options has when nobody says. */
#define SEPARATED_MAX 3 /* So few runs a side must not overlap. */
#define HISTORY_GROUPS 4
#define HISTORY_RUNS 6

static double logarithm(double value)
{
	assert(value > 0.0);
	return log(value);
}

/* The first n runs a side, on the scale on which they are judged; whole blocks. */
static void take_first(const struct simulated *simulated, size_t n, struct simulated *ret_taken)
{
	assert(2 * n <= simulated->n);
	*ret_taken = *simulated;
	ret_taken->n = 2 * n;
	for (size_t i = 0; i < ret_taken->n; i++)
		ret_taken->values[i] = logarithm(simulated->values[i]);
}

struct noise ours_history(struct random *random, const struct experiment_case *experiment)
{
	const struct experiment_case quiet = {
		.shape = experiment->shape,
		.deviation = experiment->deviation,
		.n = HISTORY_RUNS / 2,
	};
	struct simulated runs[HISTORY_GROUPS];
	struct noise_group groups[HISTORY_GROUPS];
	for (size_t i = 0; i < HISTORY_GROUPS; i++) {
		simulate(random, &quiet, &runs[i]);
		for (size_t j = 0; j < runs[i].n; j++)
			runs[i].values[j] = logarithm(runs[i].values[j]);
		groups[i] = (struct noise_group) { runs[i].values, runs[i].n };
	}
	return noise_pool(groups, HISTORY_GROUPS, /* logarithmic= */ true, /* same_level= */ true);
}

/* Blocks hold as many of both sides and stand together. */
static double smallest_p(const struct simulated *runs)
{
	size_t sizes[SIMULATE_RUNS_MAX][2] = { { 0 } };
	size_t n_blocks = 0;
	for (size_t i = 0; i < runs->n; i++) {
		n_blocks = runs->blocks[i] + 1;
		sizes[runs->blocks[i]][runs->is_head[i]]++;
	}
	return permute_smallest_p((const size_t(*)[2])sizes, n_blocks);
}

/* In each block all of head's runs lie on the same side of all of base's. */
static bool is_separated(const struct simulated *runs)
{
	bool is_up = true;
	bool is_down = true;
	for (size_t i = 0; i < runs->n; i++)
		for (size_t j = 0; j < runs->n; j++) {
			if (!runs->is_head[i] || runs->is_head[j] ||
			    runs->blocks[i] != runs->blocks[j])
				continue;
			is_up = is_up && runs->values[i] > runs->values[j];
			is_down = is_down && runs->values[i] < runs->values[j];
		}
	return is_up || is_down;
}

static struct ours judge_by_t(const struct simulated *runs, const struct noise *history)
{
	double base[SIMULATE_RUNS_MAX];
	double head[SIMULATE_RUNS_MAX];
	const size_t n = simulate_side(runs, /* is_head= */ false, base);
	(void)simulate_side(runs, /* is_head= */ true, head); /* As many. */
	const struct summary of_base = summary_make(base, n);
	const struct summary of_head = summary_make(head, n);
	const double degrees = 2.0 * (double)(n - 1);
	const struct moderated_sides sides = {
		.n_base = n,
		.n_head = n,
		.base_mean = of_base.mean,
		.head_mean = of_head.mean,
		.squares = (of_base.deviation * of_base.deviation +
			    of_head.deviation * of_head.deviation) *
			   degrees / 2.0,
		.degrees = degrees,
	};
	const struct moderated_prior prior = { .variance = history->within * history->within,
					       .degrees = history->within_degrees };
	const struct moderated moderated = moderated_compare(&sides, &prior, 0.99);
	const bool counts = n > SEPARATED_MAX || is_separated(runs);
	return (struct ours) { .p = counts ? moderated.p : 1.0, .provisional = true };
}

struct ours ours_judge(const struct simulated *simulated, const struct noise *history, double alpha)
{
	struct simulated taken;
	take_first(simulated, simulated->n / 2, &taken);
	if (history)
		return judge_by_t(&taken, history);
	if (smallest_p(&taken) > alpha)
		return (struct ours) { .p = 1.0 }; /* Undecided. */
	const struct blocked blocked = simulate_blocked(&taken);
	return (struct ours) { .p = permute_test(&blocked, PERMUTE_CLIPPED, SEED).p };
}

static int ascending(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a > b) - (a < b);
}

/* The median of all differences within the blocks. */
static double estimate_of(const struct simulated *runs)
{
	double differences[SIMULATE_RUNS_MAX * SIMULATE_RUNS_MAX];
	size_t n = 0;
	for (size_t i = 0; i < runs->n; i++)
		for (size_t j = 0; j < runs->n; j++)
			if (runs->is_head[i] && !runs->is_head[j] &&
			    runs->blocks[i] == runs->blocks[j])
				differences[n++] = runs->values[i] - runs->values[j];
	qsort(differences, n, sizeof(differences[0]), ascending);
	return summary_quantile(differences, n, 0.5);
}

static bool is_rejected(const struct simulated *runs, double shift)
{
	struct simulated shifted = *runs;
	for (size_t i = 0; i < shifted.n; i++)
		shifted.values[i] -= shifted.is_head[i] ? shift : 0.0;
	const struct blocked blocked = simulate_blocked(&shifted);
	return permute_test(&blocked, PERMUTE_CLIPPED, SEED).p <= 1.0 - COMPARISON_SAME_CONFIDENCE;
}

bool ours_is_same(const struct simulated *simulated, size_t n, double margin)
{
	struct simulated taken;
	take_first(simulated, n, &taken);
	const double low = log1p(-margin);
	const double high = log1p(margin);
	const double estimate = estimate_of(&taken);
	return estimate > low && estimate < high && is_rejected(&taken, low) &&
	       is_rejected(&taken, high);
}

struct sequential_schedules *ours_schedules(const struct sequential_plan *plan)
{
	size_t sizes[SIMULATE_RUNS_MAX][2];
	const size_t n_blocks = plan->n_max / (BLOCK / 2);
	assert(plan->n_max <= SIMULATE_RUNS_MAX && plan->n_max % (BLOCK / 2) == 0);
	for (size_t i = 0; i < n_blocks; i++)
		sizes[i][0] = sizes[i][1] = BLOCK / 2;
	return sequential_schedules_new(plan, (const size_t(*)[2])sizes, n_blocks);
}

size_t ours_looks(const struct sequential_schedules *schedules, const struct sequential_plan *plan,
		  const struct simulated *simulated)
{
	struct simulated taken;
	take_first(simulated, simulated->n / 2, &taken);
	const struct blocked blocked = simulate_blocked(&taken);
	const struct sequential sequential =
		sequential_judge_with(schedules, &blocked, PERMUTE_CLIPPED, plan);
	return sequential.rejected ? sequential.look_runs : 0;
}

/* ---- the long way ---- */

static const struct metric score = { "hackbench.time_sec", "s",          "",
				     METRIC_SCORE,         BETTER_LOWER, ROLE_SCORE };

struct two_sides {
	struct sample samples[2];
	struct run_place places[2][SIMULATE_RUNS_MAX];
	struct compared_side sides[2];
};

static void make_sides(const struct simulated *simulated, size_t n, struct two_sides *two)
{
	static const char *const names[] = { "base", "head" };
	for (size_t side = 0; side < 2; side++) {
		struct sample *sample = &two->samples[side];
		*sample = sample_make(names[side], n);
		size_t at = 0;
		for (size_t i = 0; i < 2 * n; i++) {
			if (simulated->is_head[i] != (side == 1))
				continue;
			two->places[side][at] = (struct run_place) {
				.block = simulated->blocks[i] + 1,
				.sequence = i + 1,
			};
			run_metric_add(sample->runs[at++], &score,
				       value_known(simulated->values[i]));
		}
		assert(at == n);
		two->sides[side] = sample_side(sample);
		two->sides[side].places = two->places[side];
	}
}

struct ours_answer ours_compare(const struct simulated *simulated, size_t n,
				const struct noise *history, size_t sequential_max)
{
	struct two_sides two;
	make_sides(simulated, n, &two);
	const struct known_noise known = {
		.metric = score.name,
		.noise = history ? *history : (struct noise) { 0 },
	};
	const struct verdict_options options = {
		.sequential_max = sequential_max,
		.noise = &known,
		.n_noise = history ? 1 : 0,
	};
	struct comparison *comparison = NULL;
	struct error err = { 0 };
	const int code = comparison_make(two.sides, 2, &options, &comparison, &err);
	assert(code == 0);
	const struct finding *finding = &comparison->rows[0].findings[1];
	const struct ours_answer answer = {
		.verdict = finding->verdict,
		.p = finding->p,
		.change = finding->change,
		.low = finding->same_low,
		.high = finding->same_high,
		.provisional = finding->provisional,
		.look_runs = finding->look_runs,
	};
	comparison_free(comparison);
	sample_done(&two.samples[0]);
	sample_done(&two.samples[1]);
	return answer;
}
