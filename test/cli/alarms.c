/* SPDX-License-Identifier: GPL-2.0-or-later */
/* False alarms counted in stores whose truth is known. */
#include "cli/alarms.h"

#include "base/random.h"
#include "filled.h"
#include "store/noise.h"

#include <math.h>

struct scene {
	struct filled filled;
	char *machine;
	struct random random;
	unsigned n_campaigns;
};

static struct run *make_run(double seconds)
{
	struct run *run = filled_run(seconds);

	run_fact_add(run, "cpu.model_name", VALUE_KNOWN, MISSING_NOT, "Imaginary 9000");
	run_sort(run);
	return run;
}

static void scene_in(struct scene *scene)
{
	struct run *run = make_run(1);

	*scene = (struct scene) { 0 };
	filled_open(&scene->filled);
	scene->machine = store_machine_type(run);
	random_seed(&scene->random, 11);
	run_free(run);
}

static void scene_end(struct scene *scene)
{
	free(scene->machine);
	filled_done(&scene->filled);
}

/* A campaign of `n` blocks with two runs of each subject; the second one takes `factor` as long. */
static void put_campaign(struct scene *scene, unsigned n, const char *second, double factor)
{
	char *name = mem_format("c%u", scene->n_campaigns++);
	const int64_t campaign = fixture_campaign(scene->filled.store, name, 4 * n);

	for (unsigned i = 0; i < 4 * n; i++) {
		struct job *job = filled_job(i % 2 && second ? second : "base", "4");
		struct run *run = make_run(exp(0.01 * random_normal(&scene->random)) *
					   (i % 2 && second ? factor : 1));
		int64_t id = 0;

		CHECK_INT(
			store_run_put(scene->filled.store, campaign, i, i / 4, job, run, &id, NULL),
			0);
		job_free(job);
		run_free(run);
	}
	free(name);
}

static struct alarms *measure(struct scene *scene)
{
	struct alarms *alarms = NULL;
	struct error err = { 0 };

	if (alarms_measure(scene->filled.store, scene->machine, "hackbench", 4, &alarms, &err) < 0)
		fail_msg("%s", err.text);
	return alarms;
}

static void a_quiet_machine_keeps_its_promise(void **state)
{
	struct scene scene;

	scene_in(&scene);
	for (unsigned i = 0; i < 6; i++)
		put_campaign(&scene, 5, NULL, 1);
	struct alarms *alarms = measure(&scene);

	CHECK_INT(alarms->n_splits, 6);
	CHECK_INT(alarms->n_twins, 0);
	CHECK_INT(alarms->n_alarms, 0);
	CHECK_INT(alarms->n_found, 0);
	CHECK(alarms->low == 0.0);
	CHECK_NEAR(alarms->high, 1 - pow(0.025, 1.0 / 6), 1e-9);
	alarms_free(alarms);
	scene_end(&scene);
}

static void twins_that_differ_are_alarms_with_all_their_facts(void **state)
{
	struct scene scene;

	scene_in(&scene);
	put_campaign(&scene, 5, "base (A/A)", 1.5); /* The machine favours the first of two. */
	put_campaign(&scene, 5, "base (A/A)", 1);
	struct alarms *alarms = measure(&scene);

	CHECK_INT(alarms->n_twins, 2);
	CHECK_INT(alarms->n_splits, 0);
	CHECK_INT(alarms->n_alarms, 1);
	CHECK_INT(alarms->n_found, 1);
	CHECK_TEXT(alarms->found[0].campaign, "c0");
	CHECK_TEXT(alarms->found[0].subject, "base");
	CHECK_TEXT(alarms->found[0].metric, "hackbench.time_sec");
	CHECK_TEXT(alarms->found[0].point, "hackbench/groups=4");
	CHECK_NEAR(alarms->found[0].change_percent, 50, 3);
	CHECK(alarms->found[0].p_adjusted <= ALARMS_ALPHA);
	CHECK(alarms->low > ALARMS_ALPHA && alarms->low < 0.5 && alarms->high > 0.5);
	alarms_free(alarms);
	scene_end(&scene);
}

static void without_comparisons_any_rate_is_possible(void **state)
{
	struct scene scene;

	scene_in(&scene);
	put_campaign(&scene, 1, NULL, 1);
	struct alarms *alarms = measure(&scene);

	CHECK_INT(alarms_comparisons(alarms), 0);
	CHECK_INT(alarms->n_short, 1);
	CHECK(alarms->low == 0.0 && alarms->high == 1.0);
	alarms_free(alarms);
	scene_end(&scene);
}

static void what_was_kept_of_alarms_does_not_silence_them(void **state)
{
	const struct alarm_rate bad = {
		.alpha = 0.01, .n_comparisons = 50, .n_alarms = 40, .low = 0.6, .high = 0.9
	};
	struct scene scene;

	scene_in(&scene);
	put_campaign(&scene, 5, NULL, 1);
	CHECK_INT(store_alarms_put(scene.filled.store, scene.machine, "hackbench", &bad, NULL), 0);
	struct alarms *alarms = measure(&scene);

	CHECK_INT(alarms->n_splits, 1);
	CHECK_INT(alarms->n_withheld, 0);
	alarms_free(alarms);
	scene_end(&scene);
}

static void the_comparisons_wanted_narrow_the_interval_down(void **state)
{
	const size_t wanted = alarms_wanted();

	CHECK(wanted >= 100 && wanted <= 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_machine_keeps_its_promise),
		cmocka_unit_test(twins_that_differ_are_alarms_with_all_their_facts),
		cmocka_unit_test(without_comparisons_any_rate_is_possible),
		cmocka_unit_test(what_was_kept_of_alarms_does_not_silence_them),
		cmocka_unit_test(the_comparisons_wanted_narrow_the_interval_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
