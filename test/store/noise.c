/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of repeated runs: which runs are in it, in which groups, with which values. */
#include "store/noise.h"

#include "base/clock.h"
#include "fixture.h"
#include "store/database.h"
#include "store/handle.h"

#include <math.h>

struct scene {
	char *directory;
	struct store *store;
	char *machine;
	struct noise_query query;
	struct repeats *repeats;
};

static void scene_in(struct scene *scene)
{
	struct run *run = fixture_run(0);

	*scene = (struct scene) { .directory = fixture_directory() };
	scene->store = fixture_store(scene->directory);
	scene->machine = store_machine_type(run);
	scene->query = (struct noise_query) { .machine = scene->machine,
					      .workload = "hackbench",
					      .semantics = 1,
					      .point = "hackbench/groups=2*cpus/ipc=pipe" };
	run_free(run);
}

static void scene_end(struct scene *scene)
{
	repeats_free(scene->repeats);
	store_close(scene->store);
	free(scene->machine);
	fixture_remove(scene->directory);
}

static const struct repeats *look(struct scene *scene)
{
	struct error err = { 0 };

	repeats_free(scene->repeats);
	scene->repeats = NULL;
	if (store_noise(scene->store, &scene->query, &scene->repeats, &err) < 0)
		fail_msg("%s", err.text);
	return scene->repeats;
}

/* Puts a run of `number` with changes that `change` makes. */
static int64_t put_changed(struct scene *scene, int64_t campaign, uint64_t sequence,
			   uint64_t number, void (*change)(struct job *job, struct run *run))
{
	struct job *job = fixture_job("base");
	struct run *run = fixture_run(number);
	struct error err = { 0 };
	int64_t id = 0;

	change(job, run);
	run_sort(run);
	if (store_run_put(scene->store, campaign, sequence, 0, job, run, &id, &err) < 0)
		fail_msg("%s", err.text);
	job_free(job);
	run_free(run);
	return id;
}

static size_t column(const struct repeats *repeats, const char *name)
{
	for (size_t i = 0; i < repeats->n_metrics; i++)
		if (strcmp(repeats->metrics[i], name) == 0)
			return i;
	CHECK_FAIL("no column %s", name);
}

static void no_settings(struct job *job, struct run *run)
{
	job->n_settings = 0;
	free(job->settings[0].key);
	free(job->settings[0].value);
}

static void other_name(struct job *job, struct run *run)
{
	free(job->subject);
	job->subject = mem_text("base (A/A)");
}

static void other_point(struct job *job, struct run *run)
{
	free(job->arguments[0].text);
	job->arguments[0].text = mem_text("1");
}

static void failed(struct job *job, struct run *run)
{
	run->outcome = RUN_FAILED;
}

static void other_machine(struct job *job, struct run *run)
{
	run_fact_add(run, "cpu.count", VALUE_KNOWN, MISSING_NOT, "128");
}

static void other_semantics(struct job *job, struct run *run)
{
	run->semantics = 2;
}

static void other_workload(struct job *job, struct run *run)
{
	free(job->workload);
	job->workload = mem_text("futex1");
}

static void a_group_is_one_subject_at_one_point_in_one_campaign(void **state)
{
	struct scene scene;

	scene_in(&scene);
	const int64_t one = fixture_campaign(scene.store, "one", 9);
	const int64_t two = fixture_campaign(scene.store, "two", 9);

	for (uint64_t i = 0; i < 3; i++)
		(void)fixture_put(scene.store, one, i, "base", i);
	(void)put_changed(&scene, one, 3, 3, no_settings);
	(void)put_changed(&scene, one, 4, 4, other_name); /* The same subject twice. */
	(void)put_changed(&scene, one, 5, 5, other_point);
	for (uint64_t i = 0; i < 2; i++)
		(void)fixture_put(scene.store, two, i, "base", 10 + i);
	const struct repeats *repeats = look(&scene);

	CHECK_INT(repeats->n_runs, 8);
	CHECK_INT(repeats->n_groups, 4);
	size_t first = 0;

	for (size_t g = 0; g < repeats->n_groups; g++) {
		CHECK_INT(repeats->groups[g].first, first);
		first += repeats->groups[g].n;
	}
	CHECK_INT(first, 8);
	CHECK_TEXT(repeats->groups[0].point, "hackbench/groups=1/ipc=pipe");
	CHECK_INT(repeats->groups[1].n + repeats->groups[2].n, 5);
	CHECK_INT(repeats->groups[3].campaign, two);
	CHECK_INT(repeats->groups[3].n, 2);
	CHECK_TEXT(repeats->groups[3].point, scene.query.point);
	/* Campaigns of the same subject have the same text of settings. */
	CHECK((strcmp(repeats->groups[3].settings, repeats->groups[1].settings) == 0) !=
	      (strcmp(repeats->groups[3].settings, repeats->groups[2].settings) == 0));
	scene_end(&scene);
}

static void values_are_those_of_the_runs_and_unknown_ones_are_no_numbers(void **state)
{
	struct scene scene;

	scene_in(&scene);
	const int64_t campaign = fixture_campaign(scene.store, "x", 3);

	for (uint64_t i = 0; i < 3; i++)
		(void)fixture_put(scene.store, campaign, i, "base", 50 + i);
	const struct repeats *repeats = look(&scene);

	CHECK_INT(repeats->n_metrics, 41);
	for (size_t i = 1; i < repeats->n_metrics; i++)
		CHECK(strcmp(repeats->metrics[i - 1], repeats->metrics[i]) < 0);
	for (uint64_t r = 0; r < 3; r++) {
		struct run *run = fixture_run(50 + r);

		for (size_t i = 0; i < run->n_metrics; i++) {
			const struct measured *one = &run->metrics[i];
			const double have =
				repeats->values[column(repeats, one->metric.name) * 3 + r];

			if (value_is_known(one->value))
				CHECK(have == one->value.number);
			else
				CHECK(isnan(have));
		}
		run_free(run);
	}
	scene_end(&scene);
}

static void what_is_not_comparable_is_left_out(void **state)
{
	struct scene scene;

	scene_in(&scene);
	const int64_t campaign = fixture_campaign(scene.store, "x", 9);

	(void)fixture_put(scene.store, campaign, 0, "base", 0);
	(void)put_changed(&scene, campaign, 1, 1, failed);
	(void)put_changed(&scene, campaign, 2, 2, other_machine);
	(void)put_changed(&scene, campaign, 3, 3, other_semantics);
	(void)put_changed(&scene, campaign, 4, 4, other_workload);
	struct job *job = fixture_job("base");
	struct run *warm_up = fixture_run(5);
	int64_t id = 0;

	CHECK_INT(store_run_put(scene.store, campaign, 5, 1U << 31, job, warm_up, &id, NULL), 0);
	job_free(job);
	run_free(warm_up);
	CHECK_INT(look(&scene)->n_runs, 1);
	scene.query.machine = "another one";
	const struct repeats *repeats = look(&scene);

	CHECK_INT(repeats->n_runs, 0);
	CHECK_INT(repeats->n_groups, 0);
	CHECK_INT(repeats->n_metrics, 0);
	scene_end(&scene);
}

static void the_campaigns_that_are_judged_do_not_feed_their_own_prior(void **state)
{
	struct scene scene;
	int64_t campaigns[3];

	scene_in(&scene);
	for (size_t c = 0; c < 3; c++) {
		campaigns[c] = fixture_campaign(scene.store, "x", 2);
		for (uint64_t i = 0; i < 2; i++)
			(void)fixture_put(scene.store, campaigns[c], i, "base", 10 * c + i);
		if (c < 2) /* Each name once. */
			CHECK_INT(
				database_run(&scene.store->database,
					     c ? "UPDATE campaign SET name = 'b' WHERE name = 'x'"
					       : "UPDATE campaign SET name = 'a' WHERE name = 'x'",
					     NULL),
				0);
	}
	scene.query.without = (const int64_t[]) { campaigns[0], campaigns[2] };
	scene.query.n_without = 2;
	const struct repeats *repeats = look(&scene);

	CHECK_INT(repeats->n_groups, 1);
	CHECK_INT(repeats->groups[0].campaign, campaigns[1]);
	/* What came later does not change what was judged. */
	scene.query.earlier = true;
	CHECK_INT(look(&scene)->n_groups, 0);
	scene.query.without = (const int64_t[]) { campaigns[2] };
	scene.query.n_without = 1;
	CHECK_INT(look(&scene)->n_groups, 2);
	scene_end(&scene);
}

static void the_newest_runs_at_the_point_go_first(void **state)
{
	struct scene scene;
	struct error err = { 0 };

	scene_in(&scene);
	/* Without a wait for the disk a run. */
	if (database_run(&scene.store->database, "PRAGMA synchronous = OFF", &err) < 0)
		fail_msg("%s", err.text);
	const int64_t campaign = fixture_campaign(scene.store, "x", 1000);

	for (uint64_t i = 0; i < 100; i++)
		(void)put_changed(&scene, campaign, i, i, other_point);
	for (uint64_t i = 0; i < 60; i++)
		(void)fixture_put(scene.store, campaign, 100 + i, "base", 1000 + i);
	for (uint64_t i = 0; i < 120; i++)
		(void)put_changed(&scene, campaign, 200 + i, 200 + i, other_point);
	const struct repeats *repeats = look(&scene);
	double oldest = 0;
	struct run *run =
		fixture_run(252); /* 60 go first, then the newest 68 of the others: from 252 on. */

	CHECK_INT(repeats->n_runs, STORE_NOISE_RUNS_MAX);
	CHECK_INT(repeats->n_groups, 2);
	for (size_t g = 0; g < 2; g++) {
		const bool wanted = strcmp(repeats->groups[g].point, scene.query.point) == 0;

		CHECK_INT(repeats->groups[g].n, wanted ? 60 : 68);
		if (!wanted)
			oldest = repeats->values[column(repeats, "hackbench.time_sec") *
							 repeats->n_runs +
						 repeats->groups[g].first];
	}
	CHECK(oldest == run_metric_find(run, "hackbench.time_sec")->value.number);
	run_free(run);
	scene_end(&scene);
}

/* A run with one metric only, of the usual name in another unit, and one of what measuring cost. */
static int64_t put_strange(struct scene *scene, int64_t campaign, uint64_t sequence)
{
	struct job *job = fixture_job("base");
	struct run *run = run_new();
	int64_t id = 0;

	run->semantics = 1;
	run_fact_add(run, "cpu.model", VALUE_KNOWN, MISSING_NOT, "Imaginary 9000");
	run_metric_add(run,
		       &(struct metric) { .name = "hackbench.time_sec",
					  .unit = "ms",
					  .what = "",
					  .kind = METRIC_SCORE,
					  .role = ROLE_SCORE },
		       value_known(12345));
	run_metric_add(run,
		       &(struct metric) { .name = "assay.cpu_ns",
					  .unit = "ns",
					  .what = "",
					  .kind = METRIC_SCORE,
					  .role = ROLE_COST },
		       value_known(1));
	run_sort(run);
	CHECK_INT(store_run_put(scene->store, campaign, sequence, 0, job, run, &id, NULL), 0);
	job_free(job);
	run_free(run);
	return id;
}

static void one_name_in_two_units_is_one_column_of_the_newer(void **state)
{
	struct scene scene;

	scene_in(&scene);
	const int64_t campaign = fixture_campaign(scene.store, "x", 3);

	(void)fixture_put(scene.store, campaign, 0, "base", 0);
	(void)put_strange(&scene, campaign, 1);
	const struct repeats *repeats = look(&scene);
	const size_t score = column(repeats, "hackbench.time_sec");

	CHECK_INT(repeats->n_metrics, 41); /* No cost. */
	CHECK(isnan(repeats->values[score * 2]));
	CHECK(repeats->values[score * 2 + 1] == 12345);
	scene_end(&scene);
}

static uint64_t took(struct scene *scene, const char *machine, const struct job *job)
{
	struct error err = { 0 };
	uint64_t ns = 77;

	if (store_run_took(scene->store, machine, job, &ns, &err) < 0)
		fail_msg("%s", err.text);
	return ns;
}

static void a_duration_is_that_of_runs_at_the_point_on_the_type_of_machine(void **state)
{
	struct scene scene;
	struct job *job = fixture_job("anybody");

	scene_in(&scene);
	const int64_t campaign = fixture_campaign(scene.store, "x", 9);

	CHECK_INT(took(&scene, scene.machine, job), 0);
	for (uint64_t i = 0; i < 3; i++) /* Phases a second apart, five of them. */
		(void)fixture_put(scene.store, campaign, i, "base", i);
	(void)put_changed(&scene, campaign, 3, 3, failed);
	CHECK_INT(took(&scene, scene.machine, job), 4 * FIXTURE_SECOND);
	CHECK_INT(took(&scene, "another", job), 0);
	free(job->arguments[0].text);
	job->arguments[0].text = mem_text("17");
	CHECK_INT(took(&scene, scene.machine, job), 0);
	job_free(job);
	scene_end(&scene);
}

/* A plan of the query that walks through all runs would be slow in a large store. */
static void runs_are_found_by_the_index(void **state)
{
	struct scene scene;
	sqlite3_stmt *statement = NULL;
	bool by_index = false;

	scene_in(&scene);
	CHECK_INT(database_prepare(&scene.store->database,
				   "EXPLAIN QUERY PLAN SELECT r.run_id FROM job j JOIN run r"
				   " USING (job_id) WHERE j.workload = 'w' AND r.machine_id = 1"
				   " AND r.outcome = 0 AND r.semantics = 1 AND r.block < 7"
				   " AND r.campaign_id NOT IN (SELECT value FROM json_each('[]'))",
				   &statement, NULL),
		  0);
	while (database_step(&scene.store->database, statement, NULL) == 1) {
		char *line = database_column_text(statement, 3);

		CHECK(strncmp(line, "SCAN r", 6) != 0);
		by_index = by_index || strstr(line, "COVERING INDEX run_machine");
		free(line);
	}
	(void)sqlite3_finalize(statement);
	CHECK(by_index);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_is_one_subject_at_one_point_in_one_campaign),
		cmocka_unit_test(values_are_those_of_the_runs_and_unknown_ones_are_no_numbers),
		cmocka_unit_test(what_is_not_comparable_is_left_out),
		cmocka_unit_test(the_campaigns_that_are_judged_do_not_feed_their_own_prior),
		cmocka_unit_test(the_newest_runs_at_the_point_go_first),
		cmocka_unit_test(one_name_in_two_units_is_one_column_of_the_newer),
		cmocka_unit_test(a_duration_is_that_of_runs_at_the_point_on_the_type_of_machine),
		cmocka_unit_test(runs_are_found_by_the_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
