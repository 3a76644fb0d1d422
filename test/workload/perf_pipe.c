/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both pipe benchmarks of perf: what is counted, and that the two meanings stay two. */
#include "base/text.h"
#include "check.h"
#include "workload/drive.h"

#include <sched.h>

#include <sys/resource.h>

#define SWITCH_LOOPS 2000

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

/* Context switches of the two tasks, as processes bound to one CPU, for SWITCH_LOOPS operations. */
static long count_switches(const char *name)
{
	struct work *work = drive_work(name, "loops=2000", NULL);
	struct drive run = { .batches = 1 };
	struct rusage before;
	struct rusage after;
	CHECK_INT(getrusage(RUSAGE_CHILDREN, &before), 0);
	CHECK_INT(drive(work, &run), 0);
	CHECK_INT(getrusage(RUSAGE_CHILDREN, &after), 0);
	work_free(work);
	return after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw;
}

static int bind_to_one_cpu(void **state)
{
	cpu_set_t cpus;
	CPU_ZERO(&cpus);
	const int here = sched_getcpu();
	CPU_SET(here < 0 ? 0 : (size_t)here, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus);
}

/* On one CPU an operation is a switch to the other task and a switch back, neither can be saved. */
static void strict_ping_pong_switches_twice_an_operation(void **state)
{
	const long strict = count_switches("perf-pipe");
	print_message("perf-pipe: %ld switches in %d operations\n", strict, SWITCH_LOOPS);
	CHECK(strict >= 2 * SWITCH_LOOPS - 10);
}

static void both_write_saves_switches(void **state)
{
	const long strict = count_switches("perf-pipe");
	const long ahead = count_switches("perf-pipe-both-write");
	print_message("perf-pipe-both-write: %ld switches, perf-pipe: %ld\n", ahead, strict);
	CHECK(ahead >= SWITCH_LOOPS - 10);
	CHECK(ahead < strict - SWITCH_LOOPS / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operation_is_one_loop_whatever_the_mode),
		cmocka_unit_test(scores_are_the_time_of_an_operation_and_its_inverse),
		cmocka_unit_test(the_two_meanings_share_no_metric),
		cmocka_unit_test_setup(strict_ping_pong_switches_twice_an_operation,
				       bind_to_one_cpu),
		cmocka_unit_test_setup(both_write_saves_switches, bind_to_one_cpu),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
