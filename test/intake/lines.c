/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "intake/lines.h"

#include "check.h"

static void lines_are_numbered_whatever_ends_them(void **state)
{
	static const char text[] = "\xef\xbb\xbf"
				   "one\r\n\ntwo\nlast";
	struct lines lines = lines_make(text, sizeof(text) - 1);
	const char *line;
	size_t length;
	CHECK(lines_next(&lines, &line, &length));
	CHECK_INT(length, 3);
	CHECK(memcmp(line, "one", 3) == 0);
	CHECK(lines_next(&lines, &line, &length));
	CHECK_INT(length, 0);
	CHECK(lines_next(&lines, &line, &length));
	CHECK_INT(lines.number, 3);
	CHECK(lines_next(&lines, &line, &length));
	CHECK_INT(length, 4);
	CHECK_INT(lines.number, 4);
	CHECK(!lines_next(&lines, &line, &length));
}

static void comments_and_blank_lines_are_no_data(void **state)
{
	static const char text[] = "# said\n  \t\n  # too\n7\n";
	struct lines lines = lines_make(text, sizeof(text) - 1);
	const char *line;
	size_t length;
	CHECK(lines_next_data(&lines, &line, &length));
	CHECK_INT(lines.number, 4);
	CHECK_INT(length, 1);
	CHECK(!lines_next_data(&lines, &line, &length));
	lines = lines_make("", 0);
	CHECK(!lines_next_data(&lines, &line, &length));
}

static bool parse(const char *text, struct value *value)
{
	return lines_parse_value(text, strlen(text), value);
}

static void a_number_is_known_and_na_is_missing(void **state)
{
	struct value value;
	CHECK(parse(" -1.5e3\t", &value));
	CHECK_NEAR(value.number, -1500, 0);
	CHECK(parse("+2", &value));
	CHECK_NEAR(value.number, 2, 0);
	CHECK(parse("0", &value));
	CHECK(value_is_known(value));
	CHECK(parse("NaN", &value));
	CHECK_INT(value.state, VALUE_MISSING);
	CHECK_INT(value.why, MISSING_ABSENT);
	CHECK(parse("n/a", &value));
}

static void words_units_and_infinities_are_no_numbers(void **state)
{
	static const char *const wrong[] = { "",      "12ms", "1,5", "0x10", "inf", "+-1",
					     "1e999", "40*",  "1 2", "--",   "-" };
	struct value value;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK(!parse(wrong[i], &value));
	CHECK(!lines_parse_value("1\0", 2, &value));
	char endless[2000];
	memset(endless, '1', sizeof(endless));
	CHECK(!lines_parse_value(endless, sizeof(endless), &value));
}

static void a_number_with_a_unit_is_spoiled_and_a_commit_is_not(void **state)
{
	static const char *const spoiled[] = { "5ms",   "5 ms", "1_000", "0x10",
					       "1e400", "inf",  "-INF",  "7 %" };
	static const char *const sound[] = {
		"5",          "ms",    "NaN", "3da90b159b14", "4 threads",
		"2026-11-30", "6.1.7", "-",   "info",         ""
	};
	for (size_t i = 0; i < sizeof(spoiled) / sizeof(spoiled[0]); i++)
		CHECK(lines_is_spoiled_number(spoiled[i]));
	for (size_t i = 0; i < sizeof(sound) / sizeof(sound[0]); i++)
		CHECK(!lines_is_spoiled_number(sound[i]));
	CHECK(lines_begins_number(".5x"));
	CHECK(lines_begins_number("infinity"));
	CHECK(!lines_begins_number("base"));
	CHECK(!lines_begins_number(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_numbered_whatever_ends_them),
		cmocka_unit_test(comments_and_blank_lines_are_no_data),
		cmocka_unit_test(a_number_is_known_and_na_is_missing),
		cmocka_unit_test(words_units_and_infinities_are_no_numbers),
		cmocka_unit_test(a_number_with_a_unit_is_spoiled_and_a_commit_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
