/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "given.h"

#include <math.h>

static const struct intake_options plain = { 0 };

static void a_bare_array_is_one_series(void **state)
{
	AUTO(intake_document)
	struct intake_document *document = given(" [1.5, 2, null, 18446744073709551616]", &plain);
	CHECK(document->format == &intake_json);
	const double want[] = { 1.5, 2, (double)NAN, 18446744073709551616.0 };
	holds(intake_series_find(document, "value"), want, 4);
}

static void an_array_of_arrays_is_a_series_each(void **state)
{
	AUTO(intake_document)
	struct intake_document *document = given("[[1,2],[3],[4,5,6]]", &plain);
	CHECK_INT(document->n_series, 3);
	CHECK_INT(intake_series_find(document, "3")->n, 3);
}

static void members_name_their_series(void **state)
{
	AUTO(intake_document)
	struct intake_document *document =
		given("{\"unit\": \"s\", \"head\": [3], \"base\": [1,2], \"tags\": [\"a\"], "
		      "\"nothing\": []}",
		      &plain);
	CHECK_INT(document->n_series, 2);
	CHECK_TEXT(document->series[0].name, "head");
	CHECK_INT(intake_series_find(document, "base")->n, 2);
}

static void sides_may_hold_several_measures(void **state)
{
	AUTO(intake_document)
	struct intake_document *document =
		given("{\"base\": {\"time\": [1,2], \"faults\": [3,4]}, \"head\": {\"time\": [5]}}",
		      &plain);
	CHECK_INT(document->n_series, 3);
	CHECK_TEXT(document->series[0].group, "base");
	CHECK_TEXT(document->series[2].group, "head");
	CHECK_TEXT(document->series[2].name, "time");
}

static void a_text_among_numbers_is_told_with_its_place(void **state)
{
	refused("{\"base\": [1, \"2\"]}", &plain, "given: base[1] is a text, not a number");
	refused("{\"base\": {\"time\": [1, true]}}", &plain,
		"given: base.time[1] is true or false, not a number");
	refused("[[1], 2]", &plain, "given: [1] is a number, not an array of numbers");
	refused("[\"a\"]", &plain, "given: value[0] is a text, not a number");
}

static void broken_json_is_told_with_its_line(void **state)
{
	struct intake_document *document = NULL;
	struct error err = { 0 };
	const char *text = "{\n \"base\": [1,\n 2\n}";
	CHECK_INT(intake_parse(text, strlen(text), "given", &plain, &document, &err), -EINVAL);
	CHECK_HOLDS(err.text, "given:4: no JSON in column 1: ");
	refused("{}", &plain, "given holds no numbers (read as json)");
	refused("[]", &plain, "given holds no numbers (read as json)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bare_array_is_one_series),
		cmocka_unit_test(an_array_of_arrays_is_a_series_each),
		cmocka_unit_test(members_name_their_series),
		cmocka_unit_test(sides_may_hold_several_measures),
		cmocka_unit_test(a_text_among_numbers_is_told_with_its_place),
		cmocka_unit_test(broken_json_is_told_with_its_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
