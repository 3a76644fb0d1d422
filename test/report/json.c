/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON: golden text, numbers that come back bit for bit, states, and the shipped schema. */
#include "golden/golden.h"
#include "report/formats.h"
#include "report/scenario.h"

#include <jansson.h>

static char *render(const struct comparison *const *comparisons, size_t n)
{
	struct text text = { 0 };
	const struct report_options options = { 0 };
	format_json.render(comparisons, n, &options, &text);
	return text_take(&text);
}

static json_t *parse(const char *text)
{
	json_error_t error;
	json_t *root = json_loads(text, 0, &error);
	if (!root)
		fail_msg("line %d: %s", error.line, error.text);
	return root;
}

static const json_t *find_metric(const json_t *comparison, const char *name)
{
	size_t i;
	json_t *metric;
	json_array_foreach(json_object_get(comparison, "metrics"), i, metric)
	{
		if (strcmp(json_string_value(json_object_get(metric, "name")), name) == 0)
			return metric;
	}
	fail_msg("no metric %s", name);
	return NULL;
}

static const char *word(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void a_doubtful_comparison_keeps_its_states(void **state)
{
	struct scenario scenario;
	scenario_doubtful(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	golden_check("report-doubtful.json", text);

	json_t *root = parse(text);
	const json_t *first = json_array_get(root, 0);
	const json_t *metric = find_metric(first, "example.latency_p99_us");
	const json_t *head = json_array_get(json_object_get(metric, "sides"), 1);
	CHECK_TEXT(word(head, "state"), "missing");
	CHECK_TEXT(word(head, "why"), "permission denied");
	CHECK(!json_object_get(head, "mean"));
	metric = find_metric(first, "example.per_thread_ops");
	CHECK_TEXT(word(json_array_get(json_object_get(metric, "sides"), 0), "state"),
		   "not applicable");
	json_decref(root);
	scenario_done(&scenario);
}

static void numbers_come_back_bit_for_bit(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	json_t *root = parse(text);
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		if (row->cells[0].summary.n == 0)
			continue;
		const json_t *metric = find_metric(json_array_get(root, 0), row->metric.name);
		const json_t *base = json_array_get(json_object_get(metric, "sides"), 0);
		CHECK_NEAR(json_number_value(json_object_get(base, "mean")),
			   row->cells[0].summary.mean, 0.0);
		CHECK_NEAR(json_number_value(json_object_get(base, "deviation")),
			   row->cells[0].summary.deviation, 0.0);
	}
	json_decref(root);
	scenario_done(&scenario);
}

static void points_are_elements_of_one_array(void **state)
{
	struct scenario plain;
	struct scenario three;
	scenario_plain(&plain);
	scenario_three(&three);
	const struct comparison *comparisons[] = { plain.comparison, three.comparison };
	AUTO(text) char *text = render(comparisons, 2);
	json_t *root = parse(text);
	CHECK_INT(json_array_size(root), 2);
	const json_t *second = json_array_get(root, 1);
	CHECK_INT(json_array_size(json_object_get(second, "sides")), 3);
	CHECK_INT(json_array_size(json_object_get(second, "sentences")), 2);
	json_decref(root);
	scenario_done(&plain);
	scenario_done(&three);
}

/* ---- the shipped schema: a small reader of the part of JSON Schema that it uses ---- */

static const json_t *schema_follow(const json_t *root, const json_t *schema)
{
	const char *reference = word(schema, "$ref");
	if (!reference)
		return schema;
	const char *name = strrchr(reference, '/') + 1;
	const json_t *found = json_object_get(json_object_get(root, "$defs"), name);
	if (!found)
		fail_msg("schema has no $defs/%s", name);
	return found;
}

static bool has_type(const json_t *value, const char *type)
{
	if (strcmp(type, "object") == 0)
		return json_is_object(value);
	if (strcmp(type, "array") == 0)
		return json_is_array(value);
	if (strcmp(type, "string") == 0)
		return json_is_string(value);
	if (strcmp(type, "integer") == 0)
		return json_is_integer(value);
	if (strcmp(type, "number") == 0)
		return json_is_number(value);
	if (strcmp(type, "boolean") == 0)
		return json_is_boolean(value);
	if (strcmp(type, "null") == 0)
		return json_is_null(value);
	fail_msg("schema uses type %s", type);
	return false;
}

static void check_type(const json_t *schema, const json_t *value, const char *at)
{
	const json_t *type = json_object_get(schema, "type");
	bool fits = !type || (json_is_string(type) && has_type(value, json_string_value(type)));
	for (size_t i = 0; i < json_array_size(type); i++)
		fits |= has_type(value, json_string_value(json_array_get(type, i)));
	if (!fits)
		fail_msg("%s has the wrong type", at);

	const json_t *choices = json_object_get(schema, "enum");
	bool chosen = !choices;
	for (size_t i = 0; i < json_array_size(choices); i++)
		chosen |= json_equal(json_array_get(choices, i), (json_t *)(uintptr_t)value);
	if (!chosen)
		fail_msg("%s is none of the listed values", at);
}

static void check_value(const json_t *root, const json_t *schema, const json_t *value,
			const char *at);

static void check_object(const json_t *root, const json_t *schema, const json_t *value,
			 const char *at)
{
	const json_t *required = json_object_get(schema, "required");
	for (size_t i = 0; i < json_array_size(required); i++) {
		const char *key = json_string_value(json_array_get(required, i));
		if (!json_object_get(value, key))
			fail_msg("%s lacks '%s'", at, key);
	}
	const json_t *properties = json_object_get(schema, "properties");
	const json_t *additional = json_object_get(schema, "additionalProperties");
	const char *key;
	json_t *member;
	json_object_foreach((json_t *)(uintptr_t)value, key, member)
	{
		AUTO(text) char *below = mem_format("%s.%s", at, key);
		const json_t *known = json_object_get(properties, key);
		if (!known && json_is_false(additional))
			fail_msg("the schema does not know %s", below);
		if (!known && json_is_object(additional))
			known = additional;
		if (known)
			check_value(root, known, member, below);
	}
}

static void check_value(const json_t *root, const json_t *schema, const json_t *value,
			const char *at)
{
	schema = schema_follow(root, schema);
	check_type(schema, value, at);
	if (json_is_object(value))
		check_object(root, schema, value, at);
	const json_t *items = json_object_get(schema, "items");
	for (size_t i = 0; items && i < json_array_size(value); i++)
		check_value(root, items, json_array_get(value, i), at);
}

static json_t *load_schema(void)
{
	const char *folder = getenv("ASSAY_TEST_DATA");
	if (!folder)
		fail_msg("ASSAY_TEST_DATA is not set: run this by meson test");
	AUTO(text) char *path = mem_format("%s/comparison.schema.json", folder);
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error);
	if (!root)
		fail_msg("%s:%d: %s", path, error.line, error.text);
	return root;
}

static void every_comparison_fits_the_shipped_schema(void **state)
{
	json_t *schema = load_schema();
	void (*const makers[])(struct scenario *) = { scenario_plain, scenario_doubtful,
						      scenario_three, scenario_guarded };
	for (size_t i = 0; i < 4; i++) {
		struct scenario scenario;
		makers[i](&scenario);
		const struct comparison *comparison = scenario.comparison;
		AUTO(text) char *text = render(&comparison, 1);
		json_t *root = parse(text);
		check_value(schema, schema, root, "comparison");
		json_decref(root);
		scenario_done(&scenario);
	}
	json_decref(schema);
}

static const json_t *finding_of(const json_t *comparison, const char *name)
{
	return json_array_get(json_object_get(find_metric(comparison, name), "findings"), 0);
}

static void the_schema_says_at_which_confidence_each_interval_is(void **state)
{
	json_t *schema = load_schema();
	const json_t *finding = json_object_get(
		json_object_get(json_object_get(schema, "$defs"), "finding"), "properties");
	CHECK_HOLDS(word(json_object_get(finding, "interval"), "description"),
		    "method.interval_confidence");
	CHECK_HOLDS(word(json_object_get(finding, "same_interval"), "description"),
		    "method.same_confidence");
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	json_t *root = parse(text);
	const json_t *method = json_object_get(json_array_get(root, 0), "method");
	CHECK_NEAR(json_number_value(json_object_get(method, "interval_confidence")), 0.99, 1e-12);
	CHECK_NEAR(json_number_value(json_object_get(method, "same_confidence")),
		   COMPARISON_SAME_CONFIDENCE, 0.0);
	json_decref(root);
	json_decref(schema);
	scenario_done(&scenario);
}

static void what_guards_and_people_say_is_all_there(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	golden_check("report-guarded.json", text);
	json_t *root = parse(text);
	const json_t *first = json_array_get(root, 0);
	const json_t *note = json_array_get(json_object_get(first, "notes"), 0);
	CHECK_TEXT(word(note, "guard"), "starved");
	CHECK(json_is_true(json_object_get(note, "withholds")));
	CHECK_TEXT(word(note, "metric"), "hackbench.time_sec");
	CHECK(json_is_null(json_object_get(note, "side")));
	CHECK_HOLDS(text, "\"the CPUs of head were idle 61 % of the time\"");
	const json_t *mark = json_array_get(json_object_get(first, "marks"), 0);
	CHECK_TEXT(word(mark, "mark"), "invalid");
	CHECK_TEXT(word(mark, "who"), "bert");
	CHECK_TEXT(word(mark, "when"), "2026-11-30T00:00:00Z");
	const json_t *withheld = finding_of(first, "hackbench.time_sec");
	CHECK_TEXT(word(withheld, "verdict"), "withheld");
	CHECK_TEXT(word(withheld, "guard"), "starved");
	CHECK_TEXT(word(withheld, "unguarded"), "worse");
	CHECK(json_object_get(withheld, "interval"));
	json_decref(root);
	scenario_done(&scenario);
}

static void how_a_finding_was_reached_is_all_there(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	json_t *root = parse(text);
	const json_t *first = json_array_get(root, 0);
	const json_t *worse = finding_of(first, "hackbench.throughput");
	CHECK_INT(json_integer_value(json_object_get(worse, "look_runs")), 8);
	CHECK(!json_object_get(worse, "unguarded"));
	const json_t *undecided = finding_of(first, "w.latency_us");
	CHECK_INT(json_integer_value(json_object_get(undecided, "runs_wanted")), 34);
	const json_t *better = finding_of(first, "w.pages");
	CHECK(json_is_true(json_object_get(better, "provisional")));
	CHECK_NEAR(json_number_value(json_object_get(better, "margin")), 2.4, 0.0);
	const json_t *open = finding_of(first, "w.setup_us");
	CHECK(json_is_null(json_array_get(json_object_get(open, "interval"), 0)));
	CHECK_NEAR(json_number_value(json_object_get(open, "smallest_p")), 0.1, 0.0);
	json_decref(root);
	scenario_done(&scenario);
}

static void families_and_clusters_have_names_and_sizes(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	scenario.comparison->options.strict = true;
	scenario.comparison->options.n_family = 6;
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	json_t *root = parse(text);
	const json_t *first = json_array_get(root, 0);
	const json_t *scores = json_array_get(json_object_get(first, "families"), 0);
	const json_t *evidence = json_array_get(json_object_get(first, "families"), 1);
	CHECK_TEXT(word(scores, "adjustment"), "Bonferroni"); /* It looked. */
	CHECK_INT(json_integer_value(json_object_get(scores, "tested")), 5);
	CHECK_INT(json_integer_value(json_object_get(scores, "size")), 6);
	CHECK_NEAR(json_number_value(json_object_get(scores, "rate")), 0.01, 0.0);
	CHECK_INT(json_array_size(json_object_get(scores, "methods")), 3);
	CHECK_TEXT(word(evidence, "adjustment"), "Benjamini-Yekutieli");
	CHECK_INT(json_integer_value(json_object_get(evidence, "tested")), 6);
	const json_t *clusters = json_object_get(first, "clusters");
	CHECK_INT(json_array_size(clusters), 1);
	CHECK_TEXT(word(json_array_get(clusters, 0), "lead"), "softirqs.SCHED");
	CHECK_INT(json_array_size(json_object_get(json_array_get(clusters, 0), "metrics")), 3);
	CHECK_INT(json_integer_value(
			  json_object_get(find_metric(first, "vmstat.procs.r"), "cluster")),
		  1);
	json_decref(root);
	scenario_done(&scenario);
}

static void the_question_comes_along(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct comparison *comparison = scenario.comparison;
	struct text text = { 0 };
	const struct report_options options = { .question = "does \"it\" help?" };
	format_json.render(&comparison, 1, &options, &text);
	json_t *root = parse(text_string(&text));
	CHECK_TEXT(word(json_array_get(root, 0), "question"), "does \"it\" help?");
	json_decref(root);
	text_done(&text);
	scenario_done(&scenario);
}

static void text_that_is_not_utf_8_does_not_lose_the_report(void **state)
{
	struct scenario scenario = { .n_sides = 2 };
	for (size_t i = 0; i < 2; i++) {
		scenario.samples[i] = sample_make("x", 3);
		sample_argument(&scenario.samples[i], "path", "\xff\xfe");
	}
	scenario_begin(&scenario);
	const struct comparison *comparison = scenario.comparison;
	AUTO(text) char *text = render(&comparison, 1);
	json_t *root = parse(text);
	CHECK_INT(json_array_size(root), 1);
	CHECK_HOLDS(text, "(not UTF-8)");
	json_decref(root);
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_doubtful_comparison_keeps_its_states),
		cmocka_unit_test(numbers_come_back_bit_for_bit),
		cmocka_unit_test(points_are_elements_of_one_array),
		cmocka_unit_test(every_comparison_fits_the_shipped_schema),
		cmocka_unit_test(the_schema_says_at_which_confidence_each_interval_is),
		cmocka_unit_test(what_guards_and_people_say_is_all_there),
		cmocka_unit_test(how_a_finding_was_reached_is_all_there),
		cmocka_unit_test(families_and_clusters_have_names_and_sizes),
		cmocka_unit_test(the_question_comes_along),
		cmocka_unit_test(text_that_is_not_utf_8_does_not_lose_the_report),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
