/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines between two others. */
#include "adapted.h"

#define SCORE                                                                                      \
	"name: t.p, regex: '99th: ([0-9]+)', after: '^Wakeup', until: '^Request', unit: us, "      \
	"better: lower, pick: last"

static void only_what_stands_between_is_looked_at(void **state)
{
	extracts(SCORE, "99th: 1\nWakeup\n99th: 2\nRequest\n99th: 3\n", "t.p=2");
	extracts(SCORE, "Wakeup\n99th: 2\nRequest\n99th: 3\nWakeup\n99th: 4\nRequest\n99th: 5\n",
		 "t.p=4");
	extracts(SCORE, "99th: 1\n",
		 "!the output has no 't.p' (regex 99th: ([0-9]+), behind its 'after')");
}

static void what_was_left_out_ends_a_section(void **state)
{
	extracts(SCORE, "Wakeup\n99th: 2\n\n[... 5 bytes left out ...]\n99th: 3\n",
		 "!the output is too long and was cut: what was left out could hold 't.p' too");
	extracts(SCORE, "Wakeup\n\n[... 5 bytes left out ...]\n99th: 3\nWakeup\n99th: 4\n",
		 "t.p=4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_stands_between_is_looked_at),
		cmocka_unit_test(what_was_left_out_ends_a_section),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
