/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repeated runs out of the store, as a table. The index run_machine finds them without a look at
 * the runs themselves; then the packed values of each chosen run are read once.
 */
#include "store/noise.h"

#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "store/content.h"
#include "store/handle.h"
#include "store/pack.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WARM_UP_BLOCK "2147483648" /* Runs of blocks from 2^31 on have only warmed up. */
#define NO_COLUMN UINT32_MAX
#define BESIDE_NS_MAX (5 * NS_PER_SEC) /* More between two runs was a pause. */
#define TOOK_RUNS 50                   /* Newest runs that a duration is the mean of. */

struct chosen { /* A run of the table. */
	int64_t set;
	uint8_t *values;
	size_t n_values;
};

struct id_set { /* A set of metrics, by their ids. */
	int64_t id;
	uint32_t *metrics;
	size_t n;
};

struct gathering {
	struct store *store;
	struct chosen *runs;
	size_t n_runs, runs_capacity;
	struct id_set *sets;
	size_t n_sets, sets_capacity;
	uint32_t *columns; /* Of a metric's id; NO_COLUMN where it has none. */
	size_t n_columns;
	size_t groups_capacity;
	struct repeats *repeats; /* Borrowed. */
};

static inline void auto_release_gathering(struct gathering *gathering)
{
	for (size_t i = 0; i < gathering->n_runs; i++)
		free(gathering->runs[i].values);
	for (size_t i = 0; i < gathering->n_sets; i++)
		free(gathering->sets[i].metrics);
	free(gathering->runs);
	free(gathering->sets);
	free(gathering->columns);
}

static const struct id_set *find_set(const struct gathering *gathering, int64_t id)
{
	for (size_t i = 0; i < gathering->n_sets; i++)
		if (gathering->sets[i].id == id)
			return &gathering->sets[i];
	return NULL;
}

static int add_set(struct gathering *gathering, int64_t id, struct error *err)
{
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	int rc = 0;

	if (find_set(gathering, id))
		return 0;
	rc = content_get(&gathering->store->database, CONTENT_METRICS, id, &bytes, &length, err);
	if (rc < 0)
		return rc;
	gathering->sets = mem_grow(gathering->sets, &gathering->sets_capacity,
				   gathering->n_sets + 1, sizeof(*gathering->sets));
	struct id_set *set = &gathering->sets[gathering->n_sets++];

	*set = (struct id_set) { .id = id, .n = length / 4 };
	set->metrics = mem_array(set->n, sizeof(*set->metrics));
	for (size_t i = 0; i < set->n; i++) {
		set->metrics[i] = pack_u32_at((const uint8_t *)bytes, i);
		if (set->metrics[i] >= gathering->n_columns)
			gathering->n_columns = (size_t)set->metrics[i] + 1;
	}
	return 0;
}

/* The group that the run in the statement's row belongs to: rows come group by group. */
static void add_to_group(struct gathering *gathering, sqlite3_stmt *statement)
{
	struct repeats *repeats = gathering->repeats;
	AUTO(text) char *point = database_column_text(statement, 1);
	AUTO(text) char *settings = database_column_text(statement, 2);
	const int64_t campaign = sqlite3_column_int64(statement, 0);
	const struct repeat_group *last =
		repeats->n_groups ? &repeats->groups[repeats->n_groups - 1] : NULL;

	if (!last || last->campaign != campaign || !text_equal(last->point, point) ||
	    !text_equal(last->settings, settings)) {
		repeats->groups = mem_grow(repeats->groups, &gathering->groups_capacity,
					   repeats->n_groups + 1, sizeof(*repeats->groups));
		repeats->groups[repeats->n_groups++] = (struct repeat_group) {
			.campaign = campaign,
			.point = KEEP(point),
			.settings = settings ? KEEP(settings) : mem_text(""),
			.first = gathering->n_runs - 1,
		};
	}
	repeats->groups[repeats->n_groups - 1].n++;
}

static int add_run(struct gathering *gathering, sqlite3_stmt *statement, struct error *err)
{
	size_t length = 0;
	const int64_t set = sqlite3_column_int64(statement, 3);
	const uint8_t *values = database_column_blob(statement, 4, &length);
	int rc = add_set(gathering, set, err);

	if (rc < 0)
		return rc;
	const struct id_set *known = find_set(gathering, set);
	assert(known); /* It was just added. */
	if (length / 8 != known->n)
		return error_set(err, EBADMSG,
				 "the store '%s' is damaged: %zu values of %zu metrics",
				 gathering->store->database.path, length / 8, known->n);
	gathering->runs = mem_grow(gathering->runs, &gathering->runs_capacity,
				   gathering->n_runs + 1, sizeof(*gathering->runs));
	struct chosen *run = &gathering->runs[gathering->n_runs++];

	*run = (struct chosen) { .set = set, .n_values = length / 8 };
	run->values = mem_array(run->n_values, 8);
	memcpy(run->values, values, length - length % 8);
	add_to_group(gathering, statement);
	return 0;
}

/* "[3,5]", for json_each. New string. */
static char *numbers_text(const int64_t *numbers, size_t n)
{
	struct text list = { 0 };

	text_add(&list, "[");
	for (size_t i = 0; i < n; i++)
		text_add(&list, "%s%lld", i ? "," : "", (long long)numbers[i]);
	text_add(&list, "]");
	return text_take(&list);
}

static int gather_runs(struct gathering *gathering, const struct noise_query *query,
		       struct error *err)
{
	static const char sql[] =
		"WITH chosen AS (SELECT r.run_id, r.campaign_id, j.job_id, j.point"
		"  FROM job j JOIN run r USING (job_id) WHERE j.workload = ?1"
		"  AND r.machine_id = (SELECT machine_id FROM machine WHERE type = ?2)"
		"  AND r.outcome = ?3 AND r.semantics = ?4 AND r.block < " WARM_UP_BLOCK
		"  AND r.campaign_id NOT IN (SELECT value FROM json_each(?5))"
		"  AND (NOT ?8 OR r.campaign_id IN (SELECT campaign_id FROM campaign"
		"   WHERE created_ns < (SELECT min(created_ns) FROM campaign"
		"    WHERE campaign_id IN (SELECT value FROM json_each(?5)))))"
		"  ORDER BY (j.point = ?6) DESC, r.run_id DESC LIMIT ?7)"
		" SELECT c.campaign_id, c.point, json_extract(j.content, '$.settings') AS settings,"
		"  v.set_id, v.content FROM chosen c JOIN job j USING (job_id)"
		"  JOIN run_values v USING (run_id)"
		"  ORDER BY c.campaign_id, c.point, settings, c.run_id";
	AUTO(statement) sqlite3_stmt *statement = NULL;
	AUTO(text) char *without = numbers_text(query->without, query->n_without);
	int rc = database_prepare(&gathering->store->database, sql, &statement, err);

	if (rc < 0)
		return rc;
	database_bind_text(statement, 1, query->workload);
	database_bind_text(statement, 2, query->machine);
	database_bind_i64(statement, 3, RUN_COMPLETE);
	database_bind_i64(statement, 4, query->semantics);
	database_bind_text(statement, 5, without);
	database_bind_text(statement, 6, query->point ? query->point : "");
	database_bind_i64(statement, 7, STORE_NOISE_RUNS_MAX);
	database_bind_i64(statement, 8, query->earlier);
	while (rc >= 0 && (rc = database_step(&gathering->store->database, statement, err)) == 1)
		rc = add_run(gathering, statement, err);
	return rc;
}

/* Marks the metrics that stand in a set of a chosen run, by column 0 for now. */
static void note_used(struct gathering *gathering)
{
	gathering->columns = mem_array(gathering->n_columns + 1, sizeof(*gathering->columns));
	for (size_t i = 0; i < gathering->n_columns; i++)
		gathering->columns[i] = NO_COLUMN;
	for (size_t s = 0; s < gathering->n_sets; s++)
		for (size_t i = 0; i < gathering->sets[s].n; i++)
			gathering->columns[gathering->sets[s].metrics[i]] = 0;
}

/* A column for each metric that is used, by name. Of metrics that share a name, since their unit or
 * kind was changed once, the newest has the column and the others have none. */
static int make_columns(struct gathering *gathering, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	struct repeats *repeats = gathering->repeats;
	size_t capacity = 0;
	int rc = database_prepare(&gathering->store->database,
				  "SELECT metric_id, name, role FROM metric"
				  " ORDER BY name, metric_id DESC",
				  &statement, err);

	note_used(gathering);
	while (rc >= 0 && (rc = database_step(&gathering->store->database, statement, err)) == 1) {
		const uint64_t id = database_column_u64(statement, 0);
		AUTO(text) char *name = database_column_text(statement, 1);

		if (!name || id >= gathering->n_columns || gathering->columns[id] == NO_COLUMN)
			continue;
		gathering->columns[id] = NO_COLUMN;
		if (sqlite3_column_int(statement, 2) == ROLE_COST ||
		    (repeats->n_metrics &&
		     strcmp(repeats->metrics[repeats->n_metrics - 1], name) == 0))
			continue;
		gathering->columns[id] = (uint32_t)repeats->n_metrics;
		repeats->metrics = mem_grow(repeats->metrics, &capacity, repeats->n_metrics + 1,
					    sizeof(*repeats->metrics));
		repeats->metrics[repeats->n_metrics++] = KEEP(name);
	}
	return rc;
}

static void fill_values(struct gathering *gathering)
{
	struct repeats *repeats = gathering->repeats;
	const size_t n = gathering->n_runs;

	repeats->n_runs = n;
	repeats->values = mem_array(repeats->n_metrics * n, sizeof(*repeats->values));
	for (size_t i = 0; i < repeats->n_metrics * n; i++)
		repeats->values[i] = (double)NAN;
	for (size_t r = 0; r < n; r++) {
		const struct chosen *run = &gathering->runs[r];
		const struct id_set *set = find_set(gathering, run->set);

		assert(set && set->n == run->n_values);
		for (size_t i = 0; i < set->n; i++) {
			const uint32_t column = gathering->columns[set->metrics[i]];
			const struct value value = value_unpack(pack_u64_at(run->values, i));

			if (column != NO_COLUMN && value_is_known(value))
				repeats->values[column * n + r] = value.number;
		}
	}
}

int store_noise(struct store *store, const struct noise_query *query, struct repeats **ret_repeats,
		struct error *err)
{
	AUTO(transaction) struct transaction transaction = { 0 };
	AUTO(repeats) struct repeats *repeats = mem_zero(sizeof(*repeats));
	AUTO(gathering) struct gathering gathering = { .store = store, .repeats = repeats };
	int rc = database_begin_read(&store->database, &transaction, err);

	assert(query->machine && query->workload);
	if (rc == 0)
		rc = gather_runs(&gathering, query, err);
	if (rc == 0)
		rc = make_columns(&gathering, err);
	if (rc < 0)
		return rc;
	fill_values(&gathering);
	*ret_repeats = KEEP(repeats);
	return 0;
}

int store_run_took(struct store *store, const char *machine, const struct job *job,
		   uint64_t *ret_ns, struct error *err)
{
	/* The phases are marks of one clock: 0 preparation, 4 clearing up. What goes with a run
	 * beside them is seen by when the next one of its campaign started, unless that was late. */
	static const char sql[] =
		"WITH chosen AS (SELECT r.run_id FROM job j JOIN run r USING (job_id)"
		"  WHERE j.workload = ?5 AND j.point = ?1 AND r.outcome = ?2"
		"  AND r.block < " WARM_UP_BLOCK
		"  AND r.machine_id = (SELECT machine_id FROM machine WHERE type = ?3)"
		"  ORDER BY r.run_id DESC LIMIT ?4),"
		" taken AS (SELECT json_extract(r.phases, '$[4]') - json_extract(r.phases, '$[0]')"
		"   AS phases_ns,"
		"  (SELECT min(n.started_ns) FROM run n WHERE n.campaign_id = r.campaign_id"
		"   AND n.started_ns > r.started_ns) - r.started_ns AS next_ns"
		"  FROM chosen JOIN run r USING (run_id) WHERE json_extract(r.phases, '$[0]') > 0)"
		" SELECT CAST(avg(CASE WHEN next_ns - phases_ns BETWEEN 0 AND ?6 THEN next_ns"
		"  ELSE phases_ns END) AS INTEGER) FROM taken WHERE phases_ns > 0";
	AUTO(statement) sqlite3_stmt *statement = NULL;
	AUTO(text) char *point = job_point(job);
	int rc = database_prepare(&store->database, sql, &statement, err);

	if (rc < 0)
		return rc;
	database_bind_text(statement, 1, point);
	database_bind_i64(statement, 2, RUN_COMPLETE);
	database_bind_text(statement, 3, machine);
	database_bind_i64(statement, 4, TOOK_RUNS);
	database_bind_text(statement, 5, job->workload);
	database_bind_u64(statement, 6, BESIDE_NS_MAX);
	rc = database_step(&store->database, statement, err);
	if (rc < 0)
		return rc;
	assert(rc == 1);                             /* An aggregate gives a row always. */
	*ret_ns = database_column_u64(statement, 0); /* An SQL NULL is 0. */
	return 0;
}
