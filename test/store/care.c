/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies while others write, and what is unused given back. */
#include "base/clock.h"
#include "base/fs.h"
#include "fixture.h"
#include "store/handle.h"

#include <errno.h>
#include <signal.h>

#include <sys/wait.h>

static int64_t number_of(struct store *store, const char *sql)
{
	int64_t number = -1;

	CHECK_INT(database_number(&store->database, sql, &number, NULL), 0);
	return number;
}

/* Makes a copy as the store of a new directory. New string. */
static char *copy_of(struct store *store)
{
	char *directory = fixture_directory();
	char *path = mem_format("%s/%s", directory, STORE_FILE_NAME);
	struct error err = { 0 };

	if (store_backup(store, path, &err) < 0)
		fail_msg("cannot copy: %s", err.text);
	free(path);
	return directory;
}

static void a_copy_is_a_store_with_the_same_runs(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "x", 5);

	for (uint64_t i = 0; i < 5; i++)
		(void)fixture_put(store, campaign, i, "base", i);
	char *copy_directory = copy_of(store);
	struct store *copy = fixture_store(copy_directory);

	for (uint64_t i = 0; i < 5; i++)
		fixture_check_run(copy, (int64_t)i + 1, i);
	store_close(copy);
	store_close(store);
	fixture_remove(copy_directory);
	fixture_remove(directory);
}

static void a_copy_replaces_nothing(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	char *path = mem_format("%s/there", directory);
	struct error err = { 0 };
	size_t length = 0;

	CHECK_INT(fs_replace(path, "kept", 4, 0600, NULL), 0);
	CHECK_INT(store_backup(store, path, &err), -EEXIST);
	CHECK_HOLDS(err.text, path);
	char *kept = fixture_read(path, &length);

	CHECK_TEXT(kept, "kept");
	free(kept);
	CHECK_INT(store_backup(store, "/nowhere/copy", &err), -ENOENT);
	free(path);
	store_close(store);
	fixture_remove(directory);
}

static void a_copy_made_while_another_writes_is_whole(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);

	(void)fixture_campaign(store, "x", 100000);
	store_close(store);
	const pid_t writer = fork();

	CHECK(writer >= 0);
	if (writer == 0) {
		store = fixture_store(directory);
		for (uint64_t i = 0;; i++)
			(void)fixture_put(store, 1, i, "base", i);
	}
	store = fixture_store(directory);
	while (number_of(store, "SELECT count(*) FROM run") < 3)
		clock_sleep_until_ns(clock_monotonic_ns() + NS_PER_MS);
	for (unsigned round = 0; round < 3; round++) {
		char *copy_directory = copy_of(store);
		struct store *copy = fixture_store(copy_directory);
		uint64_t bad = 99;
		const int64_t n = number_of(copy, "SELECT count(*) FROM run");

		CHECK(n >= 3);
		CHECK_INT(number_of(copy, "SELECT max(sequence) + 1 FROM run"), n);
		CHECK_INT(store_check(copy, NULL, NULL, &bad, NULL), 0);
		CHECK_INT(bad, 0);
		store_close(copy);
		fixture_remove(copy_directory);
	}
	CHECK_INT(kill(writer, SIGKILL), 0);
	CHECK_INT(waitpid(writer, NULL, 0), writer);
	store_close(store);
	fixture_remove(directory);
}

static void what_no_run_uses_is_given_back(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "x", 80);
	struct job *job = fixture_job("base");
	struct run *odd = fixture_run(79);
	uint64_t bytes = 0;
	uint64_t removed = 0;
	int64_t id = 0;

	(void)fixture_campaign(store, "planned", 5);
	for (uint64_t i = 0; i < 79; i++)
		(void)fixture_put(store, campaign, i, i ? "head" : "base", i);
	run_metric_add(odd, &(struct metric) { .name = "odd", .unit = "1" }, value_known(1));
	run_sort(odd);
	free(job->subject);
	job->subject = mem_text("head");
	CHECK_INT(store_run_put(store, campaign, 79, 0, job, odd, &id, NULL), 0);
	CHECK_INT(number_of(store, "SELECT count(*) FROM metric"), 42);
	CHECK_INT(
		store_run_remove(store, &(struct run_query) { .subject = "head" }, &removed, NULL),
		0);
	CHECK_INT(removed, 79);
	CHECK_INT(store_gc(store, &bytes, NULL), 0);
	CHECK(bytes > 50000);
	CHECK_INT(number_of(store, "SELECT count(*) FROM metric"), 41);
	CHECK_INT(number_of(store, "SELECT count(*) FROM metricset"), 1);
	CHECK_INT(number_of(store, "SELECT count(*) FROM job"), 1);
	CHECK_INT(number_of(store, "SELECT count(*) FROM factset"), 1);
	CHECK_INT(number_of(store, "SELECT count(*) FROM campaign"), 2); /* Planned stays. */
	fixture_check_run(store, 1, 0);
	/* Numbers of sets are never given twice. */
	(void)fixture_put(store, campaign, 1, "head", 1);
	CHECK_INT(number_of(store, "SELECT max(job_id) FROM job"), 3);
	CHECK_INT(store_gc(store, &bytes, NULL), 0);
	job_free(job);
	run_free(odd);
	store_close(store);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_is_a_store_with_the_same_runs),
		cmocka_unit_test(a_copy_replaces_nothing),
		cmocka_unit_test(a_copy_made_while_another_writes_is_whole),
		cmocka_unit_test(what_no_run_uses_is_given_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
