/* SPDX-License-Identifier: GPL-2.0-or-later */
/* posterior.h against brute force: each candidate on its own, unit by unit, on small graphs. */
#include "bisect/posterior.h"

#include "base/random.h"
#include "check.h"

#include <math.h>

#define COMMITS 14
#define UNITS 40
#define PRECISION 0.05

static double log_evidence(const struct graph *graph, const struct bisect_unit *units,
			   uint32_t candidate, bool is_none)
{
	double n[2] = { 0 };
	double sum[2] = { 0 };
	double mean = 0.0;
	double total = 0.0;
	for (size_t i = 0; i < UNITS; i++)
		mean += units[i].value / UNITS;
	for (size_t i = 0; i < UNITS; i++) {
		const bool side = !is_none && graph_has(graph, units[i].commit, candidate);
		n[side] += 1.0;
		sum[side] += units[i].value - mean;
		total += pow(units[i].value - mean, 2.0);
	}
	double log_evidence = 0.0;
	double squares = total;
	for (size_t side = 0; side < 2; side++) {
		squares -= sum[side] * sum[side] / (PRECISION + n[side]);
		log_evidence -= 0.5 * log((PRECISION + n[side]) / PRECISION);
	}
	const double least = 1e-6 * total / UNITS + 1e-20 * mean * mean;
	return log_evidence - (0.5 + 0.5 * UNITS) * log(least + 0.5 * squares);
}

static struct graph *drawn_graph(struct random *random)
{
	struct graph_commit commits[COMMITS] = { 0 };
	uint32_t parents[COMMITS][2] = { 0 };
	for (uint32_t i = 1; i < COMMITS; i++) {
		parents[i][0] = i - 1;
		parents[i][1] = (uint32_t)random_below(random, i);
		commits[i] = (struct graph_commit) { parents[i], parents[i][1] + 1 < i ? 2 : 1 };
		if (i % 4 == 1 && i > 2)
			parents[i][0] = i - 2;
	}
	return graph_new(commits, COMMITS, 0, COMMITS - 1, NULL);
}

static void it_agrees_with_brute_force_on_drawn_graphs(void **state)
{
	struct random random;
	random_seed(&random, 6);
	for (int round = 0; round < 20; round++) {
		AUTO(graph) struct graph *graph = drawn_graph(&random);
		struct bisect_options options = evidence_preset();
		options.is_logarithmic = false;
		options.reach = 0.0;
		double weights[COMMITS];
		for (size_t i = 0; i < COMMITS; i++)
			weights[i] = 1.0 + (double)(i % 3);
		options.weights = weights;
		AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
		struct bisect_unit units[UNITS] = { 0 };
		for (size_t i = 0; i < UNITS; i++) {
			units[i].commit = (uint32_t)random_below(&random, COMMITS);
			units[i].value = random_normal(&random) + (units[i].commit > 8);
			bisect_add(bisect, &units[i]);
		}
		size_t n = 0;
		const uint32_t *candidates = graph_candidates(graph, &n);
		double sum_of_weights = 0.0;
		for (size_t i = 0; i < n; i++)
			sum_of_weights += weights[candidates[i]];
		const double none = log_evidence(graph, units, candidates[0], true);
		double odds[COMMITS];
		double sum = 0.05;
		for (size_t i = 0; i < n; i++) {
			odds[i] = 0.95 * weights[candidates[i]] / sum_of_weights *
				  exp(log_evidence(graph, units, candidates[i], false) - none);
			sum += odds[i];
		}
		double have_none;
		const double *have = bisect_posterior(bisect, &have_none);
		CHECK_NEAR(have_none, 0.05 / sum, 1e-9);
		for (size_t i = 0; i < n; i++)
			CHECK_NEAR(have[i], odds[i] / sum, 1e-9);
		for (uint32_t x = 0; x < COMMITS; x++) {
			double changed = 0.0;
			for (size_t i = 0; i < n; i++)
				changed += graph_has(graph, x, candidates[i]) ? have[i] : 0.0;
			CHECK_NEAR(bisect->sums[x], changed, 1e-9);
		}
	}
}

static void an_outlier_says_no_more_than_the_last_good_value(void **state)
{
	double masses[2];
	for (int round = 0; round < 2; round++) {
		AUTO(graph) struct graph *graph = graph_new_line(8);
		struct bisect_options options = evidence_preset();
		options.is_logarithmic = false;
		AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
		struct random random;
		random_seed(&random, 31);
		for (uint32_t i = 0; i < 24; i++) {
			struct bisect_unit unit = { .commit = i % 8 };
			unit.value = random_normal(&random) + (unit.commit >= 4 ? 4.0 : 0.0);
			if (i == 17)
				unit.value = round == 0 ? 30.0 : 3000.0;
			bisect_add(bisect, &unit);
		}
		double none;
		masses[round] = bisect_posterior(bisect, &none)[3];
	}
	CHECK_NEAR(masses[0], masses[1], 1e-9);
	CHECK(masses[0] > 0.9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_agrees_with_brute_force_on_drawn_graphs),
		cmocka_unit_test(an_outlier_says_no_more_than_the_last_good_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
