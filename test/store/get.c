/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs come back as they were put, and damage of a row is told. */
#include "fixture.h"
#include "store/handle.h"

#include <errno.h>

static void a_run_comes_back_as_it_was_put(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "one", 3);

	for (uint64_t i = 0; i < 3; i++) {
		const int64_t id = fixture_put(store, campaign, i, "base", 100 + i);

		fixture_check_run(store, id, 100 + i);
	}
	store_close(store);
	store = fixture_store(directory);
	for (uint64_t i = 0; i < 3; i++)
		fixture_check_run(store, (int64_t)i + 1, 100 + i);
	store_close(store);
	fixture_remove(directory);
}

static void the_row_says_where_a_run_belongs(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "rows", 9);
	const int64_t id = fixture_put(store, campaign, 5, "head", 1);
	struct run *run = NULL;
	struct run_row row = { 0 };
	struct error err = { 0 };
	struct job *job = fixture_job("head");
	char *point = job_point(job);

	CHECK_INT(store_run_get(store, id, /* with_series= */ false, &run, &row, &err), 0);
	CHECK_INT(row.id, id);
	CHECK_INT(row.campaign, campaign);
	CHECK_TEXT(row.campaign_name, "rows");
	CHECK_INT(row.sequence, 5);
	CHECK_INT(row.attempt, 1);
	CHECK_INT(row.block, 3);
	CHECK_TEXT(row.subject, "head");
	CHECK_TEXT(row.point, point);
	CHECK_TEXT(row.job->arguments[0].value, "4");
	CHECK_TEXT(row.job->arguments[0].text, "2*cpus");
	CHECK_INT(row.job->settings[0].kind, SETTING_SYSCTL);
	CHECK_TEXT(row.job->monitors[0], "proc-vmstat");
	CHECK_INT(row.job->time_limit_ns, job->time_limit_ns);
	CHECK(row.job->point == NULL);
	CHECK_INT(row.started_wall_ns, run->started_wall_ns);
	CHECK_INT(run->n_series, 0); /* Not asked for. */
	free(point);
	job_free(job);
	run_row_done(&row);
	run_free(run);
	store_close(store);
	fixture_remove(directory);
}

static void a_run_that_never_began_comes_back(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "empty", 1);
	struct job *job = fixture_job("base");
	struct run *run = run_new();
	struct run *have = NULL;
	struct error err = { 0 };
	int64_t id = 0;

	run->outcome = RUN_TORN;
	free(run->reason);
	run->reason = mem_text("the probe died");
	CHECK_INT(store_run_put(store, campaign, 0, 0, job, run, &id, &err), 0);
	CHECK_INT(store_run_get(store, id, /* with_series= */ true, &have, NULL, &err), 0);
	fixture_same_runs(have, run);
	run_free(have);
	run_free(run);
	job_free(job);
	store_close(store);
	fixture_remove(directory);
}

static void an_absent_run_is_said_to_be_absent(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct run *run = NULL;
	struct error err = { 0 };

	CHECK_INT(store_run_get(store, 7, /* with_series= */ false, &run, NULL, &err), -ENOENT);
	CHECK_HOLDS(err.text, "no run 7");
	CHECK(run == NULL);
	store_close(store);
	fixture_remove(directory);
}

/* Damages the only run by one statement, and checks that reading it tells so. */
static void check_damage(const char *sql, const char *word)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "damage", 1);
	const int64_t id = fixture_put(store, campaign, 0, "base", 1);
	struct run *run = NULL;
	struct error err = { 0 };

	CHECK_INT(database_run(&store->database, "PRAGMA foreign_keys = OFF", &err), 0);
	CHECK_INT(database_run(&store->database, sql, &err), 0);
	CHECK_INT(store_run_get(store, id, /* with_series= */ true, &run, NULL, &err), -EBADMSG);
	CHECK_HOLDS(err.text, "run 1");
	CHECK_HOLDS(err.text, word);
	CHECK(run == NULL);
	store_close(store);
	fixture_remove(directory);
}

static void damage_is_told(void **state)
{
	check_damage("DELETE FROM run_values", "values");
	check_damage("UPDATE run_values SET content = x'0011223344556677'", "values");
	check_damage("DELETE FROM metricset", "metricset");
	check_damage("DELETE FROM metric", "metric");
	check_damage("UPDATE metric SET kind = 99", "metric");
	check_damage("UPDATE metric SET name = '' WHERE metric_id = 1", "metric");
	check_damage("UPDATE run_series SET content = substr(content, 1, 30)", "zstd");
	check_damage("UPDATE run_series SET content = x''", "zstd");
	check_damage("UPDATE run_series SET samples = 3", "samples");
	check_damage("UPDATE run_series SET samples = -3", "samples");
	check_damage("UPDATE channelset SET content = '[]'", "samples");
	check_damage("UPDATE channelset SET content = '[[1,2,3]]'", "channel");
	check_damage("UPDATE run_log SET content = x'28b52ffd'", "zstd");
	check_damage("UPDATE factset SET content = '{}'", "facts");
	check_damage("UPDATE factset SET content = '[[\"b\",\"1\"],[\"a\",\"2\"]]'", "order");
	check_damage("UPDATE run SET facts = '[[\"b\",{\"missing\":99}]]'", "fact");
	check_damage("UPDATE run SET phases = '[1]'", "phases");
	check_damage("UPDATE run SET outcome = 77", "outcome");
	check_damage("UPDATE job SET content = '{}'", "job");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_comes_back_as_it_was_put),
		cmocka_unit_test(the_row_says_where_a_run_belongs),
		cmocka_unit_test(a_run_that_never_began_comes_back),
		cmocka_unit_test(an_absent_run_is_said_to_be_absent),
		cmocka_unit_test(damage_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
