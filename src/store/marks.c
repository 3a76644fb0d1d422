/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks as rows. A campaign is named by its uid, so that the mark finds it in whatever store and
 * under whatever name; the name that it had is kept for the case that it is gone.
 */
#include "store/marks.h"

#include "base/clock.h"
#include "base/mem.h"
#include "store/handle.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MARK_COLUMNS                                                                               \
	"uid, metric, campaign_uid, campaign_name, base, head, point, invalid, tolerance, why,"    \
	" who, made_ns, withdrawn_ns, withdrawn_by"
#define MARK_COLUMN_COUNT 14

void mark_rows_free(struct mark_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(rows[i].metric);
		free(rows[i].campaign_name);
		free(rows[i].base);
		free(rows[i].head);
		free(rows[i].point);
		free(rows[i].why);
		free(rows[i].who);
		free(rows[i].withdrawn_by);
	}
	free(rows);
}

static void bind_mark(sqlite3_stmt *statement, const struct mark_row *mark)
{
	database_bind_text(statement, 2, mark->metric);
	database_bind_text(statement, 3, mark->base);
	database_bind_text(statement, 4, mark->head);
	database_bind_text(statement, 5, mark->point);
	database_bind_i64(statement, 6, mark->invalid);
	database_bind_f64(statement, 7, mark->tolerance_percent);
	database_bind_text(statement, 8, mark->why);
	database_bind_text(statement, 9, mark->who);
	database_bind_u64(statement, 10, clock_wall_ns());
	database_bind_i64(statement, 11, mark->campaign);
}

int store_mark_add(struct store *store, const struct mark_row *mark, int64_t *ret_id,
		   struct error *err)
{
	/* One row of the mark for the campaign's, or for none when it is of a metric. */
	static const char sql[] =
		"INSERT INTO mark (uid, metric, campaign_uid, campaign_name, base, head, point,"
		" invalid, tolerance, why, who, made_ns)"
		" SELECT ?1, ?2, c.uid, c.name, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10"
		" FROM (SELECT 1) LEFT JOIN campaign c ON c.campaign_id = ?11"
		" WHERE ?11 = 0 OR c.uid IS NOT NULL";
	AUTO(statement) sqlite3_stmt *statement = NULL;
	char uid[STORE_UID_BYTES];
	int rc = database_prepare(&store->database, sql, &statement, err);

	assert((mark->metric[0] == '\0') == (mark->campaign != 0));
	assert(!mark->base == !mark->head && mark->point && mark->why && mark->who);
	if (rc < 0)
		return rc;
	handle_draw_uid(uid);
	database_bind_text(statement, 1, uid);
	bind_mark(statement, mark);
	rc = database_step(&store->database, statement, err);
	if (rc == 0 && sqlite3_changes(store->database.handle) == 0)
		return error_set(err, ENOENT, "there is no campaign %lld",
				 (long long)mark->campaign);
	if (rc == 0)
		*ret_id = sqlite3_last_insert_rowid(store->database.handle);
	return rc;
}

static int why_not_withdrawn(struct store *store, int64_t id, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "SELECT withdrawn_by FROM mark"
				  " WHERE mark_id = ?1",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, id);
	rc = database_step(&store->database, statement, err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return error_set(err, ENOENT, "there is no mark %lld", (long long)id);
	AUTO(text) char *by = database_column_text(statement, 0);

	return error_set(err, EALREADY, "mark %lld was withdrawn already, by %s", (long long)id,
			 by ? by : "?");
}

int store_mark_withdraw(struct store *store, int64_t id, const char *who, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "UPDATE mark SET withdrawn_ns = ?2, withdrawn_by = ?3"
				  " WHERE mark_id = ?1 AND withdrawn_ns IS NULL",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, id);
	database_bind_u64(statement, 2, clock_wall_ns());
	database_bind_text(statement, 3, who);
	rc = database_step(&store->database, statement, err);
	if (rc == 0 && sqlite3_changes(store->database.handle) == 0)
		return why_not_withdrawn(store, id, err);
	return rc;
}

static void row_read(sqlite3_stmt *statement, struct mark_row *row)
{
	*row = (struct mark_row) {
		.id = sqlite3_column_int64(statement, 0),
		.metric = database_column_text(statement, 1),
		.campaign_name = database_column_text(statement, 2),
		.campaign = sqlite3_column_int64(statement, 3),
		.base = database_column_text(statement, 4),
		.head = database_column_text(statement, 5),
		.point = database_column_text(statement, 6),
		.invalid = sqlite3_column_int(statement, 7) != 0,
		.tolerance_percent = sqlite3_column_type(statement, 8) == SQLITE_NULL
					     ? (double)NAN
					     : sqlite3_column_double(statement, 8),
		.why = database_column_text(statement, 9),
		.who = database_column_text(statement, 10),
		.made_wall_ns = database_column_u64(statement, 11),
		.withdrawn_wall_ns = database_column_u64(statement, 12),
		.withdrawn_by = database_column_text(statement, 13),
	};
}

int store_mark_list(struct store *store, bool withdrawn_too, struct mark_row **ret_rows,
		    size_t *ret_n, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	struct mark_row *rows = mem_zero(0);
	size_t capacity = 0;
	size_t n = 0;
	int rc = database_prepare(&store->database,
				  "SELECT m.mark_id, m.metric, coalesce(c.name, m.campaign_name),"
				  " coalesce(c.campaign_id, 0), m.base, m.head, m.point, m.invalid,"
				  " m.tolerance, m.why, m.who, m.made_ns, m.withdrawn_ns,"
				  " m.withdrawn_by FROM mark m LEFT JOIN campaign c"
				  " ON c.uid = m.campaign_uid WHERE ?1 OR m.withdrawn_ns IS NULL"
				  " ORDER BY m.mark_id",
				  &statement, err);

	if (rc == 0)
		database_bind_i64(statement, 1, withdrawn_too);
	while (rc >= 0 && (rc = database_step(&store->database, statement, err)) == 1) {
		rows = mem_grow(rows, &capacity, n + 1, sizeof(*rows));
		row_read(statement, &rows[n++]);
	}
	if (rc < 0) {
		mark_rows_free(rows, n);
		return rc;
	}
	*ret_rows = rows;
	*ret_n = n;
	return 0;
}

int store_metric_names(struct store *store, char ***ret_names, size_t *ret_n, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	char **names = mem_zero(0);
	size_t capacity = 0;
	size_t n = 0;
	int rc =
		database_prepare(&store->database, "SELECT DISTINCT name FROM metric ORDER BY name",
				 &statement, err);

	while (rc >= 0 && (rc = database_step(&store->database, statement, err)) == 1) {
		names = mem_grow(names, &capacity, n + 1, sizeof(*names));
		names[n++] = database_column_text(statement, 0);
	}
	if (rc < 0) {
		while (n > 0)
			free(names[--n]);
		free(names);
		return rc;
	}
	*ret_names = names;
	*ret_n = n;
	return 0;
}

/* Columns 0 to 13 of the other store's row, as they are. A mark that is here already is withdrawn
 * when it is there. */
static int take_mark(struct store *into, sqlite3_stmt *from, struct error *err)
{
	static const char sql[] =
		"INSERT INTO mark (" MARK_COLUMNS ")"
		" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
		" ON CONFLICT (uid) DO UPDATE SET withdrawn_ns = excluded.withdrawn_ns,"
		" withdrawn_by = excluded.withdrawn_by WHERE withdrawn_ns IS NULL";
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&into->database, sql, &statement, err);

	if (rc < 0)
		return rc;
	for (int i = 0; i < MARK_COLUMN_COUNT; i++) {
		const int code =
			sqlite3_bind_value(statement, i + 1, sqlite3_column_value(from, i));

		if (code != SQLITE_OK)
			return database_fail(&into->database, code, err);
	}
	return database_step(&into->database, statement, err);
}

int handle_marks_merge(struct store *into, struct store *from, struct error *err)
{
	AUTO(transaction) struct transaction transaction = { 0 };
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_begin(&into->database, &transaction, err);

	if (rc == 0)
		rc = database_prepare(&from->database,
				      "SELECT " MARK_COLUMNS " FROM mark ORDER BY mark_id",
				      &statement, err);
	while (rc >= 0 && (rc = database_step(&from->database, statement, err)) == 1)
		rc = take_mark(into, statement, err);
	return rc < 0 ? rc : database_commit(&transaction, err);
}
