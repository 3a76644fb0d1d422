/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flat JSON: what it says of a judged pair, of one that cannot be, and the shipped schema. */
#include "cli/stat_json.h"

#include "stat_given.h"

#include <math.h>

static const struct intake_options plain = { 0 };
static const struct stat_layout lower = { .better = BETTER_LOWER };

static json_t *judged(struct stat_given *given, const char *base, const char *head)
{
	stat_give(given, base, head, &plain, lower);
	stat_judge(given);
	return stat_json(given->cases[0]);
}

static double number(const json_t *object, const char *key)
{
	CHECK(json_is_number(json_object_get(object, key)));
	return json_number_value(json_object_get(object, key));
}

static void a_clear_change_has_all_its_numbers(void **state)
{
	struct stat_given given;
	json_t *object = judged(&given, "100\n101\n99\n100.5\n99.5\n100.2\n99.8\n100.7\n",
				"110\n111\n109\n110.5\n109.5\n110.2\n109.8\n110.7\n");
	CHECK_TEXT(json_string_value(json_object_get(object, "verdict")), "worse");
	CHECK_TEXT(json_string_value(json_object_get(object, "direction")), "lower");
	const double change = number(object, "change_percent");
	CHECK_NEAR(change, 10, 0.1);
	const json_t *interval = json_object_get(object, "interval_percent");
	CHECK(json_number_value(json_array_get(interval, 0)) < change);
	CHECK(json_number_value(json_array_get(interval, 1)) > change);
	CHECK(number(object, "p") <= 0.01);
	CHECK(json_is_null(json_object_get(object, "change_in_unit")));
	CHECK_INT(json_integer_value(json_array_get(json_object_get(object, "n"), 1)), 8);
	CHECK_INT(json_integer_value(json_object_get(object, "exit_code")), 1);
	CHECK(json_is_string(json_object_get(object, "method")));
	CHECK(json_is_array(json_object_get(object, "warnings")));
	json_decref(object);
	stat_done(&given);
}

static void what_cannot_exist_is_null(void **state)
{
	struct stat_given given;
	json_t *object = judged(&given, "100\n", "110\n");
	CHECK_TEXT(json_string_value(json_object_get(object, "verdict")), "undecided");
	CHECK_NEAR(number(object, "change_percent"), 10, 1e-9);
	CHECK(json_is_null(json_object_get(object, "p")));
	CHECK(json_is_null(json_object_get(object, "interval_percent")));
	CHECK(json_is_null(json_object_get(object, "method")));
	CHECK(json_is_null(json_array_get(json_object_get(object, "deviation"), 0)));
	CHECK(json_is_string(json_object_get(object, "reason")));
	CHECK_INT(json_integer_value(json_object_get(object, "exit_code")), 125);
	json_decref(object);
	stat_done(&given);
}

static void a_base_of_zero_has_a_change_in_its_unit_only(void **state)
{
	struct stat_given given;
	json_t *object = judged(&given, "0\n0\n0\n0\n0\n0\n", "3\n4\n3\n4\n5\n3\n");
	CHECK(json_is_null(json_object_get(object, "change_percent")));
	CHECK(number(object, "change_in_unit") >= 3);
	json_decref(object);
	stat_done(&given);
}

/* The schema is flat: names, whether they are required, and the types of single members. */
static void the_shipped_schema_names_exactly_what_is_written(void **state)
{
	const char *data = getenv("ASSAY_TEST_DATA");
	CHECK(data != NULL);
	char path[4096];
	CHECK(snprintf(path, sizeof(path), "%s/stat.schema.json", data) < (int)sizeof(path));
	json_t *schema = json_load_file(path, 0, NULL);
	CHECK(schema != NULL);
	const json_t *described = json_object_get(json_object_get(schema, "$defs"), "judged");
	json_t *members = json_object_get(described, "properties");
	const json_t *required = json_object_get(described, "required");
	struct stat_given given;
	json_t *object = judged(&given, "1\n2\n", "3\n4\n");
	const char *key;
	json_t *value;
	json_object_foreach(object, key, value)
	{
		if (!json_object_get(members, key))
			CHECK_FAIL("the schema does not know '%s'", key);
	}
	CHECK_INT(json_array_size(required), json_object_size(object));
	for (size_t i = 0; i < json_array_size(required); i++)
		CHECK(json_object_get(object, json_string_value(json_array_get(required, i))));
	CHECK_INT(json_object_size(members), json_object_size(object));
	json_decref(object);
	json_decref(schema);
	stat_done(&given);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clear_change_has_all_its_numbers),
		cmocka_unit_test(what_cannot_exist_is_null),
		cmocka_unit_test(a_base_of_zero_has_a_change_in_its_unit_only),
		cmocka_unit_test(the_shipped_schema_names_exactly_what_is_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
