/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose.h: what is asked next. */
#include "bisect/choose.h"

#include "check.h"

static void add(struct bisect *bisect, uint32_t commit, double value)
{
	bisect_add(bisect, &(struct bisect_unit) { .commit = commit, .value = value });
}

/* Ends that surely differ. */
static struct bisect *begun(const struct graph *graph, const struct bisect_options *options)
{
	struct bisect *bisect = bisect_new(graph, options);
	for (int i = 0; i < 6; i++) {
		add(bisect, graph_good(graph), 100.0 + i % 3);
		add(bisect, graph_bad(graph), 110.0 + i % 3);
	}
	return bisect;
}

static void the_middle_is_asked_first(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(101);
	const struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = begun(graph, &options);
	const struct choice choice = choose_next(bisect);
	CHECK(choice.commit >= 48 && choice.commit <= 52);
	CHECK_INT(choice.n_units, 1);
	CHECK(choice.bits > 0.9 && choice.bits <= 1.0);
}

static void a_dear_build_is_measured_more_than_once(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(101);
	struct bisect_options options = evidence_preset();
	options.cost_build = 100.0;
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	for (int i = 0; i < 12; i++) {
		add(bisect, 0, 100.0 + i % 3);
		add(bisect, 100, 101.5 + i % 3);
	}
	CHECK(choose_next(bisect).n_units > 3);
	CHECK_NEAR(choose_cost(bisect, 50, 4), 104.0, 1e-9);
	CHECK_NEAR(choose_cost(bisect, 100, 4), 4.0, 1e-9);
}

static void what_is_broken_is_not_asked_again(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(11);
	const struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = begun(graph, &options);
	for (uint32_t commit = 3; commit < 8; commit++)
		bisect_add(bisect,
			   &(struct bisect_unit) { .commit = commit, .result = BISECT_BROKEN });
	const struct choice choice = choose_next(bisect);
	CHECK(choice.commit == 2 || choice.commit == 8);
}

static void a_merge_stands_for_what_it_brought(void **state)
{
	/* 0 to 20 a line; 21 to 24 a branch off 10, merged by 25 onto 20; 26 to 45 a line. */
	struct graph_commit commits[46] = { 0 };
	uint32_t parents[46][2] = { 0 };
	for (uint32_t i = 1; i < 46; i++) {
		parents[i][0] = i == 21 ? 10 : i == 25 ? 20 : i - 1;
		parents[i][1] = 24;
		commits[i] = (struct graph_commit) { parents[i], i == 25 ? 2 : 1 };
	}
	AUTO(graph) struct graph *graph = graph_new(commits, 46, 0, 45, NULL);
	const struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = begun(graph, &options);
	const uint32_t middle = choose_next(bisect).commit;
	CHECK(middle < 21 || middle > 24);
	/* The merge has it and its first parent has not: now the branch is walked. */
	for (int i = 0; i < 4; i++) {
		add(bisect, 20, 100.0 + i % 3);
		add(bisect, 25, 110.0 + i % 3);
	}
	const uint32_t inside = choose_next(bisect).commit;
	CHECK(inside >= 21 && inside <= 24);
}

static void boots_that_cost_are_filled(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(11);
	struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *cheap = bisect_new(graph, &options);
	CHECK_INT(choose_batch(cheap), 1);
	options.cost_boot = 9.0;
	AUTO(bisect) struct bisect *dear = bisect_new(graph, &options);
	CHECK_INT(choose_batch(dear), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_middle_is_asked_first),
		cmocka_unit_test(a_dear_build_is_measured_more_than_once),
		cmocka_unit_test(what_is_broken_is_not_asked_again),
		cmocka_unit_test(a_merge_stands_for_what_it_brought),
		cmocka_unit_test(boots_that_cost_are_filled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
