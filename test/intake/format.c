/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "intake/format.h"

#include "check.h"

static void each_row_says_everything(void **state)
{
	for (size_t i = 0; i < intake_format_count; i++) {
		const struct intake_format *row = intake_formats[i];
		CHECK(row->name && *row->name && row->what && *row->what);
		CHECK(row->sniff && row->parse);
		CHECK(intake_format_find(row->name) == row);
	}
	CHECK(intake_format_find("xml") == NULL);
}

static void each_format_is_known_by_its_content(void **state)
{
	static const struct {
		const char *text;
		const struct intake_format *format;
	} cases[] = {
		{ "1\n2\n", &intake_numbers },
		{ "# a\n\n-1.5e3\n", &intake_numbers },
		{ "", &intake_numbers },
		{ "1,2\n", &intake_csv },
		{ "time\n1\n2\n", &intake_csv },
		{ "1 2\n", &intake_csv },
		{ "[1, 2]", &intake_json },
		{ "\n {\"base\": [1]}", &intake_json },
		{ "{\"results\": [{\"command\": \"x\", \"times\": [1]}]}", &intake_hyperfine },
		{ "{\"context\": {}, \"benchmarks\": []}", &intake_google_benchmark },
		{ "{\"results\": [1, 2]}", &intake_json },
		{ "goos: linux\nBenchmarkX-8 10 5 ns/op\n", &intake_benchstat },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_TEXT(intake_format_sniff(cases[i].text, strlen(cases[i].text))->name,
			   cases[i].format->name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_says_everything),
		cmocka_unit_test(each_format_is_known_by_its_content),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
