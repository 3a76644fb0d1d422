/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Campaigns that end when they are decided, whatever happens to them on the way. */
#include "base/clock.h"
#include "fake.h"

/* Head takes 30 % longer, and the scatter is small: nobody can miss it. */
static void make_clear(void)
{
	fake.scores[0] = 10;
	fake.scores[1] = 13;
	fake.scatter = 0.01;
}

/* Like as two peas, and the scatter is large: nobody can say. */
static void make_unclear(void)
{
	fake.scores[0] = fake.scores[1] = 10;
	fake.scatter = 2;
}

static void say_nothing(enum phase phase, uint64_t elapsed_ns, void *user)
{
}

static uint64_t runs_done(struct scene *scene)
{
	return row_of(scene).runs_done;
}

static void what_is_clear_ends_at_the_first_look(void **state)
{
	struct scene scene;

	scene_long_in(&scene, fixture_directory());
	make_clear();
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, 2 * EXPERIMENT_FIRST_LOOK);
	CHECK(row_of(&scene).finished);
	CHECK_INT(runs_done(&scene), 2 * EXPERIMENT_FIRST_LOOK);
	CHECK_INT(fake.last.runs_planned, N_LONG);
	carry_to(&scene, CAMPAIGN_FINISHED); /* Again: the answer is the same, nothing is run. */
	CHECK_INT(fake.carries, 2 * EXPERIMENT_FIRST_LOOK);
	scene_end(&scene);
}

static void what_is_unclear_goes_on_to_the_most_runs(void **state)
{
	struct scene scene;

	scene_long_in(&scene, fixture_directory());
	make_unclear();
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, N_LONG);
	CHECK_INT(fake.last.runs_spared, 0);
	CHECK(fake.last.comparison != NULL);
	CHECK(row_of(&scene).finished);
	scene_end(&scene);
}

static void a_fixed_number_is_carried_out_however_clear_it_is(void **state)
{
	struct scene scene;

	scene_long_in(&scene, fixture_directory());
	scene.plan->stopping.until_decided = false;
	make_clear();
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, N_LONG);
	CHECK(fake.last.comparison == NULL); /* Nobody asked for estimates. */
	scene_end(&scene);
}

/* Stopped after each single run, a campaign comes to the same end with the same runs. */
static void stopping_anywhere_changes_no_decision(void **state)
{
	struct scene scene;

	scene_long_in(&scene, fixture_directory());
	make_clear();
	for (unsigned i = 1; i < 2 * EXPERIMENT_FIRST_LOOK; i++) {
		/* The run that is interrupted is thrown away: one more carry each time. */
		fake.interrupt_at = 2 * i;
		fake.interrupted = 0;
		carry_to(&scene, CAMPAIGN_INTERRUPTED);
		CHECK_INT(runs_done(&scene), i);
		CHECK(!row_of(&scene).finished);
	}
	fake.interrupted = 0;
	fake.interrupt_at = 0;
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(runs_done(&scene), 2 * EXPERIMENT_FIRST_LOOK);
	CHECK(row_of(&scene).finished);
	scene_end(&scene);
}

/* Killed with the last run of the deciding block kept and the answer not yet given. */
static void a_kill_before_the_answer_changes_no_decision(void **state)
{
	struct scene scene;

	scene_long_in(&scene, fixture_directory());
	make_clear();
	for (uint64_t i = 0; i < 2 * EXPERIMENT_FIRST_LOOK; i++) {
		struct run *run = NULL;
		const struct planned *planned = &scene.plan->runs[i];
		const struct job *job = scene.plan->jobs[planned->job];

		CHECK_INT(place_find("fake")->carry(&scene.options.place, job, say_nothing, NULL,
						    &run, NULL),
			  0);
		CHECK_INT(store_run_put(scene.store, scene.campaign, i, planned->block, job, run,
					&(int64_t) { 0 }, NULL),
			  0);
		run_free(run);
	}
	fake.carries = 0;
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, 0);
	CHECK(row_of(&scene).finished);
	scene_end(&scene);
}

static void a_session_warms_up_with_a_block_that_is_not_of_the_plan(void **state)
{
	struct scene scene;
	struct run_row *rows = NULL;
	unsigned n_warm = 0;
	size_t n = 0;

	scene_long_in(&scene, fixture_directory());
	scene.plan->warm_up = true;
	make_clear();
	fake.interrupt_at = 7; /* Four to warm up, two kept, one stopped. */
	carry_to(&scene, CAMPAIGN_INTERRUPTED);
	CHECK_INT(runs_done(&scene), 2);
	fake.interrupted = 0;
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(runs_done(&scene), 2 * EXPERIMENT_FIRST_LOOK);
	CHECK_INT(store_run_list(scene.store, &(struct run_query) { 0 }, &rows, &n, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		CHECK_INT(rows[i].block >= PLAN_WARM_UP_BLOCK, rows[i].sequence >= N_LONG);
		n_warm += rows[i].block >= PLAN_WARM_UP_BLOCK;
	}
	run_rows_free(rows, n);
	CHECK_INT(n_warm, 8); /* A block a session. */
	scene_end(&scene);
}

static void the_time_is_looked_at_before_each_block(void **state)
{
	struct scene scene;

	scene_long_in(&scene, fixture_directory());
	make_unclear();
	scene.plan->stopping.time_max_ns = 1; /* Gone at once: but a session does one block. */
	fake.sleep_ns = NS_PER_MS;
	carry_to(&scene, CAMPAIGN_OUT_OF_TIME);
	CHECK(!row_of(&scene).finished);
	CHECK_INT(fake.carries % 4, 0);
	const unsigned before = fake.carries;

	scene.plan->stopping.time_max_ns = 3600 * NS_PER_SEC;
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, N_LONG);
	CHECK(before < N_LONG);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_clear_ends_at_the_first_look),
		cmocka_unit_test(what_is_unclear_goes_on_to_the_most_runs),
		cmocka_unit_test(a_fixed_number_is_carried_out_however_clear_it_is),
		cmocka_unit_test(stopping_anywhere_changes_no_decision),
		cmocka_unit_test(a_kill_before_the_answer_changes_no_decision),
		cmocka_unit_test(a_session_warms_up_with_a_block_that_is_not_of_the_plan),
		cmocka_unit_test(the_time_is_looked_at_before_each_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
