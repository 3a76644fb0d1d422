/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From runs in a store to a verdict and an exit code. */
#include "cli/judge.h"

#include "base/macros.h"
#include "capture.h"
#include "cli/command.h"
#include "experiment/plan.h"
#include "filled.h"

#include <errno.h>
#include <jansson.h>

#define RUNS 6

static const struct option_row rows[] = { OPTIONS_JUDGE, OPTION_JSON, { 0 } };

struct judging {
	struct filled filled;
	struct option_given given[4];
	struct parsed parsed;
	struct judge_rules rules;
	struct judged *judged;
	int code;
};

/* "name", "value": an option as if it had been parsed. */
static void give(struct judging *judging, const char *name, const char *value)
{
	const struct option_row *row = rows;

	while (strcmp(row->name, name) != 0)
		row++;
	judging->parsed.options = judging->given;
	judging->given[judging->parsed.n_options++] =
		(struct option_given) { .row = row, .value = value };
}

static void judging_open(struct judging *judging)
{
	*judging = (struct judging) { 0 };
	filled_open(&judging->filled);
}

static void judging_done(struct judging *judging)
{
	judge_free(judging->judged);
	judge_rules_done(&judging->rules);
	filled_done(&judging->filled);
}

static int judge(struct judging *judging, const char *base, const char *head, const char *pattern,
		 struct error *err)
{
	struct judge_rules *rules = &judging->rules;
	struct side sides[2] = { 0 };

	judge_rules_done(rules);
	CHECK_INT(judge_options(&judging->parsed, rules, err), 0);
	if (side_find(judging->filled.store, base, &sides[0], err) ||
	    side_find(judging->filled.store, head, &sides[1], err))
		fail_msg("a side is not there: %s", err->text);
	rules->point_pattern = pattern;
	const int failed = judge_sides(judging->filled.store, sides, ARRAY_SIZE(sides), rules,
				       &judging->judged, err);

	side_done(&sides[0]);
	side_done(&sides[1]);
	return failed;
}

static void print(void *user)
{
	struct judging *judging = user;

	judging->code = judge_print(judging->judged, &judging->parsed, /* question= */ NULL);
}

static char *judge_and_print(struct judging *judging, const char *base, const char *head)
{
	struct error err = { 0 };

	if (judge(judging, base, head, /* pattern= */ NULL, &err))
		fail_msg("not judged: %s", err.text);
	return capture(stdout, print, judging);
}

static void check_verdict(double base, double head, const char *sentence, int code)
{
	struct judging judging;

	judging_open(&judging);
	(void)filled_campaign(&judging.filled, "x", (const char *const[]) { "base", "head", NULL },
			      (const double[]) { base, head }, RUNS);
	char *out = judge_and_print(&judging, "base", "head");

	CHECK_HOLDS(out, sentence);
	CHECK_INT(judging.code, code);
	free(out);
	judging_done(&judging);
}

static void the_worst_score_gives_the_exit_code(void **state)
{
	check_verdict(1, 2, "worse", EXIT_REGRESSION);
	check_verdict(2, 1, "better", EXIT_NO_REGRESSION);
	check_verdict(2, 2, "same", EXIT_NO_REGRESSION);
	check_verdict(0.01, 0.0101, "undecided", EXIT_CANNOT_SAY);
}

static void a_regression_at_one_point_is_not_outweighed_by_another(void **state)
{
	struct judging judging;

	judging_open(&judging);
	const int64_t campaign = fixture_campaign(judging.filled.store, "x", 4 * RUNS);

	for (uint64_t i = 0; i < RUNS; i++) {
		const double little = 0.001 * (double)(i % 3);

		(void)filled_put(&judging.filled, campaign, 4 * i, "base", "1", 1 + little);
		(void)filled_put(&judging.filled, campaign, 4 * i + 1, "head", "1", 2 + little);
		(void)filled_put(&judging.filled, campaign, 4 * i + 2, "base", "2", 2 + little);
		(void)filled_put(&judging.filled, campaign, 4 * i + 3, "head", "2", 1 + little);
	}
	give(&judging, "json", NULL);
	char *out = judge_and_print(&judging, "base", "head");
	json_t *document = json_loads(out, 0, NULL);

	CHECK_INT(judging.code, EXIT_REGRESSION);
	CHECK(document != NULL);
	CHECK_HOLDS(out, "hackbench/groups=1");
	CHECK_HOLDS(out, "hackbench/groups=2");
	json_decref(document);
	free(out);
	judging_done(&judging);
}

static void failed_runs_are_counted_and_make_it_uncertain(void **state)
{
	struct judging judging;

	judging_open(&judging);
	const int64_t campaign = filled_campaign(&judging.filled, "x",
						 (const char *const[]) { "base", "head", NULL },
						 (const double[]) { 2, 2 }, RUNS);

	(void)filled_put_failed(&judging.filled, campaign, 100, "head", "4");
	char *out = judge_and_print(&judging, "base", "head");

	CHECK_HOLDS(out, "1 of 7 runs of head failed: hung");
	CHECK_INT(judging.code, EXIT_CANNOT_SAY);
	free(out);
	judging_done(&judging);
}

static void a_pattern_chooses_the_points(void **state)
{
	struct judging judging;
	struct error err = { 0 };

	judging_open(&judging);
	(void)filled_campaign(&judging.filled, "x", (const char *const[]) { "base", "head", NULL },
			      (const double[]) { 1, 2 }, RUNS);
	CHECK_INT(judge(&judging, "base", "head", "groups=9", &err), -EINVAL);
	CHECK_HOLDS(err.text, "that matches the pattern");
	CHECK(judging.judged == NULL);
	CHECK_INT(judge(&judging, "base", "head", "hackbench/groups=*", &err), 0);
	judging_done(&judging);
}

static void sides_without_a_common_point_are_refused_with_what_differs(void **state)
{
	struct judging judging;
	struct error err = { 0 };

	judging_open(&judging);
	const int64_t campaign = fixture_campaign(judging.filled.store, "x", 4);

	for (uint64_t i = 0; i < 2; i++) {
		(void)filled_put(&judging.filled, campaign, 2 * i, "base", "1", 1);
		(void)filled_put(&judging.filled, campaign, 2 * i + 1, "head", "2", 1);
	}
	CHECK_INT(judge(&judging, "base", "head", NULL, &err), -EINVAL);
	CHECK_HOLDS(err.text, "groups");
	judging_done(&judging);
}

/* A campaign with a plan: 8 runs of each subject in blocks of four, of which the last ran warm. */
static void plan_campaign(struct judging *judging, bool until_decided, bool higher_is_better)
{
	struct job *jobs[] = { filled_job("base", "4"), filled_job("head", "4") };
	struct planned runs[16];
	struct better better = { .metric = NULL, .higher = higher_is_better };
	struct plan plan = { .jobs = jobs,
			     .n_jobs = 2,
			     .n_subjects = 2,
			     .n_judged = 2,
			     .n_points = 1,
			     .runs = runs,
			     .n_runs = ARRAY_SIZE(runs),
			     .better = &better,
			     .n_better = higher_is_better,
			     .stopping = { .until_decided = until_decided,
					   .runs_max = 8,
					   .effect_percent = 2,
					   .alpha = 0.04 } };
	int64_t campaign = 0;
	int64_t id = 0;

	for (uint32_t i = 0; i < plan.n_runs; i++)
		runs[i] = (struct planned) { .job = (i % 4 == 1 || i % 4 == 2) ^ (i / 4 % 2),
					     .block = i / 4 };
	AUTO(text) char *json = plan_to_json(&plan);

	CHECK_INT(
		store_campaign_add(judging->filled.store, "x", json, plan.n_runs, &campaign, NULL),
		0);
	for (uint32_t i = 0; i <= plan.n_runs; i++) {
		const bool warms = i == plan.n_runs;
		const uint32_t job = warms ? 1 : runs[i].job;
		struct run *run = filled_run(warms ? 99 : (job ? 1.3 : 1) + 0.001 * (i % 5));

		CHECK_INT(store_run_put(judging->filled.store, campaign, i,
					warms ? PLAN_WARM_UP_BLOCK : runs[i].block, jobs[job], run,
					&id, NULL),
			  0);
		run_free(run);
	}
	job_free(jobs[0]);
	job_free(jobs[1]);
}

static const struct finding *primary_finding(const struct judging *judging)
{
	const struct row *row = comparison_primary(judge_comparison(judging->judged, 0));

	CHECK(row != NULL);
	return &row->findings[1];
}

static void subjects_of_a_campaign_are_judged_by_its_plan(void **state)
{
	for (unsigned until_decided = 0; until_decided < 2; until_decided++) {
		struct judging judging;
		struct error err = { 0 };

		judging_open(&judging);
		plan_campaign(&judging, until_decided, /* higher_is_better= */ false);
		CHECK_INT(judge(&judging, "base", "head", NULL, &err), 0);
		const struct comparison *comparison = judge_comparison(judging.judged, 0);

		CHECK_NEAR(comparison->alpha, 0.04, 0);
		CHECK_NEAR(comparison->margin_percent, 2, 0);
		CHECK_INT(comparison->counts[1].outcomes[RUN_COMPLETE], 8); /* None that warmed. */
		CHECK_INT(primary_finding(&judging)->verdict, VERDICT_WORSE);
		CHECK_INT(primary_finding(&judging)->look_runs > 0, until_decided);
		judging_done(&judging);
	}
}

static void what_is_asked_for_goes_before_the_plan(void **state)
{
	struct judging judging;
	struct error err = { 0 };

	judging_open(&judging);
	plan_campaign(&judging, /* until_decided= */ true, /* higher_is_better= */ false);
	give(&judging, "alpha", "0.001");
	give(&judging, "effect", "50");
	CHECK_INT(judge(&judging, "base", "head", NULL, &err), 0);
	CHECK_NEAR(judge_comparison(judging.judged, 0)->alpha, 0.001, 0);
	CHECK_INT(primary_finding(&judging)->verdict, VERDICT_SAME);
	judging_done(&judging);
}

static void the_plan_remembers_what_is_good(void **state)
{
	struct judging judging;
	struct error err = { 0 };

	judging_open(&judging);
	plan_campaign(&judging, /* until_decided= */ true, /* higher_is_better= */ true);
	CHECK_INT(judge(&judging, "base", "head", NULL, &err), 0);
	CHECK_INT(primary_finding(&judging)->verdict, VERDICT_BETTER);
	judge_free(judging.judged);
	judging.judged = NULL;
	give(&judging, "better", "lower:hackbench.*");
	CHECK_INT(judge(&judging, "base", "head", NULL, &err), 0);
	CHECK_INT(primary_finding(&judging)->verdict, VERDICT_WORSE);
	judging_done(&judging);
}

static void runs_picked_by_hand_are_judged_once(void **state)
{
	struct judging judging;
	struct error err = { 0 };

	judging_open(&judging);
	plan_campaign(&judging, /* until_decided= */ true, /* higher_is_better= */ false);
	CHECK_INT(judge(&judging, "run:1,4,6,7,9,12,14,15", "head", NULL, &err), 0);
	CHECK_NEAR(judge_comparison(judging.judged, 0)->alpha, 0.01, 0);
	CHECK_INT(primary_finding(&judging)->look_runs, 0);
	judging_done(&judging);
}

static int check_one(const char *name, const char *value, struct error *err)
{
	struct judging judging = { 0 };

	give(&judging, name, value);
	return judge_check(&judging.parsed, err);
}

static void wrong_options_are_told_before_anything_is_measured(void **state)
{
	struct error err = { 0 };

	CHECK_INT(check_one("format", "lkp", &err), 0);
	CHECK_INT(check_one("format", "html", &err), -EINVAL);
	CHECK_TEXT(err.text, "unknown format 'html': table, lkp, json or csv");
	CHECK_INT(check_one("alpha", "0.05", &err), 0);
	CHECK_INT(check_one("alpha", "0.6", &err), -EINVAL);
	CHECK_INT(check_one("margin", "0", &err), -EINVAL);
	CHECK_INT(check_one("evidence", "-3", &err), -EINVAL);
}

static void the_formats_that_are_named_are_those_that_there_are(void **state)
{
	struct error err = { 0 };

	CHECK_INT(check_one("format", "html", &err), -EINVAL);
	for (size_t i = 0; i < report_format_count; i++)
		CHECK_HOLDS(err.text, report_formats[i]->name);
}

static void alpha_and_margin_reach_the_verdict(void **state)
{
	struct judging judging;

	judging_open(&judging);
	(void)filled_campaign(&judging.filled, "x", (const char *const[]) { "base", "head", NULL },
			      (const double[]) { 1, 1.05 }, RUNS);
	give(&judging, "alpha", "0.2");
	give(&judging, "margin", "20");
	char *out = judge_and_print(&judging, "base", "head");

	CHECK_HOLDS(out, "80 % interval");
	CHECK_HOLDS(out, "±20 %");
	free(out);
	judging_done(&judging);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_score_gives_the_exit_code),
		cmocka_unit_test(a_regression_at_one_point_is_not_outweighed_by_another),
		cmocka_unit_test(failed_runs_are_counted_and_make_it_uncertain),
		cmocka_unit_test(a_pattern_chooses_the_points),
		cmocka_unit_test(sides_without_a_common_point_are_refused_with_what_differs),
		cmocka_unit_test(subjects_of_a_campaign_are_judged_by_its_plan),
		cmocka_unit_test(what_is_asked_for_goes_before_the_plan),
		cmocka_unit_test(the_plan_remembers_what_is_good),
		cmocka_unit_test(runs_picked_by_hand_are_judged_once),
		cmocka_unit_test(wrong_options_are_told_before_anything_is_measured),
		cmocka_unit_test(the_formats_that_are_named_are_those_that_there_are),
		cmocka_unit_test(alpha_and_margin_reach_the_verdict),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
