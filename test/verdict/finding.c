/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the verdicts. */
#include "verdict/finding.h"

#include "check.h"

static void every_verdict_has_its_own_word(void **state)
{
	for (size_t i = 0; i < VERDICT_COUNT; i++)
		for (size_t j = i + 1; j < VERDICT_COUNT; j++)
			CHECK(strcmp(verdict_text((enum verdict)i), verdict_text((enum verdict)j)));
	CHECK_TEXT(verdict_text(VERDICT_MOVED_UP), "moved up");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_verdict_has_its_own_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
