/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --score: kinds, options behind them, several, and what is wrong. */
#include "adapted.h"

static struct adapter *worded(const char *words)
{
	struct adapter *adapter = NULL;
	struct error err = { 0 };
	if (adapter_from_words(words, &adapter, &err))
		CHECK_FAIL("%s", err.text);
	return adapter;
}

static void refused(const char *words, const char *sentence)
{
	struct adapter *adapter = NULL;
	struct error err = { 0 };
	CHECK_INT(adapter_from_words(words, &adapter, &err), -EINVAL);
	CHECK_TEXT(err.text, sentence);
}

static void options_are_taken_from_the_end_and_commas_before_them_stay(void **state)
{
	AUTO(adapter)
	struct adapter *adapter =
		worded("regex:a{1,3} ([0-9]+),unit=MB/s,better=higher,pick=last,name=my.speed");
	const struct score *score = &adapter->scores[0];
	CHECK_INT(score->source, SCORE_REGEX);
	CHECK_TEXT(score->expression, "a{1,3} ([0-9]+)");
	CHECK_TEXT(score->unit, "MB/s");
	CHECK_TEXT(score->name, "my.speed");
	CHECK_INT(score->better, BETTER_HIGHER);
	CHECK_INT(score->pick, PICK_LAST);
}

static void what_is_not_said_is_filled_in_but_no_direction(void **state)
{
	AUTO(adapter) struct adapter *adapter = worded("json:/a/b;;time;;csv:rps");
	CHECK_INT(adapter->n_scores, 3);
	CHECK_TEXT(adapter->scores[0].name, "command.score");
	CHECK_TEXT(adapter->scores[0].unit, "1");
	CHECK_INT(adapter->scores[0].better, BETTER_UNKNOWN);
	CHECK_TEXT(adapter->scores[1].name, "command.time_sec");
	CHECK_INT(adapter->scores[1].better, BETTER_LOWER);
	CHECK_TEXT(adapter->scores[2].name, "command.score3");
}

static void what_is_wrong_is_told(void **state)
{
	refused("regx:(a)", "score 'regx:(a)': 'regx' is no kind of score, did you mean 'regex'?");
	refused("xml:/a", "score 'xml:/a': 'xml' is no kind of score: time, regex:RE, json:POINTER "
			  "or csv:COLUMN");
	refused("regex:", "score 'regex:': write regex:RE, with the number in parentheses");
	refused("time:5", "score 'time:5': time has nothing behind a colon");
	refused("regex:(a),unti=s",
		"score 'regex:(a),unti=s': unknown option 'unti', did you mean 'unit'? (a comma "
		"that belongs to the expression is written '[,]')");
	refused("regex:(a),better=up", "score 'regex:(a),better=up': better is higher or lower, "
				       "not 'up'");
	refused("regex:(a),pick=one", "score 'regex:(a),pick=one': pick is only, first, last, sum, "
				      "mean, least or most, not 'one'");
	refused("regex:(a),unit=s,unit=ms", "score 'regex:(a),unit=s,unit=ms': unit is said twice");
	refused("regex:a", "score 'regex:a': 'a' has 0 groups: put the number, and nothing else, "
			   "in parentheses, or name its group: (?<value>...)");
	refused("time;;time", "score 'time;;time': two scores are named 'command.time_sec'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_taken_from_the_end_and_commas_before_them_stay),
		cmocka_unit_test(what_is_not_said_is_filled_in_but_no_direction),
		cmocka_unit_test(what_is_wrong_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
