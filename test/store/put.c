/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeping runs: attempts, what is shared, kill -9, two writers, a full disk. */
#include "base/clock.h"
#include "base/macros.h"
#include "fixture.h"
#include "store/handle.h"

#include <errno.h>
#include <signal.h>

#include <sys/mount.h>
#include <sys/wait.h>

static int64_t number_of(struct store *store, const char *sql)
{
	int64_t number = -1;
	struct error err = { 0 };

	if (database_number(&store->database, sql, &number, &err) < 0)
		fail_msg("%s: %s", sql, err.text);
	return number;
}

static int put_outcome(struct store *store, int64_t campaign, enum run_outcome outcome,
		       int64_t *ret_id, struct error *err)
{
	struct job *job = fixture_job("base");
	struct run *run = fixture_run(1);

	run->outcome = outcome;
	int rc = store_run_put(store, campaign, 0, 0, job, run, ret_id, err);

	run_free(run);
	job_free(job);
	return rc;
}

static void only_a_run_that_did_not_end_may_be_repeated(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "attempts", 1);
	struct run_row row = { 0 };
	struct run *run = NULL;
	struct error err = { 0 };
	int64_t id = 0;

	CHECK_INT(put_outcome(store, campaign, RUN_INTERRUPTED, &id, &err), 0);
	CHECK_INT(put_outcome(store, campaign, RUN_TORN, &id, &err), 0);
	CHECK_INT(put_outcome(store, campaign, RUN_FAILED, &id, &err), 0);
	CHECK_INT(store_run_get(store, id, /* with_series= */ false, &run, &row, &err), 0);
	CHECK_INT(row.attempt, 3);
	const int64_t before = id;

	for (unsigned i = 0; i < RUN_OUTCOME_COUNT; i++)
		CHECK_INT(put_outcome(store, campaign, (enum run_outcome)i, &id, &err), -EEXIST);
	CHECK_HOLDS(err.text, "run 0 of the campaign");
	CHECK_INT(id, before); /* Outputs are untouched by a failure. */
	CHECK_INT(number_of(store, "SELECT count(*) FROM run"), 3);
	run_row_done(&row);
	run_free(run);
	store_close(store);
	fixture_remove(directory);
}

static void a_run_of_no_campaign_is_refused_and_nothing_of_it_stays(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct error err = { 0 };
	int64_t id = 0;

	CHECK_INT(put_outcome(store, 99, RUN_COMPLETE, &id, &err), -ENOENT);
	CHECK_INT(number_of(store, "SELECT count(*) FROM run"), 0);
	CHECK_INT(number_of(store, "SELECT count(*) FROM metric"), 0);
	store_close(store);
	fixture_remove(directory);
}

static void what_runs_share_is_kept_once(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "shared", 20);

	for (uint64_t i = 0; i < 20; i++) /* Each has its own load at start. */
		(void)fixture_put(store, campaign, i, i % 2 ? "head" : "base", i);
	CHECK_INT(number_of(store, "SELECT count(*) FROM run"), 20);
	CHECK_INT(number_of(store, "SELECT count(*) FROM job"), 2);
	CHECK_INT(number_of(store, "SELECT count(*) FROM metricset"), 1);
	CHECK_INT(number_of(store, "SELECT count(*) FROM metric"), 41);
	CHECK_INT(number_of(store, "SELECT count(*) FROM factset"), 1);
	CHECK_INT(number_of(store, "SELECT count(*) FROM channelset"), 1);
	CHECK_INT(number_of(store, "SELECT max(json_array_length(facts)) FROM run"), 1);
	for (int64_t id = 1; id <= 20; id++)
		fixture_check_run(store, id, (uint64_t)id - 1);
	store_close(store);
	fixture_remove(directory);
}

static void many_other_facts_make_another_set(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "facts", 3);
	struct job *job = fixture_job("base");

	for (uint64_t i = 0; i < 3; i++) {
		struct run *run = fixture_run(i);
		struct run *have = NULL;
		int64_t id = 0;

		for (unsigned k = 0; k < 70; k++) { /* The second has 70 others; the third as it. */
			char *name = mem_format("sysctl.vm.knob_%02u", k);

			run_fact_add(run, name, VALUE_KNOWN, MISSING_NOT, i ? "1" : "0");
			free(name);
		}
		run_sort(run);
		CHECK_INT(store_run_put(store, campaign, i, 0, job, run, &id, NULL), 0);
		CHECK_INT(store_run_get(store, id, /* with_series= */ true, &have, NULL, NULL), 0);
		fixture_same_runs(have, run);
		run_free(have);
		run_free(run);
	}
	CHECK_INT(number_of(store, "SELECT count(*) FROM factset"), 2);
	job_free(job);
	store_close(store);
	fixture_remove(directory);
}

/* Puts runs from `first` on, telling each acknowledged one through the pipe, for ever. */
static NORETURN void put_for_ever(const char *directory, const char *campaign_name, uint64_t first,
				  int fd)
{
	struct store *store = fixture_store(directory);
	struct campaign_row row = { 0 };

	if (store_campaign_find(store, campaign_name, &row, NULL) < 0)
		_exit(1);
	for (uint64_t i = first;; i++) {
		(void)fixture_put(store, row.id, i, "base", i);
		if (write(fd, &i, sizeof(i)) != sizeof(i))
			_exit(2);
	}
}

/* One writer killed after a while: the number of the last run that it was told is kept. */
static uint64_t write_and_kill(const char *directory, uint64_t first, uint64_t after_ns)
{
	uint64_t acknowledged = 0;
	uint64_t n = first;
	int pipe_fds[2];

	CHECK_INT(pipe(pipe_fds), 0);
	const pid_t child = fork();

	CHECK(child >= 0);
	if (child == 0) {
		(void)close(pipe_fds[0]);
		put_for_ever(directory, "killed", first, pipe_fds[1]);
	}
	(void)close(pipe_fds[1]);
	clock_sleep_until_ns(clock_monotonic_ns() + after_ns);
	CHECK_INT(kill(child, SIGKILL), 0);
	CHECK_INT(waitpid(child, NULL, 0), child);
	while (read(pipe_fds[0], &acknowledged, sizeof(acknowledged)) == sizeof(acknowledged))
		n = acknowledged + 1;
	(void)close(pipe_fds[0]);
	return n;
}

static void what_was_acknowledged_survives_kill_9(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct random random;
	uint64_t next = 0;

	(void)fixture_campaign(store, "killed", 1000000);
	store_close(store);
	random_seed(&random, 4711);
	for (unsigned round = 0; round < 25; round++) {
		const uint64_t acknowledged =
			write_and_kill(directory, next, random_below(&random, 80 * NS_PER_MS));

		store = fixture_store(directory);
		CHECK_INT(number_of(store, "SELECT integrity_check = 'ok' FROM"
					   " pragma_integrity_check"),
			  1);
		/* One more may have been kept than its writer lived to tell. */
		next = (uint64_t)number_of(store, "SELECT count(*) FROM run");
		CHECK(next == acknowledged || next == acknowledged + 1);
		store_close(store);
	}
	store = fixture_store(directory);
	CHECK(next > 25); /* Else nothing was tested. */
	for (uint64_t i = 0; i < next; i++)
		fixture_check_run(store, (int64_t)i + 1, i);
	store_close(store);
	fixture_remove(directory);
}

static void two_writers_at_once_lose_nothing(void **state)
{
	char *directory = fixture_directory();
	pid_t writers[2];
	int64_t n = 0;

	/* Both make the store, too. */
	for (unsigned w = 0; w < 2; w++) {
		writers[w] = fork();
		CHECK(writers[w] >= 0);
		if (writers[w] == 0) {
			struct store *store = fixture_store(directory);
			const int64_t campaign = fixture_campaign(store, w ? "b" : "a", 100);

			for (uint64_t i = 0; i < 100; i++)
				(void)fixture_put(store, campaign, i, "base", 1000 * w + i);
			store_close(store);
			_exit(0);
		}
	}
	for (unsigned w = 0; w < 2; w++) {
		int status = -1;

		CHECK_INT(waitpid(writers[w], &status, 0), writers[w]);
		CHECK_INT(status, 0);
	}
	struct store *store = fixture_store(directory);
	struct run_row *rows = NULL;
	size_t rows_n = 0;

	n = number_of(store, "SELECT count(*) FROM run");
	CHECK_INT(n, 200);
	CHECK_INT(number_of(store, "SELECT count(*) FROM metricset"), 1);
	CHECK_INT(store_run_list(store, &(struct run_query) { 0 }, &rows, &rows_n, NULL), 0);
	for (size_t i = 0; i < rows_n; i++)
		fixture_check_run(store, rows[i].id,
				  rows[i].sequence +
					  (strcmp(rows[i].campaign_name, "b") == 0 ? 1000 : 0));
	run_rows_free(rows, rows_n);
	store_close(store);
	fixture_remove(directory);
}

/* Puts runs until one is refused; the number that were kept. */
static uint64_t put_until_refused(struct store *store, int64_t campaign, struct error *err)
{
	struct job *job = fixture_job("base");
	int rc = 0;
	uint64_t i = 0;

	for (; rc == 0 && i < 10000; i++) {
		struct run *run = fixture_run(i);
		int64_t id = 0;

		rc = store_run_put(store, campaign, i, 0, job, run, &id, err);
		run_free(run);
	}
	job_free(job);
	CHECK_INT(rc, -ENOSPC);
	return i - 1;
}

static void check_kept(struct store *store, uint64_t n)
{
	CHECK_INT(number_of(store, "SELECT count(*) FROM run"), n);
	CHECK_INT(number_of(store, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
	for (uint64_t i = 0; i < n; i++)
		fixture_check_run(store, (int64_t)i + 1, i);
}

static void a_full_disk_loses_only_the_run_that_did_not_fit(void **state)
{
	char *directory = fixture_directory();
	struct error err = { 0 };

	if (mount("assay-test", directory, "tmpfs", 0, "size=600k") < 0) {
		print_message("no small file system can be mounted here: %s\n", strerror(errno));
		fixture_remove(directory);
		skip();
	}
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "full", 1000);
	const uint64_t kept = put_until_refused(store, campaign, &err);

	CHECK_HOLDS(err.text, "no space left");
	CHECK_HOLDS(err.text, "what was kept before is safe");
	CHECK(kept > 3);
	check_kept(store, kept); /* Reading goes on while it is full. */
	CHECK_INT(put_outcome(store, campaign, RUN_COMPLETE, &(int64_t) { 0 }, &err), -EEXIST);
	store_close(store);
	store = fixture_store(directory); /* Opening as well. */
	check_kept(store, kept);
	CHECK_INT(mount("assay-test", directory, "tmpfs", MS_REMOUNT, "size=4m"), 0);
	(void)fixture_put(store, campaign, kept, "base", kept);
	check_kept(store, kept + 1);
	store_close(store);
	CHECK_INT(umount(directory), 0);
	fixture_remove(directory);
}

static void a_full_database_loses_only_the_run_that_did_not_fit(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "full", 1000);
	struct error err = { 0 };

	CHECK_INT(database_run(&store->database, "PRAGMA max_page_count = 60", &err), 0);
	const uint64_t kept = put_until_refused(store, campaign, &err);

	CHECK_HOLDS(err.text, "no space left");
	CHECK(kept > 3);
	check_kept(store, kept);
	CHECK_INT(database_run(&store->database, "PRAGMA max_page_count = 6000", &err), 0);
	(void)fixture_put(store, campaign, kept, "base", kept);
	check_kept(store, kept + 1);
	store_close(store);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_run_that_did_not_end_may_be_repeated),
		cmocka_unit_test(a_run_of_no_campaign_is_refused_and_nothing_of_it_stays),
		cmocka_unit_test(what_runs_share_is_kept_once),
		cmocka_unit_test(many_other_facts_make_another_set),
		cmocka_unit_test(what_was_acknowledged_survives_kill_9),
		cmocka_unit_test(two_writers_at_once_lose_nothing),
		cmocka_unit_test(a_full_disk_loses_only_the_run_that_did_not_fit),
		cmocka_unit_test(a_full_database_loses_only_the_run_that_did_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
