/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Campaigns at a place that fails, dies or is interrupted when it is told to. */
#include "fake.h"

#include <errno.h>

static void a_campaign_keeps_every_run_of_its_plan(void **state)
{
	struct scene scene;

	scene_in(&scene, fixture_directory());
	CHECK(!row_of(&scene).finished);
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, N_RUNS);
	CHECK_INT(fake.kept, N_RUNS);
	CHECK_INT(fake.recovers_at_first_carry, 1);
	CHECK_INT(fake.last.runs_done, N_RUNS);
	CHECK_INT(fake.last.runs_planned, N_RUNS);
	CHECK_INT(fake.last.runs_failed, 0);
	CHECK_INT(fake.last.remaining_ns, 0);
	CHECK(row_of(&scene).finished);
	CHECK_INT(row_of(&scene).runs_done, N_RUNS);
	check_all_kept(&scene);
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, N_RUNS); /* Nothing was left. */
	scene_end(&scene);
}

static void an_interrupted_campaign_goes_on_where_it_stopped(void **state)
{
	struct scene scene;
	struct run_row *rows = NULL;
	bool *done = NULL;
	size_t n = 0;

	scene_in(&scene, fixture_directory());
	fake.interrupt_at = 4;
	carry_to(&scene, CAMPAIGN_INTERRUPTED);
	CHECK_INT(fake.carries, 4);
	CHECK(!row_of(&scene).finished);
	CHECK_INT(row_of(&scene).runs_done, 3);
	CHECK_INT(campaign_done(scene.store, scene.campaign, scene.plan, &done, NULL), 0);
	for (unsigned i = 0; i < N_RUNS; i++)
		CHECK_INT(done[i], i < 3);
	free(done);

	fake.interrupted = 0;
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, N_RUNS + 1);
	check_all_kept(&scene);
	/* The interrupted attempt is still there, before the one that replaced it. */
	CHECK_INT(store_run_list(scene.store, &(struct run_query) { 0 }, &rows, &n, NULL), 0);
	CHECK_INT(n, N_RUNS + 1);
	CHECK_INT(rows[3].outcome, RUN_INTERRUPTED);
	CHECK_INT(rows[3].attempt, 1);
	CHECK_INT(rows[4].outcome, RUN_COMPLETE);
	CHECK_INT(rows[4].sequence, 3);
	CHECK_INT(rows[4].attempt, 2);
	run_rows_free(rows, n);
	scene_end(&scene);
}

static void an_interruption_before_the_first_run_measures_nothing(void **state)
{
	struct scene scene;

	scene_in(&scene, fixture_directory());
	fake.interrupted = 1;
	carry_to(&scene, CAMPAIGN_INTERRUPTED);
	CHECK_INT(fake.carries, 0);
	scene_end(&scene);
}

static void a_failed_run_is_kept_and_counts_as_done(void **state)
{
	struct scene scene;

	scene_in(&scene, fixture_directory());
	fake.odd_from = 3;
	fake.odd_to = 4;
	fake.odd_outcome = RUN_FAILED;
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, N_RUNS);
	CHECK_INT(fake.last.runs_failed, 2);
	CHECK_INT(fake.most_failed_in_a_row, 1); /* One of each job. */
	CHECK(row_of(&scene).finished);
	scene_end(&scene);
}

static void failures_in_a_row_of_one_job_are_told(void **state)
{
	struct scene scene;

	scene_in(&scene, fixture_directory());
	fake.odd_from = 1;
	fake.odd_to = N_RUNS;
	fake.odd_outcome = RUN_UNSUPPORTED;
	for (uint32_t i = 0; i < N_RUNS; i++)
		scene.plan->runs[i].job = i == 0;
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, N_RUNS); /* It goes on all the same. */
	CHECK_INT(fake.most_failed_in_a_row, N_RUNS - 1);
	CHECK(fake.most_failed_in_a_row >= CAMPAIGN_FAILED_MANY);
	CHECK_INT(fake.last.runs_failed, N_RUNS);
	scene_end(&scene);
}

static void a_torn_run_is_tried_again(void **state)
{
	struct scene scene;

	scene_in(&scene, fixture_directory());
	fake.odd_from = 2;
	fake.odd_to = 3;
	fake.odd_outcome = RUN_TORN;
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, N_RUNS + 2);
	CHECK(row_of(&scene).finished);
	check_all_kept(&scene);
	scene_end(&scene);
}

static void a_run_that_is_always_torn_leaves_the_campaign_unfinished(void **state)
{
	struct scene scene;

	scene_in(&scene, fixture_directory());
	fake.odd_from = 2;
	fake.odd_to = 4;
	fake.odd_outcome = RUN_TORN;
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK(!row_of(&scene).finished);
	CHECK_INT(row_of(&scene).runs_done, N_RUNS - 1);
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK(row_of(&scene).finished);
	check_all_kept(&scene);
	scene_end(&scene);
}

static void a_broken_place_ends_the_campaign_and_loses_nothing(void **state)
{
	struct scene scene;
	enum campaign_end end = CAMPAIGN_INTERRUPTED;
	struct error err = { 0 };

	scene_in(&scene, fixture_directory());
	fake.error_at = 3;
	fake.error_code = ENODEV;
	CHECK_INT(
		campaign_carry(scene.store, scene.campaign, scene.plan, &scene.options, &end, &err),
		-ENODEV);
	CHECK_TEXT(err.text, "run 3 of 8: the fake place is broken");
	CHECK_INT(row_of(&scene).runs_done, 2);
	carry_to(&scene, CAMPAIGN_FINISHED);
	check_all_kept(&scene);
	scene_end(&scene);
}

static void a_run_is_kept_although_its_settings_were_not_restored(void **state)
{
	struct scene scene;
	enum campaign_end end = CAMPAIGN_INTERRUPTED;
	struct error err = { 0 };

	scene_in(&scene, fixture_directory());
	fake.error_at = 3;
	fake.error_code = EIO;
	fake.error_keeps_run = true;
	CHECK_INT(
		campaign_carry(scene.store, scene.campaign, scene.plan, &scene.options, &end, &err),
		-EIO);
	CHECK_HOLDS(err.text, "cannot restore");
	CHECK_INT(row_of(&scene).runs_done, 3);
	scene_end(&scene);
}

static void a_job_that_cannot_be_is_refused_before_the_first_run(void **state)
{
	struct scene scene;
	enum campaign_end end = CAMPAIGN_INTERRUPTED;
	struct error err = { 0 };

	scene_in(&scene, fixture_directory());
	fake.refuses_head = true;
	CHECK_INT(
		campaign_carry(scene.store, scene.campaign, scene.plan, &scene.options, &end, &err),
		-EPERM);
	CHECK_TEXT(err.text, "subject 'head': vm.numa_stat cannot be set: not root");
	CHECK_INT(fake.carries, 0);

	free(scene.plan->jobs[0]->place);
	scene.plan->jobs[0]->place = mem_text("moon");
	CHECK_INT(
		campaign_carry(scene.store, scene.campaign, scene.plan, &scene.options, &end, &err),
		-EINVAL);
	CHECK_HOLDS(err.text, "'moon'");
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_campaign_keeps_every_run_of_its_plan),
		cmocka_unit_test(an_interrupted_campaign_goes_on_where_it_stopped),
		cmocka_unit_test(an_interruption_before_the_first_run_measures_nothing),
		cmocka_unit_test(a_failed_run_is_kept_and_counts_as_done),
		cmocka_unit_test(failures_in_a_row_of_one_job_are_told),
		cmocka_unit_test(a_torn_run_is_tried_again),
		cmocka_unit_test(a_run_that_is_always_torn_leaves_the_campaign_unfinished),
		cmocka_unit_test(a_broken_place_ends_the_campaign_and_loses_nothing),
		cmocka_unit_test(a_run_is_kept_although_its_settings_were_not_restored),
		cmocka_unit_test(a_job_that_cannot_be_is_refused_before_the_first_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
