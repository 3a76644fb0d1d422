/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/storage_program.h"

#include "base/auto.h"
#include "base/text.h"
#include "check.h"

#include <errno.h>
#include <stdlib.h>

static void a_program_is_found_without_a_path_of_ones_own(void **state)
{
	(void)state;
	CHECK_INT(setenv("PATH", "/nowhere::/neither", 1), 0);
	AUTO(text) char *shell = storage_program_find("sh");
	CHECK(shell != NULL);
	CHECK(text_ends_with(shell, "/sh"));
	CHECK_INT(unsetenv("PATH"), 0);
	AUTO(text) char *again = storage_program_find("sh");
	CHECK_TEXT(again, shell);
	CHECK(storage_program_find("assay-has-no-such-program") == NULL);
}

static void how_a_program_ended_is_told(void **state)
{
	(void)state;
	const char *const good[] = { "sh", "-c", "exit 0", NULL };
	const char *const bad[] = { "sh", "-c", "exit 3", NULL };
	const char *const none[] = { "assay-has-no-such-program", NULL };
	struct error err = { 0 };
	CHECK_INT(storage_program_run(good, &err), 0);
	CHECK_INT(storage_program_run(bad, &err), -EIO);
	CHECK_HOLDS(err.text, "/sh' ended with exit code 3");
	CHECK_INT(storage_program_run(none, &err), -ENOENT);
	CHECK_HOLDS(err.text, "there is no program 'assay-has-no-such-program'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_is_found_without_a_path_of_ones_own),
		cmocka_unit_test(how_a_program_ended_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
