/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/log.h"

#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>

/* What two debug lines leave on standard error. */
static void capture(char *buffer, size_t size)
{
	const int before = dup(STDERR_FILENO);
	const int file = memfd_create("stderr", MFD_CLOEXEC);
	assert_true(before >= 0 && file >= 0);
	(void)dup2(file, STDERR_FILENO);
	log_debug("the answer is %d", 42);
	log_debug("bye");
	(void)dup2(before, STDERR_FILENO);
	const ssize_t got = pread(file, buffer, size - 1, 0);
	buffer[got > 0 ? got : 0] = '\0';
	(void)close(before);
	(void)close(file);
}

static void debug_lines_are_silent_unless_asked_for(void **state)
{
	char said[256];
	(void)unsetenv("ASSAY_DEBUG");
	capture(said, sizeof(said));
	CHECK_TEXT(said, "");
}

static void debug_lines_name_the_program_and_end_themselves(void **state)
{
	char said[256];
	(void)setenv("ASSAY_DEBUG", "1", 1);
	capture(said, sizeof(said));
	CHECK_TEXT(said, "assay: debug: the answer is 42\nassay: debug: bye\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(debug_lines_are_silent_unless_asked_for),
		cmocka_unit_test(debug_lines_name_the_program_and_end_themselves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
