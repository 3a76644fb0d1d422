/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/cursor.h"

#include "base/auto.h"
#include "base/macros.h"
#include "check.h"

static struct cursor over(const void *bytes, size_t length)
{
	return (struct cursor) { .at = bytes, .end = (const uint8_t *)bytes + length };
}

static void numbers_are_little_endian(void **state)
{
	const uint8_t bytes[] = { 0x01, 0x78, 0x56, 0x34, 0x12, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45,
				  0x23, 0x01, 0,    0,    0,    0,    0,    0,    0xf8, 0x3f };
	struct cursor cursor = over(bytes, sizeof(bytes));
	CHECK_INT(cursor_u8(&cursor), 1);
	CHECK_INT(cursor_u32(&cursor), 0x12345678);
	CHECK_INT(cursor_u64(&cursor), 0x0123456789abcdef);
	CHECK_NEAR(cursor_f64(&cursor), 1.5, 0);
	CHECK(!cursor.is_bad);
	CHECK(cursor.at == cursor.end);
}

static void a_field_that_is_not_there_makes_it_bad_for_good(void **state)
{
	const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6 };
	struct cursor cursor = over(bytes, sizeof(bytes));
	CHECK_INT(cursor_u64(&cursor), 0);
	CHECK(cursor.is_bad);
	CHECK_INT(cursor_u8(&cursor), 0);
	CHECK_INT(cursor_text(&cursor, 100).length, 0);
	CHECK(cursor_metric(&cursor).name == NULL);
	CHECK(cursor.is_bad);
}

static void floats_that_are_no_numbers_are_refused(void **state)
{
	const uint8_t infinity[] = { 0, 0, 0, 0, 0, 0, 0xf0, 0x7f };
	const uint8_t nan[] = { 1, 0, 0, 0, 0, 0, 0xf8, 0xff };
	struct cursor cursor = over(infinity, sizeof(infinity));
	CHECK_NEAR(cursor_f64(&cursor), 0, 0);
	CHECK(cursor.is_bad);
	cursor = over(nan, sizeof(nan));
	CHECK_NEAR(cursor_f64(&cursor), 0, 0);
	CHECK(cursor.is_bad);
}

static void a_text_may_not_be_longer_than_its_limit_or_its_payload(void **state)
{
	const uint8_t bytes[] = { 3, 0, 0, 0, 'a', 'b', 'c' };
	struct cursor cursor = over(bytes, sizeof(bytes));
	CHECK_INT(cursor_text(&cursor, 3).length, 3);
	CHECK(!cursor.is_bad);
	cursor = over(bytes, sizeof(bytes));
	CHECK_INT(cursor_text(&cursor, 2).length, 0);
	CHECK(cursor.is_bad);
	cursor = over(bytes, sizeof(bytes) - 1);
	CHECK_INT(cursor_text(&cursor, 3).length, 0);
	CHECK(cursor.is_bad);
	const uint8_t huge[] = { 0xff, 0xff, 0xff, 0xff, 'a' };
	cursor = over(huge, sizeof(huge));
	CHECK_INT(cursor_text(&cursor, SIZE_MAX).length, 0);
	CHECK(cursor.is_bad);
}

static bool is_name(const char *text, size_t length)
{
	uint8_t bytes[64] = { (uint8_t)length };
	memcpy(bytes + 4, text, length);
	struct cursor cursor = over(bytes, length + 4);
	(void)cursor_name(&cursor, sizeof(bytes));
	return !cursor.is_bad;
}

static void a_name_is_text_that_can_be_printed(void **state)
{
	CHECK(is_name("proc-vmstat.pgfault", 19));
	CHECK(is_name("idle%", 5));
	CHECK(is_name("\xc3\xa4", 2));
	CHECK(!is_name("", 0));
	CHECK(!is_name("a\0b", 3));
	CHECK(!is_name("a\nb", 3));
	CHECK(!is_name("\x1b[2J", 4));
	CHECK(!is_name("\x7f", 1));
	CHECK(!is_name("\xc2\x9b", 2)); /* A control character of two bytes. */
	CHECK(!is_name("\xc3", 1));
	CHECK(!is_name("\xff", 1));
}

static void a_copy_fit_to_be_printed_has_the_same_length(void **state)
{
	const struct span span = { "a\x1b[2J\xff", 6 };
	AUTO(text) char *copy = span_copy_printable(span);
	CHECK_TEXT(copy, "a?[2J?");
	AUTO(text) char *same = span_copy(span);
	CHECK_TEXT(same, "a\x1b[2J\xff");
}

static void a_metric_of_an_unknown_kind_is_refused(void **state)
{
	uint8_t bytes[] = {
		1, 0, 0, 0, 'm', 0, 0, 0, 0, 0, 0, 0, 0, METRIC_GAUGE, BETTER_LOWER, ROLE_COST
	};
	struct cursor cursor = over(bytes, sizeof(bytes));
	struct metric metric = cursor_metric(&cursor);
	CHECK_TEXT(metric.name, "m");
	CHECK_TEXT(metric.unit, "1");
	CHECK_INT(metric.kind, METRIC_GAUGE);
	CHECK_INT(metric.better, BETTER_LOWER);
	CHECK_INT(metric.role, ROLE_COST);
	cursor_metric_done(&metric);
	CHECK(metric.name == NULL);
	for (size_t i = sizeof(bytes) - 3; i < sizeof(bytes); i++) {
		const uint8_t before = bytes[i];
		bytes[i] = 99;
		cursor = over(bytes, sizeof(bytes));
		CHECK(cursor_metric(&cursor).name == NULL);
		CHECK(cursor.is_bad);
		bytes[i] = before;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_little_endian),
		cmocka_unit_test(a_field_that_is_not_there_makes_it_bad_for_good),
		cmocka_unit_test(floats_that_are_no_numbers_are_refused),
		cmocka_unit_test(a_text_may_not_be_longer_than_its_limit_or_its_payload),
		cmocka_unit_test(a_name_is_text_that_can_be_printed),
		cmocka_unit_test(a_copy_fit_to_be_printed_has_the_same_length),
		cmocka_unit_test(a_metric_of_an_unknown_kind_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
