/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guard looks at and what it saw, in words. */
#include "cli/explain.h"

#include "cli/capture.h"
#include "verdict/sides_made.h"

#include <errno.h>
#include <jansson.h>

static const struct option_row rows[] = { OPTION_EXPLAIN, { 0 } };

static int ask(const char *name, const struct guard **ret_guard, struct error *err)
{
	char command[] = "compare";
	char option[] = "--explain";
	AUTO(text) char *value = mem_text(name);
	char *argv[] = { command, option, value, NULL };
	AUTO(parsed) struct parsed *parsed = NULL;
	CHECK_INT(options_parse(rows, name ? 3 : 1, argv, &parsed, err), 0);
	return explain_asked(parsed, ret_guard, err);
}

static void a_guard_is_found_by_its_name(void **state)
{
	const struct guard *guard = NULL;
	struct error err = { 0 };
	CHECK_INT(ask("starved", &guard, &err), 0);
	CHECK(guard == guard_find("starved"));
	CHECK_INT(ask(NULL, &guard, &err), 0);
	CHECK(guard == NULL);
}

static void an_unknown_guard_names_the_nearest_or_all(void **state)
{
	const struct guard *guard = NULL;
	struct error err = { 0 };
	CHECK_INT(ask("starvd", &guard, &err), -EINVAL);
	CHECK_HOLDS(err.text, "there is no guard 'starvd'; did you mean 'starved'?");
	CHECK_INT(ask("xyzzy", &guard, &err), -EINVAL);
	CHECK_HOLDS(err.text, "the guards are alarms, bimodal, ");
}

struct printing {
	const struct guard *guard;
	const struct comparison *comparison;
};

static void print(void *user)
{
	const struct printing *printing = user;
	CHECK_INT(
		explain_print(printing->guard, &printing->comparison, printing->comparison ? 1 : 0),
		0);
}

static void without_sides_the_paragraph_is_printed(void **state)
{
	for (size_t i = 0; i < guard_table_count; i++) {
		struct printing printing = { .guard = guard_table[i] };
		char *out = capture(stdout, print, &printing);
		CHECK_HOLDS(out, guard_table[i]->asks);
		CHECK(strlen(out) > strlen(guard_table[i]->explains));
		free(out);
	}
}

static void with_sides_notes_and_numbers_are_printed(void **state)
{
	struct sides_made made;
	made_begin(&made, 4);
	made_score(&made, 100, 100, 1);
	made_reading(&made, "getppid1.time.percent_of_cpu_this_job_got", 99.8, 20, 0.1);
	made_reading(&made, "mpstat.cpu.all.idle%", 49, 88, 0.1);
	made_judge(&made);
	struct printing printing = { guard_find("starved"), made.comparison };
	char *out = capture(stdout, print, &printing);
	CHECK_HOLDS(out, "head against base\n  withholds the verdict: the runs of head used 0.2");
	CHECK_HOLDS(out, "  saw: base: used 0.99");
	free(out);
	printing.guard = guard_find("fairness");
	out = capture(stdout, print, &printing);
	CHECK_HOLDS(out, "has nothing to say");
	free(out);
	made_end(&made);
}

static void print_json(void *user)
{
	const struct printing *printing = user;
	CHECK_INT(explain_json(printing->guard, &printing->comparison, 1), 0);
}

static void json_holds_the_same(void **state)
{
	struct sides_made made;
	made_begin(&made, 4);
	made_score(&made, 100, 100, 1);
	made_reading(&made, "getppid1.time.percent_of_cpu_this_job_got", 99.8, 20, 0.1);
	made_reading(&made, "mpstat.cpu.all.idle%", 49, 88, 0.1);
	made_judge(&made);
	struct printing printing = { guard_find("starved"), made.comparison };
	char *out = capture(stdout, print_json, &printing);
	json_t *document = json_loads(out, /* flags= */ 0, /* error= */ NULL);
	const json_t *head = json_array_get(json_object_get(document, "heads"), 0);
	const json_t *note = json_array_get(json_object_get(head, "notes"), 0);
	const json_t *saw = json_array_get(json_object_get(head, "saw"), 0);
	CHECK_TEXT(json_string_value(json_object_get(document, "guard")), "starved");
	CHECK_TEXT(json_string_value(json_object_get(head, "head")), "head");
	CHECK(json_is_true(json_object_get(note, "withholds")));
	CHECK_HOLDS(json_string_value(json_object_get(note, "text")), "the runs of head used 0.2");
	CHECK_HOLDS(json_string_value(saw), "base: used 0.99");
	json_decref(document);
	free(out);
	made_end(&made);
}

static int ask_format(const char *const *words, bool *ret_json, struct error *err)
{
	static const struct option_row format_rows[] = { { .name = "format", .value = "FORMAT" },
							 { .name = "json" },
							 { 0 } };
	char command[] = "compare";
	char *argv[4] = { command };
	AUTO(parsed) struct parsed *parsed = NULL;
	int argc = 1;
	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc - 1];
	CHECK_INT(options_parse(format_rows, argc, argv, &parsed, err), 0);
	return explain_wants_json(parsed, ret_json, err);
}

static void an_answer_is_words_or_json(void **state)
{
	bool json = true;
	struct error err = { 0 };
	CHECK_INT(ask_format((const char *const[]) { NULL }, &json, &err), 0);
	CHECK(!json);
	CHECK_INT(ask_format((const char *const[]) { "--json", NULL }, &json, &err), 0);
	CHECK(json);
	CHECK_INT(ask_format((const char *const[]) { "--format=table", NULL }, &json, &err), 0);
	CHECK(!json);
	CHECK_INT(ask_format((const char *const[]) { "--format=json", NULL }, &json, &err), 0);
	CHECK(json);
	CHECK_INT(ask_format((const char *const[]) { "--format=lkp", NULL }, &json, &err), -EINVAL);
	CHECK_HOLDS(err.text, "in words or with --json, not as 'lkp'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guard_is_found_by_its_name),
		cmocka_unit_test(an_unknown_guard_names_the_nearest_or_all),
		cmocka_unit_test(without_sides_the_paragraph_is_printed),
		cmocka_unit_test(with_sides_notes_and_numbers_are_printed),
		cmocka_unit_test(json_holds_the_same),
		cmocka_unit_test(an_answer_is_words_or_json),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
