/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeping one run: one transaction over all its tables. When it is acknowledged it is on the disk;
 * when anything fails nothing of it is there.
 */
#include "base/mem.h"
#include "base/text.h"
#include "store/content.h"
#include "store/document.h"
#include "store/facts.h"
#include "store/handle.h"
#include "store/machine.h"
#include "store/metrics.h"
#include "store/pack.h"
#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Everything of a run's row that had to be worked out. */
struct prepared {
	char uid[STORE_UID_BYTES];
	int64_t attempt;
	int64_t job;
	int64_t factset;
	int64_t machine; /* 0: its type is not known. */
	char *own_facts; /* Owned. */
	char *phases;    /* Owned. */
};

static inline void auto_release_prepared(struct prepared *prepared)
{
	free(prepared->own_facts);
	free(prepared->phases);
}

/* The number of this attempt; -EEXIST when one came to its end already and this is no copy. */
static int choose_attempt(struct store *store, const struct placement *placement,
			  int64_t *ret_attempt, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "SELECT coalesce(max(attempt), 0),"
				  " coalesce(sum(outcome NOT IN (?3, ?4)), 0) FROM run"
				  " WHERE campaign_id = ?1 AND sequence = ?2",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, placement->campaign);
	database_bind_u64(statement, 2, placement->sequence);
	database_bind_i64(statement, 3, RUN_TORN);
	database_bind_i64(statement, 4, RUN_INTERRUPTED);
	rc = database_step(&store->database, statement, err);
	if (rc < 0)
		return rc;
	assert(rc == 1); /* An aggregate gives a row always. */
	if (sqlite3_column_int64(statement, 1) > 0 && !placement->is_copy)
		return error_set(err, EEXIST, "run %llu of the campaign is kept already",
				 (unsigned long long)placement->sequence);
	*ret_attempt = sqlite3_column_int64(statement, 0) + 1;
	return 0;
}

/* The set that the run before in this campaign has; 0 when there is none. */
static int set_before(struct store *store, int64_t campaign, int64_t *ret_set, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "SELECT factset_id FROM run WHERE campaign_id = ?1"
				  " ORDER BY run_id DESC LIMIT 1",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, campaign);
	rc = database_step(&store->database, statement, err);
	if (rc < 0)
		return rc;
	*ret_set = rc ? sqlite3_column_int64(statement, 0) : 0;
	return 0;
}

static int put_facts(struct store *store, int64_t campaign, const struct run *run,
		     struct prepared *prepared, struct error *err)
{
	AUTO(text) char *set = NULL;
	size_t length = 0;
	size_t own = 0;
	int rc = set_before(store, campaign, &prepared->factset, err);

	if (rc == 0 && prepared->factset) {
		rc = content_get(&store->database, CONTENT_FACTS, prepared->factset, &set, &length,
				 err);
		if (rc == 0)
			rc = facts_own(set, run, &prepared->own_facts, &own, err);
		if (rc < 0 || own <= FACTS_OWN_MAX)
			return rc;
		free(KEEP(set));
		free(KEEP(prepared->own_facts));
	}
	if (rc < 0)
		return rc;
	set = facts_set(run);
	rc = content_put(&store->database, CONTENT_FACTS, set, strlen(set), &prepared->factset,
			 err);
	return rc < 0 ? rc : facts_own(set, run, &prepared->own_facts, &own, err);
}

static void bind_window(sqlite3_stmt *statement, int index, const struct run *run)
{
	if (value_is_known(run_window_seconds(run)))
		database_bind_u64(statement, index,
				  run->phase_ns[PHASE_STOP] - run->phase_ns[PHASE_MEASURE]);
	/* Else it stays an SQL NULL. */
}

static int put_row(struct store *store, const struct placement *placement, const struct run *run,
		   const struct prepared *prepared, int64_t *ret_id, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(
		&store->database,
		"INSERT INTO run (uid, campaign_id, sequence, attempt, block, job_id, outcome,"
		" reason, workload, semantics, probe_version, isolation, started_ns, window_ns,"
		" phases, factset_id, facts, machine_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
		" ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, nullif(?18, 0))",
		&statement, err);

	if (rc < 0)
		return rc;
	database_bind_text(statement, 1, prepared->uid);
	database_bind_i64(statement, 2, placement->campaign);
	database_bind_u64(statement, 3, placement->sequence);
	database_bind_i64(statement, 4, prepared->attempt);
	database_bind_i64(statement, 5, placement->block);
	database_bind_i64(statement, 6, prepared->job);
	database_bind_i64(statement, 7, run->outcome);
	database_bind_text(statement, 8, run->reason);
	database_bind_text(statement, 9, run->workload);
	database_bind_i64(statement, 10, run->semantics);
	database_bind_text(statement, 11, run->probe_version);
	database_bind_text(statement, 12, run->isolation);
	database_bind_u64(statement, 13, run->started_wall_ns);
	bind_window(statement, 14, run);
	database_bind_text(statement, 15, prepared->phases);
	database_bind_i64(statement, 16, prepared->factset);
	database_bind_text(statement, 17, prepared->own_facts);
	database_bind_i64(statement, 18, prepared->machine);
	rc = database_step(&store->database, statement, err);
	if (rc < 0)
		return rc;
	*ret_id = sqlite3_last_insert_rowid(store->database.handle);
	return 0;
}

static int put_values(struct store *store, int64_t id, const struct run *run, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	AUTO(bytes) uint8_t *values = NULL;
	size_t length = 0;
	int64_t set = 0;
	int rc = metrics_put(&store->database, run, &set, &values, &length, err);

	if (rc == 0)
		rc = database_prepare(&store->database,
				      "INSERT INTO run_values (run_id, set_id, content)"
				      " VALUES (?1, ?2, ?3)",
				      &statement, err);
	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, id);
	database_bind_i64(statement, 2, set);
	database_bind_blob(statement, 3, values, length);
	return database_step(&store->database, statement, err);
}

static int put_one_series(struct store *store, int64_t id, const struct run *run, size_t position,
			  struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	const struct series *series = &run->series[position];
	AUTO(text) char *channels = document_channels(series);
	AUTO(bytes) uint8_t *content = NULL;
	size_t length = 0;
	int64_t set = 0;
	int rc = pack_series(series, &content, &length, err);

	if (rc == 0)
		rc = content_put(&store->database, CONTENT_CHANNELS, channels, strlen(channels),
				 &set, err);
	if (rc == 0)
		rc = database_prepare(&store->database,
				      "INSERT INTO run_series (run_id, position, monitor, set_id,"
				      " samples, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
				      &statement, err);
	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, id);
	database_bind_u64(statement, 2, position);
	database_bind_text(statement, 3, series->monitor);
	database_bind_i64(statement, 4, set);
	database_bind_i64(statement, 5, series->n_samples);
	database_bind_blob(statement, 6, content, length);
	return database_step(&store->database, statement, err);
}

static int put_workers(struct store *store, int64_t id, const struct run *run, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;

	if (run->n_workers == 0)
		return 0;

	uint64_t *numbers = mem_array(run->n_workers, 2 * sizeof(*numbers));

	for (size_t i = 0; i < run->n_workers; i++) {
		numbers[2 * i] = run->workers[i].operations;
		numbers[2 * i + 1] = run->workers[i].elapsed_ns;
	}
	AUTO(bytes) uint8_t *content = pack_u64(numbers, 2 * run->n_workers);

	free(numbers);
	int rc = database_prepare(&store->database,
				  "INSERT INTO run_workers (run_id, content) VALUES (?1, ?2)",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, id);
	database_bind_blob(statement, 2, content, 16 * run->n_workers);
	return database_step(&store->database, statement, err);
}

static int put_costs(struct store *store, int64_t id, const struct run *run, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "INSERT INTO run_costs (run_id, position, monitor, samples,"
				  " cpu_ns, absent_reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
				  &statement, err);

	for (size_t i = 0; rc == 0 && i < run->n_costs; i++) {
		(void)sqlite3_reset(statement); /* Repeats the answer of the last step. */
		database_bind_i64(statement, 1, id);
		database_bind_u64(statement, 2, i);
		database_bind_text(statement, 3, run->costs[i].monitor);
		database_bind_u64(statement, 4, run->costs[i].samples);
		database_bind_u64(statement, 5, run->costs[i].cpu_ns);
		database_bind_text(statement, 6, run->costs[i].absent_reason);
		rc = database_step(&store->database, statement, err);
	}
	return rc;
}

static int put_log(struct store *store, int64_t id, const struct run *run, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	size_t length = 0;

	if (!run->log || !run->log[0])
		return 0;

	AUTO(bytes) uint8_t *content = pack_fold(run->log, strlen(run->log), &length);
	int rc = database_prepare(&store->database,
				  "INSERT INTO run_log (run_id, content) VALUES (?1, ?2)",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, id);
	database_bind_blob(statement, 2, content, length);
	return database_step(&store->database, statement, err);
}

int handle_run_add(struct store *store, const struct placement *placement, const struct job *job,
		   const struct run *run, int64_t *ret_id, struct error *err)
{
	AUTO(prepared) struct prepared prepared = { .phases = document_phases(run) };
	int64_t id = 0;

	if (placement->uid)
		(void)snprintf(prepared.uid, sizeof(prepared.uid), "%s", placement->uid);
	else
		handle_draw_uid(prepared.uid);

	int rc = choose_attempt(store, placement, &prepared.attempt, err);

	if (rc == 0)
		rc = content_put_job(&store->database, job, &prepared.job, err);
	if (rc == 0)
		rc = put_facts(store, placement->campaign, run, &prepared, err);
	if (rc == 0)
		rc = machine_put(&store->database, run, &prepared.machine, err);
	if (rc == 0)
		rc = put_row(store, placement, run, &prepared, &id, err);
	if (rc == 0)
		rc = put_values(store, id, run, err);
	for (size_t i = 0; rc == 0 && i < run->n_series; i++)
		rc = put_one_series(store, id, run, i, err);
	if (rc == 0)
		rc = put_workers(store, id, run, err);
	if (rc == 0)
		rc = put_costs(store, id, run, err);
	if (rc == 0)
		rc = put_log(store, id, run, err);
	if (rc == 0)
		*ret_id = id;
	return rc;
}

/* NOLINTNEXTLINE(readability-function-size): the parts of a run's place are named one by one. */
int store_run_put(struct store *store, int64_t campaign, uint64_t sequence, uint32_t block,
		  const struct job *job, const struct run *run, int64_t *ret_id, struct error *err)
{
	AUTO(transaction) struct transaction transaction = { 0 };
	const struct placement placement = {
		.campaign = campaign,
		.sequence = sequence,
		.block = block,
	};
	int64_t id = 0;
	int rc = database_begin(&store->database, &transaction, err);

	if (rc == 0)
		rc = handle_run_add(store, &placement, job, run, &id, err);
	if (rc == 0)
		rc = database_commit(&transaction, err);
	if (rc == 0)
		*ret_id = id;
	return rc;
}
