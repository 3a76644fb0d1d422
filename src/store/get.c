/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole run out of its tables. What is read back may be damaged: it is checked, and -EBADMSG says
 * which run and what of it.
 */
#include "base/mem.h"
#include "store/content.h"
#include "store/document.h"
#include "store/facts.h"
#include "store/handle.h"
#include "store/metrics.h"
#include "store/pack.h"
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>

/* Prepares a statement whose first parameter is the run, and steps it once. */
static int look_up(struct store *store, const char *sql, int64_t id, sqlite3_stmt **ret_statement,
		   struct error *err)
{
	int rc = database_prepare(&store->database, sql, ret_statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(*ret_statement, 1, id);
	return database_step(&store->database, *ret_statement, err);
}

/* Replaces an owned string. */
static void take_column(char **member, sqlite3_stmt *statement, int column)
{
	free(*member);
	*member = database_column_text(statement, column);
}

static int get_facts(struct store *store, sqlite3_stmt *statement, struct run *run,
		     struct error *err)
{
	AUTO(text) char *set = NULL;
	AUTO(text) char *own = database_column_text(statement, HANDLE_ROW_COUNT + 6);
	size_t length = 0;
	int rc = content_get(&store->database, CONTENT_FACTS,
			     sqlite3_column_int64(statement, HANDLE_ROW_COUNT + 5), &set, &length,
			     err);

	return rc < 0 ? rc : facts_back(set, own, run, err);
}

static int get_row(struct store *store, int64_t id, struct run *run, struct run_row *row,
		   struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = look_up(store,
			 "SELECT " HANDLE_ROW_COLUMNS ", r.workload, r.semantics, r.probe_version,"
			 " r.isolation, r.phases, r.factset_id, r.facts FROM " HANDLE_ROW_TABLES
			 " WHERE r.run_id = ?1",
			 id, &statement, err);

	if (rc == 0)
		return error_set(err, ENOENT, "there is no run %lld in the store '%s'",
				 (long long)id, store->directory);
	if (rc > 0)
		rc = handle_row_read(store, statement, row, err);
	if (rc < 0)
		return rc;

	take_column(&run->workload, statement, HANDLE_ROW_COUNT);
	run->semantics = (uint32_t)sqlite3_column_int64(statement, HANDLE_ROW_COUNT + 1);
	take_column(&run->probe_version, statement, HANDLE_ROW_COUNT + 2);
	take_column(&run->isolation, statement, HANDLE_ROW_COUNT + 3);
	take_column(&run->reason, statement, HANDLE_ROW_COUNT - 2);
	run->outcome = row->outcome;
	run->started_wall_ns = row->started_wall_ns;

	AUTO(text) char *phases = database_column_text(statement, HANDLE_ROW_COUNT + 4);

	rc = document_phases_back(phases, run, err);
	return rc < 0 ? rc : get_facts(store, statement, run, err);
}

static int get_values(struct store *store, int64_t id, struct run *run, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	size_t length = 0;
	int rc = look_up(store, "SELECT set_id, content FROM run_values WHERE run_id = ?1", id,
			 &statement, err);

	if (rc < 0)
		return rc;
	if (rc == 0)
		return error_set(err, EBADMSG, "its values are not there");

	const uint8_t *values = database_column_blob(statement, 1, &length);

	return metrics_get(&store->database, sqlite3_column_int64(statement, 0), values, length,
			   run, err);
}

static int get_workers(struct store *store, int64_t id, struct run *run, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	size_t length = 0;
	int rc = look_up(store, "SELECT content FROM run_workers WHERE run_id = ?1", id, &statement,
			 err);

	if (rc <= 0)
		return rc;

	const uint8_t *bytes = database_column_blob(statement, 0, &length);

	if (length % 16 != 0)
		return error_set(err, EBADMSG, "%zu bytes of workers", length);
	run->n_workers = length / 16;
	run->workers = mem_array(run->n_workers, sizeof(*run->workers));
	for (size_t i = 0; i < run->n_workers; i++)
		run->workers[i] = (struct worker) {
			.operations = pack_u64_at(bytes, 2 * i),
			.elapsed_ns = pack_u64_at(bytes, 2 * i + 1),
		};
	return 0;
}

static int get_costs(struct store *store, int64_t id, struct run *run, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	size_t capacity = 0;
	int rc = look_up(store,
			 "SELECT monitor, samples, cpu_ns, absent_reason FROM run_costs"
			 " WHERE run_id = ?1 ORDER BY position",
			 id, &statement, err);

	for (; rc == 1; rc = database_step(&store->database, statement, err)) {
		run->costs = mem_grow(run->costs, &capacity, run->n_costs + 1, sizeof(*run->costs));
		run->costs[run->n_costs++] = (struct monitor_cost) {
			.monitor = database_column_text(statement, 0),
			.samples = database_column_u64(statement, 1),
			.cpu_ns = database_column_u64(statement, 2),
			.absent_reason = database_column_text(statement, 3),
		};
	}
	return rc;
}

static int get_log(struct store *store, int64_t id, struct run *run, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	uint8_t *bytes = NULL;
	size_t length = 0;
	int rc = look_up(store, "SELECT content FROM run_log WHERE run_id = ?1", id, &statement,
			 err);

	if (rc <= 0)
		return rc;

	const uint8_t *frame = database_column_blob(statement, 0, &length);

	rc = pack_unfold(frame, length, DATABASE_BLOB_BYTES_MAX, &bytes, &length, err);
	if (rc < 0)
		return rc;
	free(run->log);
	run->log = (char *)bytes; /* pack_unfold has terminated it. */
	return 0;
}

static int get_one_series(struct store *store, sqlite3_stmt *statement, struct series *series,
			  struct error *err)
{
	AUTO(text) char *channels = NULL;
	size_t length = 0;
	const int64_t samples = sqlite3_column_int64(statement, 2);
	int rc = content_get(&store->database, CONTENT_CHANNELS, sqlite3_column_int64(statement, 1),
			     &channels, &length, err);

	if (rc < 0)
		return rc;
	if (samples < 0 || samples > UINT32_MAX)
		return error_set(err, EBADMSG, "%lld samples", (long long)samples);
	series->monitor = database_column_text(statement, 0);
	series->n_samples = (uint32_t)samples;
	rc = document_channels_back(channels, series, err);
	if (rc < 0)
		return rc;

	const uint8_t *content = database_column_blob(statement, 3, &length);

	return pack_series_back(content, length, series, err);
}

static int get_series(struct store *store, int64_t id, struct run *run, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	size_t capacity = 0;
	int rc = look_up(store,
			 "SELECT monitor, set_id, samples, content FROM run_series"
			 " WHERE run_id = ?1 ORDER BY position",
			 id, &statement, err);

	for (; rc == 1; rc = database_step(&store->database, statement, err)) {
		run->series =
			mem_grow(run->series, &capacity, run->n_series + 1, sizeof(*run->series));
		run->series[run->n_series] = (struct series) { 0 };
		rc = get_one_series(store, statement, &run->series[run->n_series++], err);
		if (rc < 0)
			return rc;
	}
	return rc;
}

static int get_parts(struct store *store, int64_t id, bool with_series, struct run *run,
		     struct error *err)
{
	int rc = get_values(store, id, run, err);

	if (rc == 0)
		rc = get_workers(store, id, run, err);
	if (rc == 0)
		rc = get_costs(store, id, run, err);
	if (rc == 0)
		rc = get_log(store, id, run, err);
	if (rc == 0 && with_series)
		rc = get_series(store, id, run, err);
	if (rc == 0)
		run_sort(run);
	return rc;
}

int store_run_get(struct store *store, int64_t id, bool with_series, struct run **ret_run,
		  struct run_row *ret_row, struct error *err)
{
	AUTO(transaction) struct transaction transaction = { 0 };
	AUTO(run) struct run *run = run_new();
	struct run_row row = { 0 };
	int rc = database_begin_read(&store->database, &transaction, err);

	if (rc == 0)
		rc = get_row(store, id, run, &row, err);
	if (rc == 0)
		rc = get_parts(store, id, with_series, run, err);
	if (rc < 0) {
		run_row_done(&row);
		if (rc != -ENOENT)
			(void)error_at(err, "run %lld", (long long)id);
		return rc;
	}
	*ret_run = KEEP(run);
	if (ret_row)
		*ret_row = row;
	else
		run_row_done(&row);
	return 0;
}
