/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/job.h"

#include "base/mem.h"
#include "check.h"

static void add_argument(struct job *job, const char *name, const char *value, const char *text)
{
	job->arguments = realloc(job->arguments, (job->n_arguments + 1) * sizeof(*job->arguments));
	assert_non_null(job->arguments);
	job->arguments[job->n_arguments++] =
		(struct argument) { mem_text(name), mem_text(value), mem_text(text) };
}

static struct job *make_job(void)
{
	struct job *job = job_new();
	job->workload = mem_text("hackbench");
	job->semantics = 2;
	job->subject = mem_text("head");
	job->place = mem_text("host");
	job->interval_ns = 1000000000;
	add_argument(job, "groups", "2", "50%");
	add_argument(job, "ipc", "pipe", "pipe");
	job->settings = mem_array(1, sizeof(*job->settings));
	job->settings[job->n_settings++] =
		(struct setting) { SETTING_SYSCTL, mem_text("vm.numa_stat"), mem_text("0") };
	job->monitors = mem_array(1, sizeof(*job->monitors));
	job->monitors[job->n_monitors++] = mem_text("vmstat");
	return job;
}

static void a_copy_has_everything_and_shares_nothing(void **state)
{
	struct job *job = make_job();
	AUTO(job) struct job *copy = job_copy(job);
	job_free(job); /* The sanitizer sees a copy that shares. */
	CHECK_TEXT(copy->workload, "hackbench");
	CHECK_INT(copy->semantics, 2);
	CHECK_TEXT(copy->subject, "head");
	CHECK_TEXT(copy->place, "host");
	CHECK_INT(copy->interval_ns, 1000000000);
	CHECK_INT(copy->n_arguments, 2);
	CHECK_TEXT(copy->arguments[0].text, "50%");
	CHECK_INT(copy->n_settings, 1);
	CHECK_TEXT(copy->settings[0].key, "vm.numa_stat");
	CHECK_INT(copy->n_monitors, 1);
	CHECK_TEXT(copy->monitors[0], "vmstat");
}

static void an_empty_job_can_be_copied_and_freed(void **state)
{
	AUTO(job) struct job *job = job_new();
	AUTO(job) struct job *copy = job_copy(job);
	CHECK(copy->workload == NULL);
	CHECK_INT(copy->n_arguments, 0);
	job_free(NULL);
}

static void an_argument_is_found_as_the_probe_gets_it(void **state)
{
	AUTO(job) struct job *job = make_job();
	CHECK_TEXT(job_argument(job, "groups"), "2");
	CHECK(job_argument(job, "group") == NULL);
}

static void the_point_is_the_workload_with_its_parameters_as_written(void **state)
{
	AUTO(job) struct job *job = make_job();
	AUTO(text) char *point = job_point(job);
	CHECK_TEXT(point, "hackbench/groups=50%/ipc=pipe");
}

static void the_point_of_a_workload_without_parameters_is_its_name(void **state)
{
	AUTO(job) struct job *job = job_new();
	job->workload = mem_text("getppid1");
	AUTO(text) char *point = job_point(job);
	CHECK_TEXT(point, "getppid1");
}

static char *point_of(const char *first, const char *second)
{
	AUTO(job) struct job *job = job_new();
	job->workload = mem_text("command");
	add_argument(job, "x", first, first);
	add_argument(job, "y", second, second);
	return job_point(job);
}

static void two_different_jobs_never_have_one_point(void **state)
{
	AUTO(text) char *one = point_of("1/y=2", "3");
	AUTO(text) char *other = point_of("1", "2/y=3");
	CHECK(strcmp(one, other) != 0);
	AUTO(text) char *marked = point_of("1\\", "2");
	AUTO(text) char *slash = point_of("1", "2");
	CHECK(strcmp(marked, slash) != 0);
	CHECK_TEXT(one, "command/x=1\\/y=2/y=3");
}

static void the_subject_is_not_part_of_the_point(void **state)
{
	AUTO(job) struct job *job = make_job();
	AUTO(text) char *before = job_point(job);
	free(job->subject);
	job->subject = mem_text("base");
	AUTO(text) char *after = job_point(job);
	CHECK_TEXT(after, before);
}

static void every_kind_of_setting_is_found_by_its_word(void **state)
{
	for (int i = 0; i < SETTING_KIND_COUNT; i++)
		CHECK(setting_kind_find(setting_kind_text((enum setting_kind)i)) ==
		      (enum setting_kind)i);
	CHECK_TEXT(setting_kind_text(SETTING_SYSCTL), "sysctl");
	CHECK_TEXT(setting_kind_text(SETTING_INSTANCES), "instances");
	CHECK(setting_kind_find("sysct") == SETTING_KIND_COUNT);
	CHECK(setting_kind_find("") == SETTING_KIND_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_has_everything_and_shares_nothing),
		cmocka_unit_test(an_empty_job_can_be_copied_and_freed),
		cmocka_unit_test(an_argument_is_found_as_the_probe_gets_it),
		cmocka_unit_test(the_point_is_the_workload_with_its_parameters_as_written),
		cmocka_unit_test(the_point_of_a_workload_without_parameters_is_its_name),
		cmocka_unit_test(two_different_jobs_never_have_one_point),
		cmocka_unit_test(the_subject_is_not_part_of_the_point),
		cmocka_unit_test(every_kind_of_setting_is_found_by_its_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
