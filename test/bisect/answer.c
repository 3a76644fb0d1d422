/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a bisection says of itself while it goes on and at the end. */
#include "bisect/story.h"
#include "check.h"

#include <math.h>

static void the_likeliest_is_shown_and_what_is_left_shrinks(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(200);
	const struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	struct story story = story_of(graph, 60, 4.0, 9);
	double most = 0.0;
	double last = 0.0;
	while (bisect_next(bisect)->phase < BISECT_CONFIRM) {
		struct bisect_unit unit = { .commit = bisect_next(bisect)->commits[0],
					    .purpose = BISECT_SEEK };
		(void)story_measure(&story, NULL, unit.commit, &unit, NULL);
		bisect_add(bisect, &unit);
		const struct bisect_remaining remaining = bisect_remaining(bisect);
		if (bisect_next(bisect)->phase == BISECT_SEARCH) {
			last = remaining.units;
			most = fmax(most, last);
			CHECK(remaining.builds <= remaining.units && remaining.cost > 0.0);
		}
		const struct bisect_answer answer = bisect_answer(bisect);
		CHECK_INT(answer.n_changes, 1);
		CHECK(!answer.changes[0].is_confirmed && isnan(answer.changes[0].p));
	}
	CHECK(most > last);
	CHECK(bisect_remaining(bisect).verify_units >= 10.0);
	CHECK_INT(bisect_answer(bisect).changes[0].after, 60);
	CHECK(bisect_answer(bisect).changes[0].probability >= 0.99);
}

static void probabilities_add_up_to_one(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(30);
	const struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	struct story story = story_of(graph, 11, 1.0, 9);
	for (int i = 0; i < 50 && bisect_next(bisect)->phase != BISECT_DONE; i++) {
		double sum;
		const double *posterior = bisect_posterior(bisect, &sum);
		for (size_t j = 0; j < 29; j++)
			sum += posterior[j];
		CHECK_NEAR(sum, 1.0, 1e-9);
		struct bisect_unit unit = { .commit = bisect_next(bisect)->commits[0],
					    .purpose = bisect_next(bisect)->purpose };
		(void)story_measure(&story, NULL, unit.commit, &unit, NULL);
		bisect_add(bisect, &unit);
	}
}

static void flaky_tests_are_told_in_shares_of_failures(void **state)
{
	AUTO(graph) struct graph *graph = graph_new_line(40);
	struct bisect_options options = evidence_preset();
	options.oracle = BISECT_PASS_FAIL;
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	struct random random;
	random_seed(&random, 17);
	while (bisect_next(bisect)->phase != BISECT_DONE) {
		const struct bisect_step step = *bisect_next(bisect);
		const double share = step.commits[0] >= 13 ? 0.8 : 0.1;
		const bool is_failure = random_unit(&random) < share;
		bisect_add(bisect, &(struct bisect_unit) { .commit = step.commits[0],
							   .purpose = step.purpose,
							   .result = is_failure ? BISECT_FAIL
										: BISECT_PASS });
	}
	const struct bisect_answer answer = bisect_answer(bisect);
	CHECK_INT(answer.reason, BISECT_FOUND);
	CHECK_INT(answer.changes[0].after, 13);
	CHECK(answer.ends.known && answer.ends.low < 0.7 && answer.ends.high > 0.7);
	CHECK(answer.ends.low >= -1.0 && answer.ends.high <= 1.0);
	CHECK(answer.changes[0].effect.estimate > 0.2);
	CHECK_INT(answer.n_given, 0);
	CHECK(answer.n_seek > 5 && answer.n_verify >= 10 && answer.n_built < 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_likeliest_is_shown_and_what_is_left_shrinks),
		cmocka_unit_test(probabilities_add_up_to_one),
		cmocka_unit_test(flaky_tests_are_told_in_shares_of_failures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
