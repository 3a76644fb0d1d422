/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/task_file.h"

#include "base/auto.h"
#include "base/mem.h"
#include "check.h"
#include "workload/drive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

static struct worker_self worker_of(struct work *work, unsigned index)
{
	return (struct worker_self) { .work = work, .index = index };
}

static struct stat stat_of(const struct worker_self *self)
{
	const struct task_file *file = self->state;
	struct stat stat;
	CHECK_INT(fstat(file->fd, &stat), 0);
	return stat;
}

static void a_file_of_ones_own_is_filled_nameless_and_stands_at_its_start(void **state)
{
	(void)state;
	struct work *work = drive_work("read1", NULL);
	struct worker_self self = worker_of(work, 0);
	struct error err = { 0 };
	CHECK_INT(task_file_enter_own(&self, 3 * TASK_FILE_BLOCK, &err), 0);
	const struct task_file *file = self.state;
	const struct stat stat = stat_of(&self);
	CHECK_INT(stat.st_size, 3 * TASK_FILE_BLOCK);
	CHECK_INT(stat.st_nlink, 0);
	CHECK_INT(lseek(file->fd, 0, SEEK_CUR), 0);
	CHECK_INT(file->offset, 0);
	CHECK_INT((uintptr_t)file->block % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
	task_file_leave(&self);
	CHECK(self.state == NULL);
	work_free(work);
}

static void workers_of_the_same_file_have_positions_of_their_own(void **state)
{
	(void)state;
	struct work *work = drive_work("read2", "t=2", NULL);
	struct worker_self one = worker_of(work, 0);
	struct worker_self other = worker_of(work, 1);
	struct error err = { 0 };
	CHECK_INT(task_file_prepare_same(work, task_file_page_each(work), &err), 0);
	CHECK_INT(task_file_open_same(&one, &err), 0);
	CHECK_INT(task_file_open_same(&other, &err), 0);
	CHECK_INT(stat_of(&one).st_ino, stat_of(&other).st_ino);
	CHECK_INT(stat_of(&one).st_nlink, 0);
	CHECK_INT(stat_of(&one).st_size, 2 * sysconf(_SC_PAGESIZE));
	CHECK_INT(lseek(((struct task_file *)one.state)->fd, 100, SEEK_SET), 100);
	CHECK_INT(lseek(((struct task_file *)other.state)->fd, 0, SEEK_CUR), 0);
	task_file_take_page(&one);
	task_file_take_page(&other);
	CHECK_INT(((struct task_file *)one.state)->offset, 0);
	CHECK_INT(((struct task_file *)other.state)->offset, sysconf(_SC_PAGESIZE));
	task_file_leave(&one);
	task_file_leave(&other);
	task_file_retire(work);
	CHECK(work_shared(work) == NULL);
	task_file_retire(work); /* Nothing is left to do. */
	work_free(work);
}

static void locks_of_two_openers_of_the_same_file_are_rivals_between_processes(void **state)
{
	(void)state;
	/* With copies of one descriptor lock2 would measure nothing. */
	struct work *work = drive_work("lock2", "t=2", "mode=process", NULL);
	struct drive run = { .batches = 2 };
	CHECK_INT(drive(work, &run), 0);
	CHECK_INT(run.tally.operations % 4, 0);
	work_free(work);
}

static void direct_reading_works_or_says_where_it_cannot(void **state)
{
	(void)state;
	struct work *work = drive_work("read3", NULL);
	struct worker_self self = worker_of(work, 0);
	struct error err = { 0 };
	CHECK_INT(task_file_enter_own(&self, 0, &err), 0);
	const int failed = task_file_make_direct(&self, &err);
	if (failed) {
		CHECK_INT(failed, -EOPNOTSUPP);
		CHECK(strstr(err.text, "O_DIRECT") && strstr(err.text, work_directory(work)));
		CHECK(self.state == NULL);
	} else {
		const struct task_file *file = self.state;
		CHECK(fcntl(file->fd, F_GETFL) & O_DIRECT);
		task_file_leave(&self);
	}
	work_free(work);
}

static void a_directory_that_is_not_there_is_unsupported(void **state)
{
	(void)state;
	struct work *work = drive_work("fallocate1", NULL);
	struct worker_self self = worker_of(work, 0);
	struct error err = { 0 };
	CHECK_INT(task_file_enter_in(&self, "/nowhere/at/all", &err), -EOPNOTSUPP);
	CHECK_TEXT(err.text, "there is no directory '/nowhere/at/all'");
	CHECK(self.state == NULL);
	work_free(work);
}

static void a_short_answer_is_never_taken_for_work(void **state)
{
	(void)state;
	CHECK_INT(task_file_short(ENOSPC), -ENOSPC);
	CHECK_INT(task_file_short(0), -EIO);
}

static size_t count_entries(const char *path)
{
	DIR *folder = opendir(path);
	CHECK(folder != NULL);
	size_t count = 0;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
		count += entry->d_name[0] != '.';
	(void)closedir(folder);
	return count;
}

static void killed_workers_leave_no_file_behind(void **state)
{
	(void)state;
	static const char *const names[] = {
		"read1", "read2", "pwrite3", "lock2", "poll2", "mmap2"
	};
	char directory[] = "/tmp/assay-task-file-XXXXXX";
	CHECK(mkdtemp(directory) != NULL);
	AUTO(text) char *before = mem_text(getenv("TMPDIR"));
	CHECK_INT(setenv("TMPDIR", directory, 1), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct work *work = drive_work(names[i], "t=2", "mode=process", NULL);
		struct drive run = { .batches = 1, .kill_workers = true };
		CHECK_INT(drive(work, &run), -ESRCH);
		work_free(work);
	}
	CHECK_INT(count_entries(directory), 0);
	CHECK_INT(before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR"), 0);
	CHECK_INT(rmdir(directory), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_of_ones_own_is_filled_nameless_and_stands_at_its_start),
		cmocka_unit_test(workers_of_the_same_file_have_positions_of_their_own),
		cmocka_unit_test(
			locks_of_two_openers_of_the_same_file_are_rivals_between_processes),
		cmocka_unit_test(direct_reading_works_or_says_where_it_cannot),
		cmocka_unit_test(a_directory_that_is_not_there_is_unsupported),
		cmocka_unit_test(a_short_answer_is_never_taken_for_work),
		cmocka_unit_test(killed_workers_leave_no_file_behind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
