/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must fit together in a score. */
#include "adapted.h"

static void refused(const char *scores, const char *sentence)
{
	AUTO(text) char *text = mem_format(HEAD "start: [tool]\nscores:\n  - {%s}\n", scores);
	not_adapted(text, sentence);
}

static void what_does_not_fit_is_told_with_the_place_of_the_expression(void **state)
{
	refused("name: t.s, regex: '([0-9', unit: s, better: lower",
		"tool.yaml:9:25: '([0-9' is no regular expression, character 6: missing "
		"terminating ] for character class");
	refused("name: t.s, json: jobs, unit: s, better: lower",
		"tool.yaml:9:23: 'jobs' is no JSON pointer such as /jobs/0/read/iops");
	refused("name: 't.{row}', regex: '(a)', unit: s, better: lower",
		"tool.yaml:9:31: 't.{row}' has {row} in its name, and nothing says what a row is "
		"called");
	refused("name: t.s, regex: '(?<row>a) (b)', unit: s, better: lower",
		"tool.yaml:9:25: 't.s' reads rows: its name must hold {row}, or they would be one "
		"metric");
	refused("name: t.s, json: /a, after: x, unit: s, better: lower",
		"tool.yaml:9:23: 'after' and 'until' are for lines, that is for regex and csv");
	refused("name: t.s, json: /a, row: /b, unit: s, better: lower",
		"tool.yaml:9:23: 'row' and 'where' need a part '*' in the pointer");
	refused("name: t.s, regex: '(a)(?<unit>b)', unit: s, better: lower",
		"tool.yaml:9:25: a group (?<unit>...) and the list 'units' belong together");
	refused("name: t s, regex: '(a)', unit: s, better: lower",
		"tool.yaml:9:25: 't s' is no name of a score: up to 120 characters without blanks "
		"and without '*'");
	refused("name: t.s, time: yes, unit: s, better: lower}\n  - {name: t.s, regex: (a), unit: s, "
		"better: lower",
		"tool.yaml:10:24: two scores are named 't.s'");
	refused("name: t.s, time: yes, role: evidence, unit: s, better: lower",
		"tool.yaml:1:1: no score has the role 'score': nothing would be judged");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_does_not_fit_is_told_with_the_place_of_the_expression),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
