/* SPDX-License-Identifier: GPL-2.0-or-later */
/* confirm.h: the fresh measurement. */
#include "bisect/confirm.h"

#include "bisect/story.h"
#include "check.h"

/* Goes along until the fresh measurement begins. */
static void reach_confirmation(struct bisect *bisect, struct story *story)
{
	while (bisect_next(bisect)->phase != BISECT_CONFIRM) {
		struct bisect_unit unit = { .commit = bisect_next(bisect)->commits[0],
					    .purpose = BISECT_SEEK };
		(void)story_measure(story, NULL, unit.commit, &unit, NULL);
		bisect_add(bisect, &unit);
		CHECK(story->n_asked < 500);
	}
}

static void both_sides_are_interleaved_and_equal(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(64);
	const struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	struct story story = story_of(graph, 30, 5.0, 2);
	reach_confirmation(bisect, &story);
	struct bisect_step step = *bisect_next(bisect);
	CHECK_INT(step.n_units, 10);
	size_t n_after = 0;
	for (size_t i = 0; i < 10; i++) {
		CHECK(step.commits[i] == 29 || step.commits[i] == 30);
		n_after += step.commits[i] == 30;
	}
	CHECK_INT(n_after, 5);
	/* After three of them the rest of the block is asked for, and still comes out even. */
	n_after = 0;
	for (size_t i = 0; i < 3; i++) {
		struct bisect_unit unit = { .commit = step.commits[i], .purpose = BISECT_VERIFY };
		(void)story_measure(&story, NULL, unit.commit, &unit, NULL);
		bisect_add(bisect, &unit);
		n_after += unit.commit == 30;
	}
	CHECK_INT(bisect_next(bisect)->n_units, 7);
	for (size_t i = 0; i < 7; i++)
		n_after += bisect_next(bisect)->commits[i] == 30;
	CHECK_INT(n_after, 5);
}

static void what_is_not_so_is_not_confirmed_and_the_search_goes_on(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(64);
	struct bisect_options options = evidence_preset();
	options.attempts_max = 1;
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	struct story story = story_of(graph, 30, 5.0, 2);
	reach_confirmation(bisect, &story);
	/* From now on nothing differs any more. */
	story.effect = 0.0;
	while (bisect_next(bisect)->phase == BISECT_CONFIRM) {
		struct bisect_unit unit = { .commit = bisect_next(bisect)->commits[0],
					    .purpose = BISECT_VERIFY };
		(void)story_measure(&story, NULL, unit.commit, &unit, NULL);
		bisect_add(bisect, &unit);
		CHECK(story.n_asked < 500);
	}
	const struct bisect_answer answer = bisect_answer(bisect);
	CHECK_INT(answer.n_failed, 1);
	CHECK(answer.n_changes == 1 && !answer.changes[0].is_confirmed);
}

static void the_number_of_runs_follows_from_the_effect(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(64);
	const struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	bisect->effect = 4.0;
	CHECK_INT(confirm_runs(bisect), 5);
	bisect->effect = 2.0;
	CHECK_INT(confirm_runs(bisect), 10);
	bisect->effect = 0.1;
	CHECK_INT(confirm_runs(bisect), 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_sides_are_interleaved_and_equal),
		cmocka_unit_test(what_is_not_so_is_not_confirmed_and_the_search_goes_on),
		cmocka_unit_test(the_number_of_runs_follows_from_the_effect),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
