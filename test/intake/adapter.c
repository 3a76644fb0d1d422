/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The row that an adapter gives to the catalogue. */
#include "adapted.h"

static void the_row_says_what_the_file_says(void **state)
{
	AUTO(adapter)
	struct adapter *adapter =
		adapted(HEAD "parameters:\n  n: {what: how many, type: number, default: 2*cpus}\n"
			     "  way: {what: which, type: word, default: a, words: {a: '', b: -x}}\n"
			     "start: [tool, '-n{n}', '{way...}']\nscores:\n"
			     "  - {name: 't.{row}.ns', regex: '(?<row>a) (\\d)', unit: ns, better: "
			     "lower}\n");
	const struct plugin *plugin = &adapter->plugin;
	CHECK_TEXT(plugin->name, "tool");
	CHECK_INT(plugin->semantics, 3);
	CHECK_TEXT(plugin->metrics[0].name, "t.*.ns");
	CHECK_INT(plugin->metrics[0].better, BETTER_LOWER);
	CHECK(plugin->metrics[1].name == NULL);
	CHECK_TEXT(plugin_parameter_find(plugin, "way")->words, "a b");
	CHECK_TEXT(plugin_parameter_find(plugin, "n")->preset, "2*cpus");
	CHECK_TEXT(adapter_choice(adapter, 1, "b"), "-x");
	CHECK_TEXT(adapter_choice(adapter, 1, "a"), "");
	CHECK_TEXT(adapter_choice(adapter, 0, "7"), "7");
	CHECK_INT(strlen(adapter->sha256), 64);
}

static void words_are_found_and_unknown_ones_are_not(void **state)
{
	CHECK(score_pick_find("mean") == PICK_MEAN);
	CHECK(score_pick_find("median") == PICK_COUNT);
	CHECK(score_source_find("json") == SCORE_JSON);
	CHECK(score_source_find("xml") == SCORE_SOURCE_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_row_says_what_the_file_says),
		cmocka_unit_test(words_are_found_and_unknown_ones_are_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
