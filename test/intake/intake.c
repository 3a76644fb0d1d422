/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "intake/intake.h"

#include "base/mem.h"
#include "base/text.h"
#include "given.h"

#include <stdlib.h>
#include <unistd.h>

static const struct intake_options plain = { 0 };

static void a_file_is_read_and_keeps_its_path(void **state)
{
	char path[] = "/tmp/assay-intake-XXXXXX";
	const int fd = mkstemp(path);
	CHECK(fd >= 0);
	CHECK_INT(write(fd, "1\n2\n", 4), 4);
	(void)close(fd);
	struct error err = { 0 };
	AUTO(intake_document) struct intake_document *document = NULL;
	CHECK_INT(intake_read(path, &plain, &document, &err), 0);
	CHECK_TEXT(document->path, path);
	CHECK_INT(document->series[0].n, 2);
	(void)unlink(path);
}

static void a_file_that_is_not_there_is_the_persons_mistake(void **state)
{
	struct intake_document *document = NULL;
	struct error err = { 0 };
	CHECK_INT(intake_read("/nonexistent/numbers", &plain, &document, &err), -EINVAL);
	CHECK_INT(err.code, EINVAL);
	CHECK_TEXT(err.text, "cannot open '/nonexistent/numbers': No such file or directory");
	CHECK_INT(intake_read("/tmp", &plain, &document, &err), -EINVAL);
	CHECK(document == NULL);
}

static void one_number_too_many_is_refused(void **state)
{
	AUTO(text_buffer) struct text text = { 0 };
	for (size_t i = 0; i < INTAKE_VALUES_MAX; i++)
		text_add(&text, "1\n");
	AUTO(intake_document) struct intake_document *full = given(text_string(&text), &plain);
	CHECK_INT(full->series[0].n, INTAKE_VALUES_MAX);
	text_add(&text, "1\n");
	refused(text_string(&text), &plain,
		"given: 'value' has more than 5000 values; give one number a run, not one an "
		"operation");
}

static void one_series_too_many_is_refused(void **state)
{
	AUTO(text_buffer) struct text text = { 0 };
	for (size_t i = 0; i <= INTAKE_SERIES_MAX; i++)
		text_add(&text, "%s\"%zu\":[1]", i ? "," : "{", i);
	text_add(&text, "}");
	refused(text_string(&text), &plain, "given has more than 5000 different series");
}

static void what_a_terminal_would_obey_is_made_printable(void **state)
{
	AUTO(intake_document)
	struct intake_document *document = given("{\"\\u001b[31mred\": [1]}", &plain);
	CHECK_TEXT(document->series[0].name, "?[31mred");
}

static void what_is_no_text_is_told_as_that(void **state)
{
	struct intake_document *document = NULL;
	struct error err = { 0 };
	CHECK_INT(intake_parse("1\n\0\n3\n", 6, "given", &plain, &document, &err), -EINVAL);
	CHECK_TEXT(err.text, "given is no text: byte 3 is NUL; UTF-16 must be turned into UTF-8, "
			     "and what is packed be unpacked");
	refused("\x1f\x8b\x08 1,2\n", &plain,
		"given is no text but a binary file; unpack it, or export its numbers as text");
	/* Latin-1 is text. */
	AUTO(intake_document) struct intake_document *latin = given("\xb5s,b\n1,2\n", &plain);
	CHECK_INT(latin->n_series, 2);
}

static void remarks_are_kept_once(void **state)
{
	AUTO(intake_document) struct intake_document *document = given("1\n", &plain);
	intake_remark(document, "said %d", 1);
	intake_remark(document, "said %d", 1);
	intake_remark(document, "said %d", 2);
	CHECK_INT(document->n_remarks, 2);
	intake_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_and_keeps_its_path),
		cmocka_unit_test(a_file_that_is_not_there_is_the_persons_mistake),
		cmocka_unit_test(one_number_too_many_is_refused),
		cmocka_unit_test(one_series_too_many_is_refused),
		cmocka_unit_test(what_a_terminal_would_obey_is_made_printable),
		cmocka_unit_test(what_is_no_text_is_told_as_that),
		cmocka_unit_test(remarks_are_kept_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
