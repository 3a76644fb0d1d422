/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The versions of the schema: a store of every version that was ever released lies in
 * test/golden/store-N/, folded by zstd, and is opened here. UPDATE=store writes the one of the
 * present version anew; that is for a version that has not been released.
 */
#include "store/schema.h"

#include "base/clock.h"
#include "base/fs.h"
#include "fixture.h"
#include "store/handle.h"
#include "store/marks.h"
#include "store/noise.h"
#include "store/pack.h"

#include <errno.h>

#define GOLDEN_BYTES_MAX (16U << 20)
#define GOLDEN_RUNS 3

static char *golden_path(int version)
{
	return mem_format("%s/store-%d/assay.sqlite.zst", getenv("ASSAY_TEST_GOLDEN"), version);
}

/* Everything that version 2 brought. */
static void put_golden_words(struct store *store)
{
	char metric[] = "hackbench.time_sec";
	char any[] = "";
	char why[] = "golden";
	const struct mark_row mark = {
		.metric = metric,
		.point = any,
		.tolerance_percent = 2.5,
		.why = why,
		.who = why,
	};
	const struct alarm_rate rate = { .alpha = 0.01, .n_comparisons = 9, .n_alarms = 1 };
	int64_t id = 0;

	CHECK_INT(store_mark_add(store, &mark, &id, NULL), 0);
	CHECK_INT(store_alarms_put(store, "machine", "hackbench", &rate, NULL), 0);
}

static void check_golden_words(struct store *store, int version)
{
	struct mark_row *rows = NULL;
	struct alarm_rate rate = { 0 };
	size_t n = 0;
	bool known = false;

	CHECK_INT(store_mark_list(store, /* withdrawn_too= */ true, &rows, &n, NULL), 0);
	CHECK_INT(store_alarms_get(store, "machine", "hackbench", &rate, &known, NULL), 0);
	CHECK_INT(n, version >= 2);
	CHECK_INT(known, version >= 2);
	if (version >= 2) {
		CHECK_TEXT(rows[0].metric, "hackbench.time_sec");
		CHECK(rows[0].tolerance_percent == 2.5);
		CHECK_INT(rate.n_comparisons, 9);
	}
	mark_rows_free(rows, n);
}

/* Runs of every version serve as knowledge of noise. */
static void check_golden_noise(struct store *store)
{
	struct run *run = fixture_run(7000);
	char *machine = store_machine_type(run);
	const struct noise_query query = {
		.machine = machine,
		.workload = "hackbench",
		.semantics = 1,
	};
	struct repeats *repeats = NULL;

	CHECK_INT(store_noise(store, &query, &repeats, NULL), 0);
	CHECK_INT(repeats->n_runs, GOLDEN_RUNS);
	repeats_free(repeats);
	free(machine);
	run_free(run);
}

static void put_golden_runs(const char *directory)
{
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "golden", GOLDEN_RUNS);
	uint64_t bytes = 0;

	for (uint64_t i = 0; i < GOLDEN_RUNS; i++)
		(void)fixture_put(store, campaign, i, i % 2 ? "head" : "base", 7000 + i);
	CHECK_INT(store_campaign_finish(store, campaign, NULL), 0);
	put_golden_words(store);
	CHECK_INT(store_gc(store, &bytes, NULL), 0);
	store_close(store);
}

static void write_golden(const char *path)
{
	char *directory = fixture_directory();
	char *file = mem_format("%s/%s", directory, STORE_FILE_NAME);
	size_t length = 0;
	size_t folded = 0;

	put_golden_runs(directory);
	char *bytes = fixture_read(file, &length);
	uint8_t *frame = pack_fold(bytes, length, &folded);

	CHECK_INT(fs_replace(path, frame, folded, 0644, NULL), 0);
	free(frame);
	free(bytes);
	free(file);
	fixture_remove(directory);
}

/* Unfolds a golden store into a new directory. New string. */
static char *golden_directory(int version)
{
	char *path = golden_path(version);
	char *directory = fixture_directory();
	char *file = mem_format("%s/%s", directory, STORE_FILE_NAME);
	uint8_t *bytes = NULL;
	size_t folded = 0;
	size_t length = 0;
	const char *update = getenv("UPDATE");

	if (version == SCHEMA_VERSION && update && strcmp(update, "store") == 0)
		write_golden(path);
	char *frame = fixture_read(path, &folded);

	CHECK_INT(pack_unfold(frame, folded, GOLDEN_BYTES_MAX, &bytes, &length, NULL), 0);
	CHECK_INT(fs_replace(file, bytes, length, 0600, NULL), 0);
	free(bytes);
	free(frame);
	free(file);
	free(path);
	return directory;
}

static void every_released_store_can_still_be_read(void **state)
{
	for (int version = 1; version <= SCHEMA_VERSION; version++) {
		char *directory = golden_directory(version);
		struct store *store = NULL;
		struct run_row *rows = NULL;
		struct campaign_row campaign = { 0 };
		size_t n = 0;
		uint64_t bad = 99;
		struct error err = { 0 };

		if (store_open(directory, /* create= */ false, &store, &err) < 0)
			fail_msg("version %d: %s", version, err.text);
		CHECK_INT(store_campaign_find(store, "golden", &campaign, NULL), 0);
		CHECK(campaign.finished);
		CHECK_INT(campaign.runs_done, GOLDEN_RUNS);
		CHECK_INT(store_run_list(store, &(struct run_query) { 0 }, &rows, &n, NULL), 0);
		CHECK_INT(n, GOLDEN_RUNS);
		for (size_t i = 0; i < n; i++) {
			CHECK_TEXT(rows[i].subject, i % 2 ? "head" : "base");
			CHECK_TEXT(rows[i].point, "hackbench/groups=2*cpus/ipc=pipe");
			fixture_check_run(store, rows[i].id, 7000 + i);
		}
		check_golden_words(store, version);
		check_golden_noise(store);
		CHECK_INT(store_check(store, NULL, NULL, &bad, NULL), 0);
		CHECK_INT(bad, 0);
		/* And it can be written on. */
		(void)fixture_put(store, campaign.id, GOLDEN_RUNS, "base", 1);
		campaign_row_done(&campaign);
		run_rows_free(rows, n);
		store_close(store);
		fixture_remove(directory);
	}
}

static void an_empty_database_becomes_a_store_once(void **state)
{
	char *directory = fixture_directory();
	char *path = mem_format("%s/x.sqlite", directory);
	struct database database = { 0 };
	bool is_empty = false;
	int64_t number = 0;

	CHECK_INT(fs_replace(path, "", 0, 0600, NULL), 0);
	CHECK_INT(database_open(path, &database, NULL), 0);
	CHECK_INT(schema_look(&database, &is_empty, NULL), 0);
	CHECK(is_empty);
	for (unsigned i = 0; i < 2; i++) {
		CHECK_INT(schema_prepare(&database, NULL), 0);
		CHECK_INT(schema_look(&database, &is_empty, NULL), 0);
		CHECK(!is_empty);
	}
	CHECK_INT(database_number(&database, "PRAGMA user_version", &number, NULL), 0);
	CHECK_INT(number, SCHEMA_VERSION);
	CHECK_INT(database_number(&database, "PRAGMA application_id", &number, NULL), 0);
	CHECK_INT(number, SCHEMA_APPLICATION_ID);
	CHECK_INT(database_number(&database,
				  "SELECT count(*) FROM pragma_table_list WHERE schema = 'main'"
				  " AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'",
				  &number, NULL),
		  0);
	CHECK_INT(number, 0); /* Every table is STRICT. */
	database_done(&database);
	free(path);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_released_store_can_still_be_read),
		cmocka_unit_test(an_empty_database_becomes_a_store_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
