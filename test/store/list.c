/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding and removing runs. */
#include "fixture.h"
#include "store/handle.h"
#include "store/noise.h"

struct scene {
	char *directory;
	struct store *store;
	int64_t one, other; /* Campaigns: six runs and two, base and head in turns. */
};

static void scene_in(struct scene *scene)
{
	scene->directory = fixture_directory();
	scene->store = fixture_store(scene->directory);
	scene->one = fixture_campaign(scene->store, "one", 6);
	scene->other = fixture_campaign(scene->store, "other", 2);
	for (uint64_t i = 6; i-- > 0;) /* Not in the order of the plan. */
		(void)fixture_put(scene->store, scene->one, i, i % 2 ? "head" : "base", i);
	for (uint64_t i = 0; i < 2; i++)
		(void)fixture_put(scene->store, scene->other, i, i % 2 ? "head" : "base", 10 + i);
}

static void scene_end(struct scene *scene)
{
	store_close(scene->store);
	fixture_remove(scene->directory);
}

/* How many runs a query finds. */
static size_t found(struct scene *scene, struct run_query query)
{
	struct run_row *rows = NULL;
	size_t n = 0;
	struct error err = { 0 };

	if (store_run_list(scene->store, &query, &rows, &n, &err) < 0)
		fail_msg("%s", err.text);
	run_rows_free(rows, n);
	return n;
}

static void rows_come_in_the_order_of_their_plans(void **state)
{
	struct scene scene;
	struct run_row *rows = NULL;
	size_t n = 0;

	scene_in(&scene);
	CHECK_INT(store_run_list(scene.store, &(struct run_query) { 0 }, &rows, &n, NULL), 0);
	CHECK_INT(n, 8);
	for (size_t i = 0; i < 6; i++) {
		CHECK_INT(rows[i].campaign, scene.one);
		CHECK_TEXT(rows[i].campaign_name, "one");
		CHECK_INT(rows[i].sequence, i);
		CHECK_TEXT(rows[i].subject, i % 2 ? "head" : "base");
		CHECK_TEXT(rows[i].job->subject, rows[i].subject);
	}
	CHECK_INT(rows[7].campaign, scene.other);
	run_rows_free(rows, n);
	scene_end(&scene);
}

static void every_condition_must_hold(void **state)
{
	const int64_t ids[] = { 1, 2, 8, 77 };
	struct scene scene;

	scene_in(&scene);
	CHECK_INT(found(&scene, (struct run_query) { .campaign = scene.one }), 6);
	CHECK_INT(found(&scene, (struct run_query) { .campaign = 99 }), 0);
	CHECK_INT(found(&scene, (struct run_query) { .subject = "head" }), 4);
	CHECK_INT(found(&scene, (struct run_query) { .subject = "hea" }), 0);
	CHECK_INT(found(&scene, (struct run_query) { .subject = "head", .campaign = scene.other }),
		  1);
	CHECK_INT(found(&scene, (struct run_query) { .workload = "hackbench" }), 8);
	CHECK_INT(found(&scene, (struct run_query) { .workload = "brk1" }), 0);
	CHECK_INT(found(&scene, (struct run_query) { .point = "hackbench/groups=2*cpus/ipc=pipe" }),
		  8);
	CHECK_INT(found(&scene, (struct run_query) { .point = "hackbench" }), 0);
	CHECK_INT(found(&scene, (struct run_query) { .ids = ids, .n_ids = 4 }), 3);
	CHECK_INT(found(&scene, (struct run_query) { .ids = ids, .n_ids = 0 }), 0);
	CHECK_INT(found(&scene, (struct run_query) { .ids = ids, .n_ids = 4, .subject = "head" }),
		  2);
	scene_end(&scene);
}

static size_t with_fact(struct scene *scene, const char *key, const char *value)
{
	return found(scene, (struct run_query) { .fact_key = key, .fact_value = value });
}

static void facts_and_parameters_are_found_by_their_text(void **state)
{
	struct scene scene;
	struct run *run = fixture_run(11);
	const struct fact *load = run_fact_find(run, "load.1min");
	size_t with_load = 0;

	scene_in(&scene);
	CHECK_INT(with_fact(&scene, "cpu.model", "Imaginary 9000"), 8); /* From the set. */
	CHECK_INT(with_fact(&scene, "cpu.model", "Imaginary"), 0);
	CHECK_INT(with_fact(&scene, "cpu.turbo", ""), 0); /* Not applicable is no text. */
	for (uint64_t i = 0; i < 12; i++) {               /* The run's own. */
		struct run *other = fixture_run(i);

		with_load += (i < 6 || i > 9) &&
			     strcmp(run_fact_find(other, "load.1min")->text, load->text) == 0;
		run_free(other);
	}
	CHECK_INT(with_fact(&scene, "load.1min", load->text), with_load);
	CHECK(with_load >= 1);
	CHECK_INT(with_fact(&scene, "groups", "4"), 8);      /* As evaluated. */
	CHECK_INT(with_fact(&scene, "groups", "2*cpus"), 8); /* As written. */
	CHECK_INT(with_fact(&scene, "groups", "5"), 0);
	CHECK_INT(with_fact(&scene, "nothing", "5"), 0);
	CHECK_INT(with_fact(&scene, "a' OR 1 --", "5"), 0);
	run_free(run);
	scene_end(&scene);
}

static void a_fact_that_differs_from_the_set_is_found_by_its_own_text(void **state)
{
	struct scene scene;
	struct job *job = fixture_job("base");
	struct run *run = fixture_run(20);
	int64_t id = 0;

	scene_in(&scene);
	free(run->facts[1].text);
	run->facts[1].text = mem_text("Imaginary 9001");
	CHECK_INT(store_run_put(scene.store, scene.other, 2, 0, job, run, &id, NULL), 0);
	CHECK_INT(with_fact(&scene, "cpu.model", "Imaginary 9001"), 1);
	CHECK_INT(with_fact(&scene, "cpu.model", "Imaginary 9000"), 8);
	run_free(run);
	job_free(job);
	scene_end(&scene);
}

static void runs_are_found_by_the_type_of_their_machine(void **state)
{
	struct scene scene;

	scene_in(&scene);
	struct run *run = fixture_run(0);
	char *machine = store_machine_type(run);

	CHECK_INT(found(&scene, (struct run_query) { .machine = machine }), 8);
	CHECK_INT(found(&scene, (struct run_query) { .machine = machine, .subject = "head" }), 4);
	CHECK_INT(found(&scene, (struct run_query) { .machine = "another" }), 0);
	free(machine);
	run_free(run);
	scene_end(&scene);
}

static void a_limit_keeps_the_newest(void **state)
{
	struct scene scene;
	struct run_row *rows = NULL;
	size_t n = 0;

	scene_in(&scene);
	CHECK_INT(store_run_list(scene.store, &(struct run_query) { .limit = 3 }, &rows, &n, NULL),
		  0);
	CHECK_INT(n, 3);
	CHECK_INT(rows[0].id, 6); /* Sequence 0 of the first campaign was put last of it. */
	CHECK_INT(rows[0].sequence, 0);
	CHECK_INT(rows[1].id, 7);
	CHECK_INT(rows[2].id, 8);
	run_rows_free(rows, n);
	scene_end(&scene);
}

static void removed_runs_are_gone_with_all_their_parts(void **state)
{
	struct scene scene;
	struct campaign_row *campaigns = NULL;
	size_t n_campaigns = 0;
	uint64_t n = 0;
	int64_t left = 0;
	struct error err = { 0 };

	scene_in(&scene);
	CHECK_INT(store_run_remove(scene.store, &(struct run_query) { .campaign = scene.other }, &n,
				   &err),
		  0);
	CHECK_INT(n, 2);
	CHECK_INT(found(&scene, (struct run_query) { 0 }), 6);
	/* The campaign that is left empty is gone, the other stays. */
	CHECK_INT(store_campaign_list(scene.store, 0, &campaigns, &n_campaigns, NULL), 0);
	CHECK_INT(n_campaigns, 1);
	CHECK_TEXT(campaigns[0].name, "one");
	campaign_row_done(&campaigns[0]);
	free(campaigns);
	CHECK_INT(
		store_run_remove(scene.store, &(struct run_query) { .subject = "head" }, &n, NULL),
		0);
	CHECK_INT(n, 3);
	CHECK_INT(
		store_run_remove(scene.store, &(struct run_query) { .subject = "head" }, &n, NULL),
		0);
	CHECK_INT(n, 0);
	CHECK_INT(database_number(&scene.store->database,
				  "SELECT (SELECT count(*) FROM run_values)"
				  " + (SELECT count(*) FROM run_series)"
				  " + (SELECT count(*) FROM run_workers)"
				  " + (SELECT count(DISTINCT run_id) FROM run_costs)"
				  " + (SELECT count(*) FROM run_log)",
				  &left, NULL),
		  0);
	CHECK_INT(left, 5 * 3);
	scene_end(&scene);
}

static size_t campaigns_of(struct scene *scene)
{
	struct campaign_row *campaigns = NULL;
	size_t n = 0;

	CHECK_INT(store_campaign_list(scene->store, 0, &campaigns, &n, NULL), 0);
	for (size_t i = 0; i < n; i++)
		campaign_row_done(&campaigns[i]);
	free(campaigns);
	return n;
}

static void a_campaign_under_way_survives_the_loss_of_its_runs(void **state)
{
	struct scene scene;
	const int64_t ids[] = { 7, 8 }; /* Those of the second campaign. */
	const struct run_query its_runs = { .ids = ids, .n_ids = 2 };
	uint64_t n = 0;

	scene_in(&scene);
	CHECK_INT(store_run_remove(scene.store, &its_runs, &n, NULL), 0);
	CHECK_INT(n, 2);
	CHECK_INT(campaigns_of(&scene), 2);
	/* The next run of it finds its place. */
	(void)fixture_put(scene.store, scene.other, 1, "head", 11);
	CHECK_INT(found(&scene, (struct run_query) { .campaign = scene.other }), 1);
	/* Empty again, it goes when it is named itself. */
	CHECK_INT(
		store_run_remove(scene.store, &(struct run_query) { .subject = "head" }, &n, NULL),
		0);
	CHECK_INT(campaigns_of(&scene), 2);
	CHECK_INT(store_run_remove(scene.store, &(struct run_query) { .campaign = scene.other }, &n,
				   NULL),
		  0);
	CHECK_INT(n, 0);
	CHECK_INT(campaigns_of(&scene), 1);
	scene_end(&scene);
}

static void a_finished_campaign_goes_with_its_last_run(void **state)
{
	struct scene scene;
	const int64_t ids[] = { 7, 8 };
	uint64_t n = 0;

	scene_in(&scene);
	CHECK_INT(store_campaign_finish(scene.store, scene.other, NULL), 0);
	CHECK_INT(store_run_remove(scene.store, &(struct run_query) { .ids = ids, .n_ids = 2 }, &n,
				   NULL),
		  0);
	CHECK_INT(n, 2);
	CHECK_INT(campaigns_of(&scene), 1);
	scene_end(&scene);
}

static void note_outcome(uint64_t sequence, enum run_outcome outcome, void *user)
{
	uint64_t *next = user;

	CHECK_INT(sequence, *next);
	CHECK_INT(outcome, RUN_COMPLETE);
	(*next)++;
}

static void outcomes_come_in_the_order_of_the_plan(void **state)
{
	struct scene scene;
	uint64_t next = 0;

	scene_in(&scene);
	CHECK_INT(store_run_outcomes(scene.store, scene.one, note_outcome, &next, NULL), 0);
	CHECK_INT(next, 6);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_come_in_the_order_of_their_plans),
		cmocka_unit_test(every_condition_must_hold),
		cmocka_unit_test(facts_and_parameters_are_found_by_their_text),
		cmocka_unit_test(a_fact_that_differs_from_the_set_is_found_by_its_own_text),
		cmocka_unit_test(runs_are_found_by_the_type_of_their_machine),
		cmocka_unit_test(a_limit_keeps_the_newest),
		cmocka_unit_test(removed_runs_are_gone_with_all_their_parts),
		cmocka_unit_test(a_campaign_under_way_survives_the_loss_of_its_runs),
		cmocka_unit_test(a_finished_campaign_goes_with_its_last_run),
		cmocka_unit_test(outcomes_come_in_the_order_of_the_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
