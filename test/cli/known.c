/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the store knows reaches the options of a verdict, and nothing that is judged feeds itself. */
#include "cli/known.h"

#include "base/macros.h"
#include "campaign/decide.h"
#include "filled.h"
#include "store/marks.h"
#include "store/noise.h"

#include <math.h>

#define RUNS 6

struct scene {
	struct filled filled;
	struct known *known;
	struct run **runs;
	struct run_place *places;
	struct job *jobs[2];
	struct compared_side sides[2];
	struct verdict_options options;
};

/* Puts a campaign of base and head on a named machine, created a moment after the others. */
static int64_t put_campaign(struct scene *scene, const char *name, const char *processor)
{
	const int64_t campaign = fixture_campaign(scene->filled.store, name, 2 * RUNS);

	for (uint64_t i = 0; i < 2 * RUNS; i++) {
		struct job *job = filled_job(i % 2 ? "head" : "base", "4");
		struct run *run = filled_run(10 + 0.1 * (double)(i % 5));
		int64_t id = 0;

		run_fact_add(run, "cpu.model_name", VALUE_KNOWN, MISSING_NOT, processor);
		run_sort(run);
		CHECK_INT(store_run_put(scene->filled.store, campaign, i, 0, job, run, &id, NULL),
			  0);
		job_free(job);
		run_free(run);
	}
	return campaign;
}

/* The two sides of a campaign as they are judged. */
static void load(struct scene *scene, int64_t campaign)
{
	struct run_row *rows = NULL;
	size_t n = 0;
	size_t at = 0;

	CHECK_INT(store_run_list(scene->filled.store, &(struct run_query) { .campaign = campaign },
				 &rows, &n, NULL),
		  0);
	CHECK_INT(n, 2 * RUNS);
	scene->runs = mem_array(n, sizeof(*scene->runs));
	scene->places = mem_array(n, sizeof(*scene->places));
	for (size_t s = 0; s < 2; s++) {
		const size_t first = at;

		for (size_t i = 0; i < n; i++) {
			if (strcmp(rows[i].subject, s ? "head" : "base") != 0)
				continue;
			scene->places[at] = decide_place(&rows[i]);
			CHECK_INT(store_run_get(scene->filled.store, rows[i].id, false,
						&scene->runs[at++], NULL, NULL),
				  0);
		}
		scene->jobs[s] = filled_job(s ? "head" : "base", "4");
		scene->sides[s] = (struct compared_side) {
			.name = s ? "head" : "base",
			.job = scene->jobs[s],
			.runs = (const struct run *const *)&scene->runs[first],
			.n_runs = at - first,
			.places = &scene->places[first],
		};
	}
	run_rows_free(rows, n);
}

static void unload(struct scene *scene)
{
	for (size_t i = 0; i < 2 * RUNS; i++)
		run_free(scene->runs[i]);
	free(scene->runs);
	free(scene->places);
	job_free(scene->jobs[0]);
	job_free(scene->jobs[1]);
}

static void scene_in(struct scene *scene)
{
	*scene = (struct scene) { 0 };
	filled_open(&scene->filled);
	scene->known = known_new(scene->filled.store);
}

static void scene_end(struct scene *scene)
{
	known_free(scene->known);
	filled_done(&scene->filled);
}

static void ask(struct scene *scene)
{
	struct error err = { 0 };

	scene->options = (struct verdict_options) { .alpha = 0.03 };
	if (known_fill(scene->known, scene->sides, 2, &scene->options, &err) < 0)
		fail_msg("%s", err.text);
	CHECK(scene->options.alpha == 0.03); /* What was there stays. */
}

static void noise_is_that_of_older_campaigns_on_the_same_type_of_machine(void **state)
{
	struct scene scene;

	scene_in(&scene);
	const int64_t older = put_campaign(&scene, "older", "Imaginary 9000");

	(void)put_campaign(&scene, "elsewhere", "Imaginary 1");
	const int64_t judged = put_campaign(&scene, "judged", "Imaginary 9000");

	(void)put_campaign(&scene, "later", "Imaginary 9000");
	load(&scene, judged);
	ask(&scene);
	CHECK_INT(scene.options.n_noise, 1); /* The page faults never varied. */
	CHECK_TEXT(scene.options.noise[0].metric, "hackbench.time_sec");
	CHECK_NEAR(scene.options.noise[0].noise.within_degrees, 2 * RUNS - 1, 0);
	CHECK(scene.options.noise[0].noise.logarithmic);
	unload(&scene);
	/* The first one of all has nobody to learn from: least of all itself. */
	load(&scene, older);
	ask(&scene);
	CHECK_INT(scene.options.n_noise, 0);
	unload(&scene);
	scene_end(&scene);
}

static void looks_of_a_campaign_go_by_the_same_noise(void **state)
{
	struct scene scene;

	scene_in(&scene);
	(void)put_campaign(&scene, "older", "Imaginary 9000");
	const int64_t judged = put_campaign(&scene, "judged", "Imaginary 9000");

	load(&scene, judged);
	scene.sides[0].n_runs = 2;
	scene.sides[1].n_runs = 2;
	ask(&scene);
	const struct known_noise *first = scene.options.noise;

	scene.sides[0].n_runs = RUNS;
	scene.sides[1].n_runs = RUNS;
	ask(&scene);
	CHECK(scene.options.noise == first);
	unload(&scene);
	scene_end(&scene);
}

static void runs_without_a_place_or_of_two_machines_have_no_known_noise(void **state)
{
	struct scene scene;

	scene_in(&scene);
	(void)put_campaign(&scene, "older", "Imaginary 9000");
	const int64_t judged = put_campaign(&scene, "judged", "Imaginary 9000");

	load(&scene, judged);
	scene.sides[1].places = NULL;
	ask(&scene);
	CHECK_INT(scene.options.n_noise, 0);
	unload(&scene);
	known_free(scene.known);
	scene.known = known_new(scene.filled.store);
	load(&scene, judged);
	struct run *odd = scene.runs[RUNS + 1];

	run_fact_add(odd, "cpu.count", VALUE_KNOWN, MISSING_NOT, "3");
	run_sort(odd);
	ask(&scene);
	CHECK_INT(scene.options.n_noise, 0);
	unload(&scene);
	scene_end(&scene);
}

static void mark(struct scene *scene, const char *metric, int64_t campaign, const char *base,
		 const char *head)
{
	struct mark_row *row = mem_array(1, sizeof(*row));
	int64_t id = 0;

	row->metric = mem_text(metric);
	row->campaign = campaign;
	row->base = mem_text(base);
	row->head = mem_text(head);
	row->point = mem_text("");
	row->why = mem_format("%s%lld", metric, (long long)campaign);
	row->who = mem_text("anna");
	row->tolerance_percent = (double)NAN;
	CHECK_INT(store_mark_add(scene->filled.store, row, &id, NULL), 0);
	mark_rows_free(row, 1);
}

static void marks_that_concern_the_sides_are_there(void **state)
{
	struct scene scene;

	scene_in(&scene);
	const int64_t other = put_campaign(&scene, "other", "Imaginary 9000");
	const int64_t judged = put_campaign(&scene, "judged", "Imaginary 9000");

	mark(&scene, "proc-*", 0, NULL, NULL);
	mark(&scene, "", other, NULL, NULL);
	mark(&scene, "", judged, NULL, NULL);
	mark(&scene, "", judged, "base", "head");
	mark(&scene, "", judged, "base", "nobody");
	load(&scene, judged);
	ask(&scene);
	CHECK_INT(scene.options.n_marks, 3);
	CHECK_TEXT(scene.options.marks[0].target, "proc-*");
	CHECK_TEXT(scene.options.marks[1].target, "");
	CHECK_TEXT(scene.options.marks[2].target, "");
	CHECK_TEXT(scene.options.marks[2].who, "anna");
	CHECK(scene.options.marks[2].when_wall_ns > 0);
	CHECK(isnan(scene.options.marks[2].tolerance_percent));
	unload(&scene);
	scene_end(&scene);
}

static void the_measured_rate_of_false_alarms_is_there(void **state)
{
	const struct alarm_rate rate = {
		.alpha = 0.01, .n_comparisons = 50, .n_alarms = 5, .low = 0.03, .high = 0.2
	};
	struct scene scene;

	scene_in(&scene);
	const int64_t judged = put_campaign(&scene, "judged", "Imaginary 9000");

	load(&scene, judged);
	char *machine = store_machine_type(scene.runs[0]);

	CHECK_INT(store_alarms_put(scene.filled.store, machine, "hackbench", &rate, NULL), 0);
	ask(&scene);
	CHECK(scene.options.alarms != NULL);
	CHECK_INT(scene.options.alarms->n_comparisons, 50);
	CHECK_INT(scene.options.alarms->n_alarms, 5);
	CHECK(scene.options.alarms->low == 0.03);
	free(machine);
	unload(&scene);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_is_that_of_older_campaigns_on_the_same_type_of_machine),
		cmocka_unit_test(looks_of_a_campaign_go_by_the_same_noise),
		cmocka_unit_test(runs_without_a_place_or_of_two_machines_have_no_known_noise),
		cmocka_unit_test(marks_that_concern_the_sides_are_there),
		cmocka_unit_test(the_measured_rate_of_false_alarms_is_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
