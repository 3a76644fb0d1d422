/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores, jobs and runs for the tests of store/ and campaign/. See fixture.h. */
#include "fixture.h"

#include "base/fs.h"

char *fixture_directory(void)
{
	char path[] = "/tmp/assay-store-test-XXXXXX";

	if (!mkdtemp(path))
		fail_msg("cannot make a directory: %s", path);
	return mem_text(path);
}

void fixture_remove(char *directory)
{
	char *command = mem_format("rm -rf '%s'", directory);

	CHECK(strncmp(directory, "/tmp/assay-store-test-", 22) == 0);
	CHECK_INT(system(command), 0);
	free(command);
	free(directory);
}

char *fixture_read(const char *path, size_t *ret_length)
{
	AUTO(fd) int root = fs_root_open("/", NULL);
	char *bytes = NULL;
	struct error err = { 0 };

	CHECK(path[0] == '/');
	if (fs_read_whole_at(root, path + 1, 16U << 20, &bytes, ret_length, &err) < 0)
		fail_msg("%s", err.text);
	return bytes;
}

struct store *fixture_store(const char *directory)
{
	struct store *store = NULL;
	struct error err = { 0 };

	if (store_open(directory, /* create= */ true, &store, &err) < 0)
		fail_msg("cannot open a store in %s: %s", directory, err.text);
	return store;
}

static void add_argument(struct job *job, const char *name, const char *value, const char *text)
{
	struct argument *arguments = mem_array(job->n_arguments + 1, sizeof(*arguments));

	for (size_t i = 0; i < job->n_arguments; i++)
		arguments[i] = job->arguments[i];
	free(job->arguments);
	job->arguments = arguments;
	arguments[job->n_arguments++] = (struct argument) {
		.name = mem_text(name),
		.value = mem_text(value),
		.text = mem_text(text),
	};
}

struct job *fixture_job(const char *subject)
{
	struct job *job = job_new();

	job->workload = mem_text("hackbench");
	job->semantics = 1;
	job->subject = mem_text(subject);
	job->place = mem_text("host");
	job->interval_ns = FIXTURE_SECOND;
	job->time_limit_ns = 600 * FIXTURE_SECOND;
	add_argument(job, "groups", "4", "2*cpus");
	add_argument(job, "ipc", "pipe", "pipe");
	job->settings = mem_array(1, sizeof(*job->settings));
	job->n_settings = 1;
	job->settings[0] = (struct setting) {
		.kind = SETTING_SYSCTL,
		.key = mem_text("vm.numa_stat"),
		.value = mem_text("0"),
	};
	job->monitors = mem_array(1, sizeof(*job->monitors));
	job->n_monitors = 1;
	job->monitors[0] = mem_text("proc-vmstat");
	return job;
}

static void add_metrics(struct run *run, struct random *random)
{
	struct metric score = {
		.name = "hackbench.time_sec",
		.unit = "s",
		.what = "time of the whole run",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
	};

	run_metric_add(run, &score, value_known(10 + random_unit(random)));
	for (unsigned i = 0; i < 40; i++) {
		char *name = mem_format("proc-vmstat.counter_%u", i);
		const uint64_t count = random_below(random, 1000000);
		const struct metric counter = {
			.name = name,
			.unit = "1",
			.what = "",
			.kind = METRIC_COUNTER,
			.role = ROLE_EVIDENCE,
		};

		run_metric_add(run, &counter,
			       i == 7   ? value_missing(MISSING_SWITCHED_OFF)
			       : i == 9 ? value_not_applicable()
					: value_known((double)count));
		free(name);
	}
}

static void add_series(struct run *run, struct random *random)
{
	struct series *series = mem_zero(sizeof(*series));

	run->series = series;
	run->n_series = 1;
	series->monitor = mem_text("proc-vmstat");
	series->n_channels = 3;
	series->n_samples = 12;
	series->channels = mem_array(3, sizeof(*series->channels));
	series->channels[0] = (struct channel) { mem_text("pgfault"), CHANNEL_COUNTER, 64 };
	series->channels[1] = (struct channel) { mem_text("nr_free"), CHANNEL_GAUGE, 0 };
	series->channels[2] = (struct channel) { mem_text("odd\xff name"), CHANNEL_COUNTER, 32 };
	series->times_ns = mem_array(series->n_samples, sizeof(*series->times_ns));
	series->readings = mem_array(series->n_samples * 3, sizeof(*series->readings));
	for (uint32_t s = 0; s < series->n_samples; s++) {
		series->times_ns[s] = 77 * FIXTURE_SECOND + s * FIXTURE_SECOND;
		series->readings[3 * s] = reading_count(UINT64_MAX - 5 + s);
		series->readings[3 * s + 1] = reading_level(random_unit(random) * 1e6 - 5e5);
		series->readings[3 * s + 2] = s == 4 ? reading_missing(MISSING_OFFLINE)
						     : reading_count(random_below(random, 100));
	}
}

struct run *fixture_run(uint64_t number)
{
	struct run *run = run_new();
	struct random random;

	random_seed(&random, number);
	free(run->workload);
	run->workload = mem_text("hackbench");
	run->semantics = 1;
	free(run->probe_version);
	run->probe_version = mem_text("0.1.0");
	free(run->isolation);
	run->isolation = mem_text("pid-namespace");
	run->started_wall_ns = 1600000000 * FIXTURE_SECOND + number;
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		run->phase_ns[i] = (number + i + 1) * FIXTURE_SECOND;
	run->outcome = RUN_COMPLETE;
	add_metrics(run, &random);
	run_fact_add(run, "cpu.model", VALUE_KNOWN, MISSING_NOT, "Imaginary 9000");
	run_fact_add(run, "kernel.release", VALUE_KNOWN, MISSING_NOT, "6.1.0");
	run_fact_add(run, "cpu.turbo", VALUE_NOT_APPLICABLE, MISSING_NOT, NULL);
	run_fact_add(run, "cpu.microcode", VALUE_MISSING, MISSING_DENIED, NULL);
	run_fact_add(run, "env.ODD", VALUE_KNOWN, MISSING_NOT, "\xc3(\x01 not UTF-8");
	char *load = mem_format("%.2f", random_unit(&random));
	run_fact_add(run, "load.1min", VALUE_KNOWN, MISSING_NOT, load);
	free(load);
	run->workers = mem_array(2, sizeof(*run->workers));
	run->n_workers = 2;
	run->workers[0] = (struct worker) { random_next(&random), 5 * FIXTURE_SECOND };
	run->workers[1] = (struct worker) { UINT64_MAX, 0 };
	add_series(run, &random);
	run->costs = mem_array(2, sizeof(*run->costs));
	run->n_costs = 2;
	run->costs[0] = (struct monitor_cost) { mem_text("proc-vmstat"), 12, 345678, NULL };
	run->costs[1] = (struct monitor_cost) { mem_text("pressure"), 0, 0,
						mem_text("/proc/pressure is not there") };
	free(run->log);
	run->log = mem_format("Running in process mode\nTime: %llu\n", (unsigned long long)number);
	run_sort(run);
	return run;
}

void fixture_same_metrics(const struct run *have, const struct run *want)
{
	CHECK_INT(have->n_metrics, want->n_metrics);
	for (size_t i = 0; i < want->n_metrics; i++) {
		const struct measured *one = &have->metrics[i];
		const struct measured *other = &want->metrics[i];

		CHECK_TEXT(one->metric.name, other->metric.name);
		CHECK_TEXT(one->metric.unit, other->metric.unit);
		CHECK_TEXT(one->metric.what, other->metric.what);
		CHECK_INT(one->metric.kind, other->metric.kind);
		CHECK_INT(one->metric.better, other->metric.better);
		CHECK_INT(one->metric.role, other->metric.role);
		CHECK_INT(one->value.state, other->value.state);
		CHECK_INT(value_pack(one->value), value_pack(other->value));
	}
}

void fixture_same_facts(const struct run *have, const struct run *want)
{
	CHECK_INT(have->n_facts, want->n_facts);
	for (size_t i = 0; i < want->n_facts; i++) {
		CHECK_TEXT(have->facts[i].name, want->facts[i].name);
		CHECK_INT(have->facts[i].state, want->facts[i].state);
		CHECK_INT(have->facts[i].why, want->facts[i].why);
		if (want->facts[i].state == VALUE_KNOWN)
			CHECK_TEXT(have->facts[i].text, want->facts[i].text);
		else
			CHECK(have->facts[i].text == NULL);
	}
}

void fixture_same_series(const struct series *have, const struct series *want)
{
	CHECK_TEXT(have->monitor, want->monitor);
	CHECK_INT(have->n_channels, want->n_channels);
	CHECK_INT(have->n_samples, want->n_samples);
	for (uint32_t c = 0; c < want->n_channels; c++) {
		CHECK_TEXT(have->channels[c].name, want->channels[c].name);
		CHECK_INT(have->channels[c].kind, want->channels[c].kind);
		CHECK_INT(have->channels[c].width_bits, want->channels[c].width_bits);
	}
	for (uint32_t s = 0; s < want->n_samples; s++)
		CHECK_INT(have->times_ns[s], want->times_ns[s]);
	for (uint32_t i = 0; i < want->n_samples * want->n_channels; i++) {
		CHECK_INT(have->readings[i].state, want->readings[i].state);
		CHECK_INT(have->readings[i].why, want->readings[i].why);
		if (want->readings[i].state == VALUE_KNOWN)
			CHECK_INT(have->readings[i].count, want->readings[i].count);
	}
}

void fixture_same_runs(const struct run *have, const struct run *want)
{
	CHECK_TEXT(have->workload, want->workload);
	CHECK_INT(have->semantics, want->semantics);
	CHECK_TEXT(have->probe_version, want->probe_version);
	CHECK_TEXT(have->isolation, want->isolation);
	CHECK_INT(have->started_wall_ns, want->started_wall_ns);
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		CHECK_INT(have->phase_ns[i], want->phase_ns[i]);
	CHECK_INT(have->outcome, want->outcome);
	CHECK_TEXT(have->reason, want->reason);
	CHECK_TEXT(have->log, want->log);
	fixture_same_metrics(have, want);
	fixture_same_facts(have, want);
	CHECK_INT(have->n_workers, want->n_workers);
	for (size_t i = 0; i < want->n_workers; i++) {
		CHECK_INT(have->workers[i].operations, want->workers[i].operations);
		CHECK_INT(have->workers[i].elapsed_ns, want->workers[i].elapsed_ns);
	}
	CHECK_INT(have->n_costs, want->n_costs);
	for (size_t i = 0; i < want->n_costs; i++) {
		CHECK_TEXT(have->costs[i].monitor, want->costs[i].monitor);
		CHECK_INT(have->costs[i].samples, want->costs[i].samples);
		CHECK_INT(have->costs[i].cpu_ns, want->costs[i].cpu_ns);
		if (want->costs[i].absent_reason)
			CHECK_TEXT(have->costs[i].absent_reason, want->costs[i].absent_reason);
		else
			CHECK(have->costs[i].absent_reason == NULL);
	}
	CHECK_INT(have->n_series, want->n_series);
	for (size_t i = 0; i < want->n_series; i++)
		fixture_same_series(&have->series[i], &want->series[i]);
}

int64_t fixture_put(struct store *store, int64_t campaign, uint64_t sequence, const char *subject,
		    uint64_t number)
{
	struct job *job = fixture_job(subject);
	struct run *run = fixture_run(number);
	struct error err = { 0 };
	int64_t id = 0;

	if (store_run_put(store, campaign, sequence, /* block= */ 3, job, run, &id, &err) < 0)
		fail_msg("cannot put run %llu: %s", (unsigned long long)number, err.text);
	job_free(job);
	run_free(run);
	return id;
}

void fixture_check_run(struct store *store, int64_t id, uint64_t number)
{
	struct run *have = NULL;
	struct run *want = fixture_run(number);
	struct error err = { 0 };

	if (store_run_get(store, id, /* with_series= */ true, &have, /* ret_row= */ NULL, &err) < 0)
		fail_msg("cannot get run %lld: %s", (long long)id, err.text);
	fixture_same_runs(have, want);
	run_free(have);
	run_free(want);
}

int64_t fixture_campaign(struct store *store, const char *name, uint64_t planned)
{
	struct error err = { 0 };
	int64_t id = 0;

	if (store_campaign_add(store, name, "{\"plan\":true}", planned, &id, &err) < 0)
		fail_msg("cannot add a campaign: %s", err.text);
	return id;
}
