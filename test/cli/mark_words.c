/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person may write into a mark. */
#include "cli/mark_words.h"

#include "base/macros.h"
#include "check.h"

#include <errno.h>

static void a_reason_in_any_language_is_taken(void **state)
{
	static const char *const reasons[] = {
		"a knob was turned",  "x",    " indented", "Größe geändert",
		"ディスクを交換した", "קבוע",
	};

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		CHECK_INT(mark_words_why(reasons[i], NULL), 0);
}

static void what_breaks_or_turns_a_line_is_refused(void **state)
{
	static const struct {
		const char *why, *sentence;
	} cases[] = {
		{ "ok\nverdict: same", "option '--why' holds U+000A at byte 3" },
		{ "ok\r", "U+000D" },
		{ "a\tb", "U+0009" },
		{ "\x1b[2J", "U+001B at byte 1" },
		{ "\x7f", "U+007F" },
		{ "\xc2\x85", "U+0085" },         /* Next line. */
		{ "\xe2\x80\xa8", "U+2028" },     /* Line separator. */
		{ "a \xe2\x80\xae b", "U+202E" }, /* Right-to-left override. */
		{ "a \xe2\x81\xa6 b", "U+2066" }, /* Left-to-right isolate. */
		{ "a\xff", "is not UTF-8 at byte 2" },
		{ "\n\n", "U+000A" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error err = { 0 };

		CHECK_INT(mark_words_why(cases[i].why, &err), -EINVAL);
		CHECK_HOLDS(err.text, cases[i].sentence);
	}
}

static void a_blank_reason_is_none(void **state)
{
	static const char *const reasons[] = { "", "   ", "\xc2\xa0", "\xe3\x80\x80 ",
					       "\xe2\x80\x8b" };
	struct error err = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		CHECK_INT(mark_words_why(reasons[i], &err), -EINVAL);
		CHECK_HOLDS(err.text, "is blank");
	}
	CHECK_INT(mark_words_why(NULL, &err), -EINVAL);
	CHECK_HOLDS(err.text, "a mark needs its reason");
}

static void a_reason_has_an_end(void **state)
{
	char why[2002];
	struct error err = { 0 };

	memset(why, 'x', sizeof(why) - 1);
	why[2000] = '\0';
	CHECK_INT(mark_words_why(why, &err), 0);
	why[2000] = 'x';
	why[2001] = '\0';
	CHECK_INT(mark_words_why(why, &err), -EINVAL);
	CHECK_HOLDS(err.text, "at most 2000 bytes, not 2001");
}

static void the_error_names_what_was_written(void **state)
{
	struct error err = { 0 };

	CHECK_INT(mark_words_check("option '--point'", "hackbench/*", &err), 0);
	CHECK_INT(mark_words_check("option '--point'", "*\n*", &err), -EINVAL);
	CHECK_HOLDS(err.text, "option '--point' holds U+000A at byte 2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reason_in_any_language_is_taken),
		cmocka_unit_test(what_breaks_or_turns_a_line_is_refused),
		cmocka_unit_test(a_blank_reason_is_none),
		cmocka_unit_test(a_reason_has_an_end),
		cmocka_unit_test(the_error_names_what_was_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
