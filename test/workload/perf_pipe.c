/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both pipe benchmarks of perf: what is counted, and that the two meanings stay two. */
#include "base/text.h"
#include "check.h"
#include "workload/drive.h"

#include <stdlib.h>
#include <unistd.h>

#include <sys/resource.h>

static const char *const names[] = { "perf-pipe", "perf-pipe-both-write" };
static const char *const modes[] = { "mode=process", "mode=thread" };

static void an_operation_is_one_loop_whatever_the_mode(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(modes); j++) {
			struct work *work = drive_work(names[i], "l=200", modes[j], NULL);
			struct drive run = { .batches = 1 };
			CHECK_INT(work_workers(work), 2);
			CHECK_INT(drive(work, &run), 0);
			CHECK_INT(run.tally.operations, 200);
			work_free(work);
		}
	}
}

static void scores_are_the_time_of_an_operation_and_its_inverse(void **state)
{
	const struct tally tally = { .elapsed_ns = 9000000, .n_workers = 2 };
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct work *work = drive_work(names[i], "loops=1000", NULL);
		struct value values[2];
		work_row(work)->score(work, &tally, values);
		CHECK_NEAR(values[0].number, 9.0, 0.0);
		CHECK_NEAR(values[1].number, 1000 / 0.009, 1e-6);
		work_free(work);
	}
}

static void the_two_meanings_share_no_metric(void **state)
{
	const struct metric *one = workload_find(names[0])->about.metrics;
	const struct metric *other = workload_find(names[1])->about.metrics;
	for (size_t i = 0; one[i].name; i++)
		for (size_t j = 0; other[j].name; j++)
			CHECK(!text_equal(one[i].name, other[j].name));
}

static long voluntary_switches_of_children(void)
{
	struct rusage usage;
	CHECK_INT(getrusage(RUSAGE_CHILDREN, &usage), 0);
	return usage.ru_nvcsw;
}

static long switches(const char *name, unsigned loops)
{
	char argument[32];
	(void)snprintf(argument, sizeof(argument), "loops=%u", loops);
	struct work *work = drive_work(name, argument, NULL);
	struct drive run = { .batches = 1 };
	const long before = voluntary_switches_of_children();
	CHECK_INT(drive(work, &run), 0);
	work_free(work);
	return voluntary_switches_of_children() - before;
}

/* Strictly in turn, every read waits, whatever the CPUs: two switches an operation. A read may find
 * its message when the other task runs on another CPU and is quick, so a part may be missing. */
static void strict_ping_pong_waits_twice_an_operation(void **state)
{
	const long strict = switches("perf-pipe", 2000);
	print_message("perf-pipe: %ld voluntary switches in 2000 operations\n", strict);
	CHECK(strict > 2000 && strict < 4200);
}

/* Both write first: a read waits at most once an operation for each task, and mostly does not. */
static void both_write_waits_less(void **state)
{
	const long ahead = switches("perf-pipe-both-write", 2000);
	print_message("perf-pipe-both-write: %ld voluntary switches in 2000 operations\n", ahead);
	CHECK(ahead < 3800);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operation_is_one_loop_whatever_the_mode),
		cmocka_unit_test(scores_are_the_time_of_an_operation_and_its_inverse),
		cmocka_unit_test(the_two_meanings_share_no_metric),
		cmocka_unit_test(strict_ping_pong_waits_twice_an_operation),
		cmocka_unit_test(both_write_waits_less),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
