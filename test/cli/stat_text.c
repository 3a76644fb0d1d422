/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people read: sentence, samples, doubts; of several metrics the common doubts once. */
#include "cli/stat_text.h"

#include "base/mem.h"
#include "stat_given.h"

static const struct intake_options plain = { 0 };
static const struct stat_layout lower = { .better = BETTER_LOWER };

static size_t count(const char *text, const char *piece)
{
	size_t n = 0;
	for (const char *at = strstr(text, piece); at; at = strstr(at + 1, piece))
		n++;
	return n;
}

static void one_metric_is_a_sentence_two_samples_and_doubts(void **state)
{
	struct stat_given given;
	stat_give(&given, "old,longer\n100,110\n101,111\n99,\nNA,109\n", NULL, &plain, lower);
	stat_judge(&given);
	comparison_warn(given.cases[0]->comparison, "a doubt of many words that %s",
			"does not fit into one line of this narrow report and must be wrapped");
	AUTO(text_buffer) struct text text = { 0 };
	stat_text(given.cases, given.n, 60, &text);
	CHECK(text_starts_with(text_string(&text), "value is "));
	CHECK_HOLDS(
		text_string(&text),
		"\n  old     3 values (1 missing), median 100, mean 100, deviation 1 (1 %), from "
		"99 to 101\n");
	CHECK_HOLDS(text_string(&text), "\n  longer  3 values, median 110, ");
	CHECK_HOLDS(text_string(&text), "\n! a doubt of many words that does not fit ");
	CHECK_HOLDS(text_string(&text), "\n  ");
	CHECK_INT(count(text_string(&text), "judged:"), 0);
	stat_done(&given);
}

static void one_value_has_no_deviation(void **state)
{
	struct stat_given given;
	stat_give(&given, "old,new\n100,NA\n", "old,new\n110,1\n", &plain, lower);
	stat_done(&given);
	stat_give(&given, "5\n", "6\n", &plain, lower);
	stat_judge(&given);
	AUTO(text_buffer) struct text text = { 0 };
	stat_text(given.cases, given.n, 100, &text);
	CHECK_HOLDS(text_string(&text), "1 value, median 5, mean 5\n");
	CHECK_INT(count(text_string(&text), "deviation 0"), 0);
	stat_done(&given);
}

static void doubts_of_all_metrics_are_told_once(void **state)
{
	struct stat_given given;
	stat_give(&given,
		  "{\"base\": {\"a\": [1,2,3], \"b\": [4,5,6]}, \"head\": {\"a\": [1,2,3], "
		  "\"b\": [4,5,6]}}",
		  NULL, &plain, lower);
	stat_judge(&given);
	CHECK_INT(given.n, 2);
	for (size_t i = 0; i < 2; i++)
		comparison_warn(given.cases[i]->comparison, "said of both");
	comparison_warn(given.cases[1]->comparison, "said of b");
	AUTO(text_buffer) struct text text = { 0 };
	stat_text(given.cases, given.n, 100, &text);
	CHECK(text_starts_with(text_string(&text), "2 judged: "));
	CHECK_INT(count(text_string(&text), "! said of both\n"), 1);
	CHECK_INT(count(text_string(&text), "! said of b\n"), 1);
	CHECK(strstr(text_string(&text), "said of both") >
	      strstr(text_string(&text), "said of b\n"));
	stat_done(&given);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_metric_is_a_sentence_two_samples_and_doubts),
		cmocka_unit_test(one_value_has_no_deviation),
		cmocka_unit_test(doubts_of_all_metrics_are_told_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
