/* SPDX-License-Identifier: GPL-2.0-or-later */
/* boundary.h: clusters of broken commits, and neighbours across merges. */
#include "bisect/boundary.h"

#include "check.h"

#include <stdlib.h>

static struct bisect *with_broken(const struct graph *graph, const uint32_t *broken, size_t n)
{
	struct bisect_options options = evidence_preset();
	struct bisect *bisect = bisect_new(graph, &options);
	for (size_t i = 0; i < n; i++)
		bisect_add(bisect,
			   &(struct bisect_unit) { .commit = broken[i], .result = BISECT_BROKEN });
	return bisect;
}

static void a_broken_range_is_one_cluster_with_its_next_commit(void **state)
{
	static const uint32_t broken[] = { 5, 4, 6 };
	AUTO(graph) struct graph *graph = graph_new_line(10);
	AUTO(bisect) struct bisect *bisect = with_broken(graph, broken, 3);
	/* Place i is commit i + 1: 4 to 7 are one, behind 3. */
	for (size_t place = 0; place < 9; place++)
		CHECK_INT(bisect->clusters[place], place >= 3 && place <= 6 ? 3 : place);
	const struct boundary boundary = boundary_find(bisect, 3);
	CHECK_INT(boundary.after, 7);
	CHECK_INT(boundary.n_before, 1);
	CHECK_INT(boundary.before[0], 3);
}

static void the_first_commit_stands_behind_the_good_end(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(5);
	AUTO(bisect) struct bisect *bisect = with_broken(graph, NULL, 0);
	const struct boundary boundary = boundary_find(bisect, 0);
	CHECK_INT(boundary.after, 1);
	CHECK_INT(boundary.before[0], 0);
}

static void a_merge_has_all_its_parents_in_front(void **state)
{
	/* 0 - 1 ------- 4 - 5, with 2 - 3 forked off 0 and merged by 4; 3 is broken. */
	static const uint32_t parents[] = { 0, 0, 2, 1, 3, 4 };
	static const uint32_t broken[] = { 3 };
	const struct graph_commit commits[] = {
		{ NULL, 0 },        { &parents[0], 1 }, { &parents[1], 1 },
		{ &parents[2], 1 }, { &parents[3], 2 }, { &parents[5], 1 },
	};
	AUTO(graph) struct graph *graph = graph_new(commits, 6, 0, 5, NULL);
	AUTO(bisect) struct bisect *whole = with_broken(graph, NULL, 0);
	const struct boundary merge = boundary_find(whole, graph_place(graph, 4));
	CHECK_INT(merge.n_before, 2);
	CHECK_INT(merge.before[0], 1);
	CHECK_INT(merge.before[1], 3);
	AUTO(bisect) struct bisect *bisect = with_broken(graph, broken, 1);
	/* Nothing tells the broken tip of the branch from its merge. */
	CHECK_INT(bisect->clusters[graph_place(graph, 3)], bisect->clusters[graph_place(graph, 4)]);
	const struct boundary both = boundary_find(bisect, graph_place(graph, 3));
	CHECK_INT(both.after, 4);
	CHECK_INT(both.n_before, 2);
	CHECK_INT(both.before[0] + both.before[1], 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_broken_range_is_one_cluster_with_its_next_commit),
		cmocka_unit_test(the_first_commit_stands_behind_the_good_end),
		cmocka_unit_test(a_merge_has_all_its_parents_in_front),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
