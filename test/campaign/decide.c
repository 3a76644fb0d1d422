/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks at points, on a store that the test fills run by run. */
#include "campaign/decide.h"

#include "base/macros.h"
#include "base/text.h"
#include "store/fixture.h"

#include <errno.h>

#define BLOCKS 10 /* Of two runs of each subject. */

struct looking {
	char *directory;
	struct store *store;
	struct plan *plan;
	int64_t campaign;
	bool *done;
	double head; /* What base has, times this. */
	double scatter;
	struct decide *decide;
};

static struct job *job_at(unsigned point, const char *subject)
{
	struct job *job = fixture_job(subject);

	free(job->point);
	job->point = mem_format("hackbench/groups=%u", point);
	return job;
}

/* Base, head and a twin at each point; the twin has no planned run. */
static struct plan *make_plan(unsigned n_points)
{
	static const char twin[] = "base" PLAN_TWIN_SUFFIX;
	static const char *const subjects[] = { "base", "head", twin };
	struct plan *plan = mem_zero(sizeof(*plan));

	plan->n_points = n_points;
	plan->n_subjects = 3;
	plan->n_judged = 2;
	plan->n_jobs = 3 * n_points;
	plan->jobs = mem_array(plan->n_jobs, sizeof(struct job *));
	for (unsigned i = 0; i < plan->n_jobs; i++)
		plan->jobs[i] = job_at(i / 3, subjects[i % 3]);
	plan->stopping = (struct stopping) { .until_decided = true, .runs_max = 2 * BLOCKS };
	plan->seed = 3;
	plan->runs = mem_array(BLOCKS * n_points * 4, sizeof(*plan->runs));
	for (uint32_t block = 0; block < BLOCKS * n_points; block++)
		for (uint32_t i = 0; i < 4; i++)
			plan->runs[plan->n_runs++] = (struct planned) {
				.job = block % n_points * 3 + ((i % 3 == 0) ^ (block % 2)),
				.block = block,
			};
	return plan;
}

static void look_anew(struct looking *looking)
{
	decide_free(looking->decide);
	looking->decide = decide_new(&(struct decide_source) {
		.store = looking->store, .campaign = looking->campaign, .plan = looking->plan });
}

static void looking_in(struct looking *looking, unsigned n_points)
{
	*looking =
		(struct looking) { .directory = fixture_directory(), .head = 1, .scatter = 0.01 };
	looking->store = fixture_store(looking->directory);
	looking->plan = make_plan(n_points);
	looking->campaign = fixture_campaign(looking->store, "x", looking->plan->n_runs);
	looking->done = mem_array(looking->plan->n_runs, sizeof(bool));
	look_anew(looking);
}

static void looking_out(struct looking *looking)
{
	decide_free(looking->decide);
	plan_free(looking->plan);
	free(looking->done);
	store_close(looking->store);
	fixture_remove(looking->directory);
}

static void set_score(struct run *run, double value)
{
	for (size_t i = 0; i < run->n_metrics; i++)
		if (run->metrics[i].metric.role == ROLE_SCORE)
			run->metrics[i].value = value_known(value);
}

static void put(struct looking *looking, uint64_t sequence, uint32_t block, const struct job *job,
		double value)
{
	struct run *run = fixture_run(sequence);
	struct error err = { 0 };
	int64_t id = 0;

	set_score(run, value);
	if (store_run_put(looking->store, looking->campaign, sequence, block, job, run, &id, &err))
		fail_msg("%s", err.text);
	run_free(run);
}

/* The next `n` planned runs are kept. */
static void keep(struct looking *looking, size_t n)
{
	size_t i = 0;

	while (looking->done[i])
		i++;
	for (; n > 0; n--, i++) {
		const struct planned *planned = &looking->plan->runs[i];
		const bool is_head = planned->job % 3 == 1;
		struct random random;

		random_seed(&random, i + 1);
		const double noise = looking->scatter * random_normal(&random);

		put(looking, i, planned->block, looking->plan->jobs[planned->job],
		    (10 + noise) * (is_head ? looking->head : 1));
		looking->done[i] = true;
	}
}

static bool look(struct looking *looking, size_t point)
{
	struct error err = { 0 };

	if (decide_look(looking->decide, point, looking->done, &err))
		fail_msg("%s", err.text);
	return decide_is_over(looking->decide, point);
}

static const struct finding *found(const struct looking *looking)
{
	const struct row *row = comparison_primary(decide_comparison(looking->decide));

	CHECK(row != NULL);
	return &row->findings[1];
}

static size_t judged_runs(const struct looking *looking, size_t side)
{
	return decide_comparison(looking->decide)->counts[side].outcomes[RUN_COMPLETE];
}

static void nothing_is_decided_before_eight_runs_a_side(void **state)
{
	struct looking looking;

	looking_in(&looking, 1);
	looking.head = 1.3;
	for (unsigned block = 1; block <= 3; block++) {
		keep(&looking, 4);
		CHECK(!look(&looking, 0));
		CHECK_INT(judged_runs(&looking, 1), 2 * block); /* Yet there is an estimate. */
	}
	keep(&looking, 4);
	CHECK(look(&looking, 0));
	CHECK(found(&looking)->verdict == VERDICT_WORSE);
	looking_out(&looking);
}

static void a_block_that_is_not_whole_is_not_looked_at(void **state)
{
	struct looking looking;

	looking_in(&looking, 1);
	looking.head = 1.3;
	keep(&looking, 17);
	CHECK(!look(&looking, 0));
	CHECK(decide_comparison(looking.decide) == NULL);
	keep(&looking, 3);
	CHECK(look(&looking, 0));
	looking_out(&looking);
}

static void what_is_not_clear_goes_on(void **state)
{
	struct looking looking;

	looking_in(&looking, 1);
	looking.scatter = 2;
	for (unsigned block = 1; block <= BLOCKS; block++) {
		keep(&looking, 4);
		CHECK(!look(&looking, 0));
	}
	CHECK(found(&looking)->verdict == VERDICT_UNDECIDED);
	looking_out(&looking);
}

static void a_fixed_number_is_never_decided_early(void **state)
{
	struct looking looking;

	looking_in(&looking, 1);
	looking.head = 1.3;
	looking.plan->stopping.until_decided = false;
	keep(&looking, 20);
	CHECK(!look(&looking, 0));
	CHECK(decide_comparison(looking.decide) != NULL);
	looking_out(&looking);
}

/* The answer comes from the store alone: a new session gives the same one. */
static void a_new_session_finds_what_the_old_one_found(void **state)
{
	struct looking looking;

	looking_in(&looking, 1);
	looking.head = 1.01;
	looking.scatter = 0.1;
	for (unsigned block = 1; block <= BLOCKS; block++) {
		keep(&looking, 4);
		const bool over = look(&looking, 0);
		const struct finding before = *found(&looking);

		look_anew(&looking);
		const bool over_again = look(&looking, 0);

		CHECK_INT(over_again, over);
		CHECK_INT(found(&looking)->verdict, before.verdict);
		CHECK_NEAR(found(&looking)->change, before.change, 0);
		CHECK(memcmp(&found(&looking)->p, &before.p, sizeof(double)) == 0); /* Or NaN. */
		if (over)
			look_anew(&looking); /* Else it would not look again. */
	}
	looking_out(&looking);
}

static void twins_and_warm_up_runs_are_not_judged(void **state)
{
	struct looking looking;

	looking_in(&looking, 1);
	const uint64_t behind = looking.plan->n_runs;

	looking.head = 1.3;
	for (uint32_t i = 0; i < 4; i++) {
		put(&looking, behind + i, PLAN_WARM_UP_BLOCK, looking.plan->jobs[i % 2], 1000);
		/* As if the twin stood in the plan, where the last runs stand. */
		put(&looking, behind - 1 - i, i, looking.plan->jobs[2], 1000);
	}
	keep(&looking, 16);
	CHECK(look(&looking, 0));
	CHECK_INT(decide_comparison(looking.decide)->n_sides, 2);
	CHECK_INT(judged_runs(&looking, 0), 8);
	CHECK_INT(judged_runs(&looking, 1), 8);
	looking_out(&looking);
}

static void points_are_decided_one_by_one(void **state)
{
	struct looking looking;

	looking_in(&looking, 2);
	looking.scatter = 2;
	keep(&looking, 16);
	looking.scatter = 0.01;
	/* From here on point 1 alone would be clear; point 0 stays what it is. */
	keep(&looking, 16);
	CHECK(!look(&looking, 0));
	CHECK_TEXT(decide_comparison(looking.decide)->point, "hackbench/groups=0");
	CHECK(!look(&looking, 1));
	CHECK_TEXT(decide_comparison(looking.decide)->point, "hackbench/groups=1");
	CHECK_INT(judged_runs(&looking, 0), 8);
	looking_out(&looking);
}

/* Eight points of one score share the rate, also while only one of them is looked at. With an eighth
 * of it, 8 runs a side cannot decide: their smallest p is 2/6^4. */
static void every_look_has_its_part_of_the_budget_only(void **state)
{
	struct looking looking;

	looking_in(&looking, 8);
	looking.head = 1.3;
	keep(&looking, 4 * 8 * 4);
	CHECK(!look(&looking, 0));
	keep(&looking, 8 * 4);
	CHECK(look(&looking, 0));
	CHECK_INT(found(&looking)->look_runs, 10);
	CHECK_NEAR(found(&looking)->p_adjusted, 8 * found(&looking)->p, 1e-12);
	CHECK(look(&looking, 1)); /* Whatever the others say, it is the same part. */
	CHECK_NEAR(found(&looking)->p_adjusted, 8 * found(&looking)->p, 1e-12);
	looking_out(&looking);
}

static const struct metric rows_scores[] = {
	{ .name = "a", .role = ROLE_SCORE },
	{ .name = "b", .role = ROLE_SCORE },
	{ .name = "c", .role = ROLE_RESTATED },
	{ 0 },
};
static const struct plugin row = { .name = "hackbench", .metrics = rows_scores };
static const struct plugin *const rows[] = { &row };
static const struct catalogue catalogue = { .workloads = rows, .n_workloads = 1 };

static void the_family_is_scores_that_apply_at_every_point(void **state)
{
	struct looking looking;
	struct decide_source source;
	size_t family = 0;

	looking_in(&looking, 3);
	source = (struct decide_source) { .store = looking.store,
					  .campaign = looking.campaign,
					  .plan = looking.plan,
					  .catalogue = &catalogue };
	CHECK_INT(decide_family(&source, &family, NULL), 0);
	CHECK_INT(family, 6); /* Nothing was run: by the row, two scores at three points. */
	keep(&looking, 1);
	CHECK_INT(decide_family(&source, &family, NULL), 0);
	CHECK_INT(family, 5); /* The run at point 0 has one score. */
	keep(&looking, 11);
	CHECK_INT(decide_family(&source, &family, NULL), 0);
	CHECK_INT(family, 3);
	looking.plan->n_judged = 3;
	CHECK_INT(decide_family(&source, &family, NULL), 0);
	CHECK_INT(family, 6); /* Two heads. */
	looking_out(&looking);
}

static void the_rule_fills_what_was_not_said(void **state)
{
	struct plan plan = { .seed = 9,
			     .stopping = { .until_decided = true,
					   .runs_max = 30,
					   .effect_percent = 2,
					   .alpha = 0.05 } };
	struct verdict_options options = { .alpha = 0.001 };

	decide_rule(&plan, 4, &options);
	CHECK_NEAR(options.alpha, 0.001, 0);
	CHECK_NEAR(options.margin_percent, 2, 0);
	CHECK_INT(options.sequential_max, 30);
	CHECK_INT(options.n_family, 4);
	CHECK_INT(options.seed, 9);
	plan.stopping.until_decided = false;
	decide_rule(&plan, 4, &options);
	CHECK_INT(options.sequential_max, 0);
	CHECK_INT(options.n_family, 0);
}

static void places_are_unique_over_campaigns(void **state)
{
	const struct run_row one = { .campaign = 1, .block = 7, .sequence = 40 };
	const struct run_row other = { .campaign = 2, .block = 7, .sequence = 40 };

	CHECK(decide_place(&one).block != decide_place(&other).block);
	CHECK(decide_place(&one).sequence < decide_place(&other).sequence);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_decided_before_eight_runs_a_side),
		cmocka_unit_test(a_block_that_is_not_whole_is_not_looked_at),
		cmocka_unit_test(what_is_not_clear_goes_on),
		cmocka_unit_test(a_fixed_number_is_never_decided_early),
		cmocka_unit_test(a_new_session_finds_what_the_old_one_found),
		cmocka_unit_test(twins_and_warm_up_runs_are_not_judged),
		cmocka_unit_test(points_are_decided_one_by_one),
		cmocka_unit_test(every_look_has_its_part_of_the_budget_only),
		cmocka_unit_test(the_family_is_scores_that_apply_at_every_point),
		cmocka_unit_test(the_rule_fills_what_was_not_said),
		cmocka_unit_test(places_are_unique_over_campaigns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
