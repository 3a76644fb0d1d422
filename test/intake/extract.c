/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is absent, doubtful or was left out never becomes a number. */
#include "adapted.h"

#define SPEED "name: t.speed, regex: 'speed ([0-9.]+)', unit: MB/s, better: higher"
#define GAP "\n[... 1000 bytes left out ...]\n"

static void a_score_that_is_not_there_is_a_complaint_and_no_zero(void **state)
{
	extracts(SPEED, "", "!the output has no 't.speed' (regex speed ([0-9.]+))");
	extracts(SPEED ", optional: yes", "other\n", "!the output has none of the scores");
	extracts(SPEED, "speed 0\n", "t.speed=0");
}

static void what_is_no_number_is_a_complaint(void **state)
{
	extracts("name: t.s, regex: 'speed (.*)', unit: s, better: lower", "speed fast\n",
		 "!'t.s' is 'fast' in the output, which is no number");
	extracts("name: t.s, regex: 'speed (.*)', unit: s, better: lower", "speed NaN\n",
		 "!'t.s' is 'NaN' in the output, which is no number");
	extracts("name: t.s, regex: 'speed (.*)', unit: s, better: lower", "speed 1e300\n",
		 "!'t.s' is beyond what can be computed with");
}

static void of_a_cut_output_only_what_cannot_have_been_left_out_is_taken(void **state)
{
	extracts(SPEED, "speed 5\n" GAP "end\n",
		 "!the output is too long and was cut: what was left out could hold 't.speed' too");
	extracts(SPEED ", pick: first", "speed 5\n" GAP "end\n", "t.speed=5");
	extracts(SPEED ", pick: last", "a\n" GAP "speed 5\n", "t.speed=5");
	extracts(SPEED ", pick: last", "speed 5\n" GAP "end\n",
		 "!the output is too long and was cut: what was left out could hold 't.speed' too");
	extracts(SPEED ", pick: first", "a\n" GAP "speed 5\n",
		 "!the output is too long and was cut: what was left out could hold 't.speed' too");
	extracts(SPEED ", pick: mean", "speed 4\n" GAP "speed 5\n",
		 "!the output is too long and was cut: what was left out could hold 't.speed' too");
	extracts(SPEED, "a\n" GAP "b\n",
		 "!the output has no 't.speed' (regex speed ([0-9.]+)); a part of it was left out, "
		 "for it is too long");
}

static void the_log_s_own_cut_counts_as_well(void **state)
{
	extracts(SPEED ", pick: last",
		 "speed 5\n\nassay: the log was cut here, it is longer than 9 bytes\n",
		 "!the output is too long and was cut: what was left out could hold 't.speed' too");
}

static void rows_become_metrics_of_their_own(void **state)
{
	extracts("name: 't.{row}.ns', regex: '^(?<row>[A-Z]\\S*) (?<value>[0-9]+) ns', unit: ns, "
		 "better: lower",
		 "Add 5 ns\nMul 7 ns\nend\n", "t.Add.ns=5 t.Mul.ns=7");
	extracts("name: 't.{row}', regex: '^(?<row>.*): ([0-9]+)', unit: ns, better: lower",
		 "two words: 5\n", "t.two_words=5");
	extracts("name: 't.{row}', regex: '^(?<row>.*): ([0-9]+)', unit: ns, better: lower",
		 " : 5\n", "!a row of 't.{row}' has no name");
}

static void the_time_is_a_score_where_it_is_asked_for(void **state)
{
	extracts("name: t.time, time: yes, unit: s, better: lower", "whatever\n", "t.time=2.5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_score_that_is_not_there_is_a_complaint_and_no_zero),
		cmocka_unit_test(what_is_no_number_is_a_complaint),
		cmocka_unit_test(of_a_cut_output_only_what_cannot_have_been_left_out_is_taken),
		cmocka_unit_test(the_log_s_own_cut_counts_as_well),
		cmocka_unit_test(rows_become_metrics_of_their_own),
		cmocka_unit_test(the_time_is_a_score_where_it_is_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
