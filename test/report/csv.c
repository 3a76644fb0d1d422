/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV: golden texts, and the rules of RFC 4180 by a small reader. */
#include "golden/golden.h"
#include "report/formats.h"
#include "report/scenario.h"

static char *render(const struct scenario *scenario)
{
	struct text text = { 0 };
	const struct report_options options = { 0 };
	const struct comparison *comparison = scenario->comparison;
	format_csv.render(&comparison, 1, &options, &text);
	return text_take(&text);
}

static void a_doubtful_comparison_keeps_its_states(void **state)
{
	struct scenario scenario;
	scenario_doubtful(&scenario);
	AUTO(text) char *text = render(&scenario);
	golden_check("report-doubtful.csv", text);
	CHECK_HOLDS(text, "missing,permission denied,0,4,0,,,,,,undecided");
	CHECK_HOLDS(text, "\"6.2 with \"\"patch, v2\"\"\"");
	scenario_done(&scenario);
}

static void a_withheld_verdict_is_told_with_the_guard(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	AUTO(text) char *text = render(&scenario);
	golden_check("report-guarded.csv", text);
	CHECK_HOLDS(text,
		    "the CPUs of head were idle 61 % of the time,starved,worse,no,1,0,,,,,\r\n");
	CHECK_HOLDS(
		text,
		",sequential block permutation,,,,no,1,0,8,,,expected,the counters were moved\r\n");
	CHECK_HOLDS(text, ",moderated t,,,,yes,2.3999999999999999,0,,,,,\r\n");
	CHECK_HOLDS(text, ",block permutation,,,,no,1,0,,34,,,\r\n");
	CHECK_HOLDS(text, ",moderated t,,,,no,,0,,,1,,\r\n");
	scenario_done(&scenario);
}

/* Fields of the line that begins at `at`, quotes respected; moves *at behind its CRLF. */
static size_t count_fields(const char **at)
{
	size_t n = 1;
	bool quoted = false;
	const char *c = *at;
	for (; *c && (quoted || *c != '\r'); c++) {
		quoted ^= *c == '"';
		n += !quoted && *c == ',';
	}
	CHECK(!quoted);
	CHECK_INT(c[0], '\r');
	CHECK_INT(c[1], '\n');
	*at = c + 2;
	return n;
}

static void every_line_has_the_headers_fields(void **state)
{
	struct scenario scenario;
	scenario_three(&scenario);
	AUTO(text) char *text = render(&scenario);
	const char *at = text;
	const size_t want = count_fields(&at);
	size_t n_lines = 0;
	while (*at) {
		CHECK_INT(count_fields(&at), want);
		n_lines++;
	}
	CHECK_INT(n_lines, scenario.comparison->n_rows * scenario.comparison->n_sides);
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_doubtful_comparison_keeps_its_states),
		cmocka_unit_test(a_withheld_verdict_is_told_with_the_guard),
		cmocka_unit_test(every_line_has_the_headers_fields),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
