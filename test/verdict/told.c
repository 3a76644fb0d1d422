/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directions and marks, and what they do to the exit code. */
#include "verdict/told.h"

#include "base/macros.h"
#include "check.h"
#include "verdict/match.h"

static char empty[] = "";
static char score_name[] = "w.score";
static char score_pattern[] = "w.*";
static char other_name[] = "m.faults";
static char here[] = "hackbench*";
static char elsewhere[] = "ebizzy*";
static char why[] = "the new lock is known to cost";
static char who[] = "root";

static const struct metric score = { "w.score", "s", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE };
static const struct metric faults = { "m.faults",     "1",         "",
				      METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE };

/* The head takes 5 % longer, beyond doubt. */
static void begin(struct match *match)
{
	struct random random;
	random_seed(&random, 3);
	match_begin(match, 10, true);
	const double slower[] = { 100.0, 0.1, 5.0, 0.0 };
	match_normal(match, &score, &random, slower);
	match_normal(match, &faults, &random, slower);
}

static struct mark mark_of(char *target, char *point, bool invalid, double tolerance)
{
	return (struct mark) { target, point, invalid, tolerance, why, who, 1 };
}

static void the_last_direction_that_fits_wins(void **state)
{
	static const struct direction directions[] = {
		{ NULL, BETTER_HIGHER },
		{ "w.*", BETTER_UNKNOWN },
		{ "w.sc", BETTER_HIGHER },
		{ "x.*", BETTER_LOWER },
	};
	static const enum verdict verdicts[] = { VERDICT_WORSE, VERDICT_BETTER, VERDICT_CHANGED,
						 VERDICT_BETTER, VERDICT_BETTER };
	for (size_t n = 0; n <= ARRAY_SIZE(directions); n++) {
		struct match match;
		begin(&match);
		match.options.directions = directions;
		match.options.n_directions = n;
		match_judge(&match);
		CHECK_INT(match_finding(&match, "w.score")->verdict, verdicts[n]);
		/* "All scores" is not evidence. */
		CHECK_INT(match_row(&match, "m.faults")->metric.better, BETTER_NONE);
		match_done(&match);
	}
}

static int exit_code_with(const struct mark *marks, size_t n)
{
	struct match match;
	begin(&match);
	match.options.marks = marks;
	match.options.n_marks = n;
	match_judge(&match);
	/* A mark hides nothing. */
	CHECK_INT(match_finding(&match, "w.score")->verdict, VERDICT_WORSE);
	const int code = comparison_exit_code(match.comparison);
	match_done(&match);
	return code;
}

static void an_expected_change_within_its_tolerance_is_no_regression(void **state)
{
	const struct mark any = mark_of(score_name, empty, false, (double)NAN);
	const struct mark wide = mark_of(score_pattern, here, false, 6.0);
	const struct mark narrow = mark_of(score_name, empty, false, 3.0);
	const struct mark other_metric = mark_of(other_name, empty, false, (double)NAN);
	const struct mark other_point = mark_of(score_name, elsewhere, false, (double)NAN);
	const struct mark whole = mark_of(empty, empty, false, 6.0);
	CHECK_INT(exit_code_with(NULL, 0), 1);
	CHECK_INT(exit_code_with(&any, 1), 0);
	CHECK_INT(exit_code_with(&wide, 1), 0);
	CHECK_INT(exit_code_with(&narrow, 1), 1);
	CHECK_INT(exit_code_with(&other_metric, 1), 1);
	CHECK_INT(exit_code_with(&other_point, 1), 1);
	CHECK_INT(exit_code_with(&whole, 1), 0);
}

static void what_is_invalid_cannot_say(void **state)
{
	const struct mark row = mark_of(score_name, empty, true, (double)NAN);
	const struct mark whole = mark_of(empty, here, true, (double)NAN);
	CHECK_INT(exit_code_with(&row, 1), 125);
	CHECK_INT(exit_code_with(&whole, 1), 125);
}

static void the_newest_mark_of_a_row_is_shown(void **state)
{
	struct mark marks[] = {
		mark_of(score_name, empty, false, 1.0), mark_of(score_pattern, empty, false, 2.0),
		mark_of(score_name, empty, true, 3.0),  mark_of(empty, here, false, 4.0),
		mark_of(empty, elsewhere, false, 5.0),
	};
	marks[1].when_wall_ns = 7;
	struct match match;
	begin(&match);
	match.options.marks = marks;
	match.options.n_marks = ARRAY_SIZE(marks);
	match_judge(&match);
	CHECK(match_row(&match, "w.score")->mark == &marks[1]);
	CHECK(!match_row(&match, "m.faults")->mark);
	CHECK_INT(match.comparison->n_marks, 1);
	CHECK(match.comparison->marks[0] == &marks[3]);
	match_done(&match);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_direction_that_fits_wins),
		cmocka_unit_test(an_expected_change_within_its_tolerance_is_no_regression),
		cmocka_unit_test(what_is_invalid_cannot_say),
		cmocka_unit_test(the_newest_mark_of_a_row_is_shown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
