/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two stores become one: everything is there once, and nothing is lost. */
#include "fixture.h"
#include "store/handle.h"

#include <errno.h>

struct scene {
	char *directories[2];
	struct store *stores[2];
};

static void scene_in(struct scene *scene)
{
	for (unsigned i = 0; i < 2; i++) {
		scene->directories[i] = fixture_directory();
		scene->stores[i] = fixture_store(scene->directories[i]);
	}
}

static void scene_end(struct scene *scene)
{
	for (unsigned i = 0; i < 2; i++) {
		store_close(scene->stores[i]);
		fixture_remove(scene->directories[i]);
	}
}

static uint64_t merge(struct scene *scene, unsigned into)
{
	uint64_t n = 99;
	struct error err = { 0 };

	if (store_merge(scene->stores[into], scene->directories[!into], &n, &err) < 0)
		fail_msg("cannot merge: %s", err.text);
	return n;
}

static void runs_of_another_store_are_taken_once(void **state)
{
	struct scene scene;
	struct run_row *rows = NULL;
	size_t n = 0;

	scene_in(&scene);
	const int64_t own = fixture_campaign(scene.stores[0], "own", 2);
	const int64_t other = fixture_campaign(scene.stores[1], "other", 3);

	(void)fixture_put(scene.stores[0], own, 0, "base", 50);
	for (uint64_t i = 0; i < 3; i++)
		(void)fixture_put(scene.stores[1], other, i, "head", 100 + i);
	CHECK_INT(store_campaign_finish(scene.stores[1], other, NULL), 0);
	CHECK_INT(merge(&scene, 0), 3);
	CHECK_INT(merge(&scene, 0), 0);
	/* And back: only the first store's own run is new there. */
	CHECK_INT(merge(&scene, 1), 1);
	CHECK_INT(store_run_list(scene.stores[0], &(struct run_query) { 0 }, &rows, &n, NULL), 0);
	CHECK_INT(n, 4);
	fixture_check_run(scene.stores[0], rows[0].id, 50);
	for (uint64_t i = 0; i < 3; i++) {
		CHECK_TEXT(rows[1 + i].campaign_name, "other");
		CHECK_INT(rows[1 + i].sequence, i);
		CHECK_INT(rows[1 + i].block, 3);
		CHECK_TEXT(rows[1 + i].subject, "head");
		fixture_check_run(scene.stores[0], rows[1 + i].id, 100 + i);
	}
	run_rows_free(rows, n);
	struct campaign_row row = { 0 };

	CHECK_INT(store_campaign_find(scene.stores[0], "other", &row, NULL), 0);
	CHECK(row.finished);
	CHECK_TEXT(row.plan, "{\"plan\":true}");
	CHECK_INT(row.runs_planned, 3);
	campaign_row_done(&row);
	scene_end(&scene);
}

static void two_campaigns_of_one_name_stay_two(void **state)
{
	struct scene scene;
	struct campaign_row row = { 0 };

	scene_in(&scene);
	for (unsigned i = 0; i < 2; i++)
		(void)fixture_put(scene.stores[i], fixture_campaign(scene.stores[i], "same", 1), 0,
				  "base", i);
	CHECK_INT(merge(&scene, 0), 1);
	CHECK_INT(store_campaign_find(scene.stores[0], "same", &row, NULL), 0);
	CHECK_INT(row.runs_done, 1);
	campaign_row_done(&row);
	CHECK_INT(store_campaign_find(scene.stores[0], "same-2", &row, NULL), 0);
	CHECK_INT(row.runs_done, 1);
	campaign_row_done(&row);
	CHECK_INT(merge(&scene, 0), 0);
	scene_end(&scene);
}

static void a_campaign_that_went_on_at_two_places_keeps_both_attempts(void **state)
{
	struct scene scene;
	struct run_row *rows = NULL;
	size_t n = 0;

	scene_in(&scene);
	const int64_t campaign = fixture_campaign(scene.stores[0], "both", 2);

	(void)fixture_put(scene.stores[0], campaign, 0, "base", 1);
	CHECK_INT(merge(&scene, 1), 1); /* A copy, and both go on. */
	(void)fixture_put(scene.stores[0], campaign, 1, "base", 2);
	(void)fixture_put(scene.stores[1], 1, 1, "base", 3);
	CHECK_INT(merge(&scene, 0), 1);
	CHECK_INT(store_run_list(scene.stores[0], &(struct run_query) { 0 }, &rows, &n, NULL), 0);
	CHECK_INT(n, 3);
	CHECK_INT(rows[1].attempt, 1);
	CHECK_INT(rows[2].attempt, 2);
	CHECK_INT(rows[2].sequence, 1);
	fixture_check_run(scene.stores[0], rows[1].id, 2);
	fixture_check_run(scene.stores[0], rows[2].id, 3);
	run_rows_free(rows, n);
	scene_end(&scene);
}

static void what_is_no_other_store_is_refused(void **state)
{
	struct scene scene;
	uint64_t n = 0;
	struct error err = { 0 };

	scene_in(&scene);
	CHECK_INT(store_merge(scene.stores[0], scene.directories[0], &n, &err), -EINVAL);
	CHECK_HOLDS(err.text, "this very store");
	CHECK_INT(store_merge(scene.stores[0], "/nowhere", &n, &err), -ENOENT);
	CHECK_HOLDS(err.text, "/nowhere");
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_of_another_store_are_taken_once),
		cmocka_unit_test(two_campaigns_of_one_name_stay_two),
		cmocka_unit_test(a_campaign_that_went_on_at_two_places_keeps_both_attempts),
		cmocka_unit_test(what_is_no_other_store_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
