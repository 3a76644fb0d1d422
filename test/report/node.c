/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The smaller parts of the JSON report; the whole is tested in json.c against its schema. */
#include "report/node.h"

#include "check.h"
#include "report/scenario.h"

static void what_is_no_number_or_no_text_is_null(void **state)
{
	json_t *object = json_object();
	node_set(object, "nan", node_number((double)NAN));
	node_set(object, "infinite", node_number(-(double)INFINITY));
	node_set(object, "number", node_number(1.5));
	node_set(object, "absent", node_text(NULL));
	node_set(object, "foreign", node_text("\xff"));
	CHECK(json_is_null(json_object_get(object, "nan")));
	CHECK(json_is_null(json_object_get(object, "infinite")));
	CHECK_NEAR(json_number_value(json_object_get(object, "number")), 1.5, 0.0);
	CHECK(json_is_null(json_object_get(object, "absent")));
	CHECK_TEXT(json_string_value(json_object_get(object, "foreign")), "(not UTF-8)");
	json_decref(object);
}

static void an_untested_finding_has_no_test(void **state)
{
	struct scenario scenario;
	scenario_doubtful(&scenario);
	json_t *metric = node_metric(scenario.comparison, &scenario.comparison->rows[1]);
	const json_t *finding = json_array_get(json_object_get(metric, "findings"), 0);
	CHECK(!json_object_get(finding, "p"));
	CHECK(!json_object_get(finding, "provisional"));
	CHECK(json_object_get(finding, "reason"));
	CHECK(!json_object_get(metric, "cluster"));
	CHECK(!json_object_get(metric, "mark"));
	json_decref(metric);
	scenario_done(&scenario);
}

static void an_interval_comes_before_the_first_look(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	struct row *row = &scenario.comparison->rows[0];
	row->findings[1].tested = false;
	json_t *metric = node_metric(scenario.comparison, row);
	const json_t *finding = json_array_get(json_object_get(metric, "findings"), 0);
	CHECK_INT(json_array_size(json_object_get(finding, "interval")), 2);
	CHECK(!json_object_get(finding, "method"));
	json_decref(metric);
	scenario_done(&scenario);
}

static void a_mark_without_tolerance_has_null(void **state)
{
	const struct mark mark = {
		.target = (char[]) { "w.*" },
		.point = (char[]) { "" },
		.tolerance_percent = (double)NAN,
		.why = (char[]) { "known" },
		.who = (char[]) { "anna" },
	};
	json_t *object = node_mark(&mark);
	CHECK(json_is_null(json_object_get(object, "tolerance_percent")));
	CHECK_TEXT(json_string_value(json_object_get(object, "mark")), "expected");
	CHECK_TEXT(json_string_value(json_object_get(object, "target")), "w.*");
	CHECK_TEXT(json_string_value(json_object_get(object, "when")), "1970-01-01T00:00:00Z");
	json_decref(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_number_or_no_text_is_null),
		cmocka_unit_test(an_untested_finding_has_no_test),
		cmocka_unit_test(an_interval_comes_before_the_first_look),
		cmocka_unit_test(a_mark_without_tolerance_has_null),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
