/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/scratch.h"

#include "base/auto.h"
#include "base/mem.h"
#include "check.h"
#include "workload/drive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

struct place {
	char directory[64];
};

static void open_place(struct place *place)
{
	*place = (struct place) { "/tmp/assay-test-scratch-XXXXXX" };
	CHECK(mkdtemp(place->directory) != NULL);
}

static void make_file(const char *prefix, const char *suffix)
{
	AUTO(text) char *path = mem_format("%s%s", prefix, suffix);
	AUTO(fd) int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	CHECK(fd >= 0);
}

static size_t count_entries(const struct place *place)
{
	DIR *folder = opendir(place->directory);
	CHECK(folder != NULL);
	size_t count = 0;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
		count += entry->d_name[0] != '.';
	(void)closedir(folder);
	return count;
}

static void close_place(const struct place *place)
{
	CHECK_INT(count_entries(place), 0);
	CHECK_INT(rmdir(place->directory), 0);
}

static void two_scratches_of_one_process_are_told_apart(void **state)
{
	(void)state;
	struct place place;
	struct error err = { 0 };
	AUTO(text) char *one = NULL;
	AUTO(text) char *other = NULL;
	open_place(&place);
	CHECK_INT(scratch_new(place.directory, &one, &err), 0);
	CHECK_INT(scratch_new(place.directory, &other, &err), 0);
	CHECK(strcmp(one, other) != 0);
	CHECK_INT(count_entries(&place), 0);
	make_file(one, "-0");
	make_file(other, "-0");
	scratch_remove(one);
	CHECK_INT(count_entries(&place), 1);
	scratch_remove(other);
	close_place(&place);
}

static void removal_takes_directories_with_what_is_in_them_and_nothing_else(void **state)
{
	(void)state;
	struct place place;
	struct error err = { 0 };
	AUTO(text) char *prefix = NULL;
	open_place(&place);
	CHECK_INT(scratch_new(place.directory, &prefix, &err), 0);
	AUTO(text) char *directory = mem_format("%s-7", prefix);
	CHECK_INT(mkdir(directory, 0700), 0);
	make_file(directory, "/file");
	make_file(place.directory, "/somebody-elses");
	scratch_remove(prefix);
	CHECK_INT(count_entries(&place), 1);
	AUTO(text) char *other = mem_format("%s/somebody-elses", place.directory);
	CHECK_INT(unlink(other), 0);
	close_place(&place);
}

static void what_a_dead_process_left_goes_and_what_a_living_one_has_stays(void **state)
{
	(void)state;
	struct place place;
	struct error err = { 0 };
	AUTO(text) char *prefix = NULL;
	open_place(&place);
	const pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		const int failed = scratch_new(place.directory, &prefix, &err);
		if (!failed)
			make_file(prefix, "-0");
		_exit(failed ? 1 : 0);
	}
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK_INT(status, 0);
	CHECK_INT(count_entries(&place), 1);
	AUTO(text)
	char *living = mem_format("%s/assay-scratch-%d-AbCdEf-0", place.directory, (int)getppid());
	make_file(living, "");
	CHECK_INT(scratch_new(place.directory, &prefix, &err), 0);
	CHECK_INT(count_entries(&place), 1);
	CHECK_INT(unlink(living), 0);
	close_place(&place);
}

static void a_nameless_file_is_written_and_read_and_stands_nowhere(void **state)
{
	(void)state;
	struct place place;
	struct error err = { 0 };
	struct stat stat;
	char byte = 0;
	open_place(&place);
	AUTO(fd) int fd = scratch_nameless(place.directory, &err);
	CHECK(fd >= 0);
	CHECK_INT(count_entries(&place), 0);
	CHECK_INT(fstat(fd, &stat), 0);
	CHECK_INT(stat.st_nlink, 0);
	CHECK_INT(pwrite(fd, "x", 1, 0), 1);
	CHECK_INT(pread(fd, &byte, 1, 0), 1);
	CHECK_INT(byte, 'x');
	close_place(&place);
	CHECK_INT(scratch_nameless("/nowhere/at/all", &err), -ENOENT);
	CHECK_HOLDS(err.text, "/nowhere/at/all");
}

static void a_directory_that_may_not_be_written_is_told(void **state)
{
	(void)state;
	struct error err = { 0 };
	char *prefix = NULL;
	CHECK(scratch_new("/nowhere/at/all", &prefix, &err) < 0);
	CHECK(strstr(err.text, "/nowhere/at/all") != NULL);
	CHECK(prefix == NULL);
}

static void killed_workers_leave_no_name_behind(void **state)
{
	(void)state;
	static const char *const names[] = { "open1", "open2", "open3", "unlink1", "unlink2" };
	struct place place;
	open_place(&place);
	AUTO(text) char *before = mem_text(getenv("TMPDIR"));
	CHECK_INT(setenv("TMPDIR", place.directory, 1), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct work *work = drive_work(names[i], "t=2", "mode=process", NULL);
		struct drive run = { .batches = 1, .kill_workers = true };
		CHECK_INT(drive(work, &run), -ESRCH);
		CHECK(count_entries(&place) > 0);
		work_free(work);
		CHECK_INT(count_entries(&place), 0);
	}
	CHECK_INT(before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR"), 0);
	close_place(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_scratches_of_one_process_are_told_apart),
		cmocka_unit_test(removal_takes_directories_with_what_is_in_them_and_nothing_else),
		cmocka_unit_test(what_a_dead_process_left_goes_and_what_a_living_one_has_stays),
		cmocka_unit_test(a_nameless_file_is_written_and_read_and_stands_nowhere),
		cmocka_unit_test(a_directory_that_may_not_be_written_is_told),
		cmocka_unit_test(killed_workers_leave_no_name_behind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
