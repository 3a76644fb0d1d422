/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions over lines, units behind numbers, and expressions that take too long. */
#include "adapted.h"

static void a_carriage_return_ends_a_line_too(void **state)
{
	extracts("name: t.s, regex: '^done ([0-9]+)$', unit: s, better: lower",
		 "10 %\r50 %\rdone 7\r\n", "t.s=7");
}

static void the_unit_that_is_printed_scales_the_number(void **state)
{
	static const char score[] =
		"name: t.us, regex: 'took ([0-9.]+)(?<unit>us|ms|s)', unit: us, "
		"better: lower, units: {us: 1, ms: 1000, s: 1e6}";
	extracts(score, "took 2.5ms\n", "t.us=2500");
	extracts(score, "took 3us\n", "t.us=3");
	extracts("name: t.us, regex: 'took ([0-9.]+)(?<unit>\\S*)', unit: us, better: lower, "
		 "units: {us: 1}",
		 "took 2min\n",
		 "!'t.us' is printed in the unit 'min', which the adapter does not list");
}

static void a_factor_scales_and_grouped_digits_are_one_number(void **state)
{
	extracts("name: t.s, regex: 'took ([0-9,.]+)', unit: s, better: lower, factor: 0.001",
		 "took 1,234,500\n", "t.s=1234.5");
	extracts("name: t.s, regex: 'took ([0-9,.]+)', unit: s, better: lower", "took 12,34\n",
		 "!'t.s' is '12,34' in the output, which is no number");
}

static void an_expression_that_takes_too_long_is_a_complaint(void **state)
{
	AUTO(adapter)
	struct adapter *adapter =
		adapted_score("name: t.s, regex: '(?<value>(?:a+)+)+$', unit: s, better: lower");
	AUTO(text) char *output = mem_format("%040d\n", 0);
	memset(output, 'a', 39);
	output[39] = 'b';
	AUTO(text) char *have = extracted(adapter, output);
	CHECK_HOLDS(have, "take too many steps");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_carriage_return_ends_a_line_too),
		cmocka_unit_test(the_unit_that_is_printed_scales_the_number),
		cmocka_unit_test(a_factor_scales_and_grouped_digits_are_one_number),
		cmocka_unit_test(an_expression_that_takes_too_long_is_a_complaint),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
