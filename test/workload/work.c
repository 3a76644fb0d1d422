/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters of a run: names, words, limits, presets, and what hooks may ask. */
#include "workload/work.h"

#include "base/clock.h"
#include "check.h"
#include "workload/drive.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

/* The sentence with which the arguments are refused; "" when they are not. */
static const char *refusal(const char *workload, const struct work_argument *arguments, size_t n)
{
	static struct error err;
	struct work *work = NULL;
	err = (struct error) { 0 };
	const int failed = work_new(workload_find(workload), arguments, n, &work, &err);
	CHECK((failed == 0) == (work != NULL));
	CHECK(failed == 0 || failed == -EINVAL);
	work_free(work);
	return err.text;
}

static const char *refusal_of(const char *workload, const char *name, const char *value)
{
	const struct work_argument argument = { .name = name, .value = value };
	return refusal(workload, &argument, 1);
}

static void an_unknown_parameter_is_answered_with_the_nearest(void **state)
{
	CHECK_TEXT(refusal_of("hackbench", "grups", "4"),
		   "workload 'hackbench' has no parameter 'grups'; did you mean 'groups'?");
}

static void a_parameter_that_is_near_to_none_is_answered_with_all(void **state)
{
	CHECK_TEXT(refusal_of("hackbench", "temperature", "4"),
		   "workload 'hackbench' has no parameter 'temperature'; it has: groups fds loops "
		   "size ipc mode");
}

static void a_number_keeps_its_limits_with_both_ends_allowed(void **state)
{
	CHECK_TEXT(
		refusal_of("hackbench", "size", "0"),
		"parameter 'size' of workload 'hackbench' cannot be '0'; use a whole number from "
		"1 to 1048576");
	CHECK_HOLDS(refusal_of("hackbench", "size", "1048577"), "cannot be '1048577'");
	CHECK_TEXT(refusal_of("hackbench", "size", "1"), "");
	CHECK_TEXT(refusal_of("hackbench", "size", "1048576"), "");
}

static void what_is_not_a_whole_number_is_refused(void **state)
{
	const char *const wrong[] = { "",     " 4",  "4 ",
				      "-1",   "1.5", "four",
				      "0x10", "1e3", "99999999999999999999" };
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		CHECK_HOLDS(refusal_of("hackbench", "loops", wrong[i]), "use a whole number");
}

static void a_percentage_is_a_share_of_the_cpus_and_at_least_one(void **state)
{
	const uint64_t cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	struct work *work = drive_work("getppid1", "nr_task=100%", NULL);
	CHECK_INT(work_number(work, "nr_task"), cpus);
	CHECK_INT(work_workers(work), cpus);
	work_free(work);
	work = drive_work("getppid1", "nr_task=1600%", NULL);
	CHECK_INT(work_workers(work), 16 * cpus);
	work_free(work);
	work = drive_work("getppid1", "nr_task=1%", NULL);
	CHECK_INT(work_workers(work), cpus >= 200 ? cpus / 100 : 1);
	work_free(work);
}

static void a_wrong_percentage_is_refused_with_an_example(void **state)
{
	const char *const wrong[] = { "%", "0%", "-5%", "5%%", "1000000001%", "99999999%" };
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		CHECK_HOLDS(refusal_of("getppid1", "nr_task", wrong[i]),
			    "a share of the CPUs: 50%");
	CHECK_HOLDS(refusal_of("hackbench", "loops", "50%"), "cannot be '50%'");
}

static void a_word_must_be_one_of_the_choices(void **state)
{
	CHECK_TEXT(refusal_of("hackbench", "ipc", "pip"),
		   "parameter 'ipc' of workload 'hackbench' cannot be 'pip'; use one of: socket "
		   "pipe inet");
	CHECK_HOLDS(refusal_of("hackbench", "ipc", ""), "cannot be ''");
	CHECK_HOLDS(refusal_of("hackbench", "ipc", "socket pipe"), "cannot be 'socket pipe'");
	CHECK_HOLDS(refusal_of("hackbench", "ipc", "pipes"), "cannot be 'pipes'");
	CHECK_TEXT(refusal_of("hackbench", "ipc", "inet"), "");
}

static void an_alias_names_the_same_parameter(void **state)
{
	struct work *work = drive_work("hackbench", "g=3", "f=4", "l=5", "s=6", NULL);
	CHECK_INT(work_number(work, "groups"), 3);
	CHECK_INT(work_number(work, "fds"), 4);
	CHECK_INT(work_number(work, "loops"), 5);
	CHECK_INT(work_number(work, "size"), 6);
	CHECK_INT(work_workers(work), 24);
	work_free(work);
}

static void a_parameter_given_twice_is_refused_also_by_its_alias(void **state)
{
	const struct work_argument arguments[] = {
		{ .name = "groups", .value = "3" },
		{ .name = "g", .value = "3" },
	};
	CHECK_TEXT(refusal("hackbench", arguments, 2),
		   "parameter 'groups' of workload 'hackbench' is given twice");
}

static void seconds_may_have_a_fraction(void **state)
{
	struct work *work = drive_work("getppid1", "warmup=0", "duration=0.25", NULL);
	CHECK_INT(work_warmup_ns(work), 0);
	CHECK_INT(work_duration_ns(work), 250 * NS_PER_MS);
	work_free(work);
	CHECK_HOLDS(refusal_of("getppid1", "duration", "-1"), "use seconds from 0 to 86400");
	CHECK_HOLDS(refusal_of("getppid1", "duration", "5s"), "cannot be '5s'");
	CHECK_HOLDS(refusal_of("getppid1", "duration", "inf"), "cannot be 'inf'");
	CHECK_HOLDS(refusal_of("getppid1", "duration", "86401"), "cannot be '86401'");
}

static void a_window_of_no_length_is_refused(void **state)
{
	CHECK_TEXT(refusal_of("getppid1", "duration", "0"),
		   "parameter 'duration' of workload 'getppid1' must be more than 0 seconds");
	CHECK_HOLDS(refusal_of("getppid1", "duration", "0.0000000001"), "more than 0 seconds");
}

static void a_parameter_without_a_preset_must_be_given(void **state)
{
	CHECK_TEXT(refusal("command", NULL, 0),
		   "workload 'command' needs the parameter 'program': program and arguments, split "
		   "on blanks; '...' and \"...\" keep blanks");
}

static void more_workers_than_any_machine_bears_are_refused(void **state)
{
	const struct work_argument arguments[] = {
		{ .name = "groups", .value = "10000" },
		{ .name = "fds", .value = "10000" },
	};
	CHECK_HOLDS(refusal("hackbench", arguments, 2), "would need 200000000 workers");
}

static void presets_hold_where_nothing_is_given(void **state)
{
	struct work *work = drive_work("hackbench", NULL);
	CHECK_INT(work_workers(work), 400);
	CHECK_INT(work_number(work, "loops"), 100);
	CHECK_INT(work_number(work, "size"), 100);
	CHECK_TEXT(work_word(work, "ipc"), "socket");
	CHECK(!work_has_threads(work));
	CHECK_TEXT(work_pin(work), "none");
	CHECK_INT(work_warmup_ns(work), 0);
	CHECK_INT(work_duration_ns(work), 0);
	work_free(work);
	work = drive_work("getppid1", NULL);
	CHECK_INT(work_workers(work), 1);
	CHECK_TEXT(work_pin(work), "core");
	CHECK_INT(work_warmup_ns(work), NS_PER_SEC);
	CHECK_INT(work_duration_ns(work), 5 * NS_PER_SEC);
	work_free(work);
}

static void arguments_are_copied(void **state)
{
	char value[] = "echo one";
	const struct work_argument argument = { .name = "program", .value = value };
	struct work *work;
	CHECK_INT(work_new(workload_find("command"), &argument, 1, &work, NULL), 0);
	memset(value, 'x', sizeof(value) - 1);
	CHECK_TEXT(work_word(work, "program"), "echo one");
	work_free(work);
}

static void what_prepare_shares_is_given_back(void **state)
{
	int shared = 0;
	struct work *work = drive_work("getppid1", NULL);
	CHECK(work_shared(work) == NULL);
	work_share(work, &shared);
	CHECK(work_shared(work) == &shared);
	CHECK(work_row(work) == workload_find("getppid1"));
	work_free(work);
}

static void files_go_to_the_temporary_directory(void **state)
{
	const char *given = getenv("TMPDIR");
	char *before = given ? strdup(given) : NULL;
	CHECK_INT(setenv("TMPDIR", "/proc/self", 1), 0);
	struct work *work = drive_work("getppid1", NULL);
	CHECK_TEXT(work_directory(work), "/proc/self");
	struct error err = { 0 };
	CHECK(work_file(work, 1, &err) < 0);
	CHECK_HOLDS(err.text, "cannot make a temporary file in '/proc/self'");
	work_free(work);
	CHECK_INT(setenv("TMPDIR", "", 1), 0);
	work = drive_work("getppid1", NULL);
	CHECK_TEXT(work_directory(work), "/tmp");
	work_free(work);
	CHECK_INT(before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR"), 0);
	free(before);
}

static void a_file_has_its_size_and_no_name(void **state)
{
	struct work *work = drive_work("getppid1", NULL);
	struct error err = { 0 };
	const int fd = work_file(work, 12345, &err);
	CHECK(fd >= 0);
	struct stat status;
	CHECK_INT(fstat(fd, &status), 0);
	CHECK_INT(status.st_size, 12345);
	CHECK_INT(status.st_nlink, 0);
	CHECK_INT(close(fd), 0);
	work_free(work);
}

static void nothing_can_be_freed(void **state)
{
	work_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_parameter_is_answered_with_the_nearest),
		cmocka_unit_test(a_parameter_that_is_near_to_none_is_answered_with_all),
		cmocka_unit_test(a_number_keeps_its_limits_with_both_ends_allowed),
		cmocka_unit_test(what_is_not_a_whole_number_is_refused),
		cmocka_unit_test(a_percentage_is_a_share_of_the_cpus_and_at_least_one),
		cmocka_unit_test(a_wrong_percentage_is_refused_with_an_example),
		cmocka_unit_test(a_word_must_be_one_of_the_choices),
		cmocka_unit_test(an_alias_names_the_same_parameter),
		cmocka_unit_test(a_parameter_given_twice_is_refused_also_by_its_alias),
		cmocka_unit_test(seconds_may_have_a_fraction),
		cmocka_unit_test(a_window_of_no_length_is_refused),
		cmocka_unit_test(a_parameter_without_a_preset_must_be_given),
		cmocka_unit_test(more_workers_than_any_machine_bears_are_refused),
		cmocka_unit_test(presets_hold_where_nothing_is_given),
		cmocka_unit_test(arguments_are_copied),
		cmocka_unit_test(what_prepare_shares_is_given_back),
		cmocka_unit_test(files_go_to_the_temporary_directory),
		cmocka_unit_test(a_file_has_its_size_and_no_name),
		cmocka_unit_test(nothing_can_be_freed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
