/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a crashed run left applied is told, and only then. */
#include "cli/leftovers.h"

#include "base/fs.h"
#include "base/mem.h"
#include "capture.h"
#include "filled.h"

#include <stdlib.h>

/* Process 1 never has this start time: the writer is gone. */
static const char *const journal = "[{\"path\": \"proc/sys/vm/knob\", \"directory\": false, "
				   "\"temporary\": false, \"before\": \"1\"}]";

static void warn(void *user)
{
	(void)user;
	leftovers_warn();
}

static void a_journal_without_a_writer_is_warned_of(void **state)
{
	char *directory = fixture_directory();
	char *folder = mem_format("%s/assay", directory);
	char *file = mem_format("%s/changes-1-99.json", folder);

	(void)setenv("XDG_STATE_HOME", directory, 1);
	CHECK_INT(fs_make_dirs(folder, 0755, NULL), 0);
	CHECK_INT(fs_replace(file, journal, strlen(journal), 0600, NULL), 0);
	char *files = leftovers_find();
	char *said = capture(stderr, warn, NULL);

	CHECK_HOLDS(files, "/proc/sys/vm/knob");
	CHECK_HOLDS(said, "assay: warning: a crashed run left settings applied");
	CHECK_HOLDS(said, "/proc/sys/vm/knob\n");
	free(said);
	free(files);
	free(file);
	free(folder);
	fixture_remove(directory);
}

static void without_a_journal_nothing_is_said(void **state)
{
	char *directory = fixture_directory();

	if (getuid() != 0 && access("/var/lib/assay", F_OK) == 0) {
		fixture_remove(directory);
		print_message("this machine has a journal of its own\n");
		skip();
	}
	(void)setenv("XDG_STATE_HOME", directory, 1);
	CHECK(leftovers_find() == NULL);
	char *said = capture(stderr, warn, NULL);

	CHECK_TEXT(said, "");
	free(said);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_journal_without_a_writer_is_warned_of),
		cmocka_unit_test(without_a_journal_nothing_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
