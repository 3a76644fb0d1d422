/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentence that a human reads first, for every verdict. */
#include "check.h"
#include "report/report.h"
#include "report/scenario.h"

static char *sentence_of(const struct metric *metric, size_t n, const double means[2],
			 double deviation)
{
	struct scenario scenario = { .n_sides = 2 };
	scenario.samples[0] = sample_make("base", n);
	scenario.samples[1] = sample_make("head", n);
	sample_spread(&scenario.samples[0], metric, means[0], deviation);
	sample_spread(&scenario.samples[1], metric, means[1], deviation);
	scenario_judge(&scenario);
	char *sentence = report_sentence(scenario.comparison);
	scenario_done(&scenario);
	return sentence;
}

static void worse_says_how_much_and_how_sure(void **state)
{
	const double means[] = { 1.0, 1.042 };
	AUTO(text) char *sentence = sentence_of(&scenario_time, 10, means, 0.005);
	CHECK_TEXT(sentence, "hackbench.time_sec is 4.2 % worse (99 % interval +3.5 to +4.9 %, "
			     "10 + 10 runs, Welch t, false-alarm rate 1 %)");
}

static void better_has_no_minus_sign(void **state)
{
	const double means[] = { 1.0, 0.9 };
	AUTO(text) char *sentence = sentence_of(&scenario_time, 10, means, 0.005);
	CHECK_HOLDS(sentence, "is 10.0 % better (99 % interval -10.6 to -9.4 %");
}

static void same_says_within_what(void **state)
{
	const double means[] = { 1.0, 1.001 };
	AUTO(text) char *sentence = sentence_of(&scenario_time, 10, means, 0.002);
	CHECK_TEXT(sentence,
		   "hackbench.time_sec is the same within 1 %: change +0.10 % (95 % interval "
		   "-0.09 to +0.29 %, 10 + 10 runs, Welch t)");
}

static void undecided_shows_what_is_known(void **state)
{
	const double means[] = { 1.0, 1.01 };
	AUTO(text) char *sentence = sentence_of(&scenario_time, 3, means, 0.05);
	CHECK_HOLDS(sentence, "hackbench.time_sec is undecided: change +1.0 % (99 % interval");
	CHECK_HOLDS(sentence, "3 + 3 runs");
}

static void one_run_gives_the_reason_and_no_number(void **state)
{
	const double means[] = { 1.0, 2.0 };
	AUTO(text) char *sentence = sentence_of(&scenario_time, 1, means, 0);
	CHECK_TEXT(sentence,
		   "hackbench.time_sec is undecided: base has one value, and one value has "
		   "no deviation");
}

static void an_unknown_direction_changes_with_its_sign(void **state)
{
	struct metric metric = scenario_time;
	metric.better = BETTER_UNKNOWN;
	const double means[] = { 1.0, 0.9 };
	AUTO(text) char *sentence = sentence_of(&metric, 10, means, 0.005);
	CHECK_HOLDS(sentence, "hackbench.time_sec changed by -10.0 % (99 % interval");
}

static void shares_speak_of_percentage_points(void **state)
{
	const struct metric metric = {
		"w.share", "%", "", METRIC_SCORE, BETTER_HIGHER, ROLE_SCORE
	};
	const double means[] = { 50, 45 };
	AUTO(text) char *sentence = sentence_of(&metric, 10, means, 0.5);
	CHECK_HOLDS(sentence,
		    "w.share is 5.0 percentage points worse (99 % interval -5.6 to -4.4 pp");
}

static void nothing_judged_is_said(void **state)
{
	const struct metric metric = scenario_counter("proc-vmstat.pgfault", "1");
	const double means[] = { 50, 45 };
	AUTO(text) char *sentence = sentence_of(&metric, 10, means, 0.5);
	CHECK_TEXT(sentence, "nothing could be judged: no complete run has a score");
}

static void several_heads_have_a_line_each(void **state)
{
	struct scenario scenario;
	scenario_three(&scenario);
	AUTO(text) char *sentence = report_sentence(scenario.comparison);
	CHECK(text_starts_with(sentence, "thp-off: hackbench.time_sec is the same within 1 %"));
	CHECK_HOLDS(sentence, "\ntwo-groups: hackbench.time_sec is 50.5 % better");
	CHECK_HOLDS(sentence, "false-alarm rate 1 % over 2 scores");
	scenario_done(&scenario);
}

static void other_scores_that_changed_are_named(void **state)
{
	struct scenario scenario = { .n_sides = 2 };
	const struct metric a = { "w.a", "s", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE };
	const struct metric b = { "w.b", "s", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE };
	const struct metric c = { "w.c", "s", "", METRIC_SCORE, BETTER_HIGHER, ROLE_SCORE };
	for (size_t i = 0; i < 2; i++) {
		scenario.samples[i] = sample_make(i ? "head" : "base", 10);
		sample_spread(&scenario.samples[i], &a, i ? 1.1 : 1.0, 0.01);
		sample_spread(&scenario.samples[i], &b, i ? 1.2 : 1.0, 0.01);
		sample_spread(&scenario.samples[i], &c, i ? 1.3 : 1.0, 0.01);
	}
	scenario_judge(&scenario);
	AUTO(text) char *sentence = report_sentence(scenario.comparison);
	CHECK_HOLDS(sentence, "w.a is 10.0 % worse");
	CHECK_HOLDS(sentence, "); also worse: w.b; better: w.c");
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worse_says_how_much_and_how_sure),
		cmocka_unit_test(better_has_no_minus_sign),
		cmocka_unit_test(same_says_within_what),
		cmocka_unit_test(undecided_shows_what_is_known),
		cmocka_unit_test(one_run_gives_the_reason_and_no_number),
		cmocka_unit_test(an_unknown_direction_changes_with_its_sign),
		cmocka_unit_test(shares_speak_of_percentage_points),
		cmocka_unit_test(nothing_judged_is_said),
		cmocka_unit_test(several_heads_have_a_line_each),
		cmocka_unit_test(other_scores_that_changed_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
