/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line says of judging: the effect under its two names, directions, method. */
#include "base/macros.h"
#include "check.h"
#include "cli/judge.h"

#include <errno.h>

static const struct option_row rows[] = { OPTIONS_JUDGE, OPTIONS_METHOD, { 0 } };

static int read_rules(const char *const *words, struct judge_rules *ret_rules, struct error *err)
{
	char *argv[16] = { (char[]) { "compare" } };
	AUTO(parsed) struct parsed *parsed = NULL;
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc - 1];
	CHECK_INT(options_parse(rows, argc, argv, &parsed, err), 0);
	return judge_options(parsed, ret_rules, err);
}

static void nothing_said_leaves_the_presets(void **state)
{
	struct judge_rules rules AUTO(rules) = { 0 };

	CHECK_INT(read_rules((const char *const[]) { NULL }, &rules, NULL), 0);
	CHECK_NEAR(rules.verdict.alpha, 0, 0);
	CHECK_NEAR(rules.verdict.margin_percent, 0, 0);
	CHECK_INT(rules.verdict.method, METHOD_PERMUTATION);
	CHECK_INT(rules.verdict.n_directions, 0);
	CHECK(!rules.verdict.strict);
}

static void everything_said_reaches_the_options(void **state)
{
	static const char *const words[] = { "--alpha",  "0.05",     "--margin",     "2%",
					     "--method", "welch",    "--strict",     "--better",
					     "lower",    "--better", "higher:fio.*", NULL };
	struct judge_rules rules AUTO(rules) = { 0 };

	CHECK_INT(read_rules(words, &rules, NULL), 0);
	CHECK_NEAR(rules.verdict.alpha, 0.05, 0);
	CHECK_NEAR(rules.verdict.margin_percent, 2, 0);
	CHECK_INT(rules.verdict.method, METHOD_WELCH);
	CHECK(rules.verdict.strict);
	CHECK_INT(rules.verdict.n_directions, 2);
	CHECK(rules.verdict.directions == rules.directions);
	CHECK(rules.directions[0].metric == NULL);
	CHECK_INT(rules.directions[0].better, BETTER_LOWER);
	CHECK_TEXT(rules.directions[1].metric, "fio.*");
	CHECK_INT(rules.directions[1].better, BETTER_HIGHER);
}

static void every_method_can_be_named(void **state)
{
	for (enum verdict_method method = 0; method < METHOD_COUNT; method++) {
		struct judge_rules rules AUTO(rules) = { 0 };
		const char *const words[] = { "--method", verdict_method_text(method), NULL };

		CHECK_INT(read_rules(words, &rules, NULL), 0);
		CHECK_INT(rules.verdict.method, method);
	}
}

static void what_is_wrong_is_told(void **state)
{
	static const struct {
		const char *words[5];
		const char *sentence;
	} cases[] = {
		{ { "--better", "faster" }, "'--better' needs higher or lower" },
		{ { "--better", "lower:" }, "'--better' needs higher or lower" },
		{ { "--better", "low:x" }, "'--better' needs higher or lower" },
		{ { "--method", "magic" },
		  "unknown method 'magic': permutation, welch or mann-whitney" },
		{ { "--effect", "0" }, "'--effect' needs auto, or per cent above 0" },
		{ { "--margin", "101" },
		  "'--margin' needs auto, or per cent above 0 and up to 100" },
		{ { "--alpha", "0.6" },
		  "option '--alpha' needs a rate from 1e-06 to 0.5, not '0.6'" },
		{ { "--alpha", "1e-17" },
		  "option '--alpha' needs a rate from 1e-06 to 0.5, not '1e-17'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct judge_rules rules AUTO(rules) = { 0 };
		struct error err = { 0 };

		CHECK_INT(read_rules(cases[i].words, &rules, &err), -EINVAL);
		CHECK_HOLDS(err.text, cases[i].sentence);
		CHECK(rules.directions == NULL);
	}
}

static void the_effect_under_both_names_must_agree(void **state)
{
	struct judge_rules rules AUTO(rules) = { 0 };

	CHECK_INT(read_rules((const char *const[]) { "--effect", "2", "--margin", "2%", NULL },
			     &rules, NULL),
		  0);
	CHECK_NEAR(rules.verdict.margin_percent, 2, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_said_leaves_the_presets),
		cmocka_unit_test(everything_said_reaches_the_options),
		cmocka_unit_test(every_method_can_be_named),
		cmocka_unit_test(what_is_wrong_is_told),
		cmocka_unit_test(the_effect_under_both_names_must_agree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
