/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Care of a store: a consistent copy, and what is unused given back. */
#include "base/clock.h"
#include "base/mem.h"
#include "store/content.h"
#include "store/handle.h"
#include "store/pack.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#define BACKUP_WAIT_NS (30 * NS_PER_SEC)

static int copy_all(sqlite3_backup *backup)
{
	const uint64_t deadline_ns = clock_monotonic_ns() + BACKUP_WAIT_NS;

	for (;;) {
		const int code = sqlite3_backup_step(backup, /* pages= */ -1);

		if ((code != SQLITE_BUSY && code != SQLITE_LOCKED) ||
		    clock_monotonic_ns() > deadline_ns)
			return code;
		clock_sleep_until_ns(clock_monotonic_ns() + 20 * NS_PER_MS);
	}
}

static int copy_into(struct store *store, const char *path, struct error *err)
{
	AUTO(database) struct database copy = { 0 };
	int rc = database_open(path, &copy, err);

	if (rc < 0)
		return rc;

	sqlite3_backup *backup =
		sqlite3_backup_init(copy.handle, "main", store->database.handle, "main");

	if (!backup)
		return database_fail(&copy, sqlite3_errcode(copy.handle), err);

	const int code = copy_all(backup);
	const int finished = sqlite3_backup_finish(backup);

	if (code != SQLITE_DONE)
		return database_fail(&copy, finished != SQLITE_OK ? finished : code, err);
	return 0;
}

/* Gives a finished copy its name, unless something of that name has come up meanwhile. */
static int name_copy(const char *part, const char *path, struct error *err)
{
	if (renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EINVAL && access(path, F_OK) < 0) { /* Not every file system can that. */
		if (rename(part, path) == 0)
			return 0;
	}
	return error_errno(err, errno, "cannot make the copy '%s'", path);
}

int store_backup(struct store *store, const char *path, struct error *err)
{
	AUTO(text) char *part = mem_format("%s.part-%d", path, (int)getpid());

	if (access(path, F_OK) == 0)
		return error_set(err, EEXIST, "'%s' is there already: a copy replaces nothing",
				 path);
	int rc = owner_make_file(&store->owner, part, err);

	if (rc == -EEXIST)
		return error_set(err, EEXIST, "'%s' is in the way: remove it", part);
	if (rc < 0)
		return rc;
	rc = copy_into(store, part, err);
	if (rc == 0)
		rc = name_copy(part, path, err);
	if (rc < 0)
		(void)unlink(part); /* The failure before is what matters. */
	return rc;
}

/* Bytes of the store's files. */
static uint64_t size_now(const struct store *store)
{
	static const char *const endings[] = { "", "-wal" };
	uint64_t bytes = 0;

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		AUTO(text) char *path = mem_format("%s%s", store->database.path, endings[i]);
		struct stat status;

		if (stat(path, &status) == 0)
			bytes += (uint64_t)status.st_size;
	}
	return bytes;
}

/* Into temp.used: every metric that stands in a set. */
static int note_used(struct store *store, struct error *err)
{
	AUTO(statement) sqlite3_stmt *sets = NULL;
	AUTO(statement) sqlite3_stmt *note = NULL;
	int rc = database_run(&store->database,
			      "CREATE TEMP TABLE used (metric_id INTEGER PRIMARY KEY) STRICT", err);

	if (rc == 0)
		rc = database_prepare(&store->database, "SELECT content FROM metricset", &sets,
				      err);
	if (rc == 0)
		rc = database_prepare(&store->database,
				      "INSERT OR IGNORE INTO temp.used VALUES (?1)", &note, err);
	while (rc == 0 && (rc = database_step(&store->database, sets, err)) == 1) {
		size_t length = 0;
		const uint8_t *ids = database_column_blob(sets, 0, &length);

		rc = 0;
		for (size_t i = 0; rc == 0 && i < length / 4; i++) {
			(void)sqlite3_reset(note); /* Repeats the answer of the last step. */
			database_bind_i64(note, 1, pack_u32_at(ids, i));
			rc = database_step(&store->database, note, err);
		}
	}
	return rc;
}

static int drop_unused(struct store *store, struct error *err)
{
	AUTO(transaction) struct transaction transaction = { 0 };
	int rc = database_begin(&store->database, &transaction, err);

	if (rc == 0)
		rc = database_run(
			&store->database,
			"DELETE FROM metricset WHERE set_id NOT IN"
			" (SELECT set_id FROM run_values);"
			"DELETE FROM factset WHERE set_id NOT IN (SELECT factset_id FROM run);"
			"DELETE FROM channelset WHERE set_id NOT IN"
			" (SELECT set_id FROM run_series);"
			"DELETE FROM job WHERE job_id NOT IN (SELECT job_id FROM run);"
			"DELETE FROM machine WHERE machine_id NOT IN"
			" (SELECT machine_id FROM run WHERE machine_id IS NOT NULL)",
			err);
	if (rc == 0)
		rc = note_used(store, err);
	if (rc == 0)
		rc = database_run(&store->database,
				  "DELETE FROM metric WHERE metric_id NOT IN"
				  " (SELECT metric_id FROM temp.used);"
				  "DROP TABLE temp.used",
				  err);
	return rc < 0 ? rc : database_commit(&transaction, err);
}

int store_gc(struct store *store, uint64_t *ret_bytes, struct error *err)
{
	const uint64_t before = size_now(store);
	int rc = drop_unused(store, err);

	/* The log is folded before, so that the space taken by VACUUM's own log is small. */
	if (rc == 0)
		rc = database_run(&store->database, "PRAGMA wal_checkpoint(TRUNCATE)", err);
	if (rc == 0)
		rc = database_run(&store->database, "VACUUM", err);
	if (rc == 0)
		rc = database_run(&store->database, "PRAGMA wal_checkpoint(TRUNCATE)", err);
	if (rc < 0)
		return rc;

	const uint64_t after = size_now(store);

	*ret_bytes = before > after ? before - after : 0;
	return 0;
}
