/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where things are kept, by the environment, for oneself and under sudo. */
#include "cli/paths.h"

#include "base/text.h"
#include "filled.h"

#include <errno.h>
#include <pwd.h>

static int clear_environment(void **state)
{
	static const char *const names[] = { "ASSAY_STORE", "XDG_DATA_HOME", "XDG_STATE_HOME",
					     "SUDO_UID",    "SUDO_GID",      "SUDO_USER" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		(void)unsetenv(names[i]);
	(void)setenv("HOME", "/home/somebody", 1);
	return 0;
}

static void check_state(const char *want)
{
	char *have = paths_state_directory();

	CHECK_TEXT(have, want);
	free(have);
}

static void the_state_is_where_xdg_says(void **state)
{
	(void)setenv("XDG_STATE_HOME", "/elsewhere", 1);
	check_state("/elsewhere/assay");
}

/* Not root's home: another root, and the doctor, must find what is left applied. */
static void the_state_of_root_is_the_machines_also_under_sudo(void **state)
{
	if (getuid() != 0) {
		print_message("this needs root\n");
		skip();
	}
	check_state("/var/lib/assay");
	(void)setenv("SUDO_UID", "65534", 1);
	check_state("/var/lib/assay");
	(void)setenv("XDG_STATE_HOME", "not/absolute", 1);
	check_state("/var/lib/assay");
	(void)setenv("XDG_STATE_HOME", "", 1);
	check_state("/var/lib/assay");
}

static void the_state_of_others_is_below_their_home(void **state)
{
	const struct passwd *person = getpwuid(getuid());
	char *without_home = mem_format("%s/.local/state/assay", person ? person->pw_dir : "/tmp");

	if (getuid() == 0) {
		free(without_home);
		print_message("root cannot see this\n");
		skip();
	}
	(void)setenv("SUDO_UID", "0", 1); /* Means nothing to others. */
	(void)setenv("XDG_STATE_HOME", "not/absolute", 1);
	check_state("/home/somebody/.local/state/assay");
	(void)unsetenv("HOME");
	check_state(without_home);
	free(without_home);
}

static const struct option_row rows[] = { { .name = "store", .value = "DIR" }, { 0 } };

/* Opens the store that "--store directory" names, or, without one, the default. */
static int open_store(const char *directory, bool create, struct error *err)
{
	struct option_given given = { .row = &rows[0], .value = directory };
	const struct parsed parsed = { .options = &given, .n_options = directory ? 1 : 0 };
	struct store *store = NULL;
	const int failed = paths_store_open(&parsed, create, &store, err);

	CHECK((failed == 0) == (store != NULL));
	store_close(store);
	return failed;
}

static void a_store_that_is_not_there_is_made_only_on_demand(void **state)
{
	char *directory = fixture_directory();
	char *deep = mem_format("%s/a/b", directory);
	struct error err = { 0 };

	CHECK_INT(open_store(deep, /* create= */ false, &err), -ENOENT);
	CHECK_HOLDS(err.text, "there is no store in");
	CHECK_HOLDS(err.text, deep);
	CHECK(access(deep, F_OK) < 0);
	CHECK_INT(open_store(deep, /* create= */ true, &err), 0);
	CHECK_INT(open_store(deep, /* create= */ false, &err), 0);
	free(deep);
	fixture_remove(directory);
}

static void the_option_goes_before_the_variable_and_that_before_the_home(void **state)
{
	char *directory = fixture_directory();
	char *by_variable = mem_format("%s/variable", directory);
	char *by_option = mem_format("%s/option", directory);
	char *by_home = mem_format("%s/data/assay", directory);
	char *data = mem_format("%s/data", directory);
	struct error err = { 0 };

	(void)setenv("ASSAY_STORE", by_variable, 1);
	(void)setenv("XDG_DATA_HOME", data, 1);
	CHECK_INT(open_store(by_option, true, &err), 0);
	CHECK_INT(access(by_option, F_OK), 0);
	CHECK(access(by_variable, F_OK) < 0);
	CHECK_INT(open_store(/* directory= */ NULL, true, &err), 0);
	CHECK_INT(access(by_variable, F_OK), 0);
	CHECK(access(by_home, F_OK) < 0);
	(void)unsetenv("ASSAY_STORE");
	CHECK_INT(open_store(/* directory= */ NULL, true, &err), 0);
	CHECK_INT(access(by_home, F_OK), 0);
	free(data);
	free(by_home);
	free(by_option);
	free(by_variable);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_state_is_where_xdg_says, clear_environment),
		cmocka_unit_test_setup(the_state_of_root_is_the_machines_also_under_sudo,
				       clear_environment),
		cmocka_unit_test_setup(the_state_of_others_is_below_their_home, clear_environment),
		cmocka_unit_test_setup(a_store_that_is_not_there_is_made_only_on_demand,
				       clear_environment),
		cmocka_unit_test_setup(the_option_goes_before_the_variable_and_that_before_the_home,
				       clear_environment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
