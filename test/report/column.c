/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns count characters and never cut. */
#include "report/column.h"

#include "base/random.h"
#include "check.h"

#include <stdlib.h>

static void a_plus_minus_sign_is_one_character(void **state)
{
	CHECK_INT(column_width("± 1.2"), 5);
	CHECK_INT(column_width(""), 0);
	CHECK_INT(column_width("µs"), 2);
}

static void padding_counts_characters(void **state)
{
	struct text text = { 0 };
	column_right(&text, "±1", 5);
	text_add(&text, "|");
	column_left(&text, "±1", 5);
	text_add(&text, "|");
	CHECK_TEXT(text_string(&text), "   ±1|±1   |");
	text_done(&text);
}

static void a_wide_value_pushes_and_is_never_cut(void **state)
{
	struct text text = { 0 };
	column_right(&text, "1234567", 3);
	column_left(&text, "abc", 1);
	CHECK_TEXT(text_string(&text), "1234567abc");
	text_done(&text);
}

static void check_wrap(const char *string, size_t width, size_t indent, const char *want)
{
	struct text text = { 0 };
	column_wrap(&text, string, width, indent);
	CHECK_TEXT(text_string(&text), want);
	text_done(&text);
}

static void long_text_breaks_at_blanks_first(void **state)
{
	check_wrap("one two three", 20, 2, "one two three\n");
	check_wrap("one two three", 8, 2, "one two\n  three\n");
	check_wrap("", 8, 2, "\n");
}

static void long_names_break_behind_their_joints(void **state)
{
	check_wrap("proc-vmstat.numa_hint_faults_local", 16, 0,
		   "proc-vmstat.\nnuma_hint_\nfaults_local\n");
	check_wrap("abcdefghijklmnop", 8, 1, "abcdefgh\n ijklmnop\n");
	check_wrap("±±±±±±±±±±", 8, 0, "±±±±±±±±\n±±\n");
}

static void a_tiny_width_is_widened(void **state)
{
	check_wrap("abcdefghij", 0, 0, "abcdefgh\nij\n");
}

/* Whatever is wrapped: no character is lost, and no line is longer than allowed. */
static void random_text_survives_wrapping(void **state)
{
	static const char *const pieces[] = { "a", "b.", "_", " ", "±", "-", "long", "/" };
	struct random random;
	random_seed(&random, 3);
	for (int round = 0; round < 2000; round++) {
		struct text source = { 0 };
		const uint64_t n = 1 + random_below(&random, 40);
		for (uint64_t i = 0; i < n; i++)
			text_add(&source, "%s", pieces[random_below(&random, 8)]);
		const size_t width = 8 + (size_t)random_below(&random, 20);
		struct text wrapped = { 0 };
		column_wrap(&wrapped, text_string(&source), width, 0);

		char *copy = text_take(&wrapped);
		const char *at = text_string(&source);
		size_t length = 0;
		for (char *line = copy; *line; line++) {
			if (*line == '\n')
				length = 0;
			else
				length += ((unsigned char)*line & 0xC0U) != 0x80U;
			CHECK(length <= width);
			if (*line == '\n' && (*at == ' ' || !*at)) {
				at += *at == ' ';
				continue;
			}
			if (*line == '\n')
				continue;
			CHECK_INT(*line, *at);
			at++;
		}
		CHECK_INT(*at, 0);
		free(copy);
		text_done(&source);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plus_minus_sign_is_one_character),
		cmocka_unit_test(padding_counts_characters),
		cmocka_unit_test(a_wide_value_pushes_and_is_never_cut),
		cmocka_unit_test(long_text_breaks_at_blanks_first),
		cmocka_unit_test(long_names_break_behind_their_joints),
		cmocka_unit_test(a_tiny_width_is_widened),
		cmocka_unit_test(random_text_survives_wrapping),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
