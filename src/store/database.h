/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SQLite with this house's errors: every failure becomes an errno and a sentence that names the
 * store. Nothing here knows the schema. Strings and blobs given to database_bind_* are borrowed
 * until the statement has been stepped for the last time.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DATABASE_BUSY_MS 30000
#define DATABASE_BLOB_BYTES_MAX (512U << 20)

struct database {
	sqlite3 *handle;
	char *path; /* Owned; for sentences. */
};

/* Opens an existing file for reading and writing; changes nothing in it. */
int database_open(const char *path, struct database *ret_database, struct error *err);
void database_done(struct database *database);

/* The sentence for a failed call with this SQLite code; returns the negative errno. */
int database_fail(const struct database *database, int code, struct error *err);

/* Statements without parameters and without results that matter. */
int database_run(struct database *database, const char *sql, struct error *err);
int database_prepare(struct database *database, const char *sql, sqlite3_stmt **ret_statement,
		     struct error *err);
/* 1 = a row is there, 0 = done, else a negative errno. */
int database_step(struct database *database, sqlite3_stmt *statement, struct error *err);
/* One statement without parameters that gives one number; *ret_number is 0 when it gives none. */
int database_number(struct database *database, const char *sql, int64_t *ret_number,
		    struct error *err);

/* Indexes count from 1. A NULL text or blob is an SQL NULL. */
void database_bind_i64(sqlite3_stmt *statement, int index, int64_t number);
void database_bind_u64(sqlite3_stmt *statement, int index, uint64_t number); /* Bits kept. */
void database_bind_f64(sqlite3_stmt *statement, int index, double number);   /* NaN: an SQL NULL. */
void database_bind_text(sqlite3_stmt *statement, int index, const char *text);
void database_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t length);

/* Columns count from 0. New string, NULL for an SQL NULL. */
char *database_column_text(sqlite3_stmt *statement, int column);
uint64_t database_column_u64(sqlite3_stmt *statement, int column);
/* Borrowed until the next step; never NULL. */
const uint8_t *database_column_blob(sqlite3_stmt *statement, int column, size_t *ret_length);

/* One transaction: rolled back when its scope ends before database_commit. */
struct transaction {
	struct database *database; /* NULL once it has ended. */
};

/* For writing; waits for other writers. */
int database_begin(struct database *database, struct transaction *ret_transaction,
		   struct error *err);
/* One for reading: every statement in it sees the same state. */
int database_begin_read(struct database *database, struct transaction *ret_transaction,
			struct error *err);
int database_commit(struct transaction *transaction, struct error *err);
void database_rollback(struct transaction *transaction);

static inline void auto_release_transaction(struct transaction *transaction)
{
	database_rollback(transaction);
}

static inline void auto_release_statement(sqlite3_stmt **statement)
{
	(void)sqlite3_finalize(*statement); /* Repeats the error of the last step. */
}

static inline void auto_release_database(struct database *database)
{
	database_done(database);
}
