/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layer over SQLite: transactions, the bits of numbers, and errors as errno and sentence. */
#include "store/database.h"

#include "base/fs.h"
#include "fixture.h"

#include <errno.h>

struct scene {
	char *directory;
	char *path;
	struct database database;
};

static void scene_in(struct scene *scene)
{
	scene->directory = fixture_directory();
	scene->path = mem_format("%s/x.sqlite", scene->directory);
	CHECK_INT(fs_replace(scene->path, "", 0, 0600, NULL), 0);
	CHECK_INT(database_open(scene->path, &scene->database, NULL), 0);
	CHECK_INT(database_run(&scene->database,
			       "PRAGMA foreign_keys = ON;"
			       "CREATE TABLE t (a INTEGER PRIMARY KEY, b ANY UNIQUE) STRICT;"
			       "CREATE TABLE u (a INTEGER NOT NULL REFERENCES t) STRICT",
			       NULL),
		  0);
}

static void scene_end(struct scene *scene)
{
	database_done(&scene->database);
	free(scene->path);
	fixture_remove(scene->directory);
}

static int64_t rows_of(struct scene *scene)
{
	int64_t n = -1;

	CHECK_INT(database_number(&scene->database, "SELECT count(*) FROM t", &n, NULL), 0);
	return n;
}

static void a_transaction_that_is_not_committed_leaves_nothing(void **state)
{
	struct scene scene;

	scene_in(&scene);
	{
		AUTO(transaction) struct transaction transaction = { 0 };

		CHECK_INT(database_begin(&scene.database, &transaction, NULL), 0);
		CHECK_INT(database_run(&scene.database, "INSERT INTO t VALUES (1, 1)", NULL), 0);
	}
	CHECK_INT(rows_of(&scene), 0);
	{
		AUTO(transaction) struct transaction transaction = { 0 };

		CHECK_INT(database_begin(&scene.database, &transaction, NULL), 0);
		CHECK_INT(database_run(&scene.database, "INSERT INTO t VALUES (1, 1)", NULL), 0);
		CHECK_INT(database_commit(&transaction, NULL), 0);
	}
	CHECK_INT(rows_of(&scene), 1);
	scene_end(&scene);
}

static void numbers_and_texts_come_back_bit_by_bit(void **state)
{
	struct scene scene;
	static const uint8_t blob[] = { 0, 1, 0 };

	scene_in(&scene);
	{
		AUTO(statement) sqlite3_stmt *statement = NULL;
		size_t length = 0;

		CHECK_INT(database_prepare(&scene.database, "SELECT ?1, ?2, ?3, ?4, ?5", &statement,
					   NULL),
			  0);
		database_bind_u64(statement, 1, UINT64_MAX);
		database_bind_text(statement, 2, "\xff text");
		database_bind_text(statement, 3, NULL);
		database_bind_blob(statement, 4, blob, sizeof(blob));
		database_bind_blob(statement, 5, blob, 0);
		CHECK_INT(database_step(&scene.database, statement, NULL), 1);
		CHECK(database_column_u64(statement, 0) == UINT64_MAX);
		char *text = database_column_text(statement, 1);

		CHECK_TEXT(text, "\xff text");
		free(text);
		CHECK(database_column_text(statement, 2) == NULL);
		CHECK(memcmp(database_column_blob(statement, 3, &length), blob, 3) == 0);
		CHECK_INT(length, 3);
		CHECK(database_column_blob(statement, 4, &length) != NULL);
		CHECK_INT(length, 0);
		CHECK_INT(sqlite3_column_type(statement, 4), SQLITE_BLOB);
		CHECK_INT(database_step(&scene.database, statement, NULL), 0);
	}
	scene_end(&scene);
}

/* The errno and a word of the sentence of a statement that fails. */
static void check_fails(struct scene *scene, const char *sql, int code, const char *word)
{
	struct error err = { 0 };

	CHECK_INT(database_run(&scene->database, sql, &err), -code);
	CHECK_INT(err.code, code);
	CHECK_HOLDS(err.text, word);
	CHECK_HOLDS(err.text, scene->path);
}

static void a_failure_is_an_errno_and_a_sentence(void **state)
{
	struct scene scene;

	scene_in(&scene);
	CHECK_INT(database_run(&scene.database, "INSERT INTO t VALUES (1, 1)", NULL), 0);
	check_fails(&scene, "INSERT INTO t VALUES (2, 1)", EEXIST, "UNIQUE");
	check_fails(&scene, "INSERT INTO u VALUES (7)", ENOENT, "belongs to");
	check_fails(&scene, "SELECT * FROM absent", EBADMSG, "no such table");
	CHECK_INT(database_run(&scene.database, "PRAGMA max_page_count = 1", NULL), 0);
	check_fails(&scene, "INSERT INTO t VALUES (3, zeroblob(100000))", ENOSPC, "no space left");
	CHECK_INT(database_run(&scene.database, "PRAGMA query_only = ON", NULL), 0);
	check_fails(&scene, "DELETE FROM t", EACCES, "cannot be written");
	scene_end(&scene);
}

static void a_file_that_cannot_be_opened_says_why(void **state)
{
	struct database database = { 0 };
	struct error err = { 0 };

	CHECK_INT(database_open("/nowhere/x.sqlite", &database, &err), -ENOENT);
	CHECK_HOLDS(err.text, "/nowhere/x.sqlite");
	CHECK(database.handle == NULL);
}

static void a_writer_that_waited_too_long_says_so(void **state)
{
	struct scene scene;
	struct database second = { 0 };
	struct error err = { 0 };

	scene_in(&scene);
	CHECK_INT(database_open(scene.path, &second, NULL), 0);
	(void)sqlite3_busy_timeout(second.handle, 20); /* Not the 30 s of the product. */
	{
		AUTO(transaction) struct transaction first = { 0 };
		AUTO(transaction) struct transaction transaction = { 0 };

		CHECK_INT(database_begin(&scene.database, &first, NULL), 0);
		CHECK_INT(database_begin(&second, &transaction, &err), -EBUSY);
		CHECK_HOLDS(err.text, "in use by another process");
	}
	{
		AUTO(transaction) struct transaction transaction = { 0 };

		CHECK_INT(database_begin(&second, &transaction, &err), 0);
	}
	database_done(&second);
	scene_end(&scene);
}

static void a_reader_sees_one_state(void **state)
{
	struct scene scene;
	struct database second = { 0 };

	scene_in(&scene);
	CHECK_INT(database_run(&scene.database, "PRAGMA journal_mode = WAL", NULL), 0);
	CHECK_INT(database_open(scene.path, &second, NULL), 0);
	{
		AUTO(transaction) struct transaction reading = { 0 };

		CHECK_INT(database_begin_read(&scene.database, &reading, NULL), 0);
		CHECK_INT(rows_of(&scene), 0);
		CHECK_INT(database_run(&second, "INSERT INTO t VALUES (1, 1)", NULL), 0);
		CHECK_INT(rows_of(&scene), 0);
	}
	CHECK_INT(rows_of(&scene), 1);
	database_done(&second);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_transaction_that_is_not_committed_leaves_nothing),
		cmocka_unit_test(numbers_and_texts_come_back_bit_by_bit),
		cmocka_unit_test(a_failure_is_an_errno_and_a_sentence),
		cmocka_unit_test(a_file_that_cannot_be_opened_says_why),
		cmocka_unit_test(a_writer_that_waited_too_long_says_so),
		cmocka_unit_test(a_reader_sees_one_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
