/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mounts that nobody else sees. */
#include "workload/storage_mount.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "workload/storage_program.h"

#include <errno.h>
#include <grp.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/vfs.h>
#include <sys/wait.h>

static bool is_tmpfs(const char *directory)
{
	struct statfs about;
	return statfs(directory, &about) == 0 && about.f_type == TMPFS_MAGIC;
}

/* In a child, whose mount namespace becomes its own. 0 well. */
static int mount_and_leave(const char *directory)
{
	struct error err = { 0 };
	if (storage_mount_enter("tmpfs", &err) != 0)
		return 1;
	if (storage_mount_tmpfs(1, directory, &err) != 0 || !is_tmpfs(directory))
		return 2;
	storage_mount_leave(directory);
	if (is_tmpfs(directory))
		return 3;
	/* This one is left to the end of the process. */
	return storage_mount_tmpfs(1, directory, &err) == 0 ? 0 : 4;
}

static int exit_of(pid_t child)
{
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_mount_is_seen_by_nobody_else_and_goes_with_the_process(void **state)
{
	if (geteuid() != 0) {
		print_message("skipped: mounting is root's\n");
		skip();
	}
	char directory[] = "/tmp/assay-test-mount-XXXXXX";
	CHECK(mkdtemp(directory) != NULL);
	if (is_tmpfs("/tmp")) {
		(void)rmdir(directory);
		print_message("skipped: /tmp is a tmpfs itself\n");
		skip();
	}
	const pid_t child = fork();
	if (child == 0)
		_exit(mount_and_leave(directory));
	CHECK_INT(exit_of(child), 0);
	CHECK(!is_tmpfs(directory));
	CHECK_INT(rmdir(directory), 0);
}

static int enter_as_user(void)
{
	struct error err = { 0 };
	if (geteuid() == 0 && (setgroups(0, NULL) < 0 || setresgid(65534, 65534, 65534) < 0 ||
			       setresuid(65534, 65534, 65534) < 0))
		return 1;
	if (storage_mount_enter("loop", &err) != -EOPNOTSUPP)
		return 2;
	return text_starts_with(err.text, "storage=loop needs root to mount; run it as root") ? 0
											      : 3;
}

static void an_ordinary_user_is_told_what_to_do(void **state)
{
	const pid_t child = fork();
	if (child == 0)
		_exit(enter_as_user());
	CHECK_INT(exit_of(child), 0);
}

static void a_filesystem_whose_program_is_missing_is_told(void **state)
{
	static const char *const all[][3] = { { "ext4", "mkfs.ext4", "e2fsprogs" },
					      { "xfs", "mkfs.xfs", "xfsprogs" },
					      { "btrfs", "mkfs.btrfs", "btrfs-progs" } };
	for (unsigned i = 0; i < 3; i++) {
		AUTO(text) char *program = storage_program_find(all[i][1]);
		AUTO(text) char *missing = mem_format("needs the program %s", all[i][1]);
		AUTO(text) char *install = mem_format("install %s", all[i][2]);
		struct error err = { 0 };
		const int failed = storage_mount_check(all[i][0], &err);
		if (program) {
			CHECK(failed == 0 || failed == -EOPNOTSUPP);
			continue;
		}
		CHECK_INT(failed, -EOPNOTSUPP);
		CHECK_HOLDS(err.text, missing);
		CHECK_HOLDS(err.text, install);
	}
}

static void a_filesystem_that_cannot_be_made_is_told(void **state)
{
	struct error err = { 0 };
	CHECK(storage_mount_format("/dev/null/no-device", "ext4", &err) < 0);
	CHECK_HOLDS(err.text, "cannot make fs=ext4 on '/dev/null/no-device'");
	CHECK(storage_mount_device("/dev/null/no-device", "ext4", "/nowhere/at/all", &err) < 0);
	CHECK_HOLDS(err.text, "cannot mount '/dev/null/no-device' as ext4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mount_is_seen_by_nobody_else_and_goes_with_the_process),
		cmocka_unit_test(an_ordinary_user_is_told_what_to_do),
		cmocka_unit_test(a_filesystem_whose_program_is_missing_is_told),
		cmocka_unit_test(a_filesystem_that_cannot_be_made_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
