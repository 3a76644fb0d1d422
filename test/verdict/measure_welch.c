/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests of others, as they would have answered. */
#include "verdict/measure_welch.h"

#include "check.h"
#include "stats/welch.h"
#include "verdict/match.h"

static const struct metric seconds = { "w.score", "s", "", METRIC_SCORE, BETTER_LOWER, ROLE_SCORE };

static void welch_answers_with_fiellers_interval(void **state)
{
	struct match match;
	match_begin(&match, 10, true);
	sample_spread(&match.base, &seconds, 2.0, 0.02);
	sample_spread(&match.head, &seconds, 2.1, 0.02);
	match.options.method = METHOD_WELCH;
	match_judge(&match);
	const struct row *row = match_row(&match, "w.score");
	const struct finding *finding = &row->findings[1];
	CHECK_TEXT(finding->method, "Welch t");
	CHECK_NEAR(finding->change, 5.0, 1e-9);
	CHECK_NEAR(finding->p,
		   welch_compare(&row->cells[0].summary, &row->cells[1].summary, 0.99).p, 0.0);
	/* 2.878440472738648 is the .995 quantile of Student's distribution with 18 degrees, found by
	 * bisection over an integral of its density. */
	const double error = 2.878440472738648 * 0.02 / sqrt(10);
	const double low = 1 + finding->low / 100;
	const double high = 1 + finding->high / 100;
	/* At the ends the ratio is that many standard errors away: Fieller's definition. */
	CHECK(finding->low < 5.0 && finding->high > 5.0);
	CHECK_NEAR(2.1 - low * 2.0, error * sqrt(1 + low * low), 1e-9);
	CHECK_NEAR(high * 2.0 - 2.1, error * sqrt(1 + high * high), 1e-9);
	match_done(&match);
}

static void welch_lets_nothing_fall_by_more_than_all_of_it(void **state)
{
	struct match match;
	match_begin(&match, 3, false);
	sample_spread(&match.base, &seconds, 10.0, 8.0);
	sample_spread(&match.head, &seconds, 8.0, 8.0);
	match.options.method = METHOD_WELCH;
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_NEAR(finding->low, -100.0, 0.0);
	CHECK_NEAR(finding->same_low, -100.0, 0.0);
	CHECK(finding->high > 0.0);
	match_done(&match);
}

static void mann_whitney_ranks_without_looking_at_blocks(void **state)
{
	static const double base[] = { 1.0, 1.1, 1.2, 1.3, 1.4 };
	static const double head[] = { 2.0, 2.1, 2.2, 2.3, 2.4 };
	struct match match;
	match_begin(&match, 5, true);
	match_values(&match, &seconds, base, head);
	match.options.method = METHOD_MANN_WHITNEY;
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_TEXT(finding->method, "Mann-Whitney");
	CHECK_NEAR(finding->p, 2.0 / 252.0, 1e-12);
	CHECK_NEAR(finding->smallest_p, 2.0 / 252.0, 1e-12);
	CHECK_INT(finding->verdict, VERDICT_WORSE);
	CHECK(finding->low > 0.0 && finding->high > finding->change);
	match_done(&match);
}

static void mann_whitney_of_three_can_never_say(void **state)
{
	static const double base[] = { 1.0, 1.1, 1.2 };
	static const double head[] = { 2.0, 2.1, 2.2 };
	struct match match;
	match_begin(&match, 3, false);
	match_values(&match, &seconds, base, head);
	match.options.method = METHOD_MANN_WHITNEY;
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "w.score");
	CHECK_INT(finding->verdict, VERDICT_UNDECIDED);
	CHECK_HOLDS(finding->reason, "even the clearest outcome gives p 0.1");
	match_done(&match);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(welch_answers_with_fiellers_interval),
		cmocka_unit_test(welch_lets_nothing_fall_by_more_than_all_of_it),
		cmocka_unit_test(mann_whitney_ranks_without_looking_at_blocks),
		cmocka_unit_test(mann_whitney_of_three_can_never_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
