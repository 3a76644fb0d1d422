/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentence that a human reads first, for every verdict. */
#include "check.h"
#include "report/report.h"
#include "report/scenario.h"

/* Changes the finding of the only score before the sentence is made. */
typedef void change_finding(struct scenario *scenario, struct finding *finding);

static char *sentence_of(const struct metric *metric, size_t n, const double means[2],
			 enum verdict verdict, change_finding *change)
{
	struct scenario scenario = { .n_sides = 2 };
	scenario.samples[0] = sample_make("base", n);
	scenario.samples[1] = sample_make("head", n);
	scenario_begin(&scenario);
	struct row *row =
		scenario_pair(&scenario, metric, means, (double[]) { 0.005, 0.005 }, verdict);
	if (change)
		change(&scenario, &row->findings[1]);
	char *sentence = report_sentence(scenario.comparison);
	scenario_done(&scenario);
	return sentence;
}

static void worse_says_how_much_and_how_sure(void **state)
{
	const double means[] = { 1.0, 1.042 };
	AUTO(text)
	char *sentence = sentence_of(&scenario_time, 10, means, VERDICT_WORSE, NULL);
	CHECK_TEXT(sentence, "hackbench.time_sec is 4.2 % worse (99 % interval +3.6 to +4.8 %, "
			     "10 + 10 runs, block permutation, false-alarm rate 1 %)");
}

static void better_has_no_minus_sign(void **state)
{
	const double means[] = { 1.0, 0.9 };
	AUTO(text)
	char *sentence = sentence_of(&scenario_time, 10, means, VERDICT_BETTER, NULL);
	CHECK_HOLDS(sentence, "is 10.0 % better (99 % interval -10.6 to -9.4 %");
}

static void set_margin(struct scenario *scenario, struct finding *finding)
{
	finding->margin = 1.4;
}

static void same_says_within_what_it_held(void **state)
{
	const double means[] = { 1.0, 1.001 };
	AUTO(text)
	char *sentence = sentence_of(&scenario_time, 10, means, VERDICT_SAME, set_margin);
	CHECK_TEXT(sentence,
		   "hackbench.time_sec is the same within 1.4 %: change +0.10 % (95 % interval "
		   "-0.37 to +0.57 %, 10 + 10 runs, block permutation)");
	const struct metric share = { "w.share", "%", "", METRIC_SCORE, BETTER_HIGHER, ROLE_SCORE };
	AUTO(text) char *points = sentence_of(&share, 10, means, VERDICT_SAME, set_margin);
	CHECK_HOLDS(points, "w.share is the same within 1.4 percentage points: change");
}

static void want_runs(struct scenario *scenario, struct finding *finding)
{
	finding->reason = mem_text("the sides overlap");
	finding->runs_wanted = 34;
}

static void undecided_says_why_and_how_many_runs_would_do(void **state)
{
	const double means[] = { 1.0, 1.01 };
	AUTO(text)
	char *sentence = sentence_of(&scenario_time, 3, means, VERDICT_UNDECIDED, want_runs);
	CHECK_HOLDS(sentence, "hackbench.time_sec is undecided: change +1.0 % (99 % interval");
	CHECK_HOLDS(sentence, "3 + 3 runs, block permutation, false-alarm rate 1 %): the sides "
			      "overlap; about 34 runs a side would decide if the estimate holds");
}

static void open_the_interval(struct scenario *scenario, struct finding *finding)
{
	finding->low = -(double)INFINITY;
	finding->high = (double)INFINITY;
	finding->smallest_p = 0.1;
}

static void runs_that_could_not_have_decided_are_called_so(void **state)
{
	const double means[] = { 1.0, 1.01 };
	AUTO(text)
	char *sentence =
		sentence_of(&scenario_time, 3, means, VERDICT_UNDECIDED, open_the_interval);
	CHECK_HOLDS(sentence, "(99 % interval no limits, 3 + 3 runs");
	CHECK_HOLDS(sentence, "): these runs could have given p 0.1 at best");
}

static void one_run(struct scenario *scenario, struct finding *finding)
{
	finding->reason = mem_text("base has one value, and one value has no deviation");
}

static void one_run_gives_the_reason_and_no_number(void **state)
{
	const double means[] = { 1.0, 2.0 };
	AUTO(text)
	char *sentence = sentence_of(&scenario_time, 1, means, VERDICT_UNDECIDED, one_run);
	CHECK_TEXT(sentence,
		   "hackbench.time_sec is undecided: base has one value, and one value has "
		   "no deviation");
}

static void withhold(struct scenario *scenario, struct finding *finding)
{
	finding->guard = "starved";
	finding->unguarded = VERDICT_WORSE;
	finding->reason = mem_text("the CPUs were idle");
}

static void withheld_names_the_guard_and_no_number(void **state)
{
	const double means[] = { 1.0, 1.1 };
	AUTO(text)
	char *sentence = sentence_of(&scenario_time, 10, means, VERDICT_WITHHELD, withhold);
	CHECK_TEXT(sentence, "hackbench.time_sec is withheld (starved): the CPUs were idle");
}

static void moderate(struct scenario *scenario, struct finding *finding)
{
	finding->provisional = true;
	finding->method = "moderated t";
}

static void provisional_is_said_of_decided_verdicts_only(void **state)
{
	const double means[] = { 1.0, 1.1 };
	AUTO(text)
	char *worse = sentence_of(&scenario_time, 3, means, VERDICT_WORSE, moderate);
	CHECK_HOLDS(worse, "is 10.0 % worse, provisionally (99 % interval");
	CHECK_HOLDS(worse, "3 + 3 runs, moderated t, ");
	AUTO(text)
	char *undecided = sentence_of(&scenario_time, 3, means, VERDICT_UNDECIDED, moderate);
	CHECK(!strstr(undecided, "provisional"));
	struct metric metric = scenario_time;
	metric.better = BETTER_UNKNOWN;
	AUTO(text) char *changed = sentence_of(&metric, 3, means, VERDICT_CHANGED, moderate);
	CHECK_HOLDS(changed, "hackbench.time_sec changed by +10.0 %, provisionally (99 %");
	AUTO(text) char *same = sentence_of(&metric, 3, means, VERDICT_SAME, moderate);
	CHECK_HOLDS(same, "is the same within 1 %, provisionally: change");
}

static void look(struct scenario *scenario, struct finding *finding)
{
	finding->method = "sequential block permutation";
	finding->look_runs = 8;
	scenario->comparison->options.sequential_max = 20;
}

static void looks_are_told_with_their_limit(void **state)
{
	const double means[] = { 1.0, 1.1 };
	AUTO(text) char *worse = sentence_of(&scenario_time, 10, means, VERDICT_WORSE, look);
	CHECK_HOLDS(worse, "sequential block permutation, decided at 8 of at most 20 runs a side, "
			   "false-alarm rate 1 %)");
	AUTO(text)
	char *undecided = sentence_of(&scenario_time, 10, means, VERDICT_UNDECIDED, look);
	CHECK_HOLDS(undecided, "looked at up to 8 of at most 20 runs a side");
}

static void an_unknown_direction_changes_with_its_sign(void **state)
{
	struct metric metric = scenario_time;
	metric.better = BETTER_UNKNOWN;
	const double means[] = { 1.0, 0.9 };
	AUTO(text) char *sentence = sentence_of(&metric, 10, means, VERDICT_CHANGED, NULL);
	CHECK_HOLDS(sentence, "hackbench.time_sec changed by -10.0 % (99 % interval");
}

static void shares_speak_of_percentage_points(void **state)
{
	const struct metric metric = {
		"w.share", "%", "", METRIC_SCORE, BETTER_HIGHER, ROLE_SCORE
	};
	const double means[] = { 50, 45 };
	AUTO(text) char *sentence = sentence_of(&metric, 10, means, VERDICT_WORSE, NULL);
	CHECK_HOLDS(sentence,
		    "w.share is 5.0 percentage points worse (99 % interval -5.0 to -5.0 pp");
}

static void nothing_judged_is_said(void **state)
{
	const struct metric metric = scenario_counter("proc-vmstat.pgfault", "1");
	const double means[] = { 50, 45 };
	AUTO(text) char *sentence = sentence_of(&metric, 10, means, VERDICT_MOVED_DOWN, NULL);
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
	scenario.samples[0] = sample_make("base", 10);
	scenario.samples[1] = sample_make("head", 10);
	scenario_begin(&scenario);
	const double spread[] = { 0.01, 0.01 };
	(void)scenario_pair(&scenario, &a, (double[]) { 1, 1.1 }, spread, VERDICT_WORSE);
	(void)scenario_pair(&scenario, &b, (double[]) { 1, 1.2 }, spread, VERDICT_WORSE);
	(void)scenario_pair(&scenario, &c, (double[]) { 1, 1.3 }, spread, VERDICT_BETTER);
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
		cmocka_unit_test(same_says_within_what_it_held),
		cmocka_unit_test(undecided_says_why_and_how_many_runs_would_do),
		cmocka_unit_test(runs_that_could_not_have_decided_are_called_so),
		cmocka_unit_test(one_run_gives_the_reason_and_no_number),
		cmocka_unit_test(withheld_names_the_guard_and_no_number),
		cmocka_unit_test(provisional_is_said_of_decided_verdicts_only),
		cmocka_unit_test(looks_are_told_with_their_limit),
		cmocka_unit_test(an_unknown_direction_changes_with_its_sign),
		cmocka_unit_test(shares_speak_of_percentage_points),
		cmocka_unit_test(nothing_judged_is_said),
		cmocka_unit_test(several_heads_have_a_line_each),
		cmocka_unit_test(other_scores_that_changed_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
