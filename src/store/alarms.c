/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The false-alarm rate of each type of machine and workload, as it was measured last. */
#include "store/handle.h"
#include "store/noise.h"

#include <assert.h>

int store_alarms_put(struct store *store, const char *machine, const char *workload,
		     const struct alarm_rate *rate, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "INSERT OR REPLACE INTO alarms (machine, workload, alpha,"
				  " comparisons, alarms, low, high, seed, measured_ns)"
				  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
				  &statement, err);

	assert(rate->n_alarms <= rate->n_comparisons);
	if (rc < 0)
		return rc;
	database_bind_text(statement, 1, machine);
	database_bind_text(statement, 2, workload);
	database_bind_f64(statement, 3, rate->alpha);
	database_bind_u64(statement, 4, rate->n_comparisons);
	database_bind_u64(statement, 5, rate->n_alarms);
	database_bind_f64(statement, 6, rate->low);
	database_bind_f64(statement, 7, rate->high);
	database_bind_u64(statement, 8, rate->seed);
	database_bind_u64(statement, 9, rate->measured_wall_ns);
	return database_step(&store->database, statement, err);
}

int store_alarms_get(struct store *store, const char *machine, const char *workload,
		     struct alarm_rate *ret_rate, bool *ret_known, struct error *err)
{
	AUTO(statement) sqlite3_stmt *statement = NULL;
	int rc = database_prepare(&store->database,
				  "SELECT alpha, comparisons, alarms, low, high, seed, measured_ns"
				  " FROM alarms WHERE machine = ?1 AND workload = ?2",
				  &statement, err);

	if (rc < 0)
		return rc;
	database_bind_text(statement, 1, machine);
	database_bind_text(statement, 2, workload);
	rc = database_step(&store->database, statement, err);
	if (rc < 0)
		return rc;
	*ret_known = rc == 1;
	if (rc == 1)
		*ret_rate = (struct alarm_rate) {
			.alpha = sqlite3_column_double(statement, 0),
			.n_comparisons = database_column_u64(statement, 1),
			.n_alarms = database_column_u64(statement, 2),
			.low = sqlite3_column_double(statement, 3),
			.high = sqlite3_column_double(statement, 4),
			.seed = database_column_u64(statement, 5),
			.measured_wall_ns = database_column_u64(statement, 6),
		};
	return 0;
}
