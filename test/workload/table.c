/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the table of workloads: every row says all that is wanted of it, and every workload works. */
#include "base/text.h"
#include "check.h"
#include "workload/drive.h"

#include <errno.h>
#include <malloc.h>

static void the_table_is_sorted_and_no_name_stands_twice(void **state)
{
	CHECK(workload_table_count >= 16);
	for (size_t i = 1; i < workload_table_count; i++)
		if (strcmp(workload_table[i - 1]->about.name, workload_table[i]->about.name) >= 0)
			fail_msg("'%s' stands before '%s'", workload_table[i - 1]->about.name,
				 workload_table[i]->about.name);
}

static void a_workload_is_found_by_its_name_with_or_without_the_suite(void **state)
{
	CHECK(workload_find("hackbench") != NULL);
	CHECK_TEXT(workload_find("perf-pipe")->about.name, "perf-pipe");
	CHECK_TEXT(workload_find("will-it-scale/brk1")->about.name, "brk1");
	CHECK(workload_find("brk1") == workload_find("will-it-scale/brk1"));
	CHECK(workload_find("will-it-scale/hackbench") == NULL);
	CHECK(workload_find("will-it-scale") == NULL);
	CHECK(workload_find("will-it-scale/") == NULL);
	CHECK(workload_find("brk") == NULL);
	CHECK(workload_find("") == NULL);
}

static void all_sixty_tests_of_will_it_scale_are_there(void **state)
{
	size_t count = 0;
	for (size_t i = 0; i < workload_table_count; i++)
		count += text_equal(workload_table[i]->about.suite, "will-it-scale");
	CHECK_INT(count, 60);
}

static void check_line(const char *name, const char *what, const char *line)
{
	if (!line || !*line || strchr(line, '\n') || strlen(line) > 100)
		fail_msg("%s: %s is not one line of text: %s", name, what, line ? line : "(null)");
}

static void every_row_is_filled(void **state)
{
	for (size_t i = 0; i < workload_table_count; i++) {
		const struct workload *row = workload_table[i];
		check_line(row->about.name, "what", row->about.what);
		check_line(row->about.name, "stands", row->about.stands);
		CHECK(row->about.semantics >= 1);
		CHECK(row->batch != NULL);
		CHECK(row->about.metrics != NULL && row->about.metrics[0].name != NULL);
		CHECK(row->about.parameters != NULL);
		CHECK((row->about.needs == NEED_NONE) == (row->about.needs_why == NULL));
		CHECK(row->about.metrics_open == (row->more != NULL));
		if (row->about.monitor)
			check_line(row->about.name, "monitor", row->about.monitor);
		/* A fixed amount of work has its own score; a loop may have the rate. */
		CHECK(row->shape == WORK_LOOP || row->score != NULL);
		CHECK((row->shape == WORK_FIXED) == (row->count != NULL));
		CHECK((row->prepare == NULL) <= (row->retire == NULL));
		CHECK((row->leave != NULL) <= (row->enter != NULL));
	}
}

static void every_metric_begins_with_its_prefix_and_says_what_it_is(void **state)
{
	for (size_t i = 0; i < workload_table_count; i++) {
		const struct plugin *about = &workload_table[i]->about;
		const char *prefix = plugin_prefix(about);
		const size_t length = strlen(prefix);
		size_t n = 0;
		for (const struct metric *metric = about->metrics; metric->name; metric++, n++) {
			check_line(metric->name, "what", metric->what);
			CHECK(text_starts_with(metric->name, prefix));
			CHECK(metric->name[length] == '.' && metric->name[length + 1]);
			CHECK(metric->unit && *metric->unit);
			CHECK_INT(metric->kind, METRIC_SCORE);
			if (metric->role == ROLE_EVIDENCE)
				continue;
			CHECK(metric->better == BETTER_HIGHER || metric->better == BETTER_LOWER);
			CHECK(metric->role == ROLE_SCORE || metric->role == ROLE_RESTATED);
		}
		CHECK(n <= DRIVE_METRICS_MAX);
		CHECK_INT(about->metrics[0].role, ROLE_SCORE);
	}
}

static void only_what_never_waits_claims_the_cpu(void **state)
{
	for (size_t i = 0; i < workload_table_count; i++)
		if (workload_table[i]->about.claims_cpu)
			CHECK_INT(workload_table[i]->shape, WORK_LOOP);
	CHECK(workload_find("getppid1")->about.claims_cpu);
	CHECK(workload_find("page_fault1")->about.claims_cpu);
	/* These wait for a partner, and nobody knows what a foreign program does. */
	CHECK(!workload_find("context_switch1")->about.claims_cpu);
	CHECK(!workload_find("hackbench")->about.claims_cpu);
	CHECK(!workload_find("perf-pipe")->about.claims_cpu);
	CHECK(!workload_find("command")->about.claims_cpu);
}

static void check_parameter(const struct plugin *about, const struct parameter *parameter)
{
	check_line(about->name, parameter->name, parameter->what);
	CHECK(plugin_parameter_find(about, parameter->name) == parameter);
	CHECK(!parameter->alias || plugin_parameter_find(about, parameter->alias) == parameter);
	CHECK((parameter->type == PARAMETER_WORD) == (parameter->words != NULL));
	if (parameter->type == PARAMETER_NUMBER || parameter->type == PARAMETER_SECONDS)
		CHECK(parameter->min < parameter->max);
}

static void every_parameter_is_whole_and_its_preset_is_allowed(void **state)
{
	for (size_t i = 0; i < workload_table_count; i++) {
		const struct plugin *about = &workload_table[i]->about;
		for (const struct parameter *one = about->parameters; one->name; one++)
			check_parameter(about, one);
		/* work_new checks each preset as it checks an argument. */
		const bool command = text_equal(about->name, "command");
		struct work *work = drive_work(about->name, command ? "program=true" : NULL, NULL);
		CHECK(work_workers(work) >= 1);
		work_free(work);
	}
}

static const char *smallest_arguments(const char *name)
{
	if (text_equal(name, "command"))
		return "program=true";
	if (plugin_parameter_find(&workload_find(name)->about, "jobs"))
		return "jobs=1";
	if (text_equal(name, "perf-messaging"))
		return "groups=1";
	if (text_equal(name, "idle") || text_equal(name, "mmap-rwsem"))
		return "duration=0.05";
	if (text_equal(name, "futex-wake"))
		return "repeats=2";
	return text_starts_with(name, "perf-pipe") ? "loops=50" : NULL;
}

/* Of a workload with no mode `mode` is NULL. */
static struct work *small_work(const struct workload *row, const char *mode)
{
	const char *name = row->about.name;
	if (text_equal(name, "hackbench"))
		return drive_work(name, "g=2", "f=2", "l=3", mode, NULL);
	/* Two threads of numa01 write the same bytes by its nature, which a race detector must tell. */
	if (text_equal(row->about.suite, "autonuma-benchmark"))
		return drive_work(name, "memory_mib=4", "loops=2", "threads=1", "one_node=allow",
				  mode, NULL);
	const char *smallest = smallest_arguments(name);
	return smallest ? drive_work(name, smallest, mode, NULL) : drive_work(name, mode, NULL);
}

/* What some filesystems cannot do. */
static bool asks_the_filesystem(const struct workload *row)
{
	return text_equal(row->about.name, "read3") || text_equal(row->about.name, "read4") ||
	       text_starts_with(row->about.name, "fallocate");
}

/* A loop does two batches, a fixed amount its one. */
static void drive_one(const struct workload *row, struct work *work)
{
	struct drive run = { .batches = row->shape == WORK_LOOP ? 2 : 1 };
	const int failed = drive(work, &run);
	if (failed == -EOPNOTSUPP && asks_the_filesystem(row)) {
		print_message("%s: %s\n", row->about.name, run.err.text);
		work_free(work);
		return;
	}
	if (failed < 0)
		fail_msg("%s failed: %s", row->about.name, run.err.text);
	if (run.tally.operations == 0)
		fail_msg("%s did no operation", row->about.name);
	size_t n_known = 0;
	for (size_t i = 0; row->about.metrics[i].name; i++)
		n_known += value_is_known(run.values[i]) && run.values[i].number > 0;
	CHECK(n_known >= 1);
	work_free(work);
}

/* Rows without the parameter run as processes. */
static bool has_mode(const struct workload *row, const char *mode)
{
	const struct parameter *parameter = plugin_parameter_find(&row->about, "mode");
	return parameter ? strstr(parameter->words, mode) != NULL : text_equal(mode, "process");
}

static void every_workload_does_two_batches_as_processes(void **state)
{
	for (size_t i = 0; i < workload_table_count; i++) {
		const struct workload *row = workload_table[i];
		if (!has_mode(row, "process"))
			continue;
		struct work *work = small_work(row, /* mode= */ NULL);
		CHECK(!work_has_threads(work));
		drive_one(row, work);
	}
}

static void every_workload_does_two_batches_as_threads(void **state)
{
	for (size_t i = 0; i < workload_table_count; i++) {
		const struct workload *row = workload_table[i];
		if (!has_mode(row, "thread"))
			continue;
		struct work *work = small_work(row, "mode=thread");
		CHECK(work_has_threads(work));
		drive_one(row, work);
	}
}

static void every_loop_runs_with_several_workers(void **state)
{
	for (size_t i = 0; i < workload_table_count; i++) {
		const struct workload *row = workload_table[i];
		/* Each worker of these touches 128 MiB, or the sanitizer's shadow of it; one a mode
		 * is enough for a quick suite. */
		if (row->shape != WORK_LOOP || text_starts_with(row->about.name, "page_fault") ||
		    text_starts_with(row->about.name, "tlb_flush") ||
		    text_equal(row->about.name, "malloc1"))
			continue;
		if (has_mode(row, "process"))
			drive_one(row, drive_work(row->about.name, "mode=process", "t=3", NULL));
		if (has_mode(row, "thread"))
			drive_one(row, drive_work(row->about.name, "mode=thread", "t=3", NULL));
	}
}

int main(void)
{
	/* The test runner's MALLOC_PERTURB_ would have malloc1 fill 128 MiB each time. */
	(void)mallopt(M_PERTURB, 0);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_sorted_and_no_name_stands_twice),
		cmocka_unit_test(a_workload_is_found_by_its_name_with_or_without_the_suite),
		cmocka_unit_test(all_sixty_tests_of_will_it_scale_are_there),
		cmocka_unit_test(every_row_is_filled),
		cmocka_unit_test(only_what_never_waits_claims_the_cpu),
		cmocka_unit_test(every_metric_begins_with_its_prefix_and_says_what_it_is),
		cmocka_unit_test(every_parameter_is_whole_and_its_preset_is_allowed),
		cmocka_unit_test(every_workload_does_two_batches_as_processes),
		cmocka_unit_test(every_workload_does_two_batches_as_threads),
		cmocka_unit_test(every_loop_runs_with_several_workers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
