/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scores in files, wrong ones with their places. */
#include "adapted.h"

static void refused(const char *score, const char *sentence)
{
	AUTO(text) char *text = mem_format(HEAD "start: [tool]\nscores:\n  - {%s}\n", score);
	not_adapted(text, sentence);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
	refused("name: t.s, regx: 'a', unit: s, better: lower",
		"tool.yaml:9:17: unknown key of a score 'regx', did you mean 'regex'?");
	refused("name: t.s, time: yes, unit: s, better: lwer",
		"tool.yaml:9:45: unknown better 'lwer', did you mean 'lower'?");
	refused("name: t.s, time: yes, json: /a, unit: s, better: lower",
		"tool.yaml:9:28: a score has one of time, regex, json and csv, not two");
	refused("name: t.s, unit: s, better: lower",
		"tool.yaml:9:5: the score 't.s' says nowhere to look: one of time, regex, json and "
		"csv is missing");
	refused("name: t.s, csv: a, where: b, unit: s, better: lower",
		"tool.yaml:9:32: 'where' wants WHERE=VALUE, not 'b'");
	refused("name: t.s, csv: a, pick: median, unit: s, better: lower",
		"tool.yaml:9:31: unknown pick 'median', did you mean 'mean'?");
	refused("name: t.s, csv: a, factor: -1, unit: s, better: lower",
		"tool.yaml:9:33: 'factor' wants a number above 0, not '-1'");
	refused("name: t.s, time: no, unit: s, better: lower",
		"tool.yaml:9:23: 'time' is yes, or is not there");
	not_adapted(
		HEAD "start: [tool]\nscores: []\n",
		"tool.yaml:8:9: 'scores' wants a list of 1 to 64 scores, this is an empty list");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_told_with_its_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
