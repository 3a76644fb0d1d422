/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "given.h"

#include <math.h>

static const struct intake_options as_numbers = { .format = &intake_numbers };

static void one_number_a_line_in_the_order_of_the_file(void **state)
{
	AUTO(intake_document)
	struct intake_document *document = given("# seconds\n10.5\n\n9.75\nNA\n11\n", &as_numbers);
	CHECK_INT(document->n_series, 1);
	const double want[] = { 10.5, 9.75, (double)NAN, 11 };
	holds(&document->series[0], want, 4);
	CHECK_TEXT(document->series[0].name, "value");
	CHECK_INT(document->series[0].values[1].line, 4);
	CHECK_INT(document->series[0].better, BETTER_UNKNOWN);
}

static void a_word_is_told_with_its_line(void **state)
{
	refused("1\n2\nthree\n", &as_numbers,
		"given:3: 'three' is not a number; write one number a line");
	refused("1 2\n", &as_numbers, "given:1: '1 2' is not a number; write one number a line");
	refused("\n# nothing\n", &as_numbers, "given holds no numbers (read as numbers)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_number_a_line_in_the_order_of_the_file),
		cmocka_unit_test(a_word_is_told_with_its_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
