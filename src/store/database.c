/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thin layer between the store and SQLite: opening, stepping, binding, and the one place where
 * an SQLite code becomes an errno and a sentence.
 */
#include "store/database.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

int database_open(const char *path, struct database *ret_database, struct error *err)
{
	AUTO(database) struct database database = { .path = mem_text(path) };
	int code = sqlite3_open_v2(path, &database.handle, SQLITE_OPEN_READWRITE, /* vfs= */ NULL);

	if (code != SQLITE_OK)
		return database_fail(&database, code, err);
	(void)sqlite3_extended_result_codes(database.handle, 1);
	(void)sqlite3_busy_timeout(database.handle, DATABASE_BUSY_MS);
	/* A damaged or planted schema may not run anything of its own. */
	(void)sqlite3_db_config(database.handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)sqlite3_db_config(database.handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);

	*ret_database = database;
	database = (struct database) { 0 };
	return 0;
}

void database_done(struct database *database)
{
	if (database->handle) {
		int code = sqlite3_close(database->handle);

		assert(code == SQLITE_OK); /* Else a statement was forgotten. */
		(void)code;
	}
	free(database->path);
	*database = (struct database) { 0 };
}

static int fail_io(const struct database *database, int code, struct error *err)
{
	int system = sqlite3_system_errno(database->handle);

	if (code == SQLITE_FULL || system == ENOSPC)
		return error_set(err, ENOSPC,
				 "no space left for the store '%s': what was kept before is safe; "
				 "free some space and carry on",
				 database->path);
	if (system == EDQUOT)
		return error_set(err, EDQUOT,
				 "the disk quota is used up, store '%s': what was kept before is "
				 "safe; free some space and carry on",
				 database->path);
	if (system == EROFS || system == EACCES || system == EPERM)
		return error_errno(err, system, "cannot write the store '%s'", database->path);
	return error_set(err, system > 0 ? system : EIO, "cannot use the store '%s': %s (%s)",
			 database->path, sqlite3_errstr(code),
			 system > 0 ? strerror(system) : "no further word from the system");
}

int database_fail(const struct database *database, int code, struct error *err)
{
	const char *said =
		database->handle ? sqlite3_errmsg(database->handle) : sqlite3_errstr(code);

	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return error_set(err, EBADMSG, "'%s' is not a store of assay: it is not a database",
				 database->path);
	case SQLITE_CORRUPT:
	case SQLITE_ERROR: /* A table is missing, JSON is malformed: not as this program made it. */
	case SQLITE_MISMATCH:
	case SQLITE_FORMAT:
		return error_set(err, EBADMSG, "the store '%s' is damaged: %s", database->path,
				 said);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(err, EBUSY,
				 "the store '%s' was in use by another process for more than %d s",
				 database->path, DATABASE_BUSY_MS / 1000);
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return error_set(err, EACCES, "the store '%s' cannot be written: %s",
				 database->path, said);
	case SQLITE_CONSTRAINT:
		if (code == SQLITE_CONSTRAINT_FOREIGNKEY)
			return error_set(err, ENOENT,
					 "the store '%s' has not what a new row belongs to",
					 database->path);
		return error_set(err, EEXIST, "the store '%s' refused a row: %s", database->path,
				 said);
	case SQLITE_NOMEM:
		return error_set(err, ENOMEM, "no memory left for the store '%s'", database->path);
	case SQLITE_TOOBIG:
		return error_set(err, EFBIG, "too large for a row of the store '%s'",
				 database->path);
	default:
		return fail_io(database, code, err);
	}
}

int database_run(struct database *database, const char *sql, struct error *err)
{
	int code = sqlite3_exec(database->handle, sql, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : database_fail(database, code, err);
}

int database_prepare(struct database *database, const char *sql, sqlite3_stmt **ret_statement,
		     struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL);

	if (code != SQLITE_OK)
		return database_fail(database, code, err);
	*ret_statement = statement;
	return 0;
}

int database_step(struct database *database, sqlite3_stmt *statement, struct error *err)
{
	int code = sqlite3_step(statement);

	if (code == SQLITE_ROW)
		return 1;
	if (code == SQLITE_DONE)
		return 0;
	return database_fail(database, code, err);
}

int database_number(struct database *database, const char *sql, int64_t *ret_number,
		    struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(database, sql, &statement, err);

	if (rc < 0)
		return rc;
	rc = database_step(database, statement, err);
	if (rc < 0)
		return rc;
	*ret_number = rc ? sqlite3_column_int64(statement, 0) : 0;
	return 0;
}

void database_bind_i64(sqlite3_stmt *statement, int index, int64_t number)
{
	int code = sqlite3_bind_int64(statement, index, number);

	assert(code == SQLITE_OK);
	(void)code;
}

void database_bind_u64(sqlite3_stmt *statement, int index, uint64_t number)
{
	database_bind_i64(statement, index, (int64_t)number);
}

void database_bind_f64(sqlite3_stmt *statement, int index, double number)
{
	int code = sqlite3_bind_double(statement, index, number);

	assert(code == SQLITE_OK);
	(void)code;
}

void database_bind_text(sqlite3_stmt *statement, int index, const char *text)
{
	int code = sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);

	assert(code == SQLITE_OK);
	(void)code;
}

void database_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t length)
{
	/* A pointer that is not NULL and length 0 is an empty blob, not an SQL NULL. */
	int code = sqlite3_bind_blob64(statement, index, bytes, length, SQLITE_STATIC);

	assert(code == SQLITE_OK);
	(void)code;
}

char *database_column_text(sqlite3_stmt *statement, int column)
{
	const void *bytes = sqlite3_column_text(statement, column);

	return mem_text(bytes);
}

uint64_t database_column_u64(sqlite3_stmt *statement, int column)
{
	return (uint64_t)sqlite3_column_int64(statement, column);
}

const uint8_t *database_column_blob(sqlite3_stmt *statement, int column, size_t *ret_length)
{
	const void *bytes = sqlite3_column_blob(statement, column);

	*ret_length = (size_t)sqlite3_column_bytes(statement, column);
	return bytes ? bytes : "";
}

static int begin(struct database *database, const char *sql, struct transaction *ret_transaction,
		 struct error *err)
{
	int rc = database_run(database, sql, err);

	if (rc == 0)
		ret_transaction->database = database;
	return rc;
}

int database_begin(struct database *database, struct transaction *ret_transaction,
		   struct error *err)
{
	return begin(database, "BEGIN IMMEDIATE", ret_transaction, err);
}

int database_begin_read(struct database *database, struct transaction *ret_transaction,
			struct error *err)
{
	return begin(database, "BEGIN", ret_transaction, err);
}

int database_commit(struct transaction *transaction, struct error *err)
{
	assert(transaction->database);
	int rc = database_run(transaction->database, "COMMIT", err);

	if (rc == 0)
		transaction->database = NULL;
	return rc;
}

void database_rollback(struct transaction *transaction)
{
	/* SQLite itself has rolled back after some failures (full disk); then there is nothing to
	 * do, and a failing ROLLBACK leaves nothing that could be done. */
	if (transaction->database && !sqlite3_get_autocommit(transaction->database->handle))
		(void)sqlite3_exec(transaction->database->handle, "ROLLBACK", NULL, NULL, NULL);
	transaction->database = NULL;
}
