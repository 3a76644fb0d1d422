/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BISECT.json. */
#include "cli/bisect_json.h"

#include "check.h"
#include "cli/bisect_made.h"
#include "store/document.h"

/* Every field of an object is named, and no other. */
static void check_object(json_t *schema, json_t *object)
{
	const json_t *properties = json_object_get(schema, "properties");
	const char *key;
	json_t *value;
	json_object_foreach(object, key, value)
	{
		if (!json_object_get(properties, key))
			CHECK_FAIL("the schema has no '%s'", key);
	}
	const json_t *required = json_object_get(schema, "required");
	for (size_t i = 0; i < json_array_size(required); i++)
		if (!json_object_get(object, json_string_value(json_array_get(required, i))))
			CHECK_FAIL("the document has no '%s'",
				   json_string_value(json_array_get(required, i)));
}

static void the_document_is_that_of_the_schema(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(40, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 23, .is_revert_clean = true };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	AUTO(json) json_t *json = bisect_json(course, "mine");
	char path[512];
	(void)snprintf(path, sizeof(path), "%s/bisect.schema.json", getenv("ASSAY_TEST_DATA"));
	AUTO(json) json_t *schema = json_load_file(path, 0, /* error= */ NULL);
	CHECK(schema != NULL);
	json_t *definitions = json_object_get(schema, "$defs");
	check_object(schema, json);
	json_t *change = json_array_get(json_object_get(json, "changes"), 0);
	check_object(json_object_get(definitions, "change"), change);
	check_object(json_object_get(definitions, "cost"), json_object_get(json, "cost"));
	check_object(json_object_get(definitions, "question"), json_object_get(json, "question"));
	check_object(json_object_get(definitions, "guard"),
		     json_array_get(json_object_get(change, "guards"), 0));
	check_object(json_object_get(definitions, "unit"),
		     json_array_get(json_object_get(json, "evidence"), 0));
	CHECK(json_is_true(json_object_get(json, "accused")));
	CHECK_INT(json_array_size(json_object_get(json, "evidence")), entries.n);
	CHECK_TEXT(json_string_value(json_object_get(
			   json_array_get(json_object_get(change, "commits"), 0), "subject")),
		   "change 23");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_document_is_that_of_the_schema) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
