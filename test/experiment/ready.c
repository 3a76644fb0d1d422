/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The experiments that come with assay, and the examples of assay-experiment(5), held against the
 * real workloads and monitors. */
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "experiment/experiment.h"
#include "experiment/plan.h"
#include "monitor/monitor.h"
#include "workload/workload.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

/* A laptop, so that expressions have values. */
static const struct machine laptop = {
	.cpus = 8, .cores = 4, .sockets = 1, .nodes = 1, .memory_mib = 16384
};

static int catalogue_new(void **state)
{
	struct catalogue *catalogue = mem_zero(sizeof(*catalogue));
	const struct plugin **workloads = mem_array(workload_table_count, sizeof(*workloads));
	const struct plugin **monitors = mem_array(monitor_table_count, sizeof(*monitors));
	for (size_t i = 0; i < workload_table_count; i++)
		workloads[i] = &workload_table[i]->about;
	for (size_t i = 0; i < monitor_table_count; i++)
		monitors[i] = &monitor_table[i]->about;
	*catalogue = (struct catalogue) { .workloads = workloads,
					  .n_workloads = workload_table_count,
					  .monitors = monitors,
					  .n_monitors = monitor_table_count };
	*state = catalogue;
	return 0;
}

static int catalogue_free(void **state)
{
	struct catalogue *catalogue = *state;
	free((void *)(uintptr_t)catalogue->workloads);
	free((void *)(uintptr_t)catalogue->monitors);
	free(catalogue);
	return 0;
}

/* Parses and plans; gives the experiment. */
static struct experiment *check_right(const char *yaml, size_t length, const char *name,
				      const struct catalogue *catalogue)
{
	struct experiment *experiment = NULL;
	AUTO(plan) struct plan *plan = NULL;
	struct error err = { 0 };
	if (experiment_parse(yaml, length, name, catalogue, &experiment, &err) < 0)
		fail_msg("%s", err.text);
	if (plan_make(experiment, catalogue, &laptop, &plan, &err) < 0)
		fail_msg("%s: %s", name, err.text);
	CHECK(plan->n_runs > 0);
	return experiment;
}

/* ---- how long they take ---- */

static const struct machine machines[] = {
	{ .cpus = 2, .cores = 2, .sockets = 1, .nodes = 1, .memory_mib = 8192 },
	{ .cpus = 48, .cores = 24, .sockets = 2, .nodes = 2, .memory_mib = 131072 },
	{ .cpus = 192, .cores = 96, .sockets = 2, .nodes = 4, .memory_mib = 786432 },
};

/* "12 min", "9 h", as a header says it. */
static char *time_of(const struct experiment *experiment, const struct catalogue *catalogue,
		     const struct machine *machine)
{
	AUTO(plan) struct plan *plan = NULL;
	struct error err = { 0 };
	uint64_t total_ns = 0;
	if (plan_make(experiment, catalogue, machine, &plan, &err) < 0)
		fail_msg("%s on %u CPUs: %s", experiment->name, (unsigned)machine->cpus, err.text);
	for (size_t i = 0; i < plan->n_runs; i++)
		total_ns += plan_run_ns(plan, plan->runs[i].job);
	const uint64_t minutes = (total_ns + 60 * NS_PER_SEC - 1) / (60 * NS_PER_SEC);
	if (minutes < 120)
		return mem_format("%u min", (unsigned)minutes);
	return mem_format("%u h", (unsigned)((minutes + 30) / 60));
}

/* The header says what the plan says, at a machine of each size. */
static void check_time(const char *file, const char *bytes, const struct experiment *experiment,
		       const struct catalogue *catalogue)
{
	AUTO(text) char *small = time_of(experiment, catalogue, &machines[0]);
	AUTO(text) char *middle = time_of(experiment, catalogue, &machines[1]);
	AUTO(text) char *large = time_of(experiment, catalogue, &machines[2]);
	AUTO(text)
	char *want = mem_format("# Takes about %s on 2 CPUs, %s on 48, %s on 192 (planned for",
				small, middle, large);
	const char *end = strstr(bytes, "\nname: ");
	const char *have = strstr(bytes, want);
	if (!end || !have || have > end)
		fail_msg("%s: its header does not say \"%s\"", file, want);
}

static void check_ready(int folder_fd, const char *file, const struct catalogue *catalogue)
{
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	struct error err = { 0 };
	CHECK_INT(fs_read_whole_at(folder_fd, file, 1U << 20, &bytes, &length, &err), 0);
	AUTO(experiment)
	struct experiment *experiment = check_right(bytes, length, file, catalogue);
	CHECK(experiment->question);
	AUTO(text) char *want = mem_format("%s.yaml", experiment->name);
	CHECK_TEXT(file, want);
	check_time(file, bytes, experiment, catalogue);
}

static void each_ready_experiment_is_right_and_asks_its_question(void **state)
{
	const char *path = getenv("ASSAY_TEST_EXPERIMENTS");
	DIR *folder = path ? opendir(path) : NULL;
	CHECK(folder);
	unsigned n = 0;
	const struct dirent *entry;
	while ((entry = readdir(folder))) {
		if (!text_ends_with(entry->d_name, ".yaml"))
			continue;
		check_ready(dirfd(folder), entry->d_name, *state);
		n++;
	}
	(void)closedir(folder); /* It was only read from. */
	CHECK(n >= 5);
}

/* The demonstration must need no privilege and hold its A/A twin. */
static void the_demo_is_for_an_ordinary_user(void **state)
{
	const char *path = getenv("ASSAY_TEST_EXPERIMENTS");
	AUTO(fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	CHECK_INT(fs_read_whole_at(fd, "demo.yaml", 1U << 20, &bytes, &length, NULL), 0);
	AUTO(experiment)
	struct experiment *demo = check_right(bytes, length, "demo.yaml", *state);
	CHECK_INT(demo->n_subjects, 3);
	CHECK_TEXT(demo->subjects[0].name, "base");
	CHECK_INT(demo->subjects[0].n_settings, 0);
	CHECK_INT(demo->subjects[1].n_settings, 0);
	for (size_t i = 0; i < demo->n_subjects; i++)
		for (size_t j = 0; j < demo->subjects[i].n_settings; j++)
			CHECK_INT(demo->subjects[i].settings[j].kind, SETTING_PARAM);
}

/* ---- the manual ---- */

/* One line of an example without roff's escapes. */
static void add_example_line(struct text *example, const char *line)
{
	for (const char *at = line; *at; at++) {
		if (at[0] == '\\' && at[1] == '-')
			at++;
		text_add_bytes(example, at, 1);
	}
	text_add_bytes(example, "\n", 1);
}

static void each_example_of_the_manual_is_right(void **state)
{
	const char *path = getenv("ASSAY_TEST_MANUAL");
	AUTO(file) FILE *file = path ? fopen(path, "re") : NULL;
	CHECK(file);
	struct text example AUTO(text_buffer) = { 0 };
	bool inside = false;
	unsigned n = 0;
	char line[512];
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (text_equal(line, ".EE")) {
			AUTO(text) char *name = mem_format("example-%u", ++n);
			experiment_free(check_right(example.bytes, example.length, name, *state));
			text_done(&example);
			inside = false;
		} else if (inside) {
			add_example_line(&example, line);
		} else {
			inside = text_equal(line, ".EX");
		}
	}
	CHECK(n >= 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_ready_experiment_is_right_and_asks_its_question),
		cmocka_unit_test(the_demo_is_for_an_ordinary_user),
		cmocka_unit_test(each_example_of_the_manual_is_right),
	};
	return cmocka_run_group_tests(tests, catalogue_new, catalogue_free);
}
