/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs found and removed by what a person asks for. */
#include "base/mem.h"
#include "base/text.h"
#include "store/document.h"
#include "store/handle.h"
#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

void run_row_done(struct run_row *row)
{
	free(row->campaign_name);
	free(row->subject);
	free(row->point);
	job_free(row->job);
	free(row->reason);
	*row = (struct run_row) { 0 };
}

void run_rows_free(struct run_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		run_row_done(&rows[i]);
	free(rows);
}

int handle_row_read(struct store *store, sqlite3_stmt *statement, struct run_row *ret_row,
		    struct error *err)
{
	AUTO(text) char *content = database_column_text(statement, 8);
	const int64_t outcome = sqlite3_column_int64(statement, 9);
	struct job *job = NULL;
	int rc = document_job_back(content, &job, err);

	if (rc < 0)
		return rc;
	if (outcome < 0 || outcome >= RUN_OUTCOME_COUNT) {
		job_free(job);
		return error_set(err, EBADMSG, "the store '%s' is damaged: outcome %lld of a run",
				 store->database.path, (long long)outcome);
	}
	*ret_row = (struct run_row) {
		.id = sqlite3_column_int64(statement, 0),
		.campaign = sqlite3_column_int64(statement, 1),
		.campaign_name = database_column_text(statement, 2),
		.sequence = database_column_u64(statement, 3),
		.attempt = (uint32_t)sqlite3_column_int64(statement, 4),
		.block = (uint32_t)sqlite3_column_int64(statement, 5),
		.subject = database_column_text(statement, 6),
		.point = database_column_text(statement, 7),
		.job = job,
		.outcome = (enum run_outcome)outcome,
		.reason = database_column_text(statement, 10),
		.started_wall_ns = database_column_u64(statement, 11),
	};
	return 0;
}

int store_run_outcomes(struct store *store, int64_t campaign,
		       void (*each)(uint64_t sequence, enum run_outcome outcome, void *user),
		       void *user, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "SELECT sequence, outcome FROM run WHERE campaign_id = ?1"
				  " ORDER BY sequence, attempt",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, campaign);
	while ((rc = database_step(&store->database, statement, err)) == 1) {
		const int outcome = sqlite3_column_int(statement, 1);

		each(database_column_u64(statement, 0), (enum run_outcome)outcome, user);
	}
	return rc;
}

/* A fact is looked for once a set, not once a run; a run's own word goes first. A parameter is
 * found by its value and by its text as written. */
#define FACT_OF(content)                                                                           \
	"(SELECT json_extract(e.value, '$[1]') FROM json_each(" content ") e"                      \
	" WHERE json_extract(e.value, '$[0]') = :key LIMIT 1)"
#define WITH_FACTS                                                                                 \
	"WITH shared (set_id, fact) AS MATERIALIZED"                                               \
	" (SELECT set_id, " FACT_OF("content") " FROM factset) "
#define FACT_IS                                                                                        \
	" AND (CASE WHEN EXISTS (SELECT 1 FROM json_each(r.facts) e"                                   \
	"   WHERE json_extract(e.value, '$[0]') = :key)"                                               \
	"  THEN " FACT_OF(                                                                             \
		"r.facts") " = :value"                                                                 \
			   "  ELSE (SELECT fact FROM shared WHERE set_id = r.factset_id) = :value END" \
			   " OR EXISTS (SELECT 1 FROM json_each(j.content, '$.arguments') a"           \
			   "   WHERE json_extract(a.value, '$.name') = :key"                           \
			   "   AND :value IN (json_extract(a.value, '$.value'), json_extract(a.value, '$.text'))))"

/* "[3,5,8]", for json_each. New string. */
static char *ids_text(const struct run_query *query)
{
	struct text ids = { 0 };

	text_add(&ids, "[");
	for (size_t i = 0; i < query->n_ids; i++)
		text_add(&ids, "%s%lld", i ? "," : "", (long long)query->ids[i]);
	text_add(&ids, "]");
	return text_take(&ids);
}

/* "SELECT <columns> FROM ... WHERE ...": a new string. */
static char *query_sql(const struct run_query *query, const char *columns)
{
	struct text sql = { 0 };

	assert(!query->fact_key || query->fact_value);
	text_add(&sql, "%sSELECT %s FROM " HANDLE_ROW_TABLES " WHERE 1",
		 query->fact_key ? WITH_FACTS : "", columns);
	if (query->campaign)
		text_add(&sql, " AND r.campaign_id = :campaign");
	if (query->subject)
		text_add(&sql, " AND j.subject = :subject");
	if (query->point)
		text_add(&sql, " AND j.point = :point");
	if (query->workload)
		text_add(&sql, " AND j.workload = :workload");
	if (query->machine)
		text_add(&sql, " AND r.machine_id ="
			       " (SELECT machine_id FROM machine WHERE type = :machine)");
	if (query->ids)
		text_add(&sql, " AND r.run_id IN (SELECT value FROM json_each(:ids))");
	if (query->fact_key)
		text_add(&sql, FACT_IS);
	if (query->limit)
		text_add(&sql, " ORDER BY r.run_id DESC LIMIT :limit");
	return text_take(&sql);
}

static void bind_named_text(sqlite3_stmt *statement, const char *name, const char *text)
{
	const int index = sqlite3_bind_parameter_index(statement, name);

	if (index > 0)
		database_bind_text(statement, index, text);
}

static void bind_named_number(sqlite3_stmt *statement, const char *name, int64_t number)
{
	const int index = sqlite3_bind_parameter_index(statement, name);

	if (index > 0)
		database_bind_i64(statement, index, number);
}

static void bind_query(sqlite3_stmt *statement, const struct run_query *query, const char *ids)
{
	bind_named_number(statement, ":campaign", query->campaign);
	bind_named_text(statement, ":subject", query->subject);
	bind_named_text(statement, ":point", query->point);
	bind_named_text(statement, ":workload", query->workload);
	bind_named_text(statement, ":machine", query->machine);
	bind_named_text(statement, ":ids", ids);
	bind_named_text(statement, ":key", query->fact_key);
	bind_named_text(statement, ":value", query->fact_value);
	bind_named_number(statement, ":limit", (int64_t)query->limit);
}

static int compare_rows(const void *one, const void *other)
{
	const struct run_row *left = one;
	const struct run_row *right = other;

	if (left->campaign != right->campaign)
		return left->campaign < right->campaign ? -1 : 1;
	if (left->sequence != right->sequence)
		return left->sequence < right->sequence ? -1 : 1;
	return left->attempt < right->attempt ? -1 : left->attempt > right->attempt;
}

int store_run_list(struct store *store, const struct run_query *query, struct run_row **ret_rows,
		   size_t *ret_n, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	AUTO(text) char *ids = ids_text(query);
	AUTO(text) char *sql = query_sql(query, HANDLE_ROW_COLUMNS);
	struct run_row *rows = mem_zero(0);
	size_t capacity = 0;
	size_t n = 0;
	int rc = database_prepare(&store->database, sql, &statement, err);

	if (rc == 0)
		bind_query(statement, query, ids);
	while (rc >= 0 && (rc = database_step(&store->database, statement, err)) == 1) {
		rows = mem_grow(rows, &capacity, n + 1, sizeof(*rows));
		rc = handle_row_read(store, statement, &rows[n], err);
		n += rc == 0;
	}
	if (rc < 0) {
		run_rows_free(rows, n);
		return rc;
	}
	qsort(rows, n, sizeof(*rows), compare_rows);
	*ret_rows = rows;
	*ret_n = n;
	return 0;
}

static int mark_doomed(struct store *store, const struct run_query *query, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	AUTO(text) char *ids = ids_text(query);
	AUTO(text) char *select = query_sql(query, "r.run_id, r.campaign_id");
	AUTO(text) char *sql = mem_format("CREATE TEMP TABLE doomed AS %s", select);
	int rc = database_prepare(&store->database, sql, &statement, err);

	if (rc < 0)
		return rc;
	bind_query(statement, query, ids);
	return database_step(&store->database, statement, err);
}

/* An unfinished campaign keeps its plan when it loses its last run, so that one under way or to be
 * resumed goes on; it goes only when it was named as a whole. */
static int remove_doomed(struct store *store, const struct run_query *query, struct error *err)
{
	AUTO(text)
	char *sql = mem_format("DELETE FROM run WHERE run_id IN (SELECT run_id FROM temp.doomed);"
			       "DELETE FROM campaign WHERE (campaign_id = %lld OR (finished = 1"
			       " AND campaign_id IN (SELECT campaign_id FROM temp.doomed)))"
			       " AND campaign_id NOT IN (SELECT campaign_id FROM run);"
			       "DROP TABLE temp.doomed",
			       query->n_ids ? 0LL : (long long)query->campaign);
	return database_run(&store->database, sql, err);
}

int store_run_remove(struct store *store, const struct run_query *query, uint64_t *ret_n,
		     struct error *err)
{
	AUTO(transaction) struct transaction transaction = { 0 };
	int64_t n = 0;
	int rc = database_begin(&store->database, &transaction, err);

	if (rc == 0)
		rc = mark_doomed(store, query, err);
	if (rc == 0)
		rc = database_number(&store->database, "SELECT count(*) FROM temp.doomed", &n, err);
	if (rc == 0)
		rc = remove_doomed(store, query, err);
	if (rc == 0)
		rc = database_commit(&transaction, err);
	if (rc == 0)
		*ret_n = (uint64_t)n;
	return rc;
}
