/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening: new, again, by two at once, and what is no store of this user or this program. */
#include "store/store.h"

#include "base/fs.h"
#include "fixture.h"
#include "store/handle.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>

#include <sys/wait.h>

#define NOBODY 65534

static void check_refused(const char *directory, int code, const char *word)
{
	struct store *store = NULL;
	struct error err = { 0 };

	CHECK_INT(store_open(directory, /* create= */ true, &store, &err), code);
	CHECK_HOLDS(err.text, word);
	CHECK_HOLDS(err.text, directory);
	CHECK(store == NULL);
}

static char *file_of(const char *directory)
{
	return mem_format("%s/%s", directory, STORE_FILE_NAME);
}

static void write_file(const char *path, const char *bytes, size_t length)
{
	struct error err = { 0 };

	if (fs_replace(path, bytes, length, 0600, &err) < 0)
		fail_msg("%s", err.text);
}

/* Runs one statement on the database of a closed store. */
static void change(const char *path, const char *sql)
{
	struct database database = { 0 };
	struct error err = { 0 };

	CHECK_INT(database_open(path, &database, &err), 0);
	(void)sqlite3_db_config(database.handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	if (database_run(&database, sql, &err) < 0)
		fail_msg("%s", err.text);
	database_done(&database);
}

static void a_store_is_made_with_its_directories(void **state)
{
	char *top = fixture_directory();
	char *directory = mem_format("%s/some/where", top);
	char *path = file_of(directory);
	struct stat status;

	store_close(fixture_store(directory));
	CHECK_INT(stat(directory, &status), 0);
	CHECK_INT(status.st_mode & 07777, 0700);
	CHECK_INT(stat(path, &status), 0);
	CHECK_INT(status.st_mode & 07777, 0600);
	free(path);
	free(directory);
	fixture_remove(top);
}

static void a_store_that_is_not_there_is_said_to_be_absent(void **state)
{
	char *directory = fixture_directory();
	char *below = mem_format("%s/none", directory);
	char *path = file_of(directory);
	struct store *store = NULL;
	struct error err = { 0 };

	CHECK_INT(store_open(directory, /* create= */ false, &store, &err), -ENOENT);
	CHECK_HOLDS(err.text, "there is no store");
	CHECK_INT(store_open(below, /* create= */ false, &store, &err), -ENOENT);
	CHECK_HOLDS(err.text, below);
	CHECK(access(below, F_OK) < 0); /* Asking makes nothing. */
	/* What is left when the making of a store was cut off at once. */
	write_file(path, "", 0);
	CHECK_INT(store_open(directory, /* create= */ false, &store, &err), -ENOENT);
	store_close(fixture_store(directory));
	CHECK_INT(store_open(directory, /* create= */ false, &store, &err), 0);
	store_close(store);
	free(path);
	free(below);
	fixture_remove(directory);
}

static void the_settings_are_those_that_keep_runs_safe(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	int64_t number = 0;

	CHECK_INT(database_number(&store->database, "PRAGMA synchronous", &number, NULL), 0);
	CHECK_INT(number, 2); /* FULL */
	CHECK_INT(database_number(&store->database, "PRAGMA foreign_keys", &number, NULL), 0);
	CHECK_INT(number, 1);
	CHECK_INT(database_number(&store->database,
				  "SELECT journal_mode = 'wal' FROM pragma_journal_mode", &number,
				  NULL),
		  0);
	CHECK_INT(number, 1);
	store_close(store);
	fixture_remove(directory);
}

static void a_file_that_is_no_database_is_refused(void **state)
{
	char *directory = fixture_directory();
	char *path = file_of(directory);
	char text[3000];

	memset(text, 'x', sizeof(text));
	write_file(path, text, sizeof(text));
	check_refused(directory, -EBADMSG, "not a store of assay: it is not a database");
	write_file(path, text, 7);
	check_refused(directory, -EBADMSG, "not a store of assay: it is not a database");
	CHECK_INT(unlink(path), 0);
	CHECK_INT(mkdir(path, 0700), 0);
	check_refused(directory, -EBADMSG, "it is not a file");
	free(path);
	fixture_remove(directory);
}

static void a_truncated_store_is_refused(void **state)
{
	char *directory = fixture_directory();
	char *path = file_of(directory);

	store_close(fixture_store(directory));
	CHECK_INT(truncate(path, 5000), 0);
	check_refused(directory, -EBADMSG, "damaged");
	CHECK_INT(truncate(path, 50), 0);
	check_refused(directory, -EBADMSG, "damaged");
	free(path);
	fixture_remove(directory);
}

static void another_programs_database_is_left_as_it_is(void **state)
{
	char *directory = fixture_directory();
	char *path = file_of(directory);
	struct database database = { 0 };
	int64_t number = 0;

	write_file(path, "", 0);
	change(path, "CREATE TABLE t (a); INSERT INTO t VALUES (5)");
	check_refused(directory, -EBADMSG, "another program's database");
	change(path, "PRAGMA application_id = 7");
	check_refused(directory, -EBADMSG, "another program's database");
	CHECK_INT(database_open(path, &database, NULL), 0);
	CHECK_INT(database_number(&database, "SELECT journal_mode = 'wal' FROM pragma_journal_mode",
				  &number, NULL),
		  0);
	CHECK_INT(number, 0);
	database_done(&database);
	free(path);
	fixture_remove(directory);
}

static void a_newer_format_is_refused_with_its_number(void **state)
{
	char *directory = fixture_directory();
	char *path = file_of(directory);

	store_close(fixture_store(directory));
	change(path, "PRAGMA user_version = 41");
	check_refused(directory, -EBADMSG, "has format 41");
	change(path, "PRAGMA user_version = -1");
	check_refused(directory, -EBADMSG, "damaged");
	free(path);
	fixture_remove(directory);
}

/* What `test` answers in a process of this user. */
static int as_user(uid_t user, int (*test)(const char *directory), const char *directory)
{
	const pid_t child = fork();
	int status = 0;

	CHECK(child >= 0);
	if (child == 0) {
		if (setgroups(0, NULL) < 0 || setresgid(user, user, user) < 0 ||
		    setresuid(user, user, user) < 0)
			_exit(99);
		_exit(test(directory));
	}
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int is_refused_by_name(const char *directory)
{
	struct store *store = NULL;
	struct error err = { 0 };

	if (store_open(directory, /* create= */ true, &store, &err) != -EACCES)
		return 1;
	return strstr(err.text, "belongs to user 'root'") ? 0 : 2;
}

static void a_store_of_another_user_says_whose_it_is(void **state)
{
	char *directory = fixture_directory();

	if (geteuid() != 0) {
		print_message("only root can become another user\n");
		fixture_remove(directory);
		skip();
	}
	store_close(fixture_store(directory));
	CHECK_INT(chmod(directory, 0755), 0);
	CHECK_INT(as_user(NOBODY, is_refused_by_name, directory), 0);
	fixture_remove(directory);
}

static void check_owner(const char *directory, const char *name, uid_t user)
{
	char *path = mem_format("%s/%s", directory, name);
	struct stat status;

	if (stat(path, &status) < 0)
		fail_msg("no %s: %s", path, strerror(errno));
	CHECK_INT(status.st_uid, user);
	CHECK_INT(status.st_gid, user);
	free(path);
}

static int puts_a_run(const char *directory)
{
	struct store *store = NULL;
	int64_t campaign = 0;

	if (store_open(directory, /* create= */ true, &store, NULL) < 0)
		return 1;
	if (store_campaign_add(store, "user's", "{}", 1, &campaign, NULL) < 0)
		return 2;
	(void)fixture_put(store, campaign, 0, "base", 5);
	store_close(store);
	return 0;
}

static void under_sudo_the_store_is_the_invoking_users(void **state)
{
	char *top = fixture_directory();
	char *directory = mem_format("%s/.local/share/assay", top);

	if (geteuid() != 0) {
		print_message("only root acts for another user\n");
		free(directory);
		fixture_remove(top);
		skip();
	}
	CHECK_INT(chown(top, NOBODY, NOBODY), 0);
	CHECK_INT(setenv("SUDO_UID", "65534", 1), 0);
	CHECK_INT(setenv("SUDO_GID", "65534", 1), 0);
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "root's", 1);

	(void)fixture_put(store, campaign, 0, "base", 1);
	check_owner(top, ".local", NOBODY);
	check_owner(top, ".local/share", NOBODY);
	check_owner(directory, ".", NOBODY);
	check_owner(directory, STORE_FILE_NAME, NOBODY);
	check_owner(directory, STORE_FILE_NAME "-wal", NOBODY);
	check_owner(directory, STORE_FILE_NAME "-shm", NOBODY);
	CHECK_INT(unsetenv("SUDO_UID"), 0);
	CHECK_INT(unsetenv("SUDO_GID"), 0);
	/* The user goes on with it, while root still has it open and afterwards. */
	CHECK_INT(as_user(NOBODY, puts_a_run, directory), 0);
	store_close(store);
	free(directory);
	fixture_remove(top);
}

static void random_names_of_runs_differ(void **state)
{
	char one[STORE_UID_BYTES];
	char other[STORE_UID_BYTES];

	handle_draw_uid(one);
	handle_draw_uid(other);
	CHECK_INT(strlen(one), 32);
	CHECK(strcmp(one, other) != 0);
}

static void closing_no_store_does_nothing(void **state)
{
	store_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_is_made_with_its_directories),
		cmocka_unit_test(a_store_that_is_not_there_is_said_to_be_absent),
		cmocka_unit_test(the_settings_are_those_that_keep_runs_safe),
		cmocka_unit_test(a_file_that_is_no_database_is_refused),
		cmocka_unit_test(a_truncated_store_is_refused),
		cmocka_unit_test(another_programs_database_is_left_as_it_is),
		cmocka_unit_test(a_newer_format_is_refused_with_its_number),
		cmocka_unit_test(a_store_of_another_user_says_whose_it_is),
		cmocka_unit_test(under_sudo_the_store_is_the_invoking_users),
		cmocka_unit_test(random_names_of_runs_differ),
		cmocka_unit_test(closing_no_store_does_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
