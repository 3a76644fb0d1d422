/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The multiuser model: its arithmetic, and what the jobs leave and do. */
#include "workload/aim7.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "workload/drive.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

/* The score of a published line: 100 jobs in 2.464 seconds. */
static void jobs_per_minute_are_those_of_the_original(void **state)
{
	CHECK_NEAR(aim7_jobs_per_min(100, 1, 2464 * NS_PER_MS), 2435.0649, 0.0001);
	CHECK_NEAR(aim7_jobs_per_min(100, 3000, 60 * NS_PER_SEC), 300000, 1e-9);
}

static void a_file_has_its_own_size_and_a_share_of_the_pool(void **state)
{
	CHECK_INT(aim7_blocks(1024, 10240, 3000), 1027);
	CHECK_INT(aim7_blocks(1024, 10240, 1), 11264);
	CHECK_INT(aim7_blocks(10, 0, 7), 10);
}

static void the_generator_is_the_originals(void **state)
{
	uint64_t seed = 1;
	const unsigned first[] = { 16838, 5758, 10113, 17515, 31051 };
	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		CHECK_INT(aim7_random(&seed), first[i]);
	for (int i = 0; i < 10000; i++)
		CHECK(aim7_random(&seed) < 32768);
}

static void the_timing_index_is_100_for_equal_times_and_never_below_0(void **state)
{
	const uint64_t equal[] = { 7, 7, 7 };
	const uint64_t apart[] = { 1000, 3000 };
	const uint64_t far[] = { 0, 0, 0, 8000 };
	CHECK_NEAR(aim7_timing_index(equal, 3), 100, 1e-9);
	CHECK_NEAR(aim7_timing_index(apart, 1), 100, 1e-9);
	CHECK_NEAR(aim7_timing_index(apart, 2), 50, 1e-9);
	CHECK_NEAR(aim7_timing_index(far, 4), 0, 1e-9);
}

/* ---- jobs ---- */

static const char *const jobs[] = { "creat-clo",     "disk_cp",       "disk_rd",
				    "disk_rr",       "disk_rw",       "disk_src",
				    "disk_wrt",      "reaim-disk_cp", "reaim-disk_rd",
				    "reaim-disk_rr", "reaim-disk_rw", "reaim-disk_wrt" };

static unsigned count_names(const char *directory)
{
	DIR *folder = opendir(directory);
	CHECK(folder);
	unsigned count = 0;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
		count += entry->d_name[0] != '.' && !text_equal(entry->d_name, "shared") &&
			 !text_equal(entry->d_name, "tree");
	(void)closedir(folder);
	return count;
}

/* Runs the jobs of one worker in this process: what they leave is seen before anything is removed. */
static void check_jobs(const char *name)
{
	struct error err = { 0 };
	struct work *work = drive_work(name, "load=2", "jobs=3", "file_kib=3", "pool_kib=5", NULL);
	const struct workload *row = work_row(work);
	struct worker_self self = { .work = work, .index = 1 };
	CHECK_INT(row->prepare(work, &err), 0);
	const char *directory = storage_directory(aim7_storage(work), 0);
	CHECK_INT(row->enter(&self, &err), 0);
	CHECK_INT(((struct aim7_task *)self.state)->n_blocks, 5);
	const int64_t done = row->batch(&self);
	if (done != 3)
		fail_msg("%s: %s", name, self.err.text);
	if (count_names(directory) != 0)
		fail_msg("%s leaves %u files behind", name, count_names(directory));
	row->leave(&self);
	row->retire(work);
	work_free(work);
}

static void a_job_leaves_no_file_behind(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		check_jobs(jobs[i]);
}

static void the_shared_file_has_the_size_of_a_tasks(void **state)
{
	struct error err = { 0 };
	struct work *work = drive_work("disk_cp", "load=1", "file_kib=3", "pool_kib=4", NULL);
	CHECK_INT(aim7_prepare_shared(work, &err), 0);
	AUTO(text)
	char *path = mem_format("%s/shared", storage_directory(aim7_storage(work), 0));
	struct stat about;
	CHECK_INT(stat(path, &about), 0);
	CHECK_INT(about.st_size, 7 * AIM7_BLOCK_BYTES);
	aim7_retire(work);
	work_free(work);
}

/* A failing job names itself and the task: here the shared file is gone. */
static void a_job_that_fails_says_which(void **state)
{
	struct error err = { 0 };
	struct work *work = drive_work("disk_rd", "load=1", "jobs=2", "file_kib=1", NULL);
	const struct workload *row = work_row(work);
	struct worker_self self = { .work = work };
	CHECK_INT(row->prepare(work, &err), 0);
	CHECK_INT(row->enter(&self, &err), 0);
	CHECK_INT(unlink(((struct aim7_task *)self.state)->shared_path), 0);
	CHECK(row->batch(&self) < 0);
	CHECK_TEXT(self.err.text, "job 0 of task 0: No such file or directory");
	row->leave(&self);
	row->retire(work);
	work_free(work);
}

static void the_score_is_made_of_all_tasks(void **state)
{
	struct work *work = drive_work("creat-clo", "load=3", "jobs=1", NULL);
	struct drive run = { .batches = 1 };
	CHECK_INT(drive(work, &run), 0);
	CHECK_INT(run.tally.operations, 3);
	const double rate = 3 * 60.0 / clock_seconds(run.tally.elapsed_ns);
	CHECK_NEAR(run.values[0].number, rate, rate * 1e-9);
	CHECK_NEAR(run.values[1].number, rate / 3, rate * 1e-9);
	/* Every task's own time was there for it: of no time at all it would be 100. */
	CHECK(value_is_known(run.values[2]) && run.values[2].number < 100);
	CHECK_NEAR(run.values[3].number, clock_seconds(run.tally.elapsed_ns), 1e-9);
	work_free(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_per_minute_are_those_of_the_original),
		cmocka_unit_test(a_file_has_its_own_size_and_a_share_of_the_pool),
		cmocka_unit_test(the_generator_is_the_originals),
		cmocka_unit_test(the_timing_index_is_100_for_equal_times_and_never_below_0),
		cmocka_unit_test(a_job_leaves_no_file_behind),
		cmocka_unit_test(the_shared_file_has_the_size_of_a_tasks),
		cmocka_unit_test(a_job_that_fails_says_which),
		cmocka_unit_test(the_score_is_made_of_all_tasks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
