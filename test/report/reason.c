/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands behind a verdict, in words. */
#include "report/reason.h"

#include "check.h"
#include "report/scenario.h"

static void only_decided_verdicts_are_provisional(void **state)
{
	for (size_t i = 0; i < VERDICT_COUNT; i++) {
		const struct finding finding = { .verdict = (enum verdict)i, .provisional = true };
		CHECK(reason_is_provisional(&finding) == (i <= VERDICT_SAME));
		const struct finding sure = { .verdict = (enum verdict)i };
		CHECK(!reason_is_provisional(&sure));
	}
}

static void looks_name_their_limit_where_it_is_known(void **state)
{
	struct comparison comparison = { 0 };
	struct finding finding = { .verdict = VERDICT_SAME };
	AUTO(text) char *none = reason_looks(&comparison, &finding);
	CHECK_TEXT(none, "");
	finding.look_runs = 12;
	AUTO(text) char *open = reason_looks(&comparison, &finding);
	CHECK_TEXT(open, "decided at 12 runs a side");
	comparison.options.sequential_max = 20;
	finding.verdict = VERDICT_WITHHELD;
	finding.guard = "drift";
	finding.unguarded = VERDICT_UNDECIDED;
	AUTO(text) char *withheld = reason_looks(&comparison, &finding);
	CHECK_TEXT(withheld, "looked at up to 12 of at most 20 runs a side");
}

static void a_score_outside_its_family_has_no_p(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	struct row *row = &scenario.comparison->rows[0];
	row->findings[1].p_adjusted = (double)NAN;
	row->findings[1].method = "exact";
	AUTO(text) char *exact = reason_test(scenario.comparison, row, 1);
	CHECK_TEXT(exact, "lower is better; exact; same means within ±1 %");
	row->findings[1].tested = false;
	AUTO(text) char *untested = reason_test(scenario.comparison, row, 1);
	CHECK_TEXT(untested, "lower is better");
	scenario_done(&scenario);
}

static void reasons_are_joined_and_only_of_what_needs_them(void **state)
{
	struct comparison comparison = { .alpha = 0.01 };
	struct finding finding = {
		.verdict = VERDICT_UNDECIDED, .tested = true, .smallest_p = 0.1, .runs_wanted = 6
	};
	AUTO(text) char *both = reason_verdict(&comparison, &finding);
	CHECK_TEXT(both, "these runs could have given p 0.1 at best; about 6 runs a side would "
			 "decide if the estimate holds");
	finding.reason = (char[]) { "too few runs" }; /* Says it better. */
	AUTO(text) char *told = reason_verdict(&comparison, &finding);
	CHECK_TEXT(told, "too few runs; about 6 runs a side would decide if the estimate holds");
	finding.reason = NULL;
	finding.smallest_p = 0.01;
	finding.runs_wanted = 0;
	AUTO(text) char *none = reason_verdict(&comparison, &finding);
	CHECK_TEXT(none, "");
	finding.verdict = VERDICT_WORSE;
	finding.runs_wanted = 6;
	AUTO(text) char *worse = reason_verdict(&comparison, &finding);
	CHECK_TEXT(worse, "");
	AUTO(text) char *word = reason_word(&finding);
	CHECK_TEXT(word, "worse");
}

static struct mark make_mark(void)
{
	static char empty[] = "";
	static char why[] = "known";
	static char who[] = "anna";
	return (struct mark) {
		.target = empty,
		.point = empty,
		.tolerance_percent = (double)NAN,
		.why = why,
		.who = who,
		.when_wall_ns = UINT64_C(1795996800000000000) + UINT64_C(3723000000000),
	};
}

static void marks_say_who_when_why_and_whether_the_tolerance_held(void **state)
{
	struct mark mark = make_mark();
	AUTO(text) char *any = reason_mark(&mark, NULL);
	CHECK_TEXT(any, "marked expected by anna on 2026-11-30: known");
	AUTO(text) char *when = reason_when(&mark, /* with_time= */ true);
	CHECK_TEXT(when, "2026-11-30T01:02:03Z");
	mark.tolerance_percent = 5;
	struct finding finding = { .known = true, .relative = true, .change = -4.9 };
	AUTO(text) char *inside = reason_mark(&mark, &finding);
	CHECK_TEXT(inside, "marked expected by anna on 2026-11-30, within ±5 %: known");
	finding.change = -5.1;
	AUTO(text) char *outside = reason_mark(&mark, &finding);
	CHECK_TEXT(outside, "marked expected by anna on 2026-11-30, within ±5 % (this change is "
			    "outside): known");
	mark.invalid = true;
	AUTO(text) char *invalid = reason_mark(&mark, &finding);
	CHECK_TEXT(invalid, "marked invalid by anna on 2026-11-30: known");
}

static void notes_say_what_they_are_about(void **state)
{
	struct scenario scenario;
	scenario_three(&scenario);
	struct guard_note note = { .guard = "drift", .text = (char[]) { "it drifts" } };
	AUTO(text) char *all = reason_note(scenario.comparison, &note);
	CHECK_TEXT(all, "drift warns: it drifts");
	note.side = 2;
	AUTO(text) char *side = reason_note(scenario.comparison, &note);
	CHECK_TEXT(side, "drift warns of two-groups: it drifts");
	note.withholds = true;
	note.metric = (char[]) { "w.a" };
	AUTO(text) char *score = reason_note(scenario.comparison, &note);
	CHECK_TEXT(score, "drift withholds the verdict on w.a of two-groups: it drifts");
	scenario_done(&scenario);
	scenario_plain(&scenario); /* One head needs no name. */
	note.side = 1;
	AUTO(text) char *plain = reason_note(scenario.comparison, &note);
	CHECK_TEXT(plain, "drift withholds the verdict on w.a: it drifts");
	note.metric = NULL;
	AUTO(text) char *every = reason_note(scenario.comparison, &note);
	CHECK_TEXT(every, "drift withholds every verdict: it drifts");
	note.withholds = false;
	AUTO(text) char *warns = reason_note(scenario.comparison, &note);
	CHECK_TEXT(warns, "drift warns: it drifts");
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_decided_verdicts_are_provisional),
		cmocka_unit_test(looks_name_their_limit_where_it_is_known),
		cmocka_unit_test(a_score_outside_its_family_has_no_p),
		cmocka_unit_test(reasons_are_joined_and_only_of_what_needs_them),
		cmocka_unit_test(marks_say_who_when_why_and_whether_the_tolerance_held),
		cmocka_unit_test(notes_say_what_they_are_about),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
