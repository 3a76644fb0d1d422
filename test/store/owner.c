/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On whose behalf this program runs, and where that user's store is. */
#include "store/owner.h"

#include "base/text.h"
#include "fixture.h"

#include <errno.h>
#include <pwd.h>

static const char *const names[] = { "ASSAY_STORE", "XDG_DATA_HOME", "HOME", "SUDO_UID",
				     "SUDO_GID" };

/* Sets the five variables in order; NULL unsets. */
static void set_environment(const char *const values[static 5])
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		CHECK_INT(values[i] ? setenv(names[i], values[i], 1) : unsetenv(names[i]), 0);
}

static void check_default(const char *const values[static 5], const char *want)
{
	set_environment(values);
	char *have = store_default_directory();

	CHECK_TEXT(have, want);
	free(have);
}

static void the_default_directory_follows_the_environment(void **state)
{
	check_default((const char *const[5]) { "/a/b", "/data", "/home/x" }, "/a/b");
	check_default((const char *const[5]) { "", "/data", "/home/x" }, "/data/assay");
	check_default((const char *const[5]) { NULL, NULL, "/home/x" },
		      "/home/x/.local/share/assay");
	/* A relative XDG directory is to be ignored. */
	check_default((const char *const[5]) { NULL, "data", "/home/x" },
		      "/home/x/.local/share/assay");
}

static void without_a_home_variable_the_password_file_says(void **state)
{
	const struct passwd *entry = getpwuid(geteuid());

	if (!entry) {
		print_message("this user has no entry in the password file\n");
		skip();
	}
	char *want = mem_format("%s/.local/share/assay", entry->pw_dir);

	check_default((const char *const[5]) { NULL }, want);
	free(want);
}

static void under_sudo_it_is_the_invoking_users(void **state)
{
	const struct passwd *entry = getpwuid(1); /* Some user that is not root. */

	if (geteuid() != 0 || !entry) {
		print_message("only root acts for another user\n");
		skip();
	}
	char *want = mem_format("%s/.local/share/assay", entry->pw_dir);

	check_default((const char *const[5]) { NULL, "/root/data", "/root", "1", "1" }, want);
	check_default((const char *const[5]) { "/a", NULL, "/root", "1", "1" }, "/a");
	free(want);
	struct owner owner = owner_find();

	CHECK(owner.is_invoking);
	CHECK_INT(owner.user, 1);
	CHECK_INT(owner.group, 1);
	/* Words that are no numbers, and root itself, name nobody. */
	set_environment((const char *const[5]) { NULL, NULL, "/root", "x", "1" });
	CHECK(!owner_find().is_invoking);
	set_environment((const char *const[5]) { NULL, NULL, "/root", "0", "0" });
	CHECK(!owner_find().is_invoking);
	set_environment((const char *const[5]) { NULL, NULL, "/root", "5", NULL });
	CHECK(!owner_find().is_invoking);
}

static void a_file_is_made_only_once(void **state)
{
	char *directory = fixture_directory();
	char *path = mem_format("%s/f", directory);
	const struct owner owner = owner_find();
	struct error err = { 0 };

	CHECK_INT(owner_make_file(&owner, path, &err), 0);
	CHECK_INT(owner_make_file(&owner, path, &err), -EEXIST);
	CHECK_INT(unlink(path), 0);
	CHECK_INT(symlink("/tmp/elsewhere", path), 0);
	CHECK_INT(owner_make_file(&owner, path, &err), -EEXIST); /* No link is followed. */
	free(path);
	fixture_remove(directory);
}

static void directories_that_are_there_are_left_as_they_are(void **state)
{
	char *directory = fixture_directory();
	char *below = mem_format("%s/a/b/", directory);
	const struct owner owner = owner_find();
	struct error err = { 0 };
	struct stat status;

	CHECK_INT(chmod(directory, 0751), 0);
	CHECK_INT(owner_make_directories(&owner, below, &err), 0);
	CHECK_INT(owner_make_directories(&owner, below, &err), 0);
	CHECK_INT(stat(directory, &status), 0);
	CHECK_INT(status.st_mode & 07777, 0751);
	CHECK_INT(owner_make_directories(&owner, "/proc/nothing/here", &err), -ENOENT);
	CHECK_HOLDS(err.text, "/proc/nothing");
	free(below);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_directory_follows_the_environment),
		cmocka_unit_test(without_a_home_variable_the_password_file_says),
		cmocka_unit_test(under_sudo_it_is_the_invoking_users),
		cmocka_unit_test(a_file_is_made_only_once),
		cmocka_unit_test(directories_that_are_there_are_left_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
