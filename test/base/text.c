/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text.h"

#include "check.h"

#include <stdlib.h>

static void a_growing_text_holds_all_that_was_added(void **state)
{
	struct text text = { 0 };
	CHECK_TEXT(text_string(&text), "");
	for (int i = 0; i < 1000; i++)
		text_add(&text, "%d,", i % 10);
	text_add_bytes(&text, "end", 3);
	text_add_bytes(&text, NULL, 0);
	CHECK_INT(text.length, 2003);
	CHECK_INT(strlen(text_string(&text)), 2003);
	CHECK_HOLDS(text_string(&text), "8,9,end");
	text_done(&text);
	CHECK_TEXT(text_string(&text), "");
}

static void a_text_that_was_taken_leaves_nothing_behind(void **state)
{
	struct text text = { 0 };
	AUTO(text) char *empty = text_take(&text);
	CHECK_TEXT(empty, "");
	text_add(&text, "x");
	AUTO(text) char *taken = text_take(&text);
	CHECK_TEXT(taken, "x");
	CHECK(text.bytes == NULL);
}

static void unsigned_numbers_are_digits_and_nothing_else(void **state)
{
	const char *const wrong[] = { "",
				      " 1",
				      "1 ",
				      "+1",
				      "-1",
				      "0x10",
				      "1.0",
				      "1e3",
				      "x",
				      "18446744073709551616",
				      "99999999999999999999999" };
	uint64_t number = 7;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		CHECK(!text_parse_u64(wrong[i], &number));
	CHECK_INT(number, 7); /* Untouched. */
	CHECK(text_parse_u64("18446744073709551615", &number));
	CHECK(number == UINT64_MAX);
	CHECK(text_parse_u64("007", &number));
	CHECK_INT(number, 7);
}

static void signed_numbers_reach_both_ends(void **state)
{
	int64_t number = 7;
	CHECK(text_parse_i64("-9223372036854775808", &number));
	CHECK(number == INT64_MIN);
	CHECK(text_parse_i64("9223372036854775807", &number));
	CHECK(number == INT64_MAX);
	CHECK(text_parse_i64("-0", &number));
	CHECK_INT(number, 0);
	CHECK(!text_parse_i64("9223372036854775808", &number));
	CHECK(!text_parse_i64("-9223372036854775809", &number));
	CHECK(!text_parse_i64("--1", &number));
	CHECK(!text_parse_i64("-", &number));
	CHECK(!text_parse_i64("+1", &number));
}

static void decimal_fractions_are_decimal_and_finite(void **state)
{
	const char *const wrong[] = { "",         " 1",   "1 ",    "+1",    "nan", "inf",
				      "-inf",     "0x10", "0x1p3", "1e999", "1,5", "1.5s",
				      "infinity", "e5",   ".",     "-",     "1-2", "1e" };
	double number = 7;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (text_parse_f64(wrong[i], &number))
			fail_msg("'%s' was taken", wrong[i]);
	CHECK_NEAR(number, 7, 0);
	CHECK(text_parse_f64("0.5", &number));
	CHECK_NEAR(number, 0.5, 0);
	CHECK(text_parse_f64("-1.5e-3", &number));
	CHECK_NEAR(number, -0.0015, 0);
	CHECK(text_parse_f64("1E+3", &number));
	CHECK_NEAR(number, 1000, 0);
}

static void scanning_a_number_stops_behind_its_last_digit(void **state)
{
	const char line[] = "cpu0 4705 356";
	const char *at = line + 5;
	uint64_t number = 0;
	CHECK(text_scan_u64(&at, line + strlen(line), &number));
	CHECK_INT(number, 4705);
	CHECK_TEXT(at, " 356");
	CHECK(!text_scan_u64(&at, line + strlen(line), &number));
	CHECK_TEXT(at, " 356");
	CHECK_INT(number, 4705);
	at = line + 5;
	CHECK(text_scan_u64(&at, line + 7, &number)); /* The end cuts it. */
	CHECK_INT(number, 47);
	CHECK(!text_scan_u64(&at, at, &number));
}

static void beginnings_and_endings_are_told(void **state)
{
	CHECK(text_starts_with("proc-vmstat", "proc-"));
	CHECK(text_starts_with("x", ""));
	CHECK(!text_starts_with("pro", "proc"));
	CHECK(text_ends_with("idle%", "%"));
	CHECK(text_ends_with("x", ""));
	CHECK(!text_ends_with("%", "idle%"));
	CHECK(text_equal("a", "a"));
	CHECK(!text_equal("a", "b"));
	CHECK(text_equal(NULL, NULL));
	CHECK(!text_equal("a", NULL));
	CHECK(!text_equal(NULL, "a"));
}

static void a_pattern_is_shell_like_or_a_piece(void **state)
{
	CHECK(text_matches("proc-vmstat.pgfault", "proc-vmstat.*"));
	CHECK(text_matches("proc-vmstat.pgfault", "pgfault"));
	CHECK(text_matches("proc-vmstat.pgfault", "*.pg[a-f]*"));
	CHECK(text_matches("anything", ""));
	CHECK(text_matches("anything", NULL));
	CHECK(!text_matches("proc-vmstat.pgfault", "meminfo.*"));
}

static void the_distance_counts_edits_and_swaps(void **state)
{
	CHECK_INT(text_distance("hackbench", "hackbench", 3), 0);
	CHECK_INT(text_distance("hackbnech", "hackbench", 3), 1);
	CHECK_INT(text_distance("hckbench", "hackbench", 3), 1);
	CHECK_INT(text_distance("kitten", "sitting", 9), 3);
	CHECK_INT(text_distance("", "abc", 9), 3);
	CHECK_INT(text_distance("abc", "xyz", 1), 2); /* Limit and one. */
	char longer[80];
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	CHECK_INT(text_distance(longer, longer, 3), 4);
}

static void the_nearest_word_is_offered_only_when_it_is_near(void **state)
{
	static const char *const words[] = { "groups", "loops", "pipe", "process" };
	CHECK_TEXT(text_nearest("gruops", words, 4), "groups");
	CHECK_TEXT(text_nearest("loop", words, 4), "loops");
	CHECK_TEXT(text_nearest("pipes", words, 4), "pipe");
	CHECK(text_nearest("elephant", words, 4) == NULL);
	CHECK(text_nearest("xyz", words, 4) == NULL);
	CHECK(text_nearest("pipe", words, 0) == NULL);
}

static void blanks_at_both_ends_are_trimmed(void **state)
{
	char line[] = " \t performance \n";
	CHECK_TEXT(text_trim(line), "performance");
	char blank[] = " \n";
	CHECK_TEXT(text_trim(blank), "");
	char none[] = "";
	CHECK_TEXT(text_trim(none), "");
}

static size_t utf8(const char *bytes, size_t length)
{
	return text_utf8_length(bytes, bytes + length);
}

static void characters_of_one_to_four_bytes_are_measured(void **state)
{
	CHECK_INT(utf8("a", 1), 1);
	CHECK_INT(utf8("\0", 1), 1);
	CHECK_INT(utf8("\xc3\xa4", 2), 2);
	CHECK_INT(utf8("\xe2\x82\xac", 3), 3);
	CHECK_INT(utf8("\xf0\x9f\x90\xa7", 4), 4);
	CHECK_INT(utf8("\xf4\x8f\xbf\xbf", 4), 4); /* The last one, U+10FFFF. */
}

static void bytes_that_are_no_character_measure_nothing(void **state)
{
	CHECK_INT(utf8("", 0), 0);
	CHECK_INT(utf8("\xc3", 1), 0);             /* Cut. */
	CHECK_INT(utf8("\xe2\x82", 2), 0);         /* Cut. */
	CHECK_INT(utf8("\xa4", 1), 0);             /* Begins in the middle. */
	CHECK_INT(utf8("\xc3x", 2), 0);            /* Goes on with something else. */
	CHECK_INT(utf8("\xc0\xaf", 2), 0);         /* A slash, written too long. */
	CHECK_INT(utf8("\xe0\x80\xaf", 3), 0);     /* The same in three bytes. */
	CHECK_INT(utf8("\xed\xa0\x80", 3), 0);     /* A surrogate. */
	CHECK_INT(utf8("\xf4\x90\x80\x80", 4), 0); /* Behind the last one. */
	CHECK_INT(utf8("\xf8\x88\x80\x80\x80", 5), 0);
	CHECK_INT(utf8("\xff", 1), 0);
}

static void foreign_bytes_become_question_marks(void **state)
{
	char bytes[] = "ok\t\r\n\x1b[2J \x80 \xc3\xa4 \xc2\x9b \x7f \xff";
	text_make_printable(bytes, strlen(bytes));
	CHECK_TEXT(bytes, "ok\t\r\n?[2J ? \xc3\xa4 ?? ? ?");
	char nul[] = { 'a', '\0', 'b', '\0' };
	text_make_printable(nul, 3);
	CHECK_TEXT(nul, "a?b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_growing_text_holds_all_that_was_added),
		cmocka_unit_test(a_text_that_was_taken_leaves_nothing_behind),
		cmocka_unit_test(unsigned_numbers_are_digits_and_nothing_else),
		cmocka_unit_test(signed_numbers_reach_both_ends),
		cmocka_unit_test(decimal_fractions_are_decimal_and_finite),
		cmocka_unit_test(scanning_a_number_stops_behind_its_last_digit),
		cmocka_unit_test(beginnings_and_endings_are_told),
		cmocka_unit_test(a_pattern_is_shell_like_or_a_piece),
		cmocka_unit_test(the_distance_counts_edits_and_swaps),
		cmocka_unit_test(the_nearest_word_is_offered_only_when_it_is_near),
		cmocka_unit_test(blanks_at_both_ends_are_trimmed),
		cmocka_unit_test(characters_of_one_to_four_bytes_are_measured),
		cmocka_unit_test(bytes_that_are_no_character_measure_nothing),
		cmocka_unit_test(foreign_bytes_become_question_marks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
