/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files with a line for each row. */
#include "monitor/rowed.h"

#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "monitor/tree.h"

#include <inttypes.h>
#include <stdlib.h>

/* "name: 1 words 2 3" */
static size_t name_line(const char *line, const char *end, char *name, size_t size)
{
	const char *const colon = memchr(line, ':', (size_t)(end - line));
	if (!colon || colon == line || (size_t)(colon - line) >= size)
		return 0;
	memcpy(name, line, (size_t)(colon - line));
	name[colon - line] = '\0';
	return (size_t)(colon - line) + 1;
}

static const struct rowed_column columns[] = {
	{ 0, "first", "1", "", METRIC_COUNTER, 64 },
	{ 2, "third", "1", "", METRIC_COUNTER, 32 },
	{ 3, "fourth", "1", "", METRIC_GAUGE, 0 },
	{ 0 },
};

static const struct rowed_plan plan = { .path = "f", .name = name_line, .columns = columns };

struct fixture {
	struct tree tree;
	struct rowed rowed;
	struct monitor_setup *setup;
	struct reading readings[64];
};

static enum monitor_opened start(struct fixture *fixture, const char *text, struct error *reason)
{
	tree_make(&fixture->tree);
	tree_put(&fixture->tree, "f", text);
	fixture->setup = monitor_setup_new(fixture->tree.fd, "test", "x");
	return rowed_open(&fixture->rowed, fixture->setup, &plan, reason);
}

static void sample(struct fixture *fixture, const char *text)
{
	tree_put(&fixture->tree, "f", text);
	rowed_sample(&fixture->rowed, fixture->readings);
}

static void stop(struct fixture *fixture)
{
	rowed_done(&fixture->rowed);
	monitor_setup_free(fixture->setup);
	tree_done(&fixture->tree);
}

static void check_count(const struct fixture *fixture, unsigned place, uint64_t want)
{
	CHECK_INT(fixture->readings[place].state, VALUE_KNOWN);
	CHECK_INT(fixture->readings[place].count, want);
}

static void check_missing(const struct fixture *fixture, unsigned place, enum missing want)
{
	CHECK_INT(fixture->readings[place].state, VALUE_MISSING);
	CHECK_TEXT(missing_text(fixture->readings[place].why), missing_text(want));
}

static void columns_are_counted_past_words(void **state)
{
	struct fixture fixture;
	CHECK(start(&fixture, "a: 1 : words 2 3 <x> 4\n", NULL) == MONITOR_OPEN);
	sample(&fixture, "a: 10 : words 20 30 <x> 40\n");
	check_count(&fixture, 0, 10);
	check_count(&fixture, 1, 30);
	CHECK_NEAR(fixture.readings[2].level, 40, 0);
	stop(&fixture);
}

static void a_row_that_lacks_columns_has_the_others(void **state)
{
	struct fixture fixture;
	CHECK(start(&fixture, "old: 1\nnew: 1 2 3 4\n", NULL) == MONITOR_OPEN);
	sample(&fixture, "old: 5\nnew: 6 7 8 9\n");
	check_count(&fixture, 0, 5);
	check_missing(&fixture, 1, MISSING_ABSENT);
	check_missing(&fixture, 2, MISSING_ABSENT);
	check_count(&fixture, 3, 6);
	check_count(&fixture, 4, 8);
	stop(&fixture);
}

static void columns_that_no_row_has_are_not_declared(void **state)
{
	struct fixture fixture;
	uint32_t n;
	CHECK(start(&fixture, "a: 1 2 3\nb: 1\n", NULL) == MONITOR_OPEN);
	(void)monitor_setup_channels(fixture.setup, &n);
	CHECK_INT(n, 4);
	stop(&fixture);
}

static void rows_may_change_places_go_and_come(void **state)
{
	struct fixture fixture;
	CHECK(start(&fixture, "a: 1\nb: 2\nc: 3\n", NULL) == MONITOR_OPEN);
	sample(&fixture, "c: 30\nnew: 99\na: 10\n");
	check_count(&fixture, 0, 10);
	check_missing(&fixture, 1, MISSING_ABSENT);
	check_count(&fixture, 2, 30);
	stop(&fixture);
}

static void a_damaged_number_is_malformed_with_all_behind_it(void **state)
{
	struct fixture fixture;
	CHECK(start(&fixture, "a: 1 2 3 4\n", NULL) == MONITOR_OPEN);
	sample(&fixture, "a: 1 -2 3 4\n");
	check_count(&fixture, 0, 1);
	check_missing(&fixture, 1, MISSING_MALFORMED);
	check_missing(&fixture, 2, MISSING_MALFORMED);
	sample(&fixture, "a: 99999999999999999999 2 3 4\n");
	check_missing(&fixture, 0, MISSING_MALFORMED);
	stop(&fixture);
}

static void a_count_of_32_bits_wraps_there(void **state)
{
	struct fixture fixture;
	CHECK(start(&fixture, "a: 1 2 3\n", NULL) == MONITOR_OPEN);
	sample(&fixture, "a: 4294967297 2 4294967297\n");
	check_count(&fixture, 0, 4294967297);
	check_count(&fixture, 1, 1);
	stop(&fixture);
}

static void of_two_rows_of_one_name_one_is_declared(void **state)
{
	struct fixture fixture;
	uint32_t n;
	CHECK(start(&fixture, "a: 1\na: 2\nb: 3\n", NULL) == MONITOR_OPEN);
	(void)monitor_setup_channels(fixture.setup, &n);
	CHECK_INT(n, 2);
	sample(&fixture, "a: 1\nb: 3\n");
	check_count(&fixture, 1, 3);
	stop(&fixture);
}

static void a_file_without_rows_is_unavailable_and_says_so(void **state)
{
	struct fixture fixture;
	struct error reason = { 0 };
	CHECK(start(&fixture, "nothing here\n", &reason) == MONITOR_UNAVAILABLE);
	CHECK_TEXT(reason.text, "'f' has no line of a name and numbers");
	stop(&fixture);
}

static void an_emptied_file_is_malformed(void **state)
{
	struct fixture fixture;
	CHECK(start(&fixture, "a: 1\n", NULL) == MONITOR_OPEN);
	sample(&fixture, "");
	check_missing(&fixture, 0, MISSING_MALFORMED);
	stop(&fixture);
}

/* The plain reading of the first number of each row, beside which the fast one must not differ. */
static void rows_read_as_a_plain_reader_reads_them(void **state)
{
	struct random random;
	random_seed(&random, 20261201);
	for (unsigned round = 0; round < 200; round++) {
		struct fixture fixture;
		uint64_t wanted[16];
		const unsigned n = 1 + (unsigned)random_below(&random, ARRAY_SIZE(wanted));
		char *text = mem_text("");
		for (unsigned i = 0; i < n; i++) {
			wanted[i] = random_below(&random, UINT64_MAX);
			char *const longer = mem_format("%sr%u: %" PRIu64 "\n", text, i, wanted[i]);
			free(text);
			text = longer;
		}
		CHECK(start(&fixture, text, NULL) == MONITOR_OPEN);
		sample(&fixture, text);
		for (unsigned i = 0; i < n; i++)
			check_count(&fixture, i, wanted[i]);
		free(text);
		stop(&fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_counted_past_words),
		cmocka_unit_test(a_row_that_lacks_columns_has_the_others),
		cmocka_unit_test(columns_that_no_row_has_are_not_declared),
		cmocka_unit_test(rows_may_change_places_go_and_come),
		cmocka_unit_test(a_damaged_number_is_malformed_with_all_behind_it),
		cmocka_unit_test(a_count_of_32_bits_wraps_there),
		cmocka_unit_test(of_two_rows_of_one_name_one_is_declared),
		cmocka_unit_test(a_file_without_rows_is_unavailable_and_says_so),
		cmocka_unit_test(an_emptied_file_is_malformed),
		cmocka_unit_test(rows_read_as_a_plain_reader_reads_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
