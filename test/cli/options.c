/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines taken apart, and what is said of wrong ones. */
#include "cli/options.h"

#include "base/clock.h"
#include "base/macros.h"
#include "check.h"

#include <errno.h>

static const struct option_row rows[] = {
	{ .name = "all", .letter = 'a', .what = "a flag" },
	{ .name = "quiet", .letter = 'q', .what = "another flag" },
	{ .name = "runs", .letter = 'n', .value = "N", .what = "a number" },
	{ .name = "store", .value = "DIR", .what = "has no letter" },
	{ .name = "subject", .letter = 's', .value = "NAME", .what = "may be repeated" },
	{ 0 },
};

/* Takes the words behind "assay"; the sentence of an error in err. */
static int parse(const char *const *words, struct parsed **ret_parsed, struct error *err)
{
	char *argv[16] = { (char[]) { "assay" } };
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc - 1];
	return options_parse(rows, argc, argv, ret_parsed, err);
}

#define WORDS(...) ((const char *const[]) { __VA_ARGS__, NULL })

static struct parsed *parse_must(const char *const *words)
{
	struct parsed *parsed = NULL;
	struct error err = { 0 };

	if (parse(words, &parsed, &err))
		fail_msg("not parsed: %s", err.text);
	return parsed;
}

static void check_refused(const char *const *words, const char *sentence)
{
	struct parsed *parsed = NULL;
	struct error err = { 0 };

	CHECK_INT(parse(words, &parsed, &err), -EINVAL);
	CHECK_TEXT(err.text, sentence);
	CHECK(parsed == NULL);
}

static void options_and_words_may_be_mixed(void **state)
{
	struct parsed *parsed =
		parse_must(WORDS("one", "--runs", "5", "two", "-q", "--store=here", "three"));

	CHECK_INT(parsed->n_words, 3);
	CHECK_TEXT(parsed->words[0], "one");
	CHECK_TEXT(parsed->words[2], "three");
	CHECK(parsed->words[3] == NULL);
	CHECK_TEXT(options_value(parsed, "runs"), "5");
	CHECK_TEXT(options_value(parsed, "store"), "here");
	CHECK(options_has(parsed, "quiet"));
	CHECK(!options_has(parsed, "all"));
	CHECK(options_value(parsed, "quiet") == NULL);
	CHECK(options_value(parsed, "subject") == NULL);
	options_free(parsed);
}

static void letters_stand_together_and_carry_their_value(void **state)
{
	struct parsed *parsed = parse_must(WORDS("-qan7", "-s", "base"));

	CHECK(options_has(parsed, "quiet"));
	CHECK(options_has(parsed, "all"));
	CHECK_TEXT(options_value(parsed, "runs"), "7");
	CHECK_TEXT(options_value(parsed, "subject"), "base");
	CHECK_INT(parsed->n_options, 4);
	options_free(parsed);
}

static void repeated_options_are_kept_in_order_and_the_last_one_counts(void **state)
{
	struct parsed *parsed = parse_must(WORDS("-s", "one", "--subject", "two", "-sthree"));

	CHECK_INT(parsed->n_options, 3);
	CHECK_TEXT(parsed->options[0].value, "one");
	CHECK_TEXT(parsed->options[1].value, "two");
	CHECK_TEXT(options_value(parsed, "subject"), "three");
	options_free(parsed);
}

static void two_dashes_end_the_options(void **state)
{
	struct parsed *parsed = parse_must(WORDS("-q", "--", "--runs", "-a"));

	CHECK_INT(parsed->n_options, 1);
	CHECK_INT(parsed->n_words, 2);
	CHECK_TEXT(parsed->words[0], "--runs");
	CHECK_TEXT(parsed->words[1], "-a");
	options_free(parsed);
}

static void a_beginning_that_only_one_option_has_is_enough(void **state)
{
	struct parsed *parsed = parse_must(WORDS("--qui", "--su", "x"));

	CHECK(options_has(parsed, "quiet"));
	CHECK_TEXT(options_value(parsed, "subject"), "x");
	options_free(parsed);
	check_refused(WORDS("--s", "x"), "option '--s' is ambiguous: '--store', '--subject'");
}

static void an_unknown_option_is_told_with_the_nearest_one(void **state)
{
	check_refused(WORDS("--sotre", "x"), "unknown option '--sotre', did you mean '--store'?");
	check_refused(WORDS("--rusn=5"), "unknown option '--rusn', did you mean '--runs'?");
	check_refused(WORDS("--frobnicate"), "unknown option '--frobnicate'");
	check_refused(WORDS("-x"), "unknown option '-x'");
	check_refused(WORDS("-qx"), "unknown option '-x'");
}

static void a_missing_value_and_a_value_too_many_are_told(void **state)
{
	check_refused(WORDS("--runs"), "option '--runs' needs a value");
	check_refused(WORDS("-n"), "option '-n' needs a value");
	check_refused(WORDS("--all=yes"), "option '--all' takes no value");
}

static void whole_numbers_keep_their_limits(void **state)
{
	struct parsed *parsed = parse_must(WORDS("--runs", "12"));
	struct error err = { 0 };
	uint64_t number = 99;

	CHECK_INT(options_number(parsed, "runs", 1, 12, &number, &err), 0);
	CHECK_INT(number, 12);
	CHECK_INT(options_number(parsed, "runs", 12, 20, &number, &err), 0);
	CHECK_INT(options_number(parsed, "runs", 1, 11, &number, &err), -EINVAL);
	CHECK_TEXT(err.text, "option '--runs' must be between 1 and 11, not '12'");
	CHECK_INT(options_number(parsed, "runs", 13, 20, &number, &err), -EINVAL);
	number = 99;
	CHECK_INT(options_number(parsed, "store", 1, 2, &number, &err), 0);
	CHECK_INT(number, 99); /* Not given: it stays. */
	options_free(parsed);
}

static void what_is_no_number_is_refused(void **state)
{
	static const char *const wrong[] = { "",    "ten",  "-1",
					     "1.5", "1e3",  " 1",
					     "1 ",  "0x10", "18446744073709551616" };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct parsed *parsed = parse_must(WORDS("--runs", wrong[i]));
		struct error err = { 0 };
		uint64_t number = 99;

		if (options_number(parsed, "runs", 0, UINT64_MAX, &number, &err) != -EINVAL)
			fail_msg("'%s' was taken as %llu", wrong[i], (unsigned long long)number);
		CHECK_HOLDS(err.text, "needs a whole number");
		CHECK_INT(number, 99);
		options_free(parsed);
	}
}

static int decimal(const char *text, double *ret_number)
{
	struct parsed *parsed = parse_must(WORDS("--store", text));
	struct error err = { 0 };
	const int failed = options_decimal(parsed, "store", 0.5, ret_number, &err);

	if (failed)
		CHECK_HOLDS(err.text, "needs a number above 0 and up to 0.5");
	options_free(parsed);
	return failed;
}

static void decimals_are_positive_and_limited(void **state)
{
	double number = 7;

	CHECK_INT(decimal("0.25", &number), 0);
	CHECK_NEAR(number, 0.25, 0);
	CHECK_INT(decimal("5e-2", &number), 0);
	CHECK_NEAR(number, 0.05, 1e-15);
	number = 7;
	CHECK_INT(decimal("0", &number), -EINVAL);
	CHECK_INT(decimal("-0.1", &number), -EINVAL);
	CHECK_INT(decimal("0.51", &number), -EINVAL);
	CHECK_INT(decimal("nan", &number), -EINVAL);
	CHECK_INT(decimal("inf", &number), -EINVAL);
	CHECK_INT(decimal("much", &number), -EINVAL);
	CHECK_NEAR(number, 7, 0);
}

static int duration(const char *text, uint64_t *ret_ns)
{
	struct parsed *parsed = parse_must(WORDS("--store", text));
	struct error err = { 0 };
	const int failed = options_duration(parsed, "store", ret_ns, &err);

	if (failed)
		CHECK_HOLDS(err.text, "needs a duration like 500ms, 2s or 3m");
	options_free(parsed);
	return failed;
}

static void durations_have_units_and_bare_ones_are_seconds(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} cases[] = {
		{ "500ms", 500 * NS_PER_MS }, { "2s", 2 * NS_PER_SEC },
		{ "3m", 180 * NS_PER_SEC },   { "1h", 3600 * NS_PER_SEC },
		{ "7", 7 * NS_PER_SEC },      { "0", 0 },
		{ "1.5s", 1500 * NS_PER_MS }, { "0.5", 500 * NS_PER_MS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t ns = 1;

		CHECK_INT(duration(cases[i].text, &ns), 0);
		CHECK_INT(ns, cases[i].ns);
	}
}

static void what_is_no_duration_is_refused(void **state)
{
	static const char *const wrong[] = { "", "s", "soon", "-1s", "3 s", "3x", "nan", "1e30s" };
	uint64_t ns = 42;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (duration(wrong[i], &ns) != -EINVAL)
			fail_msg("'%s' was taken as %llu ns", wrong[i], (unsigned long long)ns);
	CHECK_INT(ns, 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_words_may_be_mixed),
		cmocka_unit_test(letters_stand_together_and_carry_their_value),
		cmocka_unit_test(repeated_options_are_kept_in_order_and_the_last_one_counts),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(a_beginning_that_only_one_option_has_is_enough),
		cmocka_unit_test(an_unknown_option_is_told_with_the_nearest_one),
		cmocka_unit_test(a_missing_value_and_a_value_too_many_are_told),
		cmocka_unit_test(whole_numbers_keep_their_limits),
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(decimals_are_positive_and_limited),
		cmocka_unit_test(durations_have_units_and_bare_ones_are_seconds),
		cmocka_unit_test(what_is_no_duration_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
