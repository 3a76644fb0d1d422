/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each test has a folder of its own, removed behind it. */
#include "base/fs.h"

#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

struct place {
	char path[64];
	int root_fd;
};

static int make_place(void **state)
{
	struct place *place = mem_zero(sizeof(*place));
	(void)snprintf(place->path, sizeof(place->path), "/tmp/assay-test-fs-XXXXXX");
	if (!mkdtemp(place->path))
		return -1;
	place->root_fd = fs_root_open(place->path, NULL);
	*state = place;
	return place->root_fd < 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	return remove(path);
}

static int remove_place(void **state)
{
	struct place *place = *state;
	(void)close(place->root_fd);
	const int failed = nftw(place->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(place);
	return failed;
}

static void put(const struct place *place, const char *name, const char *bytes)
{
	AUTO(fd) int fd = openat(place->root_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	CHECK(fd >= 0);
	CHECK_INT(fs_write_all(fd, bytes, strlen(bytes)), 0);
}

static void a_root_that_is_not_there_is_named(void **state)
{
	struct error err = { 0 };
	CHECK_INT(fs_root_open("/nonexistent/tree", &err), -ENOENT);
	CHECK_HOLDS(err.text, "'/nonexistent/tree'");
	const struct place *place = *state;
	put(place, "file", "x");
	AUTO(text) char *file = mem_format("%s/file", place->path);
	CHECK_INT(fs_root_open(file, &err), -ENOTDIR);
}

static void descriptors_are_closed_on_exec(void **state)
{
	const struct place *place = *state;
	put(place, "stat", "cpu 1 2 3\n");
	AUTO(fd) int fd = fs_open_at(place->root_fd, "stat", O_RDONLY);
	CHECK(fd >= 0);
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	CHECK(fcntl(place->root_fd, F_GETFD) & FD_CLOEXEC);
	CHECK_INT(fs_open_at(place->root_fd, "absent", O_RDONLY), -ENOENT);
}

static void a_small_file_is_read_and_terminated(void **state)
{
	const struct place *place = *state;
	char buffer[16];
	put(place, "governor", "powersave \n\n");
	CHECK_INT(fs_read_at(place->root_fd, "governor", buffer, sizeof(buffer)), 12);
	CHECK_TEXT(buffer, "powersave \n\n");
	CHECK_INT(fs_read_line_at(place->root_fd, "governor", buffer, sizeof(buffer)), 9);
	CHECK_TEXT(buffer, "powersave");
	CHECK_INT(fs_read_at(place->root_fd, "governor", buffer, 5), 4);
	CHECK_TEXT(buffer, "powe");
	CHECK_INT(fs_read_at(place->root_fd, "absent", buffer, sizeof(buffer)), -ENOENT);
	CHECK_INT(fs_read_at(place->root_fd, ".", buffer, sizeof(buffer)), -EISDIR);
}

static void an_empty_file_gives_an_empty_text(void **state)
{
	const struct place *place = *state;
	char buffer[4] = "old";
	put(place, "empty", "");
	CHECK_INT(fs_read_line_at(place->root_fd, "empty", buffer, sizeof(buffer)), 0);
	CHECK_TEXT(buffer, "");
}

static void a_file_opened_once_is_read_again_from_its_start(void **state)
{
	const struct place *place = *state;
	char buffer[16];
	put(place, "stat", "one");
	AUTO(fd) int fd = fs_open_at(place->root_fd, "stat", O_RDONLY);
	CHECK_INT(fs_pread_all(fd, buffer, sizeof(buffer)), 3);
	put(place, "stat", "four");
	CHECK_INT(fs_pread_all(fd, buffer, sizeof(buffer)), 4);
	CHECK_TEXT(buffer, "four");
	CHECK_INT(fs_pread_all(-1, buffer, sizeof(buffer)), -EBADF);
}

static void a_whole_file_is_read_up_to_its_limit(void **state)
{
	const struct place *place = *state;
	const size_t length = 100000;
	AUTO(text) char *big = mem_zero(length + 1);
	memset(big, 'b', length);
	put(place, "big", big);
	AUTO(text) char *bytes = NULL;
	size_t got = 0;
	struct error err = { 0 };
	CHECK_INT(fs_read_whole_at(place->root_fd, "big", length, &bytes, &got, &err), 0);
	CHECK_INT(got, length);
	CHECK_TEXT(bytes, big);
	char *untouched = NULL;
	CHECK_INT(fs_read_whole_at(place->root_fd, "big", length - 1, &untouched, &got, &err),
		  -EFBIG);
	CHECK(untouched == NULL);
	CHECK_HOLDS(err.text, "'big'");
	CHECK_INT(fs_read_whole_at(place->root_fd, "none", 1, &untouched, &got, &err), -ENOENT);
}

static void a_write_to_a_full_device_is_an_error(void **state)
{
	AUTO(fd) int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	if (fd < 0) {
		print_message("there is no /dev/full here\n");
		skip();
	}
	CHECK_INT(fs_write_all(fd, "x", 1), -ENOSPC);
	CHECK_INT(fs_write_all(fd, "", 0), 0);
}

static void a_file_is_replaced_as_a_whole(void **state)
{
	const struct place *place = *state;
	AUTO(text) char *path = mem_format("%s/report", place->path);
	char buffer[32];
	CHECK_INT(fs_replace(path, "first version", 13, 0600, NULL), 0);
	CHECK_INT(fs_replace(path, "second", 6, 0600, NULL), 0);
	CHECK_INT(fs_read_at(place->root_fd, "report", buffer, sizeof(buffer)), 6);
	CHECK_TEXT(buffer, "second");
	struct stat status;
	CHECK_INT(stat(path, &status), 0);
	CHECK_INT(status.st_mode & 0777, 0600);
}

static void a_replacement_that_fails_leaves_the_old_file_and_no_other(void **state)
{
	const struct place *place = *state;
	AUTO(text) char *path = mem_format("%s/folder", place->path);
	struct error err = { 0 };
	CHECK_INT(fs_make_dirs(path, 0755, NULL), 0);
	put(place, "folder/inside", "x");
	CHECK(fs_replace(path, "x", 1, 0600, &err) < 0); /* A folder that is not empty. */
	CHECK_HOLDS(err.text, "cannot rename");
	AUTO(text) char *left = mem_format("folder.new-%d", (int)getpid());
	CHECK(!fs_exists_at(place->root_fd, left));
	CHECK(fs_exists_at(place->root_fd, "folder/inside"));
	AUTO(text) char *nowhere = mem_format("%s/absent/report", place->path);
	CHECK_INT(fs_replace(nowhere, "x", 1, 0600, &err), -ENOENT);
}

static void directories_are_made_with_their_parents(void **state)
{
	const struct place *place = *state;
	AUTO(text) char *deep = mem_format("%s/a//b/c/", place->path);
	CHECK_INT(fs_make_dirs(deep, 0700, NULL), 0);
	CHECK(fs_exists_at(place->root_fd, "a/b/c"));
	CHECK_INT(fs_make_dirs(deep, 0700, NULL), 0); /* Once more. */
	struct stat status;
	CHECK_INT(fstatat(place->root_fd, "a/b", &status, 0), 0);
	CHECK_INT(status.st_mode & 0777, 0700);
	CHECK_INT(fs_make_dirs("/", 0700, NULL), 0);
}

static void a_directory_cannot_be_made_where_a_file_is(void **state)
{
	const struct place *place = *state;
	struct error err = { 0 };
	put(place, "file", "x");
	AUTO(text) char *same = mem_format("%s/file", place->path);
	AUTO(text) char *below = mem_format("%s/file/deeper", place->path);
	CHECK_INT(fs_make_dirs(same, 0700, &err), -ENOTDIR);
	CHECK_HOLDS(err.text, "is not a directory");
	CHECK_INT(fs_make_dirs(below, 0700, &err), -ENOTDIR);
	CHECK_INT(fs_make_dirs("", 0700, &err), -ENOENT);
}

struct seen {
	unsigned numbers[32];
	size_t n;
};

static void remember(unsigned number, void *user)
{
	struct seen *seen = user;
	if (seen->n < ARRAY_SIZE(seen->numbers))
		seen->numbers[seen->n++] = number;
}

static void a_list_of_cpus_is_read_as_the_kernel_prints_it(void **state)
{
	static const unsigned want[] = { 0, 1, 2, 3, 8, 10, 11 };
	struct seen seen = { 0 };
	CHECK_INT(fs_list_each("0-3,8,10-11\n", remember, &seen), 7);
	CHECK_INT(seen.n, ARRAY_SIZE(want));
	CHECK(memcmp(seen.numbers, want, sizeof(want)) == 0);
	CHECK_INT(fs_list_each("0", remember, &seen), 1);
	CHECK_INT(fs_list_each("\n", remember, &seen), 0);
	CHECK_INT(fs_list_each("", remember, &seen), 0);
}

static void a_list_that_makes_no_sense_is_refused(void **state)
{
	const char *const wrong[] = { "x",
				      "1-",
				      "-1",
				      "3-1",
				      "1,,2",
				      "1,",
				      ",1",
				      "1;2",
				      "1.5",
				      "0-9999999999",
				      "99999999999999999999" };
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct seen seen = { 0 };
		CHECK_INT(fs_list_each(wrong[i], remember, &seen), -EINVAL);
	}
}

int main(void)
{
#define in_a_folder(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)
	const struct CMUnitTest tests[] = {
		in_a_folder(a_root_that_is_not_there_is_named),
		in_a_folder(descriptors_are_closed_on_exec),
		in_a_folder(a_small_file_is_read_and_terminated),
		in_a_folder(an_empty_file_gives_an_empty_text),
		in_a_folder(a_file_opened_once_is_read_again_from_its_start),
		in_a_folder(a_whole_file_is_read_up_to_its_limit),
		cmocka_unit_test(a_write_to_a_full_device_is_an_error),
		in_a_folder(a_file_is_replaced_as_a_whole),
		in_a_folder(a_replacement_that_fails_leaves_the_old_file_and_no_other),
		in_a_folder(directories_are_made_with_their_parents),
		in_a_folder(a_directory_cannot_be_made_where_a_file_is),
		cmocka_unit_test(a_list_of_cpus_is_read_as_the_kernel_prints_it),
		cmocka_unit_test(a_list_that_makes_no_sense_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
