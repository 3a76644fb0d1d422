/* SPDX-License-Identifier: GPL-2.0-or-later */
/* graph.h against walking the parents. */
#include "bisect/graph.h"

#include "base/random.h"
#include "check.h"

#include <errno.h>

#define COMMITS 90

static bool reaches(const struct graph_commit *commits, uint32_t from, uint32_t to)
{
	if (from == to)
		return true;
	for (size_t i = 0; i < commits[from].n_parents; i++)
		if (reaches(commits, commits[from].parents[i], to))
			return true;
	return false;
}

static void a_drawn_graph_agrees_with_walking_its_parents(void **state)
{
	struct random random;
	random_seed(&random, 77);
	for (int round = 0; round < 8; round++) {
		struct graph_commit commits[COMMITS] = { 0 };
		uint32_t parents[COMMITS][2] = { 0 };
		double weights[COMMITS];
		double sums[COMMITS];
		for (uint32_t i = 1; i < COMMITS; i++) {
			parents[i][0] = i - 1 - (uint32_t)random_below(&random, i < 4 ? 1 : 3);
			parents[i][1] = (uint32_t)random_below(&random, i);
			const bool is_merge = i % 9 == 0 && parents[i][0] != parents[i][1];
			commits[i] = (struct graph_commit) { parents[i], is_merge ? 2 : 1 };
			weights[i] = random_unit(&random);
		}
		weights[0] = 1.0;
		const uint32_t good = (uint32_t)random_below(&random, 20);
		AUTO(graph)
		struct graph *graph = graph_new(commits, COMMITS, good, COMMITS - 1, NULL);
		CHECK(graph);
		size_t n = 0;
		const uint32_t *candidates = graph_candidates(graph, &n);
		size_t n_true = 0;
		for (uint32_t i = 0; i < COMMITS; i++)
			n_true += reaches(commits, COMMITS - 1, i) && !reaches(commits, good, i);
		CHECK_INT(n, n_true);
		graph_sum(graph, weights, sums);
		for (uint32_t i = 0; i < COMMITS; i++) {
			double sum = 0.0;
			for (size_t j = 0; j < n; j++) {
				const bool has = reaches(commits, i, candidates[j]);
				CHECK(graph_has(graph, i, candidates[j]) == has);
				sum += has ? weights[j] : 0.0;
				CHECK(!has || graph_place(graph, i) == GRAPH_NONE ||
				      graph_place(graph, i) >= j);
			}
			CHECK_NEAR(sums[i], sum, 1e-9);
		}
	}
}

static void a_merge_stands_right_behind_what_it_brought(void **state)
{
	/* 0 - 1 ------- 4 - 5, with 2 - 3 forked off 0 and merged by 4. */
	static const uint32_t parents[] = { 0, 0, 2, 1, 3, 4 };
	const struct graph_commit commits[] = {
		{ NULL, 0 },        { &parents[0], 1 }, { &parents[1], 1 },
		{ &parents[2], 1 }, { &parents[3], 2 }, { &parents[5], 1 },
	};
	AUTO(graph) struct graph *graph = graph_new(commits, 6, 0, 5, NULL);
	size_t n = 0;
	const uint32_t *candidates = graph_candidates(graph, &n);
	CHECK_INT(n, 5);
	for (uint32_t i = 0; i < 5; i++)
		CHECK_INT(candidates[i], i + 1);
	CHECK_INT(graph_merge_of(graph, 3), 4);
	CHECK_INT(graph_merge_of(graph, 2), 4);
	CHECK_INT(graph_merge_of(graph, 1), 1);
	CHECK_INT(graph_merge_of(graph, 4), 4);
	CHECK(!graph_has(graph, 3, 1) && graph_has(graph, 4, 1) && graph_has(graph, 4, 2));
}

static void what_is_no_range_is_refused_with_a_sentence(void **state)
{
	static const uint32_t parents[] = { 0, 1, 2 };
	const struct graph_commit line[] = { { NULL, 0 }, { &parents[0], 1 }, { &parents[1], 1 } };
	const struct graph_commit turned[] = { { &parents[1], 1 }, { NULL, 0 } };
	struct error err = { 0 };
	CHECK(!graph_new(line, 3, 2, 0, &err));
	CHECK_HOLDS(err.text, "swapped");
	CHECK(!graph_new(line, 3, 0, 3, &err));
	CHECK_HOLDS(err.text, "not one of its 3 commits");
	CHECK(!graph_new(turned, 2, 0, 1, &err));
	CHECK_HOLDS(err.text, "in front of");
	CHECK(!graph_new(line, 1, 0, 0, &err));
	CHECK_INT(err.code, EINVAL);
}

static void a_line_is_all_candidates_but_the_good_end(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(200);
	size_t n = 0;
	const uint32_t *candidates = graph_candidates(graph, &n);
	CHECK_INT(n, 199);
	CHECK_INT(candidates[0], 1);
	CHECK_INT(graph_good(graph), 0);
	CHECK_INT(graph_bad(graph), 199);
	CHECK_INT(graph_commits(graph), 200);
	CHECK_INT(graph_parents(graph, 150, &n)[0], 149);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drawn_graph_agrees_with_walking_its_parents),
		cmocka_unit_test(a_merge_stands_right_behind_what_it_brought),
		cmocka_unit_test(what_is_no_range_is_refused_with_a_sentence),
		cmocka_unit_test(a_line_is_all_candidates_but_the_good_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
