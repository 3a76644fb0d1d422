/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Well-formed and ill-formed byte sequences. */
#include "experiment/utf8.h"

#include "base/macros.h"
#include "check.h"

static void each_form_has_its_length(void **state)
{
	CHECK_INT(utf8_length("a", 1), 1);
	CHECK_INT(utf8_length("\0", 1), 1);
	CHECK_INT(utf8_length("\xc3\xa9", 2), 2);
	CHECK_INT(utf8_length("\xe2\x82\xac", 3), 3);
	CHECK_INT(utf8_length("\xed\x9f\xbf", 3), 3);
	CHECK_INT(utf8_length("\xf0\x9f\x98\x80", 4), 4);
	CHECK_INT(utf8_length("\xf4\x8f\xbf\xbf", 4), 4);
	CHECK(utf8_is_valid("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
	CHECK(utf8_is_valid(""));
}

static void ill_formed_bytes_have_none(void **state)
{
	static const char *const wrong[] = {
		"\x80",             /* A continuation alone. */
		"\xc0\xaf",         /* Overlong slash. */
		"\xc1\xbf",         /* Overlong. */
		"\xe0\x9f\xbf",     /* Overlong. */
		"\xf0\x8f\xbf\xbf", /* Overlong. */
		"\xed\xa0\x80",     /* A surrogate. */
		"\xf4\x90\x80\x80", /* Beyond U+10FFFF. */
		"\xf5\x80\x80\x80",
		"\xff",
		"\xc3",
		"\xe2\x82",
		"\xe2\x28\xa1",
		"\xf0\x9f\x98",
	};
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CHECK_INT(utf8_length(wrong[i], strlen(wrong[i])), 0);
		CHECK(!utf8_is_valid(wrong[i]));
	}
	CHECK_INT(utf8_length("", 0), 0);
}

/* Encodes each code point by the bit layout of RFC 3629, section 3, and counts. */
static void every_code_point_but_surrogates_is_taken(void **state)
{
	for (unsigned code = 0x80; code <= 0x10ffff; code++) {
		char bytes[4];
		size_t length = 0;
		if (code >= 0x10000)
			bytes[length++] = (char)(0xf0 | (code >> 18));
		if (code >= 0x800)
			bytes[length] = (char)((code >= 0x10000 ? 0x80 | ((code >> 12) & 0x3f)
								: 0xe0 | (code >> 12))),
			length++;
		bytes[length] =
			(char)(code >= 0x800 ? 0x80 | ((code >> 6) & 0x3f) : 0xc0 | (code >> 6));
		length++;
		bytes[length++] = (char)(0x80 | (code & 0x3f));
		const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
		if (utf8_length(bytes, length) != (is_surrogate ? 0 : length))
			fail_msg("code point U+%04X", code);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_has_its_length),
		cmocka_unit_test(ill_formed_bytes_have_none),
		cmocka_unit_test(every_code_point_but_surrogates_is_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
