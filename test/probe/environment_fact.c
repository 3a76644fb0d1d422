/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a file to a fact: values, cleaned text, missing with the reason, and writes that fail. */
#include "probe/environment_fact.h"

#include "check.h"
#include "probe/environment_tree.h"
#include "record/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void record_texts(struct environment *environment)
{
	environment_known(environment, "blanks", "  4\t4\t 1  7\n");
	environment_known(environment, "control", "a\x01z");
	environment_known(environment, "empty", " \n");
	environment_number(environment, "number", 18446744073709551615ULL);
	environment_missing(environment, "missing", MISSING_DENIED);
	environment_line(environment, "line", "a/line");
	environment_line(environment, "absent", "a/none");
	environment_line(environment, "folder", "a");
	environment_chosen(environment, "chosen", "a/choice", "[]");
	environment_chosen(environment, "whole", "a/line", "[]");
}

static void texts_are_cleaned_and_absence_has_a_reason(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, "a/line", "one two \n");
	environment_tree_file(&tree, "a/choice", "always [madvise] never\n");
	struct run *run = environment_tree_facts(&tree, record_texts);
	CHECK_TEXT(environment_tree_text(run, "blanks"), "4 4 1 7");
	CHECK_TEXT(environment_tree_text(run, "control"), "a?z");
	CHECK_TEXT(environment_tree_text(run, "empty"), "");
	CHECK_TEXT(environment_tree_text(run, "number"), "18446744073709551615");
	CHECK_TEXT(environment_tree_text(run, "missing"), "missing: permission denied");
	CHECK_TEXT(environment_tree_text(run, "line"), "one two");
	CHECK_TEXT(environment_tree_text(run, "absent"), "missing: absent");
	CHECK(run_fact_find(run, "folder")->why == MISSING_UNREADABLE);
	CHECK_TEXT(environment_tree_text(run, "chosen"), "madvise");
	CHECK_TEXT(environment_tree_text(run, "whole"), "one two");
	run_free(run);
	environment_tree_remove(&tree);
}

static void record_distinct(struct environment *environment)
{
	struct environment_distinct same = { 0 };
	struct environment_distinct mixed = { 0 };
	struct environment_distinct many = { 0 };
	struct environment_distinct denied = { .why = MISSING_DENIED };
	struct environment_distinct none = { 0 };
	environment_distinct_add(&same, "performance");
	environment_distinct_add(&same, "performance");
	environment_distinct_add(&mixed, "performance");
	environment_distinct_add(&mixed, "powersave");
	for (char letter = 'a'; letter <= 'j'; letter++)
		environment_distinct_add(&many, (const char[]) { letter, '\0' });
	environment_distinct_read(&none, environment->root_fd, "nowhere");
	environment_distinct_record(environment, "same", &same);
	environment_distinct_record(environment, "mixed", &mixed);
	environment_distinct_record(environment, "many", &many);
	environment_distinct_record(environment, "denied", &denied);
	environment_distinct_record(environment, "none", &none);
}

static void values_that_differ_between_cpus_are_called_mixed(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	struct run *run = environment_tree_facts(&tree, record_distinct);
	CHECK_TEXT(environment_tree_text(run, "same"), "performance");
	CHECK_TEXT(environment_tree_text(run, "mixed"), "mixed: performance, powersave");
	CHECK_TEXT(environment_tree_text(run, "many"), "mixed: a, b, c, d, e, f, g, h, ...");
	CHECK_TEXT(environment_tree_text(run, "denied"), "missing: permission denied");
	CHECK_TEXT(environment_tree_text(run, "none"), "missing: absent");
	run_free(run);
	environment_tree_remove(&tree);
}

static void the_first_failing_write_is_kept(void **state)
{
	(void)state;
	const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	if (fd < 0) {
		print_message("skipped: there is no /dev/full\n");
		skip();
	}
	struct wire *wire = wire_new(fd);
	struct environment environment = { .root_fd = AT_FDCWD, .wire = wire };
	environment_known(&environment, "one", "1");
	CHECK_INT(environment.failure, -ENOSPC);
	environment_known(&environment, "two", "2");
	CHECK_INT(environment.failure, -ENOSPC);
	wire_free(wire);
	(void)close(fd);
}

static void a_copy_is_cut_and_terminated(void **state)
{
	char buffer[4];
	(void)state;
	environment_copy(buffer, sizeof(buffer), "abcdef", 6);
	CHECK_TEXT(buffer, "abc");
	environment_copy(buffer, sizeof(buffer), "ab", 1);
	CHECK_TEXT(buffer, "a");
}

static void lines_are_walked_to_the_end(void **state)
{
	const char *const text = "one\n\ntwo";
	(void)state;
	const char *second = environment_next_line(text);
	CHECK_TEXT(second, "\ntwo");
	const char *third = environment_next_line(second);
	CHECK_TEXT(third, "two");
	CHECK_TEXT(environment_next_line(third), "");
	CHECK_TEXT(environment_next_line(""), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_cleaned_and_absence_has_a_reason),
		cmocka_unit_test(values_that_differ_between_cpus_are_called_mixed),
		cmocka_unit_test(the_first_failing_write_is_kept),
		cmocka_unit_test(a_copy_is_cut_and_terminated),
		cmocka_unit_test(lines_are_walked_to_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
