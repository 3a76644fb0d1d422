/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of lines "key value". */
#include "monitor/keyed.h"

#include "base/mem.h"
#include "check.h"
#include "monitor/tree.h"

#include <errno.h>
#include <stdlib.h>

struct fixture {
	struct tree tree;
	struct keyed keyed;
	struct monitor_setup *setup;
	struct reading readings[16];
};

static void as_gauge(const struct key *key, struct metric *metric)
{
	metric->kind = key->name[0] == 'c' ? METRIC_COUNTER : METRIC_GAUGE;
	metric->unit = key->kib ? "KiB" : "1";
}

/* A tree with the file "f", opened, declared and sampled once. */
static void start(struct fixture *fixture, const char *text, const char *before, char separator)
{
	struct error err = { 0 };
	tree_make(&fixture->tree);
	tree_put(&fixture->tree, "f", text);
	CHECK_INT(keyed_open(&fixture->keyed, fixture->tree.fd, "f", before, separator, &err), 0);
	fixture->setup = monitor_setup_new(fixture->tree.fd, "test", "x");
	keyed_declare(&fixture->keyed, fixture->setup, "", as_gauge);
	keyed_sample(&fixture->keyed, fixture->readings);
}

static void again(struct fixture *fixture, const char *text)
{
	tree_put(&fixture->tree, "f", text);
	keyed_sample(&fixture->keyed, fixture->readings);
}

static void stop(struct fixture *fixture)
{
	keyed_done(&fixture->keyed);
	monitor_setup_free(fixture->setup);
	tree_done(&fixture->tree);
}

static void check_level(const struct fixture *fixture, unsigned place, double want)
{
	CHECK_INT(fixture->readings[place].state, VALUE_KNOWN);
	CHECK_NEAR(fixture->readings[place].level, want, 0);
}

static void check_missing(const struct fixture *fixture, unsigned place, enum missing want)
{
	CHECK_INT(fixture->readings[place].state, VALUE_MISSING);
	CHECK_TEXT(missing_text(fixture->readings[place].why), missing_text(want));
}

static void keys_are_learnt_in_the_order_of_the_file(void **state)
{
	struct fixture fixture;
	start(&fixture, "alpha 1\nbeta 2\ncount 3\n", "", ' ');
	CHECK_INT(fixture.keyed.n_keys, 3);
	CHECK_INT(keyed_find(&fixture.keyed, "beta", 0), 1);
	CHECK_INT(keyed_find(&fixture.keyed, "bet", 1), -1);
	check_level(&fixture, 0, 1);
	check_level(&fixture, 1, 2);
	CHECK_INT(fixture.readings[2].count, 3);
	stop(&fixture);
}

static void lines_that_change_places_keep_their_keys(void **state)
{
	struct fixture fixture;
	start(&fixture, "a 1\nab 2\nb 3\n", "", ' ');
	again(&fixture, "b 30\nab 20\na 10\n");
	check_level(&fixture, 0, 10);
	check_level(&fixture, 1, 20);
	check_level(&fixture, 2, 30);
	stop(&fixture);
}

static void a_key_that_goes_is_absent_and_a_new_one_is_ignored(void **state)
{
	struct fixture fixture;
	start(&fixture, "a 1\nb 2\nd 3\n", "", ' ');
	again(&fixture, "a 10\nnew 5\nd 30\nnewer 6\n");
	check_level(&fixture, 0, 10);
	check_missing(&fixture, 1, MISSING_ABSENT);
	check_level(&fixture, 2, 30);
	again(&fixture, "a 11\nb 22\nd 33\n");
	check_level(&fixture, 1, 22);
	stop(&fixture);
}

static void a_value_that_is_no_number_is_malformed_and_its_neighbours_are_not(void **state)
{
	struct fixture fixture;
	start(&fixture, "a 1\nb 2\nd 3\n", "", ' ');
	again(&fixture, "a 18446744073709551616\nb -2\nd 30\n");
	check_missing(&fixture, 0, MISSING_MALFORMED);
	check_missing(&fixture, 1, MISSING_MALFORMED);
	check_level(&fixture, 2, 30);
	again(&fixture, "a\nb 2x\nd 18446744073709551615\n");
	check_missing(&fixture, 0, MISSING_ABSENT);
	check_missing(&fixture, 1, MISSING_MALFORMED);
	check_level(&fixture, 2, 18446744073709551615.0);
	stop(&fixture);
}

static void units_line_ends_and_a_missing_last_newline_do_not_matter(void **state)
{
	struct fixture fixture;
	start(&fixture, "MemTotal:  10 kB\r\nHuge:   3\r\n\r\nLast:\t7 kB", "", ':');
	CHECK_INT(fixture.keyed.n_keys, 3);
	CHECK(fixture.keyed.keys[0].kib);
	CHECK(!fixture.keyed.keys[1].kib);
	CHECK(fixture.keyed.keys[2].kib);
	check_level(&fixture, 0, 10);
	check_level(&fixture, 1, 3);
	check_level(&fixture, 2, 7);
	stop(&fixture);
}

static void what_stands_before_the_keys_must_be_there(void **state)
{
	struct fixture fixture;
	start(&fixture, "Node 1 A: 5 kB\nNode 11 B: 6 kB\nA: 7 kB\nNode 1 A: 8 kB\n", "Node 1 ",
	      ':');
	CHECK_INT(fixture.keyed.n_keys, 1);
	check_level(&fixture, 0, 5);
	stop(&fixture);
}

static void zeros_that_fill_the_page_end_the_file(void **state)
{
	struct fixture fixture;
	start(&fixture, "a 1\nb 2\n", "", ' ');
	char page[4096] = "a 3\nb 4\n";
	tree_put_bytes(&fixture.tree, "f", page, sizeof(page));
	keyed_sample(&fixture.keyed, fixture.readings);
	check_level(&fixture, 0, 3);
	check_level(&fixture, 1, 4);
	stop(&fixture);
}

static void a_shorter_reading_never_shows_bytes_of_the_longer_one_before(void **state)
{
	struct fixture fixture;
	start(&fixture, "a 1\nbb 2\ndd 3\n", "", ' ');
	again(&fixture, "a 10\nb");
	check_level(&fixture, 0, 10);
	check_missing(&fixture, 1, MISSING_ABSENT);
	check_missing(&fixture, 2, MISSING_ABSENT);
	stop(&fixture);
}

static void an_emptied_or_overgrown_file_makes_every_reading_missing(void **state)
{
	struct fixture fixture;
	start(&fixture, "a 1\nb 2\n", "", ' ');
	again(&fixture, "");
	check_missing(&fixture, 0, MISSING_MALFORMED);
	char *large = mem_zero(fixture.keyed.source.size + 1);
	memset(large, '\n', fixture.keyed.source.size);
	memcpy(large, "a 5\n", 4);
	again(&fixture, large);
	check_missing(&fixture, 0, MISSING_MALFORMED);
	check_missing(&fixture, 1, MISSING_MALFORMED);
	free(large);
	stop(&fixture);
}

static void a_file_without_any_key_is_refused(void **state)
{
	struct tree tree;
	struct keyed keyed;
	struct error err = { 0 };
	tree_make(&tree);
	tree_put(&tree, "f", "\n\x01\x02 3\nnoseparator\n 5\n");
	CHECK_INT(keyed_open(&keyed, tree.fd, "f", "", ' ', &err), -ENODATA);
	CHECK_HOLDS(err.text, "no line of a key and a value");
	CHECK_INT(keyed_open(&keyed, tree.fd, "absent", "", ' ', &err), -ENOENT);
	keyed_done(&keyed);
	tree_done(&tree);
}

static void keys_beyond_the_limits_are_left_out(void **state)
{
	struct tree tree;
	struct keyed keyed;
	struct error err = { 0 };
	char *text = mem_zero(KEYED_KEYS_MAX * 20 + 400);
	size_t length = 0;
	memset(text, 'k', KEYED_NAME_BYTES_MAX + 1);
	length = KEYED_NAME_BYTES_MAX + 1;
	length += (size_t)sprintf(text + length, " 1\n");
	for (unsigned i = 0; i < KEYED_KEYS_MAX + 10; i++)
		length += (size_t)sprintf(text + length, "key%u %u\n", i, i);
	tree_make(&tree);
	tree_put_bytes(&tree, "f", text, length);
	CHECK_INT(keyed_open(&keyed, tree.fd, "f", "", ' ', &err), 0);
	CHECK_INT(keyed.n_keys, KEYED_KEYS_MAX);
	CHECK_TEXT(keyed.keys[0].name, "key0");
	free(text);
	keyed_done(&keyed);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_learnt_in_the_order_of_the_file),
		cmocka_unit_test(lines_that_change_places_keep_their_keys),
		cmocka_unit_test(a_key_that_goes_is_absent_and_a_new_one_is_ignored),
		cmocka_unit_test(a_value_that_is_no_number_is_malformed_and_its_neighbours_are_not),
		cmocka_unit_test(units_line_ends_and_a_missing_last_newline_do_not_matter),
		cmocka_unit_test(what_stands_before_the_keys_must_be_there),
		cmocka_unit_test(zeros_that_fill_the_page_end_the_file),
		cmocka_unit_test(a_shorter_reading_never_shows_bytes_of_the_longer_one_before),
		cmocka_unit_test(an_emptied_or_overgrown_file_makes_every_reading_missing),
		cmocka_unit_test(a_file_without_any_key_is_refused),
		cmocka_unit_test(keys_beyond_the_limits_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
