/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "given.h"

#include <math.h>

static const struct intake_options plain = { 0 };

static void columns_with_a_head_are_named_by_it(void **state)
{
	AUTO(intake_document)
	struct intake_document *document = given("base,head\n10,12\n11,13\n10.5,\n", &plain);
	CHECK(document->format == &intake_csv);
	CHECK_INT(document->n_series, 2);
	const double base[] = { 10, 11, 10.5 };
	const double head[] = { 12, 13 };
	holds(intake_series_find(document, "base"), base, 3);
	holds(intake_series_find(document, "head"), head, 2);
	CHECK_INT(document->series[1].values[1].line, 3);
}

static void columns_without_a_head_are_numbered(void **state)
{
	AUTO(intake_document) struct intake_document *document = given("1;2\n3;4\n", &plain);
	const double second[] = { 2, 4 };
	holds(intake_series_find(document, "2"), second, 2);
}

static void blanks_and_tabs_part_cells_too(void **state)
{
	AUTO(intake_document)
	struct intake_document *blanks = given("  10   12\n11 13  \n", &plain);
	const double second[] = { 12, 13 };
	CHECK_INT(blanks->n_series, 2);
	holds(intake_series_find(blanks, "2"), second, 2);
	AUTO(intake_document) struct intake_document *tabs = given("a\tb\n1\t\n2\t5\n", &plain);
	const double first[] = { 1, 2 };
	const double other[] = { 5 };
	holds(intake_series_find(tabs, "a"), first, 2);
	holds(intake_series_find(tabs, "b"), other, 1);
}

static void quotes_hold_separators_and_quotes(void **state)
{
	AUTO(intake_document)
	struct intake_document *document =
		given("\"time, \"\"wall\"\"\",\"b\"\n\"1.5\",2\n", &plain);
	CHECK_TEXT(document->series[0].name, "time, \"wall\"");
	CHECK_NEAR(document->series[0].values[0].value.number, 1.5, 0);
	refused("a,b\n\"1,2\n", &plain, "given:2: a quote is not closed");
}

static void labels_are_left_out_and_missing_is_kept(void **state)
{
	AUTO(intake_document)
	struct intake_document *document =
		given("commit,time,note\naaa,1,\nbbb,NA,slow\nccc,3,\n", &plain);
	CHECK_INT(document->n_series, 1);
	const double want[] = { 1, (double)NAN, 3 };
	holds(&document->series[0], want, 3);
}

static void a_word_among_numbers_breaks_its_column_only(void **state)
{
	AUTO(intake_document)
	struct intake_document *document = given("threads,time\n36,1\n40*,2\n", &plain);
	CHECK_TEXT(intake_series_find(document, "threads")->broken,
		   "given:3: '40*' in column 'threads' is not a number");
	CHECK(intake_series_find(document, "time")->broken == NULL);
}

static void a_row_longer_than_the_first_is_told_with_its_line(void **state)
{
	refused("1,2\n3,4,5\n", &plain, "given:2: the row has 3 cells, the first one had 2");
}

static void blocks_and_builds_are_taken_from_their_columns(void **state)
{
	const struct intake_options options = { .blocks = "block", .builds = "kernel" };
	AUTO(intake_document)
	struct intake_document *document =
		given("block,kernel,time\n1,a,10\n1,b,11\n,a,12\n", &options);
	CHECK_INT(document->n_series, 1);
	const struct intake_series *time = &document->series[0];
	CHECK_TEXT(time->values[1].block, "1");
	CHECK_TEXT(time->values[1].build, "b");
	CHECK(time->values[2].block == NULL);
	const struct intake_options wrong = { .blocks = "blok" };
	refused("block,time\n1,2\n", &wrong, "given has no column 'blok', did you mean 'block'?");
}

static void columns_of_one_name_stay_apart(void **state)
{
	AUTO(intake_document)
	struct intake_document *document = given("t,t,2,\n1,2,3,4\n5,6,7,8\n", &plain);
	CHECK_INT(document->n_series, 4);
	const double second[] = { 2, 6 };
	holds(intake_series_find(document, "t (column 2)"), second, 2);
	holds(&document->series[3], (const double[]) { 4, 8 }, 2);
	/* Names that are the same once they are printable, too. */
	AUTO(intake_document) struct intake_document *odd = given("a\x01,a?\n1,2\n", &plain);
	CHECK_INT(odd->n_series, 2);
}

static void a_table_of_words_holds_no_numbers(void **state)
{
	refused("a,b\nc,d\n", &plain, "given holds no numbers (read as csv)");
	refused("a,b\n", &plain, "given holds no numbers (read as csv)");
}

static void a_row_of_too_many_cells_is_refused(void **state)
{
	char text[2 * INTAKE_COLUMNS_MAX + 2] = { 0 };
	for (size_t i = 0; i < INTAKE_COLUMNS_MAX; i++)
		memcpy(text + 2 * i, "1,", 2);
	text[2 * INTAKE_COLUMNS_MAX - 1] = '\0';
	AUTO(intake_document) struct intake_document *document = given(text, &plain);
	CHECK_INT(document->n_series, INTAKE_COLUMNS_MAX);
	memcpy(text + 2 * INTAKE_COLUMNS_MAX - 1, ",1", 2);
	refused(text, &plain,
		"given:1: the row has more than 256 cells; cut the columns that matter out of it");
}

#define SPOILED(line, text)                                                                        \
	"given:" line ": a cell begins with '" text                                                \
	"', which is neither a name nor a usable number; write plain numbers without units, or "   \
	"begin names with a letter"

static void a_first_line_that_was_a_number_is_no_head(void **state)
{
	refused("inf\n1\n2\n3\n", &plain, SPOILED("1", "inf"));
	refused("1e400\n2\n3\n", &plain, SPOILED("1", "1e400"));
	refused("# said\n0x10\n2\n3\n", &plain, SPOILED("2", "0x10"));
	refused("5ms\n6\n7\n", &plain, SPOILED("1", "5ms"));
	refused("5 ms\n6\n7\n", &plain, SPOILED("1", "5"));
	refused("1_000\n2000\n", &plain, SPOILED("1", "1_000"));
	refused("-x\n2000\n", &plain, SPOILED("1", "-x"));
	refused("1 ms,2 ms\n3 ms,4 ms\n", &plain, SPOILED("1", "1 ms"));
	refused("1,inf\n3,4\n", &plain, SPOILED("1", "inf"));
}

static void a_head_that_could_be_a_row_is_remarked_upon(void **state)
{
	AUTO(intake_document) struct intake_document *alone = given("old\n1\n2\n", &plain);
	CHECK_INT(alone->n_remarks, 1);
	CHECK_TEXT(alone->remarks[0], "given: line 1 was taken as the head, not as a measurement");
	AUTO(intake_document)
	struct intake_document *commits = given("3da90b159b14,c0cef30e4ff0\n1,2\n", &plain);
	CHECK_INT(commits->n_series, 2);
	CHECK_INT(commits->n_remarks, 1);
	AUTO(intake_document) struct intake_document *words = given("base,head\n1,2\n", &plain);
	CHECK_INT(words->n_remarks, 0);
}

static void a_column_with_units_is_left_out_aloud(void **state)
{
	AUTO(intake_document)
	struct intake_document *document = given("a,b,note\n1,5 ms,good\n2,6 ms,bad\n", &plain);
	CHECK_INT(document->n_series, 1);
	CHECK_INT(document->n_remarks, 1);
	CHECK_TEXT(document->remarks[0],
		   "a column is left out: given:2: '5 ms' in column 'b' is not a number");
	refused("a,b\nx,5 ms\n", &plain,
		"given holds no numbers (read as csv): a column is left out: given:2: '5 ms' in "
		"column 'b' is not a number");
}

static void a_number_beyond_the_range_breaks_its_column(void **state)
{
	AUTO(intake_document)
	struct intake_document *document = given("a,b\n1,1e308\n2,3\n0,4e-320\n", &plain);
	CHECK_INT(document->n_series, 2);
	CHECK(document->series[0].broken == NULL);
	CHECK_HOLDS(document->series[1].broken, "given:2: 1e+308 in 'b' is beyond what can be "
						"computed with (1e-75 to 1e+75, or 0)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_with_a_head_are_named_by_it),
		cmocka_unit_test(columns_without_a_head_are_numbered),
		cmocka_unit_test(blanks_and_tabs_part_cells_too),
		cmocka_unit_test(quotes_hold_separators_and_quotes),
		cmocka_unit_test(labels_are_left_out_and_missing_is_kept),
		cmocka_unit_test(a_word_among_numbers_breaks_its_column_only),
		cmocka_unit_test(a_row_longer_than_the_first_is_told_with_its_line),
		cmocka_unit_test(blocks_and_builds_are_taken_from_their_columns),
		cmocka_unit_test(columns_of_one_name_stay_apart),
		cmocka_unit_test(a_table_of_words_holds_no_numbers),
		cmocka_unit_test(a_row_of_too_many_cells_is_refused),
		cmocka_unit_test(a_first_line_that_was_a_number_is_no_head),
		cmocka_unit_test(a_head_that_could_be_a_row_is_remarked_upon),
		cmocka_unit_test(a_column_with_units_is_left_out_aloud),
		cmocka_unit_test(a_number_beyond_the_range_breaks_its_column),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
