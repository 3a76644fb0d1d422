/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as people read them. */
#include "report/number.h"

#include "base/macros.h"
#include "check.h"
#include "report/report.h"

#include <math.h>

static void numbers_keep_four_digits_and_whole_thousands(void **state)
{
	static const struct {
		double number;
		const char *want;
	} rows[] = {
		{ 0.0, "0" },
		{ -0.0, "0" },
		{ 1234567.0, "1234567" },
		{ 0.01234, "0.01234" },
		{ 1.2345e12, "1.234e+12" },
		{ 1.2333, "1.233" },
		{ 12.0, "12" },
		{ 999.96, "1000" },
		{ 1000.4, "1000" },
		{ -81081.2, "-81081" },
		{ 0.00009, "9.000e-05" },
		{ 0.0001, "0.0001" },
		{ 999999999.0, "999999999" },
		{ 1e9, "1.000e+09" },
		{ (double)NAN, "-" },
		{ (double)INFINITY, "-" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char buffer[NUMBER_BYTES];
		report_number(rows[i].number, buffer, sizeof(buffer));
		CHECK_TEXT(buffer, rows[i].want);
	}
}

static void check_change(const char *unit, const struct finding *finding, const char *want)
{
	const struct row row = { .metric = { .unit = unit } };
	char buffer[NUMBER_BYTES];
	number_change(&row, finding, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, want);
}

static void a_change_names_what_it_is_measured_in(void **state)
{
	check_change("s", &(struct finding) { .known = true, .relative = true, .change = 4.21 },
		     "+4.2 %");
	check_change("%", &(struct finding) { .known = true, .change = -1.25 }, "-1.2 pp");
	check_change("KiB", &(struct finding) { .known = true, .change = 12 }, "+12.0 KiB");
	check_change("1", &(struct finding) { .known = true, .change = 5000 }, "+5000");
	check_change("s", &(struct finding) { .known = false }, "");
}

static void small_changes_get_more_decimals_and_zero_has_no_sign(void **state)
{
	check_change("s", &(struct finding) { .known = true, .relative = true, .change = 0.5 },
		     "+0.50 %");
	check_change("s", &(struct finding) { .known = true, .relative = true, .change = -0.021 },
		     "-0.021 %");
	check_change("s", &(struct finding) { .known = true, .relative = true, .change = 0.0 },
		     "0.0 %");
	check_change("s",
		     &(struct finding) { .known = true,
					 .tested = true,
					 .relative = true,
					 .change = -0.004,
					 .low = -3,
					 .high = 3 },
		     "0.0 %");
	check_change("s", &(struct finding) { .known = true, .relative = true, .change = 3e12 },
		     "+3.000e+12 %");
}

static void large_changes_lose_their_decimals(void **state)
{
	check_change("s", &(struct finding) { .known = true, .relative = true, .change = -100.0 },
		     "-100 %");
	check_change("s",
		     &(struct finding) { .known = true,
					 .tested = true,
					 .relative = true,
					 .change = 85.9,
					 .low = 36.5,
					 .high = 135.3 },
		     "+86 %");
}

static void all_three_numbers_share_their_decimals(void **state)
{
	const struct finding finding = {
		.known = true, .tested = true, .change = 0.04, .low = -0.2, .high = 0.28
	};
	CHECK_INT(number_decimals(&finding), 2);
	char buffer[NUMBER_BYTES];
	number_interval(finding.low, finding.high, 2, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "-0.20 to +0.28");
	number_interval((double)NAN, (double)NAN, 2, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "");
}

static void an_interval_without_an_end_says_so(void **state)
{
	const double infinite = (double)INFINITY;
	char buffer[NUMBER_BYTES];
	number_interval(-infinite, infinite, 1, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "no limits");
	number_interval(-infinite, 3.1, 1, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "below +3.1");
	number_interval(-3.1, infinite, 1, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "above -3.1");
	const struct finding finding = {
		.known = true, .tested = true, .change = 0.5, .low = -infinite, .high = infinite
	};
	CHECK_INT(number_decimals(&finding), 2);
}

static void p_values_are_short(void **state)
{
	static const struct {
		double p;
		const char *want;
	} cases[] = {
		{ 1.0, "1" },         { 0.31234, "0.31" },  { 0.0123, "0.012" },
		{ 0.0012, "0.0012" }, { 0.00031, "3e-04" }, { 1e-30, "<1e-12" },
		{ 0.0, "<1e-12" },    { (double)NAN, "-" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char buffer[NUMBER_BYTES];
		number_p(cases[i].p, buffer, sizeof(buffer));
		CHECK_TEXT(buffer, cases[i].want);
	}
}

static void a_margin_is_in_the_unit_of_its_change(void **state)
{
	struct row row = { .metric = { .unit = "s" } };
	struct finding finding = { .known = true, .relative = true, .margin = 1.25 };
	char buffer[NUMBER_BYTES];
	number_margin(&row, &finding, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "1.25 %");
	finding.relative = false;
	number_margin(&row, &finding, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "1.25 s");
	row.metric.unit = "%";
	number_margin(&row, &finding, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "1.25 pp");
}

static void the_longest_double_fits(void **state)
{
	const struct finding finding = { .known = true, .relative = true, .change = -1.7e308 };
	check_change("s", &finding, "-1.700e+308 %");
}

static void shares_lose_their_rounding_tails(void **state)
{
	char buffer[NUMBER_BYTES];
	number_percent(1.0 - 0.01, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "99");
	number_percent(0.999, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "99.9");
	number_percent(0.05, buffer, sizeof(buffer));
	CHECK_TEXT(buffer, "5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_keep_four_digits_and_whole_thousands),
		cmocka_unit_test(a_change_names_what_it_is_measured_in),
		cmocka_unit_test(small_changes_get_more_decimals_and_zero_has_no_sign),
		cmocka_unit_test(large_changes_lose_their_decimals),
		cmocka_unit_test(all_three_numbers_share_their_decimals),
		cmocka_unit_test(an_interval_without_an_end_says_so),
		cmocka_unit_test(p_values_are_short),
		cmocka_unit_test(a_margin_is_in_the_unit_of_its_change),
		cmocka_unit_test(the_longest_double_fits),
		cmocka_unit_test(shares_lose_their_rounding_tails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
