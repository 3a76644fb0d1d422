/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect.h: whole bisections of simulated histories. */
#include "bisect/bisect.h"

#include "bisect/story.h"
#include "check.h"

#include <errno.h>

#define UNITS 600

struct log { /* A story whose units are written down. */
	struct story story;
	struct bisect_unit units[UNITS];
	size_t n;
};

static int measure_and_log(void *context, const struct bisect_step *step, uint32_t commit,
			   struct bisect_unit *ret_unit, struct error *err)
{
	struct log *log = context;
	(void)story_measure(&log->story, step, commit, ret_unit, err);
	ret_unit->commit = commit;
	ret_unit->purpose = step->purpose;
	CHECK(log->n < UNITS);
	log->units[log->n++] = *ret_unit;
	return 0;
}

static void a_large_change_is_found_and_confirmed(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(500);
	struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	struct story story = story_of(graph, 217, 5.0, 2);
	CHECK_INT(bisect_run(bisect, story_measure, &story, NULL), 0);
	const struct bisect_answer answer = bisect_answer(bisect);
	CHECK_INT(answer.reason, BISECT_FOUND);
	CHECK_INT(answer.n_changes, 1);
	CHECK(answer.changes[0].is_confirmed && answer.changes[0].p <= 0.01);
	CHECK_INT(answer.changes[0].after, 217);
	CHECK_INT(answer.changes[0].before, 216);
	CHECK(answer.changes[0].effect.low < 0.05 && answer.changes[0].effect.high > 0.045);
	CHECK(answer.n_verify >= 10 && answer.n_seek < 60 && story.n_asked < 100);
	CHECK_NEAR(answer.share, 1.0, 0.4);
}

static void replaying_gives_the_same_to_the_bit(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(300);
	struct bisect_options options = evidence_preset();
	options.has_sessions = true;
	options.seed = 99;
	AUTO(bisect) struct bisect *first = bisect_new(graph, &options);
	struct log log = { .story = story_of(graph, 100, 2.0, 5) };
	CHECK_INT(bisect_run(first, measure_and_log, &log, NULL), 0);
	AUTO(bisect) struct bisect *again = bisect_new(graph, &options);
	for (size_t i = 0; i < log.n; i++) {
		/* What is asked for is what comes next in the log. */
		CHECK_INT(bisect_next(again)->purpose, log.units[i].purpose);
		bisect_add(again, &log.units[i]);
	}
	CHECK(memcmp(bisect_next(first), bisect_next(again), sizeof(struct bisect_step)) == 0);
	double none[2];
	const double *one = bisect_posterior(first, &none[0]);
	const double *other = bisect_posterior(again, &none[1]);
	CHECK(memcmp(one, other, 299 * sizeof(*one)) == 0);
	CHECK(memcmp(&none[0], &none[1], sizeof(none[0])) == 0);
}

static void ends_that_do_not_differ_are_no_change(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(50);
	struct bisect_options options = evidence_preset();
	options.units_max = 500;
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	struct story story = story_of(graph, GRAPH_NONE, 0.0, 8);
	CHECK_INT(bisect_run(bisect, story_measure, &story, NULL), 0);
	const struct bisect_answer answer = bisect_answer(bisect);
	CHECK_INT(answer.reason, BISECT_NO_CHANGE);
	CHECK_INT(answer.n_changes, 0);
	CHECK(answer.ends.low < 0.0 && answer.ends.high > 0.0);
}

static void broken_commits_are_accused_as_a_group(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(100);
	struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	struct story story = story_of(graph, 52, 6.0, 4);
	story.broken_first = 50;
	story.broken_last = 53;
	CHECK_INT(bisect_run(bisect, story_measure, &story, NULL), 0);
	const struct bisect_answer answer = bisect_answer(bisect);
	CHECK_INT(answer.reason, BISECT_FOUND);
	CHECK_INT(answer.changes[0].n_commits, 5);
	CHECK_INT(answer.changes[0].before, 49);
	CHECK_INT(answer.changes[0].after, 54);
	CHECK_INT(answer.n_broken, 4);
}

static void two_changes_are_both_found(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(100);
	struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	struct story story = story_of(graph, 20, 6.0, 12);
	story.other = 70;
	CHECK_INT(bisect_run(bisect, story_measure, &story, NULL), 0);
	const struct bisect_answer answer = bisect_answer(bisect);
	CHECK_INT(answer.n_changes, 2);
	CHECK_INT(answer.changes[0].after + answer.changes[1].after, 90);
	CHECK(!answer.is_rest);
}

static int break_down(void *context, const struct bisect_step *step, uint32_t commit,
		      struct bisect_unit *ret_unit, struct error *err)
{
	return error_set(err, EIO, "the machine is gone");
}

static void a_failure_ends_it_and_limits_are_kept(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(100);
	struct bisect_options options = evidence_preset();
	options.units_max = 17;
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	CHECK_INT(bisect_run(bisect, break_down, NULL, NULL), -EIO);
	struct story story = story_of(graph, 52, 1.0, 4);
	CHECK_INT(bisect_run(bisect, story_measure, &story, NULL), 0);
	CHECK_INT(bisect_answer(bisect).reason, BISECT_UNITS_SPENT);
	CHECK_INT(story.n_asked, 17);
}

static void each_reason_has_its_words(void **state)
{
	for (unsigned i = 0; i < BISECT_REASON_COUNT; i++)
		CHECK(strlen(bisect_reason_text(i)) > 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_large_change_is_found_and_confirmed),
		cmocka_unit_test(replaying_gives_the_same_to_the_bit),
		cmocka_unit_test(ends_that_do_not_differ_are_no_change),
		cmocka_unit_test(broken_commits_are_accused_as_a_group),
		cmocka_unit_test(two_changes_are_both_found),
		cmocka_unit_test(a_failure_ends_it_and_limits_are_kept),
		cmocka_unit_test(each_reason_has_its_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
