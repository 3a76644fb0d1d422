/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the methods. */
#include "verdict/options.h"

#include "check.h"

static void every_method_has_its_own_word(void **state)
{
	for (size_t i = 0; i < METHOD_COUNT; i++)
		for (size_t j = i + 1; j < METHOD_COUNT; j++)
			CHECK(strcmp(verdict_method_text((enum verdict_method)i),
				     verdict_method_text((enum verdict_method)j)));
	CHECK_TEXT(verdict_method_text(METHOD_MANN_WHITNEY), "mann-whitney");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_method_has_its_own_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
