/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From `start` and arguments to one command line, which must come apart as it was put together. */
#include "intake/adapter_start.h"

#include "adapted.h"
#include "jobbed.h"

static void arguments_go_to_their_places(void **state)
{
	static const char *const arguments[] = { "n", "4",    "opts",      " -a  -b ", "way",
						 "b", "path", "/a b/it's", NULL };
	AUTO(job) struct job *job = jobbed("tool", arguments);
	AUTO(adapter)
	struct adapter *adapter = adapted(
		HEAD "parameters:\n  n: {what: x, type: number}\n  opts: {what: x, type: text}\n"
		     "  way: {what: x, type: word, words: {a: '', b: '-x -y'}}\n"
		     "  path: {what: x, type: text}\n"
		     "start: [tool, '-n{n}', '{opts...}', '{way...}', '{{{path}}}']\n"
		     "scores: [{name: t.s, time: yes, unit: s, better: lower}]\n");
	AUTO(text) char *line = start_program(adapter, job);
	CHECK_TEXT(line, "tool -n4 -a -b -x -y '{/a b/it'\"'\"'s}'");
}

static void words_keep_blanks_quotes_and_emptiness(void **state)
{
	struct text line AUTO(text_buffer) = { 0 };
	start_add_word(&line, "plain");
	start_add_word(&line, "");
	start_add_word(&line, "two words");
	start_add_word(&line, "'");
	start_add_word(&line, "say \"x\"");
	CHECK_TEXT(text_string(&line), "plain '' 'two words' \"'\" 'say \"x\"'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_go_to_their_places),
		cmocka_unit_test(words_keep_blanks_quotes_and_emptiness),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
