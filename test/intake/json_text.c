/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "intake/json_text.h"

#include "check.h"

#include <errno.h>
#include <math.h>

static void numbers_and_null_are_values(void **state)
{
	struct value value;
	json_t *array = json_loads("[1.25, null, \"3\", {}, [], true]", 0, NULL);
	CHECK(json_text_value(json_array_get(array, 0), &value));
	CHECK_NEAR(value.number, 1.25, 0);
	CHECK(json_text_value(json_array_get(array, 1), &value));
	CHECK_INT(value.state, VALUE_MISSING);
	for (size_t i = 2; i < 6; i++)
		CHECK(!json_text_value(json_array_get(array, i), &value));
	CHECK_TEXT(json_text_kind(json_array_get(array, 2)), "a text");
	CHECK_TEXT(json_text_kind(json_array_get(array, 3)), "an object");
	CHECK_TEXT(json_text_kind(json_array_get(array, 4)), "an array");
	CHECK_TEXT(json_text_kind(json_array_get(array, 1)), "null");
	json_decref(array);
	CHECK(!json_text_value(NULL, &value));
}

static void a_byte_order_mark_and_blanks_stand_before_the_bracket(void **state)
{
	CHECK(json_text_begins("\xef\xbb\xbf \n[1]", 8, '['));
	CHECK(!json_text_begins("  x[", 4, '['));
	CHECK(!json_text_begins("   ", 3, '['));
	CHECK(!json_text_begins("\0[", 2, '['));
	CHECK(json_text_names("{\"results\": 1}", 14, "results"));
	CHECK(!json_text_names("{\"result\": 1}", 13, "results"));
	json_t *document = NULL;
	CHECK_INT(json_text_parse("\xef\xbb\xbf[1]", 6, "x", &document, NULL), 0);
	json_decref(document);
}

static void what_is_no_json_has_a_line_and_a_column(void **state)
{
	json_t *document = NULL;
	struct error err = { 0 };
	CHECK_INT(json_text_parse("[1,\n2,\n oops]", 13, "file", &document, &err), -EINVAL);
	CHECK_HOLDS(err.text, "file:3: no JSON in column ");
	CHECK(document == NULL);
	CHECK_INT(json_text_parse("{\"a\": 1,\n \"a\": 2}", 18, "file", &document, &err), -EINVAL);
	CHECK_HOLDS(err.text, "file:2: two members of one object have the same name: ");
	CHECK_INT(json_text_parse("[1, NaN]", 8, "file", &document, &err), -EINVAL);
	CHECK_INT(json_text_parse("[1e999]", 7, "file", &document, &err), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_null_are_values),
		cmocka_unit_test(a_byte_order_mark_and_blanks_stand_before_the_bracket),
		cmocka_unit_test(what_is_no_json_has_a_line_and_a_column),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
