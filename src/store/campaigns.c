/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Campaigns: rows with a plan that this room does not look into. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "store/handle.h"
#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#define NAMES_TRIED_MAX 10000

/* A planned run is done when one attempt at it came to its end: neither torn nor interrupted. Blocks
 * from 2^31 on have warmed up and are in no plan. */
#define CAMPAIGN_COLUMNS                                                                           \
	"c.campaign_id, c.name, c.plan, c.created_ns, c.finished, c.runs_planned,"                 \
	" (SELECT count(DISTINCT sequence) FROM run r WHERE r.campaign_id = c.campaign_id"         \
	"  AND r.outcome NOT IN (3, 4) AND r.block < 2147483648)"
static_assert(RUN_TORN == 3 && RUN_INTERRUPTED == 4, "the numbers stand in a query");

void campaign_row_done(struct campaign_row *row)
{
	free(row->name);
	free(row->plan);
	*row = (struct campaign_row) { 0 };
}

static void row_read(sqlite3_stmt *statement, struct campaign_row *row)
{
	*row = (struct campaign_row) {
		.id = sqlite3_column_int64(statement, 0),
		.name = database_column_text(statement, 1),
		.plan = database_column_text(statement, 2),
		.created_wall_ns = database_column_u64(statement, 3),
		.finished = sqlite3_column_int(statement, 4) != 0,
		.runs_planned = database_column_u64(statement, 5),
		.runs_done = database_column_u64(statement, 6),
	};
}

static int is_taken(struct store *store, const char *name, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database, "SELECT 1 FROM campaign WHERE name = ?1",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_text(statement, 1, name);
	return database_step(&store->database, statement, err);
}

/* The first of name, name-2, name-3, ... that is free: a new string. */
static int free_name(struct store *store, const char *name, char **ret_name, struct error *err)
{
	for (unsigned i = 1; i <= NAMES_TRIED_MAX; i++) {
		AUTO(text) char *tried = i == 1 ? mem_text(name) : mem_format("%s-%u", name, i);
		int rc = is_taken(store, tried, err);

		if (rc < 0)
			return rc;
		if (rc == 0) {
			*ret_name = KEEP(tried);
			return 0;
		}
	}
	return error_set(err, EEXIST, "there are too many campaigns of the name '%s'", name);
}

static int insert(struct store *store, const char *uid, const struct campaign_row *row,
		  int64_t *ret_id, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "INSERT INTO campaign (uid, name, plan, created_ns, finished,"
				  " runs_planned) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_text(statement, 1, uid);
	database_bind_text(statement, 2, row->name);
	database_bind_text(statement, 3, row->plan);
	database_bind_u64(statement, 4, row->created_wall_ns);
	database_bind_i64(statement, 5, row->finished);
	database_bind_u64(statement, 6, row->runs_planned);
	rc = database_step(&store->database, statement, err);
	if (rc < 0)
		return rc;
	*ret_id = sqlite3_last_insert_rowid(store->database.handle);
	return 0;
}

/* "2026-09-29-140305", local time. New string. */
static char *name_from_time(uint64_t wall_ns)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_SEC);
	char name[64] = "campaign";
	struct tm local;

	if (localtime_r(&seconds, &local))
		(void)strftime(name, sizeof(name), "%Y-%m-%d-%H%M%S", &local);
	return mem_text(name);
}

int store_campaign_add(struct store *store, const char *name, const char *plan,
		       uint64_t runs_planned, int64_t *ret_id, struct error *err)
{
	AUTO(transaction) struct transaction transaction = { 0 };
	AUTO(text) char *made = NULL;
	char uid[STORE_UID_BYTES];
	AUTO(text) char *owned_plan = mem_text(plan);
	struct campaign_row row = {
		.plan = owned_plan,
		.created_wall_ns = clock_wall_ns(),
		.runs_planned = runs_planned,
	};
	int64_t id = 0;
	int rc = database_begin(&store->database, &transaction, err);

	if (rc < 0)
		return rc;
	handle_draw_uid(uid);
	if (name) {
		made = mem_text(name);
		rc = is_taken(store, name, err);
		if (rc == 1)
			return error_set(err, EEXIST,
					 "there is a campaign of the name '%s' already: take "
					 "another name, or go on with it by `assay resume %s`",
					 name, name);
	} else {
		AUTO(text) char *from_time = name_from_time(row.created_wall_ns);

		rc = free_name(store, from_time, &made, err);
	}
	row.name = made;
	if (rc == 0)
		rc = insert(store, uid, &row, &id, err);
	if (rc == 0)
		rc = database_commit(&transaction, err);
	if (rc == 0)
		*ret_id = id;
	return rc;
}

int handle_campaign_copy(struct store *store, const char *uid, const struct campaign_row *row,
			 int64_t *ret_id, struct error *err)
{
	AUTO(text) char *name = NULL;
	struct campaign_row copy = *row; /* Borrows the strings. */
	int rc = free_name(store, row->name, &name, err);

	if (rc < 0)
		return rc;
	copy.name = name;
	return insert(store, uid, &copy, ret_id, err);
}

int handle_campaign_by_uid(struct store *store, const char *uid, int64_t *ret_id, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "SELECT campaign_id FROM campaign WHERE uid = ?1", &statement,
				  err);

	if (rc < 0)
		return rc;
	database_bind_text(statement, 1, uid);
	rc = database_step(&store->database, statement, err);
	if (rc < 0)
		return rc;
	*ret_id = rc ? sqlite3_column_int64(statement, 0) : 0;
	return 0;
}

int store_campaign_finish(struct store *store, int64_t id, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "UPDATE campaign SET finished = 1 WHERE campaign_id = ?1",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, id);
	rc = database_step(&store->database, statement, err);
	if (rc == 0 && sqlite3_changes(store->database.handle) == 0)
		return error_set(err, ENOENT, "there is no campaign %lld", (long long)id);
	return rc;
}

int store_campaign_find(struct store *store, const char *name, struct campaign_row *ret_row,
			struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	const char *sql = name ? "SELECT " CAMPAIGN_COLUMNS " FROM campaign c WHERE c.name = ?1"
			       : "SELECT " CAMPAIGN_COLUMNS " FROM campaign c"
				 " ORDER BY c.created_ns DESC, c.campaign_id DESC LIMIT 1";
	int rc = database_prepare(&store->database, sql, &statement, err);

	if (rc < 0)
		return rc;
	if (name)
		database_bind_text(statement, 1, name);
	rc = database_step(&store->database, statement, err);
	if (rc < 0)
		return rc;
	if (rc == 0 && name)
		return error_set(err, ENOENT, "there is no campaign '%s' in the store '%s'", name,
				 store->directory);
	if (rc == 0)
		return error_set(err, ENOENT, "there is no campaign yet in the store '%s'",
				 store->directory);
	row_read(statement, ret_row);
	return 0;
}

static void rows_free(struct campaign_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		campaign_row_done(&rows[i]);
	free(rows);
}

int store_campaign_list(struct store *store, size_t limit, struct campaign_row **ret_rows,
			size_t *ret_n, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	struct campaign_row *rows = mem_zero(0);
	size_t capacity = 0;
	size_t n = 0;
	int rc = database_prepare(&store->database,
				  "SELECT " CAMPAIGN_COLUMNS " FROM campaign c"
				  " ORDER BY c.created_ns DESC, c.campaign_id DESC LIMIT ?1",
				  &statement, err);

	if (rc == 0)
		database_bind_i64(statement, 1, limit ? (int64_t)limit : -1);
	while (rc >= 0 && (rc = database_step(&store->database, statement, err)) == 1) {
		rows = mem_grow(rows, &capacity, n + 1, sizeof(*rows));
		row_read(statement, &rows[n]);
		free(rows[n].plan);
		rows[n++].plan = NULL;
	}
	if (rc < 0) {
		rows_free(rows, n);
		return rc;
	}
	*ret_rows = rows;
	*ret_n = n;
	return 0;
}
