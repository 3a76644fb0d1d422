/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metric names, sets and packed values. Nothing is remembered between calls: another process may
 * drop what is unused at any time, and 1500 look-ups cost less than the fsync that follows them.
 */
#include "store/metrics.h"

#include "base/mem.h"
#include "store/content.h"
#include "store/pack.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct numbered { /* One value of the run under its metric's id. */
	uint32_t id;
	uint64_t packed;
};

static void bind_metric(sqlite3_stmt *statement, const struct metric *metric)
{
	database_bind_text(statement, 1, metric->name);
	database_bind_text(statement, 2, metric->unit);
	database_bind_i64(statement, 3, metric->kind);
	database_bind_i64(statement, 4, metric->better);
	database_bind_i64(statement, 5, metric->role);
}

static int add_metric(struct database *database, const struct metric *metric, int64_t *ret_id,
		      struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(database,
				  "INSERT INTO metric (name, unit, kind, better, role, what)"
				  " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
				  &statement, err);

	if (rc < 0)
		return rc;
	bind_metric(statement, metric);
	database_bind_text(statement, 6, metric->what ? metric->what : "");
	rc = database_step(database, statement, err);
	if (rc < 0)
		return rc;
	*ret_id = sqlite3_last_insert_rowid(database->handle);
	return 0;
}

/* `find` is the prepared look-up, used again for each metric. */
static int metric_id(struct database *database, sqlite3_stmt *find, const struct metric *metric,
		     uint32_t *ret_id, struct error *err)
{
	int64_t id = 0;

	(void)sqlite3_reset(find); /* Repeats the answer of the last step, seen already. */
	bind_metric(find, metric);
	int rc = database_step(database, find, err);

	if (rc < 0)
		return rc;
	if (rc == 1)
		id = sqlite3_column_int64(find, 0);
	else
		rc = add_metric(database, metric, &id, err);
	if (rc < 0)
		return rc;
	if (id <= 0 || id > UINT32_MAX)
		return error_set(err, EOVERFLOW, "the store '%s' has too many metrics",
				 database->path);
	*ret_id = (uint32_t)id;
	return 0;
}

static int compare_numbered(const void *one, const void *other)
{
	const struct numbered *left = one;
	const struct numbered *right = other;

	return left->id < right->id ? -1 : left->id > right->id;
}

static int number_metrics(struct database *database, const struct run *run,
			  struct numbered *numbered, struct error *err)
{
	AUTO(statement) sqlite3_stmt *find = NULL;
	int rc = database_prepare(database,
				  "SELECT metric_id FROM metric WHERE name = ?1 AND unit = ?2 AND "
				  "kind = ?3 AND better = ?4 AND role = ?5",
				  &find, err);

	for (size_t i = 0; rc >= 0 && i < run->n_metrics; i++) {
		rc = metric_id(database, find, &run->metrics[i].metric, &numbered[i].id, err);
		numbered[i].packed = value_pack(run->metrics[i].value);
	}
	return rc;
}

int metrics_put(struct database *database, const struct run *run, int64_t *ret_set,
		uint8_t **ret_values, size_t *ret_length, struct error *err)
{
	AUTO(text) char *block = mem_array(run->n_metrics, sizeof(struct numbered));
	struct numbered *numbered = (void *)block;
	int rc = number_metrics(database, run, numbered, err);

	if (rc < 0)
		return rc;
	qsort(numbered, run->n_metrics, sizeof(*numbered), compare_numbered);

	uint32_t *ids = mem_array(run->n_metrics, sizeof(*ids));
	uint64_t *packed = mem_array(run->n_metrics, sizeof(*packed));

	for (size_t i = 0; i < run->n_metrics; i++) {
		ids[i] = numbered[i].id;
		packed[i] = numbered[i].packed;
	}
	AUTO(bytes) uint8_t *set = pack_u32(ids, run->n_metrics);
	AUTO(bytes) uint8_t *values = pack_u64(packed, run->n_metrics);

	free(ids);
	free(packed);
	rc = content_put(database, CONTENT_METRICS, set, 4 * run->n_metrics, ret_set, err);
	if (rc < 0)
		return rc;
	*ret_length = 8 * run->n_metrics;
	*ret_values = KEEP(values);
	return 0;
}

static int add_by_id(struct database *database, sqlite3_stmt *find, uint32_t id, uint64_t packed,
		     struct run *run, struct error *err)
{
	(void)sqlite3_reset(find); /* Repeats the answer of the last step, seen already. */
	database_bind_i64(find, 1, id);
	int rc = database_step(database, find, err);

	if (rc < 0)
		return rc;

	const void *name = rc ? sqlite3_column_text(find, 0) : NULL;
	const void *unit = rc ? sqlite3_column_text(find, 1) : NULL;
	const void *what = rc ? sqlite3_column_text(find, 5) : NULL;
	const int64_t kind = rc ? sqlite3_column_int64(find, 2) : -1;
	const int64_t better = rc ? sqlite3_column_int64(find, 3) : -1;
	const int64_t role = rc ? sqlite3_column_int64(find, 4) : -1;

	if (!name || *(const char *)name == '\0' || !unit || !what || kind < 0 ||
	    kind >= METRIC_KIND_COUNT || better < 0 || better >= BETTER_COUNT || role < 0 ||
	    role >= ROLE_COUNT)
		return error_set(err, EBADMSG, "the store '%s' is damaged: no sound metric %u",
				 database->path, id);

	const struct metric metric = {
		.name = name,
		.unit = unit,
		.what = what,
		.kind = (enum metric_kind)kind,
		.better = (enum metric_better)better,
		.role = (enum metric_role)role,
	};

	run_metric_add(run, &metric, value_unpack(packed));
	return 0;
}

int metrics_get(struct database *database, int64_t set, const uint8_t *values, size_t length,
		struct run *run, struct error *err)
{
	AUTO(statement) sqlite3_stmt *find = NULL;
	AUTO(text) char *ids = NULL;
	size_t ids_length = 0;
	int rc = content_get(database, CONTENT_METRICS, set, &ids, &ids_length, err);

	if (rc == 0)
		rc = database_prepare(database,
				      "SELECT name, unit, kind, better, role, what FROM metric"
				      " WHERE metric_id = ?1",
				      &find, err);
	if (rc < 0)
		return rc;
	if (ids_length % 4 != 0 || length != ids_length * 2)
		return error_set(err, EBADMSG,
				 "the store '%s' is damaged: %zu bytes of values for %zu metrics",
				 database->path, length, ids_length / 4);
	for (size_t i = 0; rc == 0 && i < ids_length / 4; i++)
		rc = add_by_id(database, find, pack_u32_at((const uint8_t *)ids, i),
			       pack_u64_at(values, i), run, err);
	return rc;
}
