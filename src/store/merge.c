/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Another store's runs taken in. Campaigns and runs carry random names of their own, so that the
 * same one is known wherever it comes from, and merging twice adds nothing. Each run is one
 * transaction: a merge that was interrupted is gone on with by merging again. Marks come last.
 */
#include "base/mem.h"
#include "store/handle.h"
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

struct merge {
	struct store *into;
	struct store *from;
	uint64_t n;
};

static int is_same_store(const struct store *one, const char *other_directory)
{
	struct stat left;
	struct stat right;

	return stat(one->directory, &left) == 0 && stat(other_directory, &right) == 0 &&
	       left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* Number of rows that have this uid. */
static int has_run(struct store *store, const char *uid, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database, "SELECT 1 FROM run WHERE uid = ?1", &statement,
				  err);

	if (rc < 0)
		return rc;
	database_bind_text(statement, 1, uid);
	return database_step(&store->database, statement, err);
}

static int take_run(struct merge *merge, int64_t campaign, int64_t id, const char *uid,
		    struct error *err)
{
	AUTO(transaction) struct transaction transaction = { 0 };
	AUTO(run) struct run *run = NULL;
	struct run_row row = { 0 };
	int64_t new_id = 0;
	int rc = has_run(merge->into, uid, err);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	rc = store_run_get(merge->from, id, /* with_series= */ true, &run, &row, err);
	if (rc < 0)
		return rc;

	const struct placement placement = {
		.campaign = campaign,
		.sequence = row.sequence,
		.block = row.block,
		.uid = uid,
		.is_copy = true,
	};

	rc = database_begin(&merge->into->database, &transaction, err);
	if (rc == 0)
		rc = handle_run_add(merge->into, &placement, row.job, run, &new_id, err);
	if (rc == 0)
		rc = database_commit(&transaction, err);
	if (rc == 0)
		merge->n++;
	run_row_done(&row);
	return rc;
}

static int take_runs(struct merge *merge, int64_t from, int64_t into, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&merge->from->database,
				  "SELECT run_id, uid FROM run WHERE campaign_id = ?1"
				  " ORDER BY run_id",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_i64(statement, 1, from);
	while ((rc = database_step(&merge->from->database, statement, err)) == 1) {
		AUTO(text) char *uid = database_column_text(statement, 1);

		rc = take_run(merge, into, sqlite3_column_int64(statement, 0), uid, err);
		if (rc < 0)
			return rc;
	}
	return rc;
}

static int add_campaign(struct store *into, const char *uid, const struct campaign_row *row,
			int64_t *ret_id, struct error *err)
{
	AUTO(transaction) struct transaction transaction = { 0 };
	int64_t id = 0;
	int rc = database_begin(&into->database, &transaction, err);

	if (rc == 0)
		rc = handle_campaign_by_uid(into, uid, &id, err);
	if (rc == 0 && id == 0)
		rc = handle_campaign_copy(into, uid, row, &id, err);
	if (rc == 0)
		rc = database_commit(&transaction, err);
	if (rc == 0)
		*ret_id = id;
	return rc;
}

/* The campaign is finished here as soon as one of the two is: its runs are all taken. */
static int take_campaign(struct merge *merge, sqlite3_stmt *statement, struct error *err)
{
	AUTO(text) char *uid = database_column_text(statement, 1);
	AUTO(text) char *name = database_column_text(statement, 2);
	AUTO(text) char *plan = database_column_text(statement, 3);
	const struct campaign_row row = {
		.name = name,
		.plan = plan,
		.created_wall_ns = database_column_u64(statement, 4),
		.runs_planned = database_column_u64(statement, 6),
	};
	int64_t into = 0;
	int rc = add_campaign(merge->into, uid, &row, &into, err);

	if (rc == 0)
		rc = take_runs(merge, sqlite3_column_int64(statement, 0), into, err);
	if (rc == 0 && sqlite3_column_int(statement, 5))
		rc = store_campaign_finish(merge->into, into, err);
	return rc;
}

int store_merge(struct store *store, const char *other_directory, uint64_t *ret_runs,
		struct error *err)
{
	AUTO(store) struct store *other = NULL;

	if (is_same_store(store, other_directory))
		return error_set(err, EINVAL, "'%s' is this very store", other_directory);

	int rc = store_open(other_directory, /* create= */ false, &other, err);

	if (rc < 0)
		return rc;

	AUTO(statement) sqlite3_stmt *statement = NULL;
	struct merge merge = { .into = store, .from = other };

	rc = database_prepare(&other->database,
			      "SELECT campaign_id, uid, name, plan, created_ns, finished,"
			      " runs_planned FROM campaign ORDER BY campaign_id",
			      &statement, err);
	while (rc >= 0 && (rc = database_step(&other->database, statement, err)) == 1) {
		rc = take_campaign(&merge, statement, err);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = handle_marks_merge(store, other, err);
	if (rc == 0)
		*ret_runs = merge.n;
	return rc;
}
