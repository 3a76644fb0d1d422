/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"

#include "check.h"

#include <errno.h>

static char long_word[2 * ERROR_TEXT_BYTES];

static void a_failure_carries_its_code_and_its_sentence(void **state)
{
	struct error err = { 0 };
	CHECK_INT(error_set(&err, EINVAL, "'%s' is no number of groups", "ten"), -EINVAL);
	CHECK_INT(err.code, EINVAL);
	CHECK_TEXT(err.text, "'ten' is no number of groups");
}

static void a_failure_of_the_system_ends_with_the_system_s_words(void **state)
{
	struct error err = { 0 };
	CHECK_INT(error_errno(&err, ENOENT, "cannot open '%s'", "x"), -ENOENT);
	CHECK_TEXT(err.text, "cannot open 'x': No such file or directory");
}

static void a_caller_puts_its_phrase_in_front(void **state)
{
	struct error err = { 0 };
	(void)error_set(&err, EACCES, "cannot open 'y'");
	CHECK_INT(error_at(&err, "monitor '%s'", "vmstat"), -EACCES);
	CHECK_TEXT(err.text, "monitor 'vmstat': cannot open 'y'");
	CHECK_INT(err.code, EACCES);
}

static void a_phrase_in_front_of_nothing_is_an_input_output_error(void **state)
{
	struct error err = { 0 };
	CHECK_INT(error_at(&err, "store"), -EIO);
	CHECK_INT(error_at(NULL, "store"), -EIO);
}

static void nobody_has_to_listen(void **state)
{
	CHECK_INT(error_set(NULL, EBADMSG, "x"), -EBADMSG);
	CHECK_INT(error_errno(NULL, ENOSPC, "x"), -ENOSPC);
}

static void check_cut(const struct error *err)
{
	CHECK_INT(strlen(err->text), ERROR_TEXT_BYTES - 1);
	CHECK_TEXT(err->text + ERROR_TEXT_BYTES - 4, "...");
}

static void a_sentence_that_is_too_long_ends_with_dots(void **state)
{
	struct error err = { 0 };
	memset(long_word, 'x', sizeof(long_word) - 1);
	(void)error_set(&err, EINVAL, "%s", long_word);
	check_cut(&err);
	(void)error_errno(&err, EINVAL, "%s", long_word);
	check_cut(&err);
	CHECK_INT(error_at(&err, "phrase"), -EINVAL);
	check_cut(&err);
	CHECK_HOLDS(err.text, "phrase: xxx");
	(void)error_at(&err, "%s", long_word);
	check_cut(&err);
}

static void a_sentence_that_just_fits_is_not_cut(void **state)
{
	struct error err = { 0 };
	memset(long_word, 'x', sizeof(long_word) - 1);
	(void)error_set(&err, EINVAL, "%.*s", ERROR_TEXT_BYTES - 1, long_word);
	CHECK_INT(strlen(err.text), ERROR_TEXT_BYTES - 1);
	CHECK(strchr(err.text, '.') == NULL);
}

static void every_length_of_a_sentence_leaves_the_text_terminated(void **state)
{
	memset(long_word, 'x', sizeof(long_word) - 1);
	for (int length = 0; length < 2 * ERROR_TEXT_BYTES - 1; length++) {
		struct error err = { 0 };
		(void)error_errno(&err, ENOENT, "%.*s", length, long_word);
		CHECK(memchr(err.text, '\0', sizeof(err.text)) != NULL);
		(void)error_at(&err, "%.*s", length / 2, long_word);
		CHECK(memchr(err.text, '\0', sizeof(err.text)) != NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failure_carries_its_code_and_its_sentence),
		cmocka_unit_test(a_failure_of_the_system_ends_with_the_system_s_words),
		cmocka_unit_test(a_caller_puts_its_phrase_in_front),
		cmocka_unit_test(a_phrase_in_front_of_nothing_is_an_input_output_error),
		cmocka_unit_test(nobody_has_to_listen),
		cmocka_unit_test(a_sentence_that_is_too_long_ends_with_dots),
		cmocka_unit_test(a_sentence_that_just_fits_is_not_cut),
		cmocka_unit_test(every_length_of_a_sentence_leaves_the_text_terminated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
