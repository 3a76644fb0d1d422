/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters and the words that start the program, wrong and right. */
#include "adapted.h"

#define SCORES "scores: [{name: t.s, time: yes, unit: s, better: lower}]\n"

static void refused(const char *parameter, const char *start, const char *sentence)
{
	AUTO(text)
	char *text = mem_format(HEAD "parameters:\n  %s\nstart: [%s]\n" SCORES, parameter, start);
	not_adapted(text, sentence);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
	refused("n: {what: x, type: nmber}", "t",
		"tool.yaml:8:22: unknown type 'nmber', did you mean 'number'?");
	refused("n: {what: x, type: text, defualt: 1}", "t",
		"tool.yaml:8:28: unknown key of a parameter 'defualt', did you mean 'default'?");
	refused("n: {type: text}", "t", "tool.yaml:8:6: 'what' is missing here");
	refused("n: {what: x, type: text, least: 1}", "t",
		"tool.yaml:8:28: 'least' is for parameters of type number or seconds");
	refused("n: {what: x, type: number, least: 5, most: 2}", "t",
		"tool.yaml:8:46: 'most' is below 'least'");
	refused("n: {what: x, type: word}", "t",
		"tool.yaml:8:6: 'words' and the type 'word' belong together, 'words' is missing");
	refused("n: {what: x, type: word, words: [a b]}", "t",
		"tool.yaml:8:36: 'a b' is no word: it may not be empty, nor have blanks or commas");
	refused("n: {what: x, type: text}", "t, '{m}'",
		"tool.yaml:9:13: unknown parameter 'm', did you mean 'n'?");
	refused("n: {what: x, type: text}", "t",
		"tool.yaml:9:8: 'start' does not use the parameter 'n'");
	refused("n: {what: x, type: text}", "t, '{n'",
		"tool.yaml:9:13: '{n' has a brace that is no {parameter}; write {{ and }} for "
		"braces");
	refused("n: {what: x, type: text}", "t, 'a{n...}'",
		"tool.yaml:9:13: 'a{n...}': {name...} must be a word of its own");
}

static void an_empty_default_is_one(void **state)
{
	AUTO(adapter)
	struct adapter *adapter = adapted(
		HEAD
		"parameters: {o: {what: x, type: text, default: ''}}\nstart: [t, '{o...}']\n" SCORES);
	CHECK_TEXT(adapter->parameters[0].preset, "");
	CHECK_INT(adapter->n_start, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_told_with_its_place),
		cmocka_unit_test(an_empty_default_is_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
