/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep came to, before its points one by one. */
#include "check.h"
#include "report/column.h"
#include "report/formats.h"
#include "report/scenario.h"
#include "report/table.h"

#define WIDTH 100

struct sweep {
	struct scenario plain, three;
};

static char *render(struct sweep *sweep, size_t n)
{
	struct text text = { 0 };
	scenario_plain(&sweep->plain);
	scenario_three(&sweep->three);
	const struct comparison *comparisons[] = { sweep->plain.comparison,
						   sweep->three.comparison };
	format_table.render(comparisons, n, &(struct report_options) { .width = WIDTH }, &text);
	scenario_done(&sweep->plain);
	scenario_done(&sweep->three);
	return text_take(&text);
}

static void each_point_and_head_has_a_line_before_the_first_point(void **state)
{
	struct sweep sweep;
	AUTO(text) char *text = render(&sweep, 2);
	CHECK(text_starts_with(text, "Overview: the first score of each of 2 points\n"));
	const char *first = strstr(text, "\n== ");
	CHECK(first != NULL);
	*strstr(text, "\n== ") = '\0';
	size_t lines = 0;
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		lines++;
	CHECK(lines >= 5); /* Title, columns, one head, two heads. */
	CHECK_HOLDS(text, "  +4.2 %     +3.6 to +4.8  worse       head ");
	CHECK_HOLDS(text, "hackbench/groups=4");
}

static void a_provisional_verdict_bears_its_sign(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	scenario.comparison->rows[0].findings[1].provisional = true;
	const struct comparison *comparisons[] = { scenario.comparison, scenario.comparison };
	const struct report_options options = { .width = WIDTH };
	struct text text = { 0 };
	const struct table table = { .options = &options, .text = &text, .width = WIDTH };
	table_overview(&table, comparisons, 2);
	CHECK_HOLDS(text_string(&text), "  worse*      head ");
	text_done(&text);
	scenario_done(&scenario);
}

static void one_point_needs_no_overview(void **state)
{
	struct sweep sweep;
	AUTO(text) char *text = render(&sweep, 1);
	CHECK(strstr(text, "Overview") == NULL);
}

static void a_long_point_wraps_within_the_width(void **state)
{
	struct scenario scenario;
	struct text text = { 0 };
	scenario_plain(&scenario);
	free(scenario.comparison->point);
	scenario.comparison->point = mem_text(
		"hackbench/datasize=100/fds=20/groups=1/ipc=socket/loops=100/mode=process");
	const struct comparison *comparisons[] = { scenario.comparison, scenario.comparison };
	const struct report_options options = { .width = WIDTH };
	const struct table table = { .options = &options, .text = &text, .width = WIDTH };
	table_overview(&table, comparisons, 2);
	char *rest = NULL;
	size_t lines = 0;
	for (char *line = strtok_r(text.bytes, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest), lines++)
		CHECK(column_width(line) <= WIDTH);
	CHECK(lines > 4);
	text_done(&text);
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_point_and_head_has_a_line_before_the_first_point),
		cmocka_unit_test(a_provisional_verdict_bears_its_sign),
		cmocka_unit_test(one_point_needs_no_overview),
		cmocka_unit_test(a_long_point_wraps_within_the_width),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
