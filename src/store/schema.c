/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The schema as steps: step N makes version N of a store of version N - 1. A released step is
 * never changed; a new version is a new row. test/golden/ keeps one store of every version.
 *
 * Identifiers of sets are AUTOINCREMENT, so that a number is never given twice: what one process
 * remembers of a set stays true when another one removes it.
 */
#include "store/schema.h"

#include "base/clock.h"
#include "store/machine.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define WAL_WAIT_NS (30 * NS_PER_SEC)

static const char step_1[] = "CREATE TABLE campaign ("
			     "  campaign_id INTEGER PRIMARY KEY AUTOINCREMENT,"
			     "  uid TEXT NOT NULL UNIQUE,"
			     "  name TEXT NOT NULL UNIQUE,"
			     "  plan TEXT NOT NULL,"
			     "  created_ns INTEGER NOT NULL,"
			     "  finished INTEGER NOT NULL DEFAULT 0 CHECK (finished IN (0, 1)),"
			     "  runs_planned INTEGER NOT NULL"
			     ") STRICT;"

			     "CREATE TABLE job ("
			     "  job_id INTEGER PRIMARY KEY AUTOINCREMENT,"
			     "  sha256 BLOB NOT NULL UNIQUE,"
			     "  workload TEXT NOT NULL,"
			     "  subject TEXT NOT NULL,"
			     "  point TEXT NOT NULL,"
			     "  content TEXT NOT NULL"
			     ") STRICT;"

			     "CREATE TABLE metric ("
			     "  metric_id INTEGER PRIMARY KEY AUTOINCREMENT,"
			     "  name TEXT NOT NULL,"
			     "  unit TEXT NOT NULL,"
			     "  kind INTEGER NOT NULL,"
			     "  better INTEGER NOT NULL,"
			     "  role INTEGER NOT NULL,"
			     "  what TEXT NOT NULL,"
			     "  UNIQUE (name, unit, kind, better, role)"
			     ") STRICT;"

			     "CREATE TABLE metricset ("
			     "  set_id INTEGER PRIMARY KEY AUTOINCREMENT,"
			     "  sha256 BLOB NOT NULL UNIQUE,"
			     "  content BLOB NOT NULL CHECK (length(content) % 4 = 0)"
			     ") STRICT;"

			     "CREATE TABLE factset ("
			     "  set_id INTEGER PRIMARY KEY AUTOINCREMENT,"
			     "  sha256 BLOB NOT NULL UNIQUE,"
			     "  content TEXT NOT NULL"
			     ") STRICT;"

			     "CREATE TABLE channelset ("
			     "  set_id INTEGER PRIMARY KEY AUTOINCREMENT,"
			     "  sha256 BLOB NOT NULL UNIQUE,"
			     "  content TEXT NOT NULL"
			     ") STRICT;"

			     "CREATE TABLE run ("
			     "  run_id INTEGER PRIMARY KEY AUTOINCREMENT,"
			     "  uid TEXT NOT NULL UNIQUE,"
			     "  campaign_id INTEGER NOT NULL REFERENCES campaign,"
			     "  sequence INTEGER NOT NULL,"
			     "  attempt INTEGER NOT NULL,"
			     "  block INTEGER NOT NULL,"
			     "  job_id INTEGER NOT NULL REFERENCES job,"
			     "  outcome INTEGER NOT NULL,"
			     "  reason TEXT,"
			     "  workload TEXT,"
			     "  semantics INTEGER NOT NULL,"
			     "  probe_version TEXT,"
			     "  isolation TEXT,"
			     "  started_ns INTEGER NOT NULL,"
			     "  window_ns INTEGER,"
			     "  phases TEXT NOT NULL,"
			     "  factset_id INTEGER NOT NULL REFERENCES factset,"
			     "  facts TEXT NOT NULL,"
			     "  UNIQUE (campaign_id, sequence, attempt)"
			     ") STRICT;"
			     "CREATE INDEX run_job ON run (job_id);"

			     "CREATE TABLE run_values ("
			     "  run_id INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,"
			     "  set_id INTEGER NOT NULL REFERENCES metricset,"
			     "  content BLOB NOT NULL CHECK (length(content) % 8 = 0)"
			     ") STRICT;"

			     "CREATE TABLE run_series ("
			     "  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,"
			     "  position INTEGER NOT NULL,"
			     "  monitor TEXT,"
			     "  set_id INTEGER NOT NULL REFERENCES channelset,"
			     "  samples INTEGER NOT NULL,"
			     "  content BLOB NOT NULL,"
			     "  PRIMARY KEY (run_id, position)"
			     ") STRICT;"

			     "CREATE TABLE run_workers ("
			     "  run_id INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,"
			     "  content BLOB NOT NULL CHECK (length(content) % 16 = 0)"
			     ") STRICT;"

			     "CREATE TABLE run_costs ("
			     "  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,"
			     "  position INTEGER NOT NULL,"
			     "  monitor TEXT,"
			     "  samples INTEGER NOT NULL,"
			     "  cpu_ns INTEGER NOT NULL,"
			     "  absent_reason TEXT,"
			     "  PRIMARY KEY (run_id, position)"
			     ") STRICT, WITHOUT ROWID;"

			     "CREATE TABLE run_log ("
			     "  run_id INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,"
			     "  content BLOB NOT NULL"
			     ") STRICT;";

/* Marks and measured alarms name campaigns and machines by what lasts, since what they speak of may
 * be removed here and come back by a merge. */
static const char step_2[] = "CREATE TABLE machine ("
			     "  machine_id INTEGER PRIMARY KEY AUTOINCREMENT,"
			     "  type TEXT NOT NULL UNIQUE"
			     ") STRICT;"
			     "ALTER TABLE run ADD COLUMN machine_id INTEGER REFERENCES machine;"
			     "CREATE INDEX run_machine ON run"
			     "  (machine_id, job_id, outcome, semantics, campaign_id, block);"
			     "CREATE INDEX job_workload ON job (workload, point);"

			     "CREATE TABLE mark ("
			     "  mark_id INTEGER PRIMARY KEY AUTOINCREMENT,"
			     "  uid TEXT NOT NULL UNIQUE,"
			     "  metric TEXT NOT NULL,"
			     "  campaign_uid TEXT,"
			     "  campaign_name TEXT,"
			     "  base TEXT,"
			     "  head TEXT,"
			     "  point TEXT NOT NULL,"
			     "  invalid INTEGER NOT NULL CHECK (invalid IN (0, 1)),"
			     "  tolerance REAL,"
			     "  why TEXT NOT NULL,"
			     "  who TEXT NOT NULL,"
			     "  made_ns INTEGER NOT NULL,"
			     "  withdrawn_ns INTEGER,"
			     "  withdrawn_by TEXT,"
			     "  CHECK ((metric = '') = (campaign_uid IS NOT NULL)),"
			     "  CHECK ((base IS NULL) = (head IS NULL))"
			     ") STRICT;"

			     "CREATE TABLE alarms ("
			     "  machine TEXT NOT NULL,"
			     "  workload TEXT NOT NULL,"
			     "  alpha REAL NOT NULL,"
			     "  comparisons INTEGER NOT NULL,"
			     "  alarms INTEGER NOT NULL,"
			     "  low REAL NOT NULL,"
			     "  high REAL NOT NULL,"
			     "  seed INTEGER NOT NULL,"
			     "  measured_ns INTEGER NOT NULL,"
			     "  PRIMARY KEY (machine, workload)"
			     ") STRICT;";

static const struct step {
	const char *sql;
	int (*fill)(struct database *database, struct error *err); /* After it; may be NULL. */
} steps[] = {
	{ 0 }, /* An empty database is version 0. */
	{ .sql = step_1 },
	{ .sql = step_2, .fill = machine_fill },
};
static_assert(sizeof(steps) / sizeof(steps[0]) == SCHEMA_VERSION + 1,
	      "each version needs its step");

static int versions_read(struct database *database, int64_t *ret_application, int64_t *ret_version,
			 struct error *err)
{
	int rc = database_number(database, "PRAGMA application_id", ret_application, err);

	return rc < 0 ? rc : database_number(database, "PRAGMA user_version", ret_version, err);
}

int schema_look(struct database *database, bool *ret_empty, struct error *err)
{
	int64_t application = 0;
	int64_t version = 0;
	int64_t tables = 0;
	int rc = versions_read(database, &application, &version, err);

	if (rc == 0)
		rc = database_number(database, "SELECT count(*) FROM sqlite_schema", &tables, err);
	if (rc < 0)
		return rc;

	if (application == 0 && version == 0 && tables == 0) {
		*ret_empty = true;
		return 0;
	}
	if (application != SCHEMA_APPLICATION_ID)
		return error_set(err, EBADMSG,
				 "'%s' is not a store of assay: it is another program's database",
				 database->path);
	if (version > SCHEMA_VERSION)
		return error_set(err, EBADMSG,
				 "the store '%s' has format %lld, this assay knows formats up to "
				 "%d: use the newer assay that made it",
				 database->path, (long long)version, SCHEMA_VERSION);
	if (version < 1)
		return error_set(err, EBADMSG, "the store '%s' is damaged: its format is %lld",
				 database->path, (long long)version);
	*ret_empty = false;
	return 0;
}

/* Going over to the write-ahead log needs the file alone, and SQLite does not wait for that. */
static int wal_switch_on(struct database *database, struct error *err)
{
	uint64_t deadline_ns = clock_monotonic_ns() + WAL_WAIT_NS;

	for (;;) {
		int rc = database_run(database, "PRAGMA journal_mode = WAL", err);

		if (rc != -EBUSY || clock_monotonic_ns() > deadline_ns)
			return rc;
		clock_sleep_until_ns(clock_monotonic_ns() + 10 * NS_PER_MS);
	}
}

static int bring_forward(struct database *database, struct error *err)
{
	AUTO(transaction) struct transaction transaction = { 0 };
	int64_t version = 0;
	int rc = database_begin(database, &transaction, err);

	/* Another process may have done it while this one waited for its turn. */
	if (rc == 0)
		rc = database_number(database, "PRAGMA user_version", &version, err);
	for (; rc == 0 && version < SCHEMA_VERSION; version++) {
		const struct step *step = &steps[version + 1];

		rc = database_run(database, step->sql, err);
		if (rc == 0 && step->fill)
			rc = step->fill(database, err);
	}
	if (rc < 0)
		return rc;

	char pragmas[128];

	(void)snprintf(pragmas, sizeof(pragmas),
		       "PRAGMA application_id = %d; PRAGMA user_version = %d",
		       SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
	rc = database_run(database, pragmas, err);
	return rc < 0 ? rc : database_commit(&transaction, err);
}

int schema_prepare(struct database *database, struct error *err)
{
	int64_t version = 0;
	int rc = wal_switch_on(database, err);

	if (rc == 0)
		rc = database_run(database,
				  "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
				  "PRAGMA cell_size_check = ON",
				  err);
	if (rc == 0)
		rc = database_number(database, "PRAGMA user_version", &version, err);
	if (rc < 0 || version == SCHEMA_VERSION)
		return rc;
	return bring_forward(database, err);
}
