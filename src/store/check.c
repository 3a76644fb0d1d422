/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is everything in a store as this program put it? SQLite looks at its pages and references; then
 * every set must have its digest, and every run must come back whole.
 */
#include "base/checksum.h"
#include "base/mem.h"
#include "base/text.h"
#include "store/content.h"
#include "store/handle.h"
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

DEFINE_AUTO(ids, int64_t *, free);

struct report {
	void (*say)(const char *line, void *user);
	void *user;
	uint64_t n;
};

static void PRINTF_LIKE(2, 3) tell(struct report *report, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	AUTO(text) char *line = mem_format_v(format, arguments);
	va_end(arguments);
	report->n++;
	if (report->say)
		report->say(line, report->user);
}

/* A failure that damage explains is a finding; any other ends the check. */
static int finding(int rc, struct report *report, const struct error *err)
{
	if (rc != -EBADMSG)
		return rc;
	tell(report, "%s", err->text);
	return 0;
}

static int check_pages(struct store *store, struct report *report, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database, "PRAGMA integrity_check", &statement, err);

	while (rc >= 0 && (rc = database_step(&store->database, statement, err)) == 1) {
		const void *line = sqlite3_column_text(statement, 0);

		if (line && strcmp(line, "ok") != 0)
			tell(report, "%s", (const char *)line);
	}
	return finding(rc, report, err);
}

static int check_references(struct store *store, struct report *report, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database, "PRAGMA foreign_key_check", &statement, err);

	while (rc >= 0 && (rc = database_step(&store->database, statement, err)) == 1) {
		AUTO(text) char *table = database_column_text(statement, 0);
		AUTO(text) char *parent = database_column_text(statement, 2);

		tell(report, "row %lld of table %s belongs to a row of %s that is not there",
		     (long long)sqlite3_column_int64(statement, 1), table ? table : "?",
		     parent ? parent : "?");
	}
	return finding(rc, report, err);
}

/* Digest against content, of one table of sets or of the jobs. */
static int check_digests(struct store *store, const char *table, const char *id_name,
			 struct report *report, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	AUTO(text) char *sql = mem_format("SELECT %s, sha256, content FROM %s", id_name, table);
	int rc = database_prepare(&store->database, sql, &statement, err);

	while (rc >= 0 && (rc = database_step(&store->database, statement, err)) == 1) {
		uint8_t digest[CHECKSUM_SHA256_BYTES];
		size_t length = 0;
		const uint8_t *content = database_column_blob(statement, 2, &length);

		checksum_sha256(content, length, digest);
		const uint8_t *kept = database_column_blob(statement, 1, &length);

		if (length != sizeof(digest) || memcmp(kept, digest, sizeof(digest)) != 0)
			tell(report, "row %lld of table %s is not the content it was",
			     (long long)sqlite3_column_int64(statement, 0), table);
	}
	return finding(rc, report, err);
}

static int check_all_digests(struct store *store, struct report *report, struct error *err)
{
	int rc = check_digests(store, "job", "job_id", report, err);

	for (unsigned i = 0; rc == 0 && i < CONTENT_COUNT; i++)
		rc = check_digests(store, content_table((enum content)i), "set_id", report, err);
	return rc;
}

/* All run ids first: reading a run is a transaction of its own. */
static int all_runs(struct store *store, int64_t **ret_ids, size_t *ret_n, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int64_t *ids = mem_zero(0);
	size_t capacity = 0;
	size_t n = 0;
	int rc = database_prepare(&store->database, "SELECT run_id FROM run ORDER BY run_id",
				  &statement, err);

	while (rc >= 0 && (rc = database_step(&store->database, statement, err)) == 1) {
		ids = mem_grow(ids, &capacity, n + 1, sizeof(*ids));
		ids[n++] = sqlite3_column_int64(statement, 0);
	}
	*ret_ids = ids; /* Those found before a failure too: they can be looked at. */
	*ret_n = n;
	return rc;
}

static int check_runs(struct store *store, struct report *report, struct error *err)
{
	AUTO(ids) int64_t *ids = NULL;
	size_t n = 0;
	int rc = finding(all_runs(store, &ids, &n, err), report, err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		AUTO(run) struct run *run = NULL;

		rc = store_run_get(store, ids[i], /* with_series= */ true, &run,
				   /* ret_row= */ NULL, err);
		if (rc == -ENOENT) { /* Removed meanwhile, or hidden by damage told already. */
			rc = 0;
			continue;
		}
		rc = finding(rc, report, err);
	}
	return rc;
}

int store_check(struct store *store, void (*say)(const char *line, void *user), void *user,
		uint64_t *ret_bad, struct error *err)
{
	struct report report = { .say = say, .user = user };
	struct error own;
	struct error *used = err ? err : &own; /* Findings are made of its sentences. */
	int rc = check_pages(store, &report, used);

	if (rc == 0)
		rc = check_references(store, &report, used);
	if (rc == 0)
		rc = check_all_digests(store, &report, used);
	if (rc == 0)
		rc = check_runs(store, &report, used);
	if (rc == 0)
		*ret_bad = report.n;
	return rc;
}
