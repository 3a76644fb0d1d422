/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names that campaigns are given and get. */
#include "base/text.h"
#include "fake.h"

#include <errno.h>

static void a_name_that_means_something_else_is_refused(void **state)
{
	static const char *const names[] = { "", "a/b", "run:5", "@kernel=6.1", "a\nb" };
	struct scene scene;
	int64_t id = 0;
	struct error err = { 0 };

	scene_in(&scene, fixture_directory());
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		CHECK_INT(campaign_start(scene.store, scene.plan, names[i], &id, &err), -EINVAL);
	CHECK_INT(campaign_start(scene.store, scene.plan, "test", &id, &err), -EEXIST);
	CHECK_HOLDS(err.text, "assay resume test");
	scene_end(&scene);
}

static void a_name_is_made_from_workload_and_time(void **state)
{
	struct scene scene;
	struct campaign_row *rows = NULL;
	size_t n = 0;
	int64_t id = 0;
	struct error err = { 0 };

	scene_in(&scene, fixture_directory());
	for (unsigned i = 0; i < 3; i++) /* More than one within a second. */
		CHECK_INT(campaign_start(scene.store, scene.plan, NULL, &id, &err), 0);
	scene.plan->name = mem_text("@odd/name");
	CHECK_INT(campaign_start(scene.store, scene.plan, NULL, &id, &err), 0);
	CHECK_INT(store_campaign_list(scene.store, 0, &rows, &n, &err), 0);
	CHECK_INT(n, 5);
	CHECK(text_starts_with(rows[0].name, "xodd-name-2"));
	CHECK(text_starts_with(rows[1].name, "hackbench-2"));
	for (size_t i = 0; i < n; i++)
		campaign_row_done(&rows[i]);
	free(rows);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_that_means_something_else_is_refused),
		cmocka_unit_test(a_name_is_made_from_workload_and_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
