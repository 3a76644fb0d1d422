/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions, their groups, and that none can hang the program. */
#include "intake/pattern.h"

#include "base/mem.h"
#include "check.h"

#include <errno.h>

static void refuses(const char *expression, const char *piece)
{
	struct pattern *pattern = NULL;
	struct error err = { 0 };
	CHECK_INT(pattern_compile(expression, /* wants_value= */ true, &pattern, &err), -EINVAL);
	CHECK(pattern == NULL);
	CHECK_HOLDS(err.text, piece);
}

static struct pattern *compiled(const char *expression)
{
	struct pattern *pattern = NULL;
	struct error err = { 0 };
	if (pattern_compile(expression, /* wants_value= */ true, &pattern, &err))
		CHECK_FAIL("%s", err.text);
	return pattern;
}

static void the_value_is_the_group_of_that_name_or_the_only_one(void **state)
{
	static const char line[] = "run a took 12.5 ms";
	static const char *const expressions[] = { "took ([0-9.]+)",
						   "(took|needed) (?<value>[0-9.]+)",
						   "(?<row>[ab]) took ([0-9.]+) (?<unit>ms|s)" };
	for (size_t i = 0; i < ARRAY_SIZE(expressions); i++) {
		AUTO(pattern) struct pattern *pattern = compiled(expressions[i]);
		struct pattern_match match;
		uint64_t steps = PATTERN_STEPS;
		CHECK_INT(pattern_match(pattern, line, strlen(line), &steps, &match), 1);
		CHECK_INT(match.value.length, 4);
		CHECK(memcmp(match.value.at, "12.5", 4) == 0);
		CHECK((match.row.at != NULL) == (i == 2));
		CHECK(pattern_has_row(pattern) == (i == 2));
		CHECK(pattern_has_unit(pattern) == (i == 2));
		CHECK(steps < PATTERN_STEPS);
	}
}

static void a_group_that_took_no_part_is_not_there(void **state)
{
	AUTO(pattern) struct pattern *pattern = compiled("a(?<value>[0-9]+)?(?<row>x)");
	struct pattern_match match;
	uint64_t steps = PATTERN_STEPS;
	CHECK_INT(pattern_match(pattern, "ax", 2, &steps, &match), 1);
	CHECK(match.value.at == NULL);
	CHECK(match.row.at != NULL);
	CHECK_INT(pattern_match(pattern, "bx", 2, &steps, &match), 0);
}

static void what_is_no_expression_is_refused_with_the_place(void **state)
{
	refuses("took ([0-9.+", "character 13");
	refuses("took [0-9.]+", "has 0 groups");
	refuses("(a)(b)", "has 2 groups");
	refuses("(?<value>a", "is no regular expression");
}

static void a_catastrophic_expression_ends_when_its_steps_are_spent(void **state)
{
	AUTO(pattern) struct pattern *pattern = compiled("((?:a+)+)+$");
	char line[64];
	uint64_t steps = PATTERN_STEPS;
	memset(line, 'a', sizeof(line));
	line[sizeof(line) - 1] = 'b';
	CHECK_INT(pattern_match(pattern, line, sizeof(line), &steps, NULL), -ELOOP);
}

static void a_line_longer_than_the_limit_is_passed_over(void **state)
{
	AUTO(pattern) struct pattern *pattern = compiled("(1)");
	uint64_t steps = PATTERN_STEPS;
	AUTO(text) char *line = mem_zero(PATTERN_LINE_BYTES_MAX + 2);
	memset(line, '1', PATTERN_LINE_BYTES_MAX + 1);
	CHECK_INT(pattern_match(pattern, line, PATTERN_LINE_BYTES_MAX, &steps, NULL), 1);
	CHECK_INT(pattern_match(pattern, line, PATTERN_LINE_BYTES_MAX + 1, &steps, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_value_is_the_group_of_that_name_or_the_only_one),
		cmocka_unit_test(a_group_that_took_no_part_is_not_there),
		cmocka_unit_test(what_is_no_expression_is_refused_with_the_place),
		cmocka_unit_test(a_catastrophic_expression_ends_when_its_steps_are_spent),
		cmocka_unit_test(a_line_longer_than_the_limit_is_passed_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
