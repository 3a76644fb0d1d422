/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep over nr_task says, in the table and in JSON. */
#include "check.h"
#include "report/formats.h"
#include "report/scenario.h"
#include "report/table.h"

#include <jansson.h>

static const struct metric rate = {
	.name = "will-it-scale.workload",
	.unit = "ops/s",
	.what = "operations per second, sum over workers",
	.kind = METRIC_SCORE,
	.better = BETTER_HIGHER,
	.role = ROLE_RESTATED,
};
static const struct metric idle = {
	.name = "mpstat.cpu.all.idle%",
	.unit = "%",
	.what = "",
	.kind = METRIC_SHARE,
	.better = BETTER_NONE,
	.role = ROLE_EVIDENCE,
};

/* Two sides at a point of so many tasks; the second side is as fast as the first times `factor`. */
static void make_point(struct scenario *scenario, const char *nr_task, double mean, double factor)
{
	*scenario = (struct scenario) { .n_sides = 2 };
	scenario->samples[0] = sample_make("base", 4);
	scenario->samples[1] = sample_make("head", 4);
	for (size_t side = 0; side < 2; side++)
		sample_argument(&scenario->samples[side], "nr_task", nr_task);
	scenario_begin(scenario);
	struct row *row = scenario_row(scenario, &rate);
	scenario_cell(scenario, row, 0, mean, mean / 100);
	scenario_cell(scenario, row, 1, mean * factor, mean / 100);
	row = scenario_row(scenario, &idle);
	scenario_cell(scenario, row, 0, 12.5, 1);
	scenario_missing(scenario, row, 1, MISSING_ABSENT);
}

static char *render(const struct report_format *format, const char *first, const char *second)
{
	struct scenario scenarios[2];
	struct text text = { 0 };
	make_point(&scenarios[0], first, 1000, 1);
	make_point(&scenarios[1], second, 1500, 0.8);
	const struct comparison *comparisons[] = { scenarios[0].comparison,
						   scenarios[1].comparison };
	format->render(comparisons, 2, &(struct report_options) { .width = 100 }, &text);
	scenario_done(&scenarios[0]);
	scenario_done(&scenarios[1]);
	return text_take(&text);
}

static void each_point_and_side_has_its_scalability(void **state)
{
	AUTO(text) char *text = render(&format_table, "1", "2");
	CHECK_HOLDS(text, "Scalability: ");
	CHECK_HOLDS(text, "nr_task scalability   95 % interval idle %  subject  point");
	CHECK_HOLDS(text, "      1       1.000               -   12.5  base     hackbench/");
	CHECK_HOLDS(text, "      2       0.750  0.737 to 0.764   12.5  base     hackbench/");
	CHECK_HOLDS(text, "      2       0.600  0.");
	CHECK_HOLDS(text, "missing  head     hackbench/nr_task=2");
}

static void without_one_task_the_reason_stands_below(void **state)
{
	AUTO(text) char *text = render(&format_table, "2", "4");
	CHECK_HOLDS(text, "      4     missing               -   12.5  base     hackbench/");
	CHECK_HOLDS(text, "  missing: the sweep has no complete run with nr_task=1\n");
}

static void what_was_not_swept_has_no_such_table(void **state)
{
	AUTO(text) char *text = render(&format_table, "2", "2");
	CHECK(strstr(text, "Scalability") == NULL);
}

static json_t *scalability_of(const char *text, size_t point)
{
	json_t *root = json_loads(text, 0, NULL);
	json_t *found = json_deep_copy(json_object_get(json_array_get(root, point), "scalability"));
	json_decref(root);
	return found;
}

static void json_has_value_interval_and_reason(void **state)
{
	AUTO(text) char *text = render(&format_json, "1", "2");
	json_t *sides = scalability_of(text, 1);
	CHECK_INT(json_array_size(sides), 2);
	const json_t *base = json_array_get(sides, 0);
	CHECK_TEXT(json_string_value(json_object_get(base, "state")), "known");
	CHECK_NEAR(json_number_value(json_object_get(base, "value")), 0.75, 1e-12);
	CHECK_INT(json_array_size(json_object_get(base, "interval")), 2);
	CHECK_TEXT(json_string_value(json_object_get(json_array_get(sides, 1), "side")), "head");
	json_decref(sides);

	AUTO(text) char *without = render(&format_json, "2", "4");
	sides = scalability_of(without, 1);
	const json_t *first = json_array_get(sides, 0);
	CHECK_TEXT(json_string_value(json_object_get(first, "state")), "missing");
	CHECK_HOLDS(json_string_value(json_object_get(first, "why")), "nr_task=1");
	CHECK(!json_object_get(first, "value"));
	json_decref(sides);
}

static void json_has_null_where_nothing_was_swept(void **state)
{
	AUTO(text) char *text = render(&format_json, "2", "2");
	json_t *none = scalability_of(text, 0);
	CHECK(json_is_null(none));
	json_decref(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_point_and_side_has_its_scalability),
		cmocka_unit_test(without_one_task_the_reason_stands_below),
		cmocka_unit_test(what_was_not_swept_has_no_such_table),
		cmocka_unit_test(json_has_value_interval_and_reason),
		cmocka_unit_test(json_has_null_where_nothing_was_swept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
