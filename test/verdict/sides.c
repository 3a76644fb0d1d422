/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may not be compared is refused with both values; what did not end well is counted. */
#include "verdict/sides.h"

#include "check.h"
#include "verdict/sample.h"

#include <errno.h>

static const struct metric time_sec = { "hackbench.time_sec", "s",          "",
					METRIC_SCORE,         BETTER_LOWER, ROLE_SCORE };

struct pair {
	struct sample base, head;
	struct compared_side sides[2];
};

static void pair_make(struct pair *pair, size_t n_runs)
{
	pair->base = sample_make("tip", n_runs);
	pair->head = sample_make("patched", n_runs);
	sample_argument(&pair->base, "groups", "4");
	sample_argument(&pair->head, "groups", "4");
	sample_spread(&pair->base, &time_sec, 1.0, 0.01);
	sample_spread(&pair->head, &time_sec, 1.0, 0.01);
}

static int pair_check(struct pair *pair, struct error *err)
{
	pair->sides[0] = sample_side(&pair->base);
	pair->sides[1] = sample_side(&pair->head);
	return sides_check(pair->sides, 2, err);
}

static void pair_done(struct pair *pair)
{
	sample_done(&pair->base);
	sample_done(&pair->head);
}

static void two_sides_of_one_point_are_allowed(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 3);
	CHECK_INT(pair_check(&pair, &err), 0);
	pair_done(&pair);
}

static void one_side_is_refused(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 3);
	CHECK_INT(pair_check(&pair, &err), 0);
	CHECK_INT(sides_check(pair.sides, 1, &err), -EINVAL);
	CHECK_HOLDS(err.text, "needs two sides, and there is one");
	CHECK_INT(sides_check(pair.sides, 0, &err), -EINVAL);
	CHECK_HOLDS(err.text, "none");
	pair_done(&pair);
}

static void a_side_without_runs_is_refused_by_name(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 3);
	CHECK_INT(pair_check(&pair, &err), 0);
	pair.sides[1].n_runs = 0;
	CHECK_INT(sides_check(pair.sides, 2, &err), -EINVAL);
	CHECK_HOLDS(err.text, "side 'patched' has no runs");
	pair_done(&pair);
}

static void another_workload_is_refused_with_both_names(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 2);
	free(pair.head.job->workload);
	pair.head.job->workload = mem_text("perf-pipe");
	CHECK_INT(pair_check(&pair, &err), -EINVAL);
	CHECK_HOLDS(err.text, "workload 'hackbench' against 'perf-pipe'");
	pair_done(&pair);
}

static void another_semantics_version_is_refused_with_both_versions(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 2);
	pair.head.job->semantics = 2;
	CHECK_INT(pair_check(&pair, &err), -EINVAL);
	CHECK_HOLDS(err.text, "version 1 against 2");
	pair_done(&pair);
}

static void one_run_of_another_semantics_version_is_refused(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 3);
	pair.head.runs[2]->semantics = 7;
	CHECK_INT(pair_check(&pair, &err), -EINVAL);
	CHECK_HOLDS(err.text, "version 1 against 7");
	/* Of a run that never got so far the version is not known, and not asked for. */
	pair.head.runs[2]->outcome = RUN_TORN;
	CHECK_INT(pair_check(&pair, &err), 0);
	pair.head.runs[2]->outcome = RUN_COMPLETE;
	pair.head.runs[2]->semantics = 1;
	pair.base.runs[1]->semantics = 7;
	CHECK_INT(pair_check(&pair, &err), -EINVAL);
	pair_done(&pair);
}

static void another_parameter_is_refused_with_both_values(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 2);
	sample_argument(&pair.base, "ipc", "pipe");
	sample_argument(&pair.head, "ipc", "socket");
	CHECK_INT(pair_check(&pair, &err), -EINVAL);
	CHECK_HOLDS(err.text, "parameter 'ipc' is 'pipe' against 'socket'");
	pair_done(&pair);
}

static void a_parameter_that_one_side_lacks_is_refused(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 2);
	sample_argument(&pair.head, "loops", "100");
	CHECK_INT(pair_check(&pair, &err), -EINVAL);
	CHECK_HOLDS(err.text, "'(none)' against '100'");
	pair_done(&pair);
}

static void a_parameter_that_a_subject_sets_is_the_question(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 2);
	sample_argument(&pair.base, "ipc", "pipe");
	sample_argument(&pair.head, "ipc", "socket");
	sample_setting(&pair.head, SETTING_PARAM, "ipc", "socket");
	CHECK_INT(pair_check(&pair, &err), 0);
	/* It explains that parameter and no other one. */
	sample_argument(&pair.base, "loops", "100");
	sample_argument(&pair.head, "loops", "200");
	CHECK_INT(pair_check(&pair, &err), -EINVAL);
	CHECK_HOLDS(err.text, "'loops'");
	pair_done(&pair);
}

static void runs_are_counted_by_outcome_and_failures_told(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 12);
	sample_fail(&pair.head, 0, RUN_FAILED, "hung: no progress for 10 s");
	sample_fail(&pair.head, 5, RUN_FAILED, "hung: no progress for 10 s");
	sample_fail(&pair.head, 7, RUN_TORN, "");
	sample_fail(&pair.base, 1, RUN_INTERRUPTED, "stopped by the person");
	CHECK_INT(pair_check(&pair, &err), 0);

	struct side_count counts[2] = { 0 };
	struct comparison comparison = { .sides = pair.sides, .n_sides = 2, .counts = counts };
	sides_count(&comparison);
	CHECK_INT(counts[0].outcomes[RUN_COMPLETE], 11);
	CHECK_INT(counts[0].outcomes[RUN_INTERRUPTED], 1);
	CHECK_INT(counts[1].outcomes[RUN_COMPLETE], 9);
	CHECK_INT(counts[1].outcomes[RUN_FAILED], 2);
	CHECK_INT(counts[1].outcomes[RUN_TORN], 1);
	CHECK_INT(comparison.n_warnings, 3);
	CHECK_TEXT(comparison.warnings[0],
		   "1 of 12 runs of tip was interrupted: stopped by the person");
	CHECK_TEXT(comparison.warnings[1],
		   "2 of 12 runs of patched failed: hung: no progress for 10 s");
	CHECK_TEXT(comparison.warnings[2],
		   "1 of 12 runs of patched was torn (probe or machine died)");
	for (size_t i = 0; i < comparison.n_warnings; i++)
		free(comparison.warnings[i]);
	free(comparison.warnings);
	CHECK(sides_first_run(&pair.sides[1]) == pair.head.runs[1]);
	pair_done(&pair);
}

static void many_reasons_are_cut_to_three_and_a_count(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 8);
	const char *const reasons[] = { "one", "two", "three", "four", "five" };
	for (size_t i = 0; i < 5; i++)
		sample_fail(&pair.head, i, RUN_FAILED, reasons[i]);
	CHECK_INT(pair_check(&pair, &err), 0);
	struct side_count counts[2] = { 0 };
	struct comparison comparison = { .sides = pair.sides, .n_sides = 2, .counts = counts };
	sides_count(&comparison);
	CHECK_INT(comparison.n_warnings, 1);
	CHECK_TEXT(comparison.warnings[0], "5 of 8 runs of patched failed: one; two; three; and 2 "
					   "more with other reasons");
	free(comparison.warnings[0]);
	free(comparison.warnings);
	pair_done(&pair);
}

static void one_complete_run_and_none_are_told(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 1);
	sample_fail(&pair.head, 0, RUN_UNSUPPORTED, "needs two NUMA nodes");
	CHECK_INT(pair_check(&pair, &err), 0);
	struct side_count counts[2] = { 0 };
	struct comparison comparison = { .sides = pair.sides, .n_sides = 2, .counts = counts };
	sides_count(&comparison);
	CHECK_INT(comparison.n_warnings, 3);
	CHECK_HOLDS(comparison.warnings[0], "one run has no deviation");
	CHECK_HOLDS(comparison.warnings[1], "not possible here: needs two NUMA nodes");
	CHECK_HOLDS(comparison.warnings[2], "patched has no complete run");
	CHECK(sides_first_run(&pair.sides[1]) == pair.head.runs[0]);
	for (size_t i = 0; i < comparison.n_warnings; i++)
		free(comparison.warnings[i]);
	free(comparison.warnings);
	pair_done(&pair);
}

static void another_isolation_is_told(void **state)
{
	struct pair pair;
	struct error err = { 0 };
	pair_make(&pair, 2);
	for (size_t i = 0; i < 2; i++) {
		free(pair.head.runs[i]->isolation);
		pair.head.runs[i]->isolation = mem_text("subreaper");
	}
	CHECK_INT(pair_check(&pair, &err), 0);
	struct side_count counts[2] = { 0 };
	struct comparison comparison = { .sides = pair.sides, .n_sides = 2, .counts = counts };
	sides_count(&comparison);
	CHECK_INT(comparison.n_warnings, 1);
	CHECK_HOLDS(comparison.warnings[0],
		    "isolated by pid-namespace, those of patched by subreaper");
	free(comparison.warnings[0]);
	free(comparison.warnings);
	pair_done(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_sides_of_one_point_are_allowed),
		cmocka_unit_test(one_side_is_refused),
		cmocka_unit_test(a_side_without_runs_is_refused_by_name),
		cmocka_unit_test(another_workload_is_refused_with_both_names),
		cmocka_unit_test(another_semantics_version_is_refused_with_both_versions),
		cmocka_unit_test(one_run_of_another_semantics_version_is_refused),
		cmocka_unit_test(another_parameter_is_refused_with_both_values),
		cmocka_unit_test(a_parameter_that_one_side_lacks_is_refused),
		cmocka_unit_test(a_parameter_that_a_subject_sets_is_the_question),
		cmocka_unit_test(runs_are_counted_by_outcome_and_failures_told),
		cmocka_unit_test(many_reasons_are_cut_to_three_and_a_count),
		cmocka_unit_test(one_complete_run_and_none_are_told),
		cmocka_unit_test(another_isolation_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
