/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmap-rwsem: no more reads and writes are counted than the kernel counts faults. */
#include "check.h"
#include "workload/drive.h"

#include <sys/resource.h>

enum {
	WRITES,
	READS,
	OPS,
};

static long faults(void)
{
	struct rusage usage;
	CHECK_INT(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_minflt;
}

static struct drive run_with(const char *writers, const char *readers)
{
	struct work *work =
		drive_work("mmap-rwsem", writers, readers, "pages=4", "duration=0.1", NULL);
	struct drive run = { .batches = 1 };
	if (drive(work, &run) < 0)
		fail_msg("%s", run.err.text);
	work_free(work);
	return run;
}

static void reads_and_writes_are_counted_apart_and_add_up(void **state)
{
	const struct drive run = run_with("writers=2", "readers=3");
	CHECK_INT(run.tally.n_workers, 5);
	CHECK(run.values[WRITES].number > 0);
	CHECK(run.values[READS].number > 0);
	const double all = run.tally.rate_per_sec;
	CHECK_NEAR(run.values[WRITES].number + run.values[READS].number, all, all * 1e-9);
	CHECK_NEAR(run.values[OPS].number, all, all * 1e-9);
}

static void no_read_and_no_page_of_a_write_is_counted_without_its_fault(void **state)
{
	const long before = faults();
	const struct drive run = run_with("writers=1", "readers=1");
	const long found = faults() - before;
	const double seconds = (double)run.tally.elapsed_ns / 1e9;
	const double counted = (run.values[READS].number + 4 * run.values[WRITES].number) * seconds;
	/* No bound above: a memory checker faults in pages of its own beside each. */
	CHECK((double)found >= counted - 1);
}

static void without_readers_their_rate_is_not_applicable(void **state)
{
	const struct drive run = run_with("writers=1", "readers=0");
	CHECK_INT(run.tally.n_workers, 1);
	CHECK(!value_is_known(run.values[READS]));
	CHECK_NEAR(run.values[OPS].number, run.values[WRITES].number, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_and_writes_are_counted_apart_and_add_up),
		cmocka_unit_test(no_read_and_no_page_of_a_write_is_counted_without_its_fault),
		cmocka_unit_test(without_readers_their_rate_is_not_applicable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
