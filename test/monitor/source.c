/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is read again and again, and its numbers. */
#include "monitor/source.h"

#include "base/mem.h"
#include "check.h"
#include "monitor/tree.h"

#include <errno.h>
#include <stdlib.h>

static void a_file_is_read_anew_each_time(void **state)
{
	struct tree tree;
	struct source source;
	struct error err = { 0 };
	tree_make(&tree);
	tree_put(&tree, "proc/x", "one\n");
	CHECK_INT(source_open(&source, tree.fd, "proc/x", &err), 0);
	CHECK_TEXT(source.bytes, "one\n");
	tree_put(&tree, "proc/x", "two and more\n");
	CHECK(source_read(&source) == MISSING_NOT);
	CHECK_TEXT(source.bytes, "two and more\n");
	CHECK_INT(source.length, strlen("two and more\n"));
	source_done(&source);
	source_done(&source);
	tree_done(&tree);
}

static void an_absent_and_an_empty_file_say_so(void **state)
{
	struct tree tree;
	struct source source;
	struct error err = { 0 };
	tree_make(&tree);
	CHECK_INT(source_open(&source, tree.fd, "proc/x", &err), -ENOENT);
	CHECK_HOLDS(err.text, "cannot open 'proc/x'");
	CHECK_INT(source.fd, -1);
	tree_put(&tree, "proc/x", "");
	CHECK_INT(source_open(&source, tree.fd, "proc/x", &err), -ENODATA);
	CHECK_HOLDS(err.text, "'proc/x' is empty");
	tree_done(&tree);
}

static void a_directory_cannot_be_read(void **state)
{
	struct tree tree;
	struct source source;
	struct error err = { 0 };
	tree_make(&tree);
	tree_put(&tree, "proc/x/y", "1");
	CHECK_INT(source_open(&source, tree.fd, "proc/x", &err), -EISDIR);
	CHECK_HOLDS(err.text, "cannot read 'proc/x'");
	tree_done(&tree);
}

static void a_file_that_outgrows_the_buffer_is_malformed_until_it_fits_again(void **state)
{
	struct tree tree;
	struct source source;
	struct error err = { 0 };
	tree_make(&tree);
	tree_put(&tree, "x", "small\n");
	CHECK_INT(source_open(&source, tree.fd, "x", &err), 0);
	char *large = mem_zero(source.size + 1);
	memset(large, 'a', source.size);
	tree_put_bytes(&tree, "x", large, source.size - 1);
	CHECK(source_read(&source) == MISSING_MALFORMED);
	CHECK_INT(source.length, 0);
	tree_put_bytes(&tree, "x", large, source.size - 2);
	CHECK(source_read(&source) == MISSING_NOT);
	tree_put(&tree, "x", "");
	CHECK(source_read(&source) == MISSING_MALFORMED);
	free(large);
	source_done(&source);
	tree_done(&tree);
}

static void a_file_larger_than_a_page_is_read_whole(void **state)
{
	struct tree tree;
	struct source source;
	struct error err = { 0 };
	const size_t length = 100000;
	tree_make(&tree);
	char *large = mem_zero(length + 1);
	memset(large, 'b', length);
	tree_put_bytes(&tree, "x", large, length);
	CHECK_INT(source_open(&source, tree.fd, "x", &err), 0);
	CHECK_INT(source.length, length);
	CHECK(source.size > 2 * length);
	CHECK_TEXT(source.bytes, large);
	free(large);
	source_done(&source);
	tree_done(&tree);
}

static void check_number(const char *text, uint64_t want, size_t want_length)
{
	const char *at = text;
	uint64_t number = 1;
	if (!source_number(&at, &number))
		fail_msg("'%s' is no number", text);
	CHECK(number == want);
	CHECK_INT(at - text, want_length);
}

static void numbers_are_read_up_to_the_last_bit(void **state)
{
	check_number("0", 0, 1);
	check_number("  42 kB\n", 42, 4);
	check_number("\t7\r\n", 7, 2);
	check_number("007\n", 7, 3);
	check_number("9999999999999999999\n", 9999999999999999999U, 19);
	check_number("18446744073709551615", UINT64_MAX, 20);
}

static void what_is_no_number_leaves_everything_untouched(void **state)
{
	static const char *const bad[] = {
		"",
		" ",
		"-1",
		"+1",
		"12a",
		"1.5",
		"0x10",
		"18446744073709551616",
		"\n12",
		"99999999999999999999",
		"184467440737095516150",
		"1,2",
	};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const char *at = bad[i];
		uint64_t number = 77;
		if (source_number(&at, &number))
			fail_msg("'%s' is taken for a number", bad[i]);
		CHECK(at == bad[i]);
		CHECK_INT(number, 77);
	}
}

static void a_line_is_found_forward_first_and_then_from_the_beginning(void **state)
{
	struct tree tree;
	struct source source;
	struct error err = { 0 };
	tree_make(&tree);
	tree_put(&tree, "x", "a 1\nb 2\na 3\nlast");
	CHECK_INT(source_open(&source, tree.fd, "x", &err), 0);
	const char *const bytes = source.bytes;
	CHECK_INT(source_find_line(&source, bytes, "a ", 2) - bytes, 0);
	CHECK_INT(source_find_line(&source, bytes + 4, "a ", 2) - bytes, 8);
	CHECK_INT(source_find_line(&source, bytes + 8, "b ", 2) - bytes, 4);
	CHECK_INT(source_find_line(&source, bytes + source.length, "last", 4) - bytes, 12);
	CHECK(source_find_line(&source, bytes, "lasting", 7) == NULL);
	CHECK(source_find_line(&source, bytes, "c ", 2) == NULL);
	source_done(&source);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_anew_each_time),
		cmocka_unit_test(an_absent_and_an_empty_file_say_so),
		cmocka_unit_test(a_directory_cannot_be_read),
		cmocka_unit_test(a_file_that_outgrows_the_buffer_is_malformed_until_it_fits_again),
		cmocka_unit_test(a_file_larger_than_a_page_is_read_whole),
		cmocka_unit_test(numbers_are_read_up_to_the_last_bit),
		cmocka_unit_test(what_is_no_number_leaves_everything_untouched),
		cmocka_unit_test(a_line_is_found_forward_first_and_then_from_the_beginning),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
