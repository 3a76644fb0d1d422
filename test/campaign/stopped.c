/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Campaigns that are cut off by kill -9 or a full disk, and gone on with. */
#include "base/clock.h"
#include "fake.h"

#include <errno.h>

#include <sys/mount.h>
#include <sys/wait.h>

/* Carries the campaign in a process of its own, killed after a while. */
static void carry_and_kill(struct scene *scene, uint64_t after_ns)
{
	const pid_t child = fork();

	CHECK(child >= 0);
	if (child == 0) {
		struct store *store = NULL;
		enum campaign_end end;

		if (store_open(scene->directory, /* create= */ false, &store, NULL) == 0)
			(void)campaign_carry(store, scene->campaign, scene->plan, &scene->options,
					     &end, NULL);
		_exit(0);
	}
	clock_sleep_until_ns(clock_monotonic_ns() + after_ns);
	CHECK_INT(kill(child, SIGKILL), 0);
	CHECK_INT(waitpid(child, NULL, 0), child);
}

static void a_killed_campaign_goes_on_where_it_was(void **state)
{
	struct random random;

	random_seed(&random, 20260929);
	for (unsigned round = 0; round < 6; round++) {
		struct scene scene;
		uint64_t before = 0;

		scene_in(&scene, fixture_directory());
		store_close(KEEP(scene.store)); /* A database does not go through a fork. */
		fake.sleep_ns = 5 * NS_PER_MS;
		for (unsigned kills = 0; kills < 4; kills++) {
			fake.number_base += 100;
			carry_and_kill(&scene, random_below(&random, 60 * NS_PER_MS));
			scene.store = fixture_store(scene.directory);
			CHECK(row_of(&scene).runs_done >= before); /* Nothing was lost. */
			before = row_of(&scene).runs_done;
			store_close(KEEP(scene.store));
		}
		scene.store = fixture_store(scene.directory);
		fake.number_base += 100;
		carry_to(&scene, CAMPAIGN_FINISHED);
		CHECK_INT(fake.carries, N_RUNS - before);
		check_all_kept(&scene);
		scene_end(&scene);
	}
}

static void a_full_disk_stops_a_campaign_that_goes_on_later(void **state)
{
	struct scene scene;
	enum campaign_end end = CAMPAIGN_INTERRUPTED;
	struct error err = { 0 };
	char *directory = fixture_directory();

	if (mount("assay-test", directory, "tmpfs", 0, "size=400k") < 0) {
		print_message("no small file system can be mounted here: %s\n", strerror(errno));
		fixture_remove(directory);
		skip();
	}
	scene_in(&scene, directory);
	int rc =
		campaign_carry(scene.store, scene.campaign, scene.plan, &scene.options, &end, &err);
	const uint64_t done = row_of(&scene).runs_done;

	CHECK_INT(mount("assay-test", directory, "tmpfs", MS_REMOUNT, "size=4m"), 0);
	CHECK_INT(rc, -ENOSPC);
	CHECK_HOLDS(err.text, "no space left");
	CHECK_HOLDS(err.text, "run ");
	CHECK_INT(fake.carries, done + 1); /* All but the one that did not fit. */
	CHECK(done < N_RUNS);

	fake.number_base = 100;
	carry_to(&scene, CAMPAIGN_FINISHED);
	CHECK_INT(fake.carries, N_RUNS + 1);
	check_all_kept(&scene);
	scene.directory = NULL;
	scene_end(&scene);
	CHECK_INT(umount(directory), 0);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_killed_campaign_goes_on_where_it_was),
		cmocka_unit_test(a_full_disk_stops_a_campaign_that_goes_on_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
