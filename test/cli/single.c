/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One subject summed up: there is nothing to judge, and nothing is made up. */
#include "cli/single.h"

#include "capture.h"
#include "cli/command.h"
#include "filled.h"

#include <jansson.h>

struct summing {
	struct filled filled;
	const char *side;
	bool json;
	int code;
};

static void sum_up(void *user)
{
	struct summing *summing = user;
	struct side side;
	struct error err = { 0 };

	if (side_find(summing->filled.store, summing->side, &side, &err))
		fail_msg("no side: %s", err.text);
	summing->code = single_print(summing->filled.store, &side, summing->json, &err);
	side_done(&side);
}

/* Two points of subject "base": groups=1 with three runs of 1, 2, 3 seconds, groups=2 with one. */
static void fill(struct summing *summing)
{
	*summing = (struct summing) { .side = "base" };
	filled_open(&summing->filled);
	const int64_t campaign = fixture_campaign(summing->filled.store, "x", 4);

	for (uint64_t i = 0; i < 3; i++)
		(void)filled_put(&summing->filled, campaign, i, "base", "1", 1.0 + (double)i);
	(void)filled_put(&summing->filled, campaign, 3, "base", "2", 5);
}

static void scores_are_summed_up_at_each_point(void **state)
{
	struct summing summing;

	fill(&summing);
	char *out = capture(stdout, sum_up, &summing);

	CHECK_HOLDS(out, "hackbench/groups=1 (3 complete of 3 runs;");
	CHECK_HOLDS(out, "± 50 %"); /* 1, 2, 3: mean 2, deviation 1. */
	CHECK_HOLDS(out, "hackbench/groups=2 (1 complete of 1 run;");
	CHECK_HOLDS(out, "deviation needs 2 runs");
	CHECK_INT(summing.code, EXIT_NO_REGRESSION);
	free(out);
	filled_done(&summing.filled);
}

static void a_metric_that_no_run_has_is_not_shown_as_zero(void **state)
{
	struct summing summing;

	fill(&summing);
	char *out = capture(stdout, sum_up, &summing);

	CHECK(strstr(out, "hackbench.throughput") == NULL);
	free(out);
	summing.json = true;
	out = capture(stdout, sum_up, &summing);
	json_t *document = json_loads(out, 0, NULL);
	const json_t *score =
		json_array_get(json_object_get(json_array_get(document, 0), "scores"), 1);

	CHECK_TEXT(json_string_value(json_object_get(score, "name")), "hackbench.throughput");
	CHECK_INT(json_integer_value(json_object_get(score, "n")), 0);
	CHECK(json_is_null(json_object_get(score, "mean")));
	json_decref(document);
	free(out);
	filled_done(&summing.filled);
}

static void json_has_mean_and_deviation(void **state)
{
	struct summing summing;

	fill(&summing);
	summing.json = true;
	char *out = capture(stdout, sum_up, &summing);
	json_t *document = json_loads(out, 0, NULL);
	const json_t *first = json_array_get(document, 0);
	const json_t *score = json_array_get(json_object_get(first, "scores"), 0);

	CHECK_INT(json_array_size(document), 2);
	CHECK_INT(json_integer_value(json_object_get(first, "complete")), 3);
	CHECK_NEAR(json_number_value(json_object_get(score, "mean")), 2, 1e-12);
	CHECK_NEAR(json_number_value(json_object_get(score, "deviation")), 1, 1e-12);
	json_decref(document);
	free(out);
	filled_done(&summing.filled);
}

static void runs_that_failed_are_told_and_not_summed_up(void **state)
{
	struct summing summing = { .side = "sick" };

	filled_open(&summing.filled);
	const int64_t campaign = fixture_campaign(summing.filled.store, "x", 2);

	(void)filled_put_failed(&summing.filled, campaign, 0, "sick", "1");
	char *out = capture(stdout, sum_up, &summing);

	CHECK_HOLDS(out, "(0 complete of 1 run;");
	CHECK_HOLDS(out, "run failed: hung");
	CHECK(strstr(out, "hackbench.time_sec") == NULL);
	CHECK_INT(summing.code, EXIT_CANNOT_SAY);
	free(out);
	filled_done(&summing.filled);
}

static int code_of(struct summing *summing)
{
	char *out = capture(stdout, sum_up, summing);

	free(out);
	return summing->code;
}

static void a_point_without_a_complete_run_cannot_be_summed_up(void **state)
{
	struct summing summing = { .side = "base" };

	filled_open(&summing.filled);
	const int64_t campaign = fixture_campaign(summing.filled.store, "x", 2);

	(void)filled_put(&summing.filled, campaign, 0, "base", "1", 1);
	CHECK_INT(code_of(&summing), EXIT_NO_REGRESSION);
	(void)filled_put_failed(&summing.filled, campaign, 1, "base", "2");
	CHECK_INT(code_of(&summing), EXIT_CANNOT_SAY);
	filled_done(&summing.filled);
}

static void a_failed_run_beside_a_complete_one_shows_in_the_exit_status(void **state)
{
	struct summing summing = { .side = "base" };

	filled_open(&summing.filled);
	const int64_t campaign = fixture_campaign(summing.filled.store, "x", 2);

	(void)filled_put(&summing.filled, campaign, 0, "base", "1", 1);
	(void)filled_put_failed(&summing.filled, campaign, 1, "base", "1");
	CHECK_INT(code_of(&summing), EXIT_CANNOT_SAY);
	filled_done(&summing.filled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scores_are_summed_up_at_each_point),
		cmocka_unit_test(a_metric_that_no_run_has_is_not_shown_as_zero),
		cmocka_unit_test(json_has_mean_and_deviation),
		cmocka_unit_test(runs_that_failed_are_told_and_not_summed_up),
		cmocka_unit_test(a_point_without_a_complete_run_cannot_be_summed_up),
		cmocka_unit_test(a_failed_run_beside_a_complete_one_shows_in_the_exit_status),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
