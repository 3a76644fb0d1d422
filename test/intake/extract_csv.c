/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns of tables in an output. */
#include "adapted.h"

static const char table[] = "tool 1.0\n\"test\",\"rps\",\"p50\"\n\"GET\",\"1000.5\",\"0.1\"\n"
			    "\"SET\",\"900\",\"0.2\"\n\nthat was all, with commas\n";

static void a_column_is_found_by_its_name_below_any_line(void **state)
{
	extracts("name: 't.{row}.rps', csv: rps, row: test, unit: req/s, better: higher", table,
		 "t.GET.rps=1000.5 t.SET.rps=900");
	extracts("name: t.rps, csv: rps, where: test=SET, unit: req/s, better: higher", table,
		 "t.rps=900");
	extracts("name: t.rps, csv: rps, pick: last, unit: req/s, better: higher", table,
		 "t.rps=900");
}

static void a_table_without_that_column_is_a_complaint(void **state)
{
	extracts("name: t.rps, csv: qps, unit: req/s, better: higher", table,
		 "!the output has no 't.rps' (csv qps)");
	extracts("name: 't.{row}', csv: rps, row: name, unit: req/s, better: higher", table,
		 "!the table with the column 'rps' has no column 'name'");
	extracts("name: t.v, csv: v, unit: '1', better: higher", "k,v\na,none\n",
		 "!'t.v' is 'none' in the output, which is no number");
}

static void a_column_that_is_a_number_needs_no_head(void **state)
{
	extracts("name: 't.{row}', csv: '2', row: '1', unit: s, better: lower", "a;1.5\nb;2\n",
		 "t.a=1.5 t.b=2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_column_is_found_by_its_name_below_any_line),
		cmocka_unit_test(a_table_without_that_column_is_a_complaint),
		cmocka_unit_test(a_column_that_is_a_number_needs_no_head),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
