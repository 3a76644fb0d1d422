/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/metric.h"

#include "check.h"

/* The words stand in stored files and in reports: they may not change. */
static void kinds_directions_and_roles_have_the_words_of_the_formats(void **state)
{
	const char *const kinds[] = { "score", "counter", "rate", "share",
				      "gauge", "maximum", "last", "settled" };
	const char *const better[] = { "none", "higher", "lower", "unknown" };
	const char *const roles[] = { "score", "restated", "evidence", "cost" };
	for (int i = 0; i < METRIC_KIND_COUNT; i++)
		CHECK_TEXT(metric_kind_text((enum metric_kind)i), kinds[i]);
	for (int i = 0; i < BETTER_COUNT; i++)
		CHECK_TEXT(metric_better_text((enum metric_better)i), better[i]);
	for (int i = 0; i < ROLE_COUNT; i++)
		CHECK_TEXT(metric_role_text((enum metric_role)i), roles[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_directions_and_roles_have_the_words_of_the_formats),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
