/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the store costs, beside the floor: SQLite alone, with the same settings (write-ahead log,
 * synchronous=FULL), that keeps the bare numbers of each run as one blob in one row and knows
 * nothing of them. Put (as it takes, disk and all), and get, list and what is known of noise in a
 * store of many runs (CPU time).
 *
 *     bench/store [RUNS [METRICS]]          (2000 and 500)
 *
 * Prints a table. A benchmark, not a test: it judges nothing.
 */
#include "store/store.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "store/noise.h"
#include "verdict/noise_table.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUNS 2000U
#define METRICS 500U
#define RUNS_A_CAMPAIGN 40U
#define GETS 300U
#define REPEATS 5U /* Of list and noise; the shortest counts. */
#define FACTS 200U

struct bench {
	char *directory;
	struct store *store;
	sqlite3 *floor;
	struct run *run; /* Filled with new values for each put. */
	struct job *jobs[2];
	double *values;
	struct random random;
	uint32_t n_runs, n_metrics;
};

static void must(int failed, const struct error *err)
{
	if (!failed)
		return;
	(void)fprintf(stderr, "store: %s\n", err->text);
	exit(1);
}

static void must_sqlite(struct bench *bench, int code)
{
	if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
		return;
	(void)fprintf(stderr, "store: floor: %s\n", sqlite3_errmsg(bench->floor));
	exit(1);
}

static struct job *make_job(const char *subject)
{
	struct job *job = job_new();
	job->workload = mem_text("hackbench");
	job->semantics = 1;
	job->subject = mem_text(subject);
	job->place = mem_text("host");
	job->point = mem_text("hackbench/groups=4");
	if (strcmp(subject, "head") == 0) {
		job->settings = mem_array(1, sizeof(*job->settings));
		job->n_settings = 1;
		job->settings[0] = (struct setting) { SETTING_SYSCTL, mem_text("vm.numa_stat"),
						      mem_text("0") };
	}
	return job;
}

static void make_run(struct bench *bench)
{
	struct run *run = run_new();
	run->semantics = 1;
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		run->phase_ns[i] = (i + 1) * NS_PER_SEC;
	for (uint32_t i = 0; i < bench->n_metrics; i++) {
		char name[64];
		(void)snprintf(name, sizeof(name), "proc-vmstat.counter_%04u", i);
		const struct metric metric = { .name = name,
					       .unit = "1",
					       .what = "",
					       .kind = METRIC_COUNTER,
					       .role = i ? ROLE_EVIDENCE : ROLE_SCORE };
		run_metric_add(run, &metric, value_known(1));
	}
	for (unsigned i = 0; i < FACTS; i++) {
		char name[64];
		(void)snprintf(name, sizeof(name), "sysctl.knob_%03u", i);
		run_fact_add(run, name, VALUE_KNOWN, MISSING_NOT, "some value");
	}
	run_fact_add(run, "cpu.model_name", VALUE_KNOWN, MISSING_NOT, "Imaginary 9000");
	run_sort(run);
	bench->run = run;
}

static void draw(struct bench *bench)
{
	for (uint32_t i = 0; i < bench->n_metrics; i++) {
		bench->values[i] = 1e6 * exp(0.02 * random_normal(&bench->random));
		bench->run->metrics[i].value = value_known(bench->values[i]);
	}
}

static void open_floor(struct bench *bench)
{
	AUTO(text) char *path = mem_format("%s/floor.sqlite", bench->directory);
	must_sqlite(bench, sqlite3_open(path, &bench->floor));
	must_sqlite(bench, sqlite3_exec(bench->floor,
					"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
					"CREATE TABLE run (run_id INTEGER PRIMARY KEY,"
					" subject TEXT, content BLOB)",
					NULL, NULL, NULL));
}

static uint64_t put_ours(struct bench *bench, int64_t campaign, uint32_t index)
{
	struct error err = { 0 };
	int64_t id = 0;
	const uint64_t start = clock_monotonic_ns();
	must(store_run_put(bench->store, campaign, index % RUNS_A_CAMPAIGN, index / 4,
			   bench->jobs[index % 2], bench->run, &id, &err),
	     &err);
	return clock_monotonic_ns() - start;
}

static uint64_t put_floor(struct bench *bench, uint32_t index)
{
	sqlite3_stmt *statement = NULL;
	const uint64_t start = clock_monotonic_ns();
	must_sqlite(bench, sqlite3_prepare_v2(bench->floor,
					      "INSERT INTO run (subject, content) VALUES (?1, ?2)",
					      -1, &statement, NULL));
	must_sqlite(bench, sqlite3_bind_text(statement, 1, index % 2 ? "head" : "base", -1,
					     SQLITE_STATIC));
	must_sqlite(bench,
		    sqlite3_bind_blob64(statement, 2, bench->values,
					bench->n_metrics * sizeof(*bench->values), SQLITE_STATIC));
	must_sqlite(bench, sqlite3_step(statement));
	(void)sqlite3_finalize(statement); /* Repeats the answer of the step. */
	return clock_monotonic_ns() - start;
}

/* Reads `n` of the newest blobs and sums them up, so that each is touched. */
static uint64_t read_floor(struct bench *bench, const char *sql, int64_t bound)
{
	sqlite3_stmt *statement = NULL;
	double sum = 0;
	int code;
	const uint64_t start = clock_thread_cpu_ns();
	must_sqlite(bench, sqlite3_prepare_v2(bench->floor, sql, -1, &statement, NULL));
	must_sqlite(bench, sqlite3_bind_int64(statement, 1, bound));
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *bytes = sqlite3_column_blob(statement, 0);
		const size_t n = (size_t)sqlite3_column_bytes(statement, 0) / sizeof(double);
		for (size_t i = 0; i < n; i++) {
			double value;
			memcpy(&value, bytes + i * sizeof(value), sizeof(value));
			sum += value;
		}
	}
	must_sqlite(bench, code);
	(void)sqlite3_finalize(statement); /* Repeats the answer of the step. */
	const uint64_t took = clock_thread_cpu_ns() - start;
	if (isnan(sum))
		(void)puts("not a number"); /* So that the sum is wanted. */
	return took;
}

static void tell(const char *what, uint64_t ours_ns, uint64_t floor_ns, uint64_t n)
{
	(void)printf("%-24s %12.1f %12.1f %9.2f\n", what, (double)ours_ns / 1e3 / (double)n,
		     (double)floor_ns / 1e3 / (double)n, (double)ours_ns / (double)floor_ns);
}

/* Ours and the floor's take turns, so that the disk is the same for both. */
static void bench_put(struct bench *bench)
{
	struct error err = { 0 };
	uint64_t ours_ns = 0;
	uint64_t floor_ns = 0;
	int64_t campaign = 0;
	for (uint32_t i = 0; i < bench->n_runs; i++) {
		draw(bench);
		if (i % RUNS_A_CAMPAIGN == 0) {
			AUTO(text) char *name = mem_format("c%u", i / RUNS_A_CAMPAIGN);
			must(store_campaign_add(bench->store, name, "{}", RUNS_A_CAMPAIGN,
						&campaign, &err),
			     &err);
		}
		ours_ns += put_ours(bench, campaign, i);
		floor_ns += put_floor(bench, i);
	}
	tell("put a run", ours_ns, floor_ns, bench->n_runs);
}

static void bench_get(struct bench *bench)
{
	struct error err = { 0 };
	uint64_t ours_ns = 0;
	uint64_t floor_ns = 0;
	for (unsigned i = 0; i < GETS; i++) {
		const int64_t id = 1 + (int64_t)random_below(&bench->random, bench->n_runs);
		struct run *run = NULL;
		const uint64_t start = clock_thread_cpu_ns();
		must(store_run_get(bench->store, id, /* with_series= */ false, &run,
				   /* ret_row= */ NULL, &err),
		     &err);
		ours_ns += clock_thread_cpu_ns() - start;
		run_free(run);
		floor_ns += read_floor(bench, "SELECT content FROM run WHERE run_id = ?1", id);
	}
	tell("get a run", ours_ns, floor_ns, GETS);
}

static void bench_list(struct bench *bench)
{
	struct error err = { 0 };
	uint64_t ours_ns = UINT64_MAX;
	uint64_t floor_ns = UINT64_MAX;
	for (unsigned i = 0; i < REPEATS; i++) {
		struct run_row *rows = NULL;
		size_t n = 0;
		const uint64_t start = clock_thread_cpu_ns();
		must(store_run_list(bench->store, &(struct run_query) { 0 }, &rows, &n, &err),
		     &err);
		const uint64_t took = clock_thread_cpu_ns() - start;
		const uint64_t floor = read_floor(bench, "SELECT subject FROM run WHERE ?1", 1);
		run_rows_free(rows, n);
		ours_ns = took < ours_ns ? took : ours_ns;
		floor_ns = floor < floor_ns ? floor : floor_ns;
	}
	tell("list all runs", ours_ns, floor_ns, 1);
}

/* The table of numbers out of the store, and the noise of each metric out of the table. */
static void bench_noise(struct bench *bench)
{
	struct error err = { 0 };
	AUTO(text) char *machine = store_machine_type(bench->run);
	const struct noise_query query = { .machine = machine,
					   .workload = "hackbench",
					   .semantics = 1,
					   .point = "hackbench/groups=4" };
	uint64_t read_ns = UINT64_MAX;
	uint64_t whole_ns = UINT64_MAX;
	uint64_t floor_ns = UINT64_MAX;
	for (unsigned i = 0; i < REPEATS; i++) {
		AUTO(repeats) struct repeats *repeats = NULL;
		const uint64_t start = clock_thread_cpu_ns();
		must(store_noise(bench->store, &query, &repeats, &err), &err);
		const uint64_t middle = clock_thread_cpu_ns();
		AUTO(noise_table)
		struct noise_table *table = noise_table_make(repeats, query.point);
		if (table->n != bench->n_metrics)
			(void)printf("noise of %zu metrics only\n", table->n);
		const uint64_t end = clock_thread_cpu_ns();
		const uint64_t floor =
			read_floor(bench, "SELECT content FROM run ORDER BY run_id DESC LIMIT ?1",
				   STORE_NOISE_RUNS_MAX);
		read_ns = middle - start < read_ns ? middle - start : read_ns;
		whole_ns = end - start < whole_ns ? end - start : whole_ns;
		floor_ns = floor < floor_ns ? floor : floor_ns;
	}
	tell("look up repeated runs", read_ns, floor_ns, 1);
	tell("... and their noise", whole_ns, floor_ns, 1);
}

int main(int argc, char **argv)
{
	char directory[] = "/tmp/assay-bench-store-XXXXXX";
	struct bench bench = { .n_runs = argc > 1 ? (uint32_t)atoi(argv[1]) : RUNS,
			       .n_metrics = argc > 2 ? (uint32_t)atoi(argv[2]) : METRICS };
	struct error err = { 0 };
	if (bench.n_runs < 1 || bench.n_metrics < 1 || !mkdtemp(directory)) {
		(void)fprintf(stderr, "usage: store [RUNS [METRICS]]\n");
		return 2;
	}
	bench.directory = directory;
	random_seed(&bench.random, 1);
	must(store_open(directory, /* create= */ true, &bench.store, &err), &err);
	open_floor(&bench);
	bench.jobs[0] = make_job("base");
	bench.jobs[1] = make_job("head");
	bench.values = mem_array(bench.n_metrics, sizeof(*bench.values));
	make_run(&bench);
	(void)printf("%u runs of %u metrics; microseconds\n", bench.n_runs, bench.n_metrics);
	(void)printf("%-24s %12s %12s %9s\n", "", "store", "SQLite alone", "ratio");
	bench_put(&bench);
	bench_get(&bench);
	bench_list(&bench);
	bench_noise(&bench);
	store_close(bench.store);
	(void)sqlite3_close(bench.floor); /* Nothing was left open. */
	run_free(bench.run);
	job_free(bench.jobs[0]);
	job_free(bench.jobs[1]);
	free(bench.values);
	AUTO(text) char *remove = mem_format("rm -r '%s'", directory);
	return system(remove) == 0 ? 0 : 1;
}
