/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of several numbers is taken. */
#include "adapted.h"

#define TWICE                                                                                      \
	"!'t.s' stands 3 times in the output: say which is meant by pick (first, last, sum, "      \
	"mean, least or most)"

static void each_pick_takes_its_own(void **state)
{
	static const char *const wants[PICK_COUNT] = {
		[PICK_ONLY] = TWICE,   [PICK_FIRST] = "t.s=4", [PICK_LAST] = "t.s=6",
		[PICK_SUM] = "t.s=12", [PICK_MEAN] = "t.s=4",  [PICK_LEAST] = "t.s=2",
		[PICK_MOST] = "t.s=6",
	};
	for (enum score_pick pick = 0; pick < PICK_COUNT; pick++) {
		AUTO(text)
		char *score = mem_format("name: t.s, regex: '([0-9]+)', unit: s, better: lower, "
					 "pick: %s",
					 score_pick_text(pick));
		extracts(score, "4\n2\n6\n", wants[pick]);
	}
}

static void rows_have_an_end(void **state)
{
	struct text output AUTO(text_buffer) = { 0 };
	for (int i = 0; i <= GATHER_ROWS_MAX; i++)
		text_add(&output, "r%d 1\n", i);
	AUTO(adapter)
	struct adapter *adapter = adapted_score(
		"name: 't.{row}', regex: '^(?<row>r\\d+) ([0-9]+)', unit: s, better: lower");
	AUTO(text) char *have = extracted(adapter, text_string(&output));
	CHECK_TEXT(have, "!'t.{row}' has more than 2000 rows");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_pick_takes_its_own),
		cmocka_unit_test(rows_have_an_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
