/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal of devices: what is believed of it, and in which order. */
#include "workload/storage_journal.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

struct place {
	char directory[64];
	char *prefix;
	char *path;
};

static void open_place(struct place *place)
{
	*place = (struct place) { .directory = "/tmp/assay-test-journal-XXXXXX" };
	CHECK(mkdtemp(place->directory) != NULL);
	place->prefix = mem_format("%s/run", place->directory);
	place->path = mem_format("%s/run-devices", place->directory);
}

static void close_place(struct place *place)
{
	(void)unlink(place->path);
	CHECK_INT(rmdir(place->directory), 0);
	free(place->prefix);
	free(place->path);
}

static void take_down(const char *kind, const char *name, void *user)
{
	text_add(user, "%s=%s;", kind, name);
}

static void check_read(const struct place *place, const char *want)
{
	AUTO(text_buffer) struct text have = { 0 };
	size_t count = 0;
	for (const char *at = want; *at; at++)
		count += *at == ';';
	CHECK_INT(storage_journal_read(place->path, take_down, &have), count);
	CHECK_TEXT(text_string(&have), want);
}

static void append(const struct place *place, const char *line)
{
	FILE *file = fopen(place->path, "ae");
	CHECK(file && fputs(line, file) >= 0);
	CHECK_INT(fclose(file), 0);
}

/* A journal as a killed run leaves it: never closed. */
static void leave_journal(const struct place *place)
{
	struct storage_journal *journal = NULL;
	struct error err = { 0 };
	const pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		int failed = storage_journal_new(place->prefix, &journal, &err);
		if (!failed)
			failed = storage_journal_note(journal, "module", "brd", &err);
		if (!failed)
			failed = storage_journal_note(journal, "ram", "/dev/ram200", &err);
		if (!failed)
			failed = storage_journal_note(journal, "array", "md_assay_7-AbCdEf", &err);
		_exit(failed ? 1 : 0);
	}
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK_INT(status, 0);
}

static void what_was_noted_is_told_backwards(void **state)
{
	struct place place;
	open_place(&place);
	leave_journal(&place);
	CHECK(storage_journal_is("assay-scratch-7-AbCdEf-devices"));
	CHECK(!storage_journal_is("assay-scratch-7-AbCdEf-files0"));
	check_read(&place, "array=md_assay_7-AbCdEf;ram=/dev/ram200;module=brd;");
	close_place(&place);
}

static void lines_that_no_storage_writes_are_passed_over(void **state)
{
	struct place place;
	open_place(&place);
	leave_journal(&place);
	append(&place, "array md0\narray md_assay_../x\nram /dev/sda\nram /dev/ram0/../sda\n"
		       "ram /dev/ram\nmodule ext4\nnothing\nram /dev/ram3\nram /dev/ram4");
	/* The last one is torn: it has no end. */
	check_read(&place, "ram=/dev/ram3;array=md_assay_7-AbCdEf;ram=/dev/ram200;module=brd;");
	close_place(&place);
}

static void a_journal_that_others_could_write_is_not_believed(void **state)
{
	struct place place;
	open_place(&place);
	leave_journal(&place);
	CHECK_INT(chmod(place.path, 0622), 0);
	check_read(&place, "");
	CHECK_INT(chmod(place.path, 0600), 0);
	AUTO(text) char *other = mem_format("%s/other", place.directory);
	CHECK_INT(link(place.path, other), 0);
	check_read(&place, "");
	CHECK_INT(unlink(place.path), 0);
	CHECK_INT(symlink(other, place.path), 0);
	check_read(&place, "");
	CHECK_INT(unlink(other), 0);
	check_read(&place, "");
	close_place(&place);
}

static void a_journal_of_another_user_is_not_believed(void **state)
{
	if (geteuid() != 0) {
		print_message("skipped: only root can give a file to another user\n");
		skip();
	}
	struct place place;
	open_place(&place);
	leave_journal(&place);
	CHECK_INT(chown(place.path, 65534, 65534), 0);
	check_read(&place, "");
	close_place(&place);
}

static void a_journal_of_another_boot_is_not_believed(void **state)
{
	struct place place;
	open_place(&place);
	append(&place, "boot 00000000-0000-0000-0000-000000000000\nram /dev/ram3\n");
	CHECK_INT(chmod(place.path, 0600), 0);
	check_read(&place, "");
	CHECK_INT(unlink(place.path), 0);
	append(&place, "ram /dev/ram3\n");
	CHECK_INT(chmod(place.path, 0600), 0);
	check_read(&place, "");
	close_place(&place);
}

static void closing_removes_it_and_a_second_one_is_refused_before(void **state)
{
	struct place place;
	struct storage_journal *journal = NULL;
	struct storage_journal *second = NULL;
	struct error err = { 0 };
	open_place(&place);
	CHECK_INT(storage_journal_new(place.prefix, &journal, &err), 0);
	CHECK(storage_journal_new(place.prefix, &second, &err) < 0);
	CHECK_HOLDS(err.text, "cannot make the journal");
	storage_journal_close(journal);
	CHECK(access(place.path, F_OK) < 0);
	storage_journal_close(NULL);
	close_place(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_noted_is_told_backwards),
		cmocka_unit_test(lines_that_no_storage_writes_are_passed_over),
		cmocka_unit_test(a_journal_that_others_could_write_is_not_believed),
		cmocka_unit_test(a_journal_of_another_user_is_not_believed),
		cmocka_unit_test(a_journal_of_another_boot_is_not_believed),
		cmocka_unit_test(closing_removes_it_and_a_second_one_is_refused_before),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
