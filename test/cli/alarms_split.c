/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which runs are compared with which when a subject is compared with itself. */
#include "cli/alarms_split.h"

#include "cli/alarms.h"
#include "filled.h"
#include "store/noise.h"

#define WARM_UP (1U << 31)

struct scene {
	struct filled filled;
	char *machine;
	struct splits *splits;
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
	run_free(run);
}

static void scene_end(struct scene *scene)
{
	splits_free(scene->splits);
	free(scene->machine);
	filled_done(&scene->filled);
}

static void put(struct scene *scene, int64_t campaign, uint64_t sequence, uint32_t block,
		const char *subject)
{
	struct job *job = filled_job(subject, "4");
	struct run *run = make_run(1);
	int64_t id = 0;

	CHECK_INT(
		store_run_put(scene->filled.store, campaign, sequence, block, job, run, &id, NULL),
		0);
	job_free(job);
	run_free(run);
}

static const struct splits *look(struct scene *scene, uint64_t seed)
{
	struct error err = { 0 };

	splits_free(scene->splits);
	scene->splits = NULL;
	if (splits_find(scene->filled.store, scene->machine, "hackbench", seed, &scene->splits,
			&err) < 0)
		fail_msg("%s", err.text);
	return scene->splits;
}

/* Of one subject: n blocks of two. */
static int64_t put_blocks(struct scene *scene, const char *name, uint32_t n)
{
	const int64_t campaign = fixture_campaign(scene->filled.store, name, 2 * n);

	for (uint32_t i = 0; i < 2 * n; i++)
		put(scene, campaign, i, i / 2, "base");
	return campaign;
}

static size_t in_block(const struct split_side *side, uint32_t block)
{
	size_t n = 0;

	for (size_t i = 0; i < side->n; i++)
		n += side->rows[i]->block == block;
	return n;
}

static void each_block_of_a_subject_is_split_in_halves(void **state)
{
	struct scene scene;

	scene_in(&scene);
	(void)put_blocks(&scene, "one", 4);
	const struct splits *splits = look(&scene, 1);

	CHECK_INT(splits->n, 1);
	CHECK_INT(splits->n_short, 0);
	CHECK(!splits->list[0].is_twin);
	for (size_t s = 0; s < 2; s++) {
		CHECK_INT(splits->list[0].sides[s].n, 4);
		for (uint32_t block = 0; block < 4; block++)
			CHECK_INT(in_block(&splits->list[0].sides[s], block), 1);
	}
	scene_end(&scene);
}

static void one_run_too_many_in_a_block_is_left_out(void **state)
{
	struct scene scene;

	scene_in(&scene);
	const int64_t campaign = fixture_campaign(scene.filled.store, "one", 9);

	for (uint32_t i = 0; i < 9; i++)
		put(&scene, campaign, i, i < 7 ? 0 : i, "base"); /* 7 in one, then 1 and 1. */
	const struct splits *splits = look(&scene, 1);

	CHECK_INT(splits->n, 1);
	CHECK_INT(splits->list[0].sides[0].n, 3);
	CHECK_INT(splits->list[0].sides[1].n, 3);
	scene_end(&scene);
}

static void too_few_runs_are_counted_and_no_comparison(void **state)
{
	struct scene scene;

	scene_in(&scene);
	(void)put_blocks(&scene, "one", ALARMS_RUNS_MIN - 1);
	const struct splits *splits = look(&scene, 1);

	CHECK_INT(splits->n, 0);
	CHECK_INT(splits->n_short, 1);
	scene_end(&scene);
}

/* The numbers of the runs on the first side. */
static int64_t draw_of(const struct splits *splits, const char *campaign)
{
	int64_t sum = 0;

	for (size_t i = 0; i < splits->n; i++)
		for (size_t r = 0; r < splits->list[i].sides[0].n; r++) {
			const struct run_row *row = splits->list[i].sides[0].rows[r];

			if (strcmp(row->campaign_name, campaign) == 0)
				sum |= INT64_C(1) << row->sequence;
		}
	return sum;
}

static void draws_depend_on_the_seed_and_not_on_other_campaigns(void **state)
{
	struct scene scene;

	scene_in(&scene);
	(void)put_blocks(&scene, "one", 20);
	const int64_t first = draw_of(look(&scene, 1), "one");

	CHECK(first == draw_of(look(&scene, 1), "one"));
	CHECK(first != draw_of(look(&scene, 2), "one"));
	(void)put_blocks(&scene, "two", 20);
	const struct splits *splits = look(&scene, 1);

	CHECK_INT(splits->n, 2);
	CHECK(first == draw_of(splits, "one"));
	CHECK(first != draw_of(splits, "two"));
	scene_end(&scene);
}

static void subjects_that_differ_in_name_alone_are_twins(void **state)
{
	struct scene scene;

	scene_in(&scene);
	const int64_t campaign = fixture_campaign(scene.filled.store, "one", 40);
	uint64_t sequence = 0;

	/* The twin was measured in three blocks of nine. */
	for (uint32_t block = 0; block < 9; block++) {
		put(&scene, campaign, sequence++, block, "base");
		put(&scene, campaign, sequence++, block, "base");
		if (block >= 3)
			continue;
		put(&scene, campaign, sequence++, block, "base (A/A)");
		put(&scene, campaign, sequence++, block, "base (A/A)");
	}
	const struct splits *splits = look(&scene, 1);

	CHECK_INT(splits->n, 2);
	CHECK_INT(splits->n_short, 0);
	CHECK(splits->list[0].is_twin);
	for (size_t s = 0; s < 2; s++) {
		CHECK_INT(splits->list[0].sides[s].n, 6);
		for (size_t i = 0; i < 6; i++)
			CHECK(splits->list[0].sides[s].rows[i]->block < 3);
	}
	CHECK_TEXT(splits->list[0].sides[0].rows[0]->subject, "base");
	CHECK_TEXT(splits->list[0].sides[1].rows[0]->subject, "base (A/A)");
	/* What the twins have not used is split. */
	CHECK(!splits->list[1].is_twin);
	CHECK_INT(splits->list[1].sides[0].n, 6);
	for (size_t i = 0; i < 6; i++)
		CHECK(splits->list[1].sides[0].rows[i]->block >= 3);
	scene_end(&scene);
}

static void no_run_is_in_two_comparisons(void **state)
{
	struct scene scene;
	size_t seen[64] = { 0 };

	scene_in(&scene);
	const int64_t campaign = fixture_campaign(scene.filled.store, "one", 40);

	for (uint32_t i = 0; i < 40; i++)
		put(&scene, campaign, i, i / 8,
		    i % 4 == 0   ? "base"
		    : i % 4 == 1 ? "a"
		    : i % 4 == 2 ? "b"
				 : "c");
	const struct splits *splits = look(&scene, 3);

	CHECK(splits->n > 0);
	for (size_t i = 0; i < splits->n; i++)
		for (size_t s = 0; s < 2; s++)
			for (size_t r = 0; r < splits->list[i].sides[s].n; r++)
				seen[splits->list[i].sides[s].rows[r]->sequence]++;
	for (size_t i = 0; i < 64; i++)
		CHECK(seen[i] <= 1);
	scene_end(&scene);
}

static void warm_ups_and_failed_runs_are_left_out(void **state)
{
	struct scene scene;

	scene_in(&scene);
	const int64_t campaign = put_blocks(&scene, "one", 3);

	put(&scene, campaign, 100, WARM_UP, "base");
	put(&scene, campaign, 101, WARM_UP, "base");
	(void)filled_put_failed(&scene.filled, campaign, 102, "base", "4");
	const struct splits *splits = look(&scene, 1);

	CHECK_INT(splits->n_rows, 6);
	CHECK_INT(splits->list[0].sides[0].n, 3);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_block_of_a_subject_is_split_in_halves),
		cmocka_unit_test(one_run_too_many_in_a_block_is_left_out),
		cmocka_unit_test(too_few_runs_are_counted_and_no_comparison),
		cmocka_unit_test(draws_depend_on_the_seed_and_not_on_other_campaigns),
		cmocka_unit_test(subjects_that_differ_in_name_alone_are_twins),
		cmocka_unit_test(no_run_is_in_two_comparisons),
		cmocka_unit_test(warm_ups_and_failed_runs_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
