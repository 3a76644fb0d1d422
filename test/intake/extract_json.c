/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pointers into the document that stands somewhere in the output. */
#include "adapted.h"

static void the_document_is_found_among_other_lines(void **state)
{
	static const char score[] = "name: t.iops, json: /jobs/0/iops, unit: IOPS, better: higher";
	extracts(score, "warning: [x]\n[info] hello\n{\"jobs\": [{\"iops\": 12.5}]}\nbye\n",
		 "t.iops=12.5");
	extracts(score, "{\"jobs\": []}\n", "!the output has no 't.iops' (json /jobs/0/iops)");
	extracts(score, "{\"jobs\": [{\"iops\": [1]}]}\n",
		 "!'t.iops' is an array in the output, not a number");
	extracts(score, "{\"jobs\": [{\"iops\": \"7\"}]}\n", "t.iops=7");
	extracts(score, "{\"jobs\": [{\"iops\": 1}\n",
		 "!the output has no JSON document: ']' expected near end of file");
}

static void a_star_gives_rows_by_name_and_only_those_that_are_wanted(void **state)
{
	static const char output[] =
		"{\"b\": [{\"n\": \"A\", \"t\": 1, \"k\": \"it\"}, {\"n\": \"B\", \"t\": 2, \"k\": "
		"\"it\"}, {\"n\": \"B\", \"t\": 9, \"k\": \"mean\"}]}\n";
	extracts("name: 't.{row}', json: '/b/*/t', row: /n, where: /k=it, unit: ns, better: lower",
		 output, "t.A=1 t.B=2");
	extracts("name: 't.{row}', json: '/b/*/t', row: /n, unit: ns, better: lower", output,
		 "t.A=1!'t.{row}' stands 2 times in the output, for row B: say which is meant by "
		 "pick (first, last, sum, mean, least or most)");
	extracts("name: t.sum, json: '/b/*/t', pick: sum, unit: ns, better: lower", output,
		 "t.sum=12");
}

static void members_are_rows_by_their_names(void **state)
{
	extracts("name: 't.{row}', json: '/*/ns', unit: ns, better: lower",
		 "{\"x\": {\"ns\": 3}, \"y\": {\"ns\": 4}, \"z\": {}}\n", "t.x=3 t.y=4");
}

static void a_document_that_was_cut_is_never_read(void **state)
{
	extracts("name: t.i, json: /i, unit: '1', better: higher",
		 "{\"i\": 1}\n\n[... 9 bytes left out ...]\n{\"i\": 2}\n",
		 "!the output is too long and was cut: the JSON in it cannot be read");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_document_is_found_among_other_lines),
		cmocka_unit_test(a_star_gives_rows_by_name_and_only_those_that_are_wanted),
		cmocka_unit_test(members_are_rows_by_their_names),
		cmocka_unit_test(a_document_that_was_cut_is_never_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
