/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Campaigns at a place that is made here: its runs come from numbers, and it fails, dies or is
 * interrupted when it is told to. The test stands in for the room place/, which it does not link.
 */
#include "campaign/campaign.h"

#include "base/clock.h"
#include "base/text.h"
#include "store/fixture.h"

#include <errno.h>
#include <signal.h>

#include <sys/mount.h>
#include <sys/wait.h>

#define N_RUNS 8
#define RUN_BASE_WALL (1600000000 * FIXTURE_SECOND)

/* What the place does and what was asked of it. */
static struct fake {
	unsigned carries; /* So far. */
	unsigned recovers;
	unsigned recovers_at_first_carry;
	uint64_t number_base;      /* Runs are fixture_run(number_base + carries). */
	unsigned odd_from, odd_to; /* Carries with an outcome other than complete. */
	enum run_outcome odd_outcome;
	unsigned error_at; /* This carry is an error (0 = none). */
	int error_code;
	bool error_keeps_run;
	unsigned interrupt_at; /* The person interrupts during this carry (0 = none). */
	bool refuses_head;
	uint64_t sleep_ns;
	volatile sig_atomic_t interrupted;
	/* From progress: */
	unsigned kept;
	unsigned most_failed_in_a_row;
	struct campaign_progress last;
} fake;

static int fake_check(const struct place_options *options, const struct job *job, struct error *err)
{
	if (fake.refuses_head && strcmp(job->subject, "head") == 0)
		return error_set(err, EPERM, "vm.numa_stat cannot be set: not root");
	return 0;
}

static int fake_carry(const struct place_options *options, const struct job *job,
		      place_progress *progress, void *user, struct run **ret_run, struct error *err)
{
	const unsigned carry = ++fake.carries;

	if (carry == 1)
		fake.recovers_at_first_carry = fake.recovers;
	progress(PHASE_MEASURE, 1000, user);
	if (fake.sleep_ns)
		clock_sleep_until_ns(clock_monotonic_ns() + fake.sleep_ns);
	if (carry == fake.error_at && !fake.error_keeps_run)
		return error_set(err, fake.error_code, "the fake place is broken");

	struct run *run = fixture_run(fake.number_base + carry);

	if (carry >= fake.odd_from && carry <= fake.odd_to && fake.odd_from)
		run->outcome = fake.odd_outcome;
	if (carry == fake.interrupt_at) {
		fake.interrupted = 1;
		run->outcome = RUN_INTERRUPTED;
	}
	*ret_run = run;
	if (carry == fake.error_at)
		return error_set(err, fake.error_code, "cannot restore vm.numa_stat");
	return 0;
}

static const struct place fake_place = {
	.name = "fake",
	.what = "made by the test",
	.check = fake_check,
	.carry = fake_carry,
};

const struct place *place_find(const char *name)
{
	return strcmp(name, "fake") == 0 ? &fake_place : NULL;
}

int place_recover(const struct place_options *options, unsigned *ret_restored, struct error *err)
{
	fake.recovers++;
	*ret_restored = 0;
	return 0;
}

static void on_progress(const struct campaign_progress *progress, void *user)
{
	fake.last = *progress;
	if (!progress->kept) {
		CHECK(progress->run == NULL);
		return;
	}
	CHECK(progress->run != NULL);
	fake.kept++;
	if (progress->failed_in_a_row > fake.most_failed_in_a_row)
		fake.most_failed_in_a_row = progress->failed_in_a_row;
}

/* Base and head in turns: N_RUNS runs in blocks of two. */
static struct plan *make_plan(void)
{
	struct plan *plan = mem_zero(sizeof(*plan));

	plan->n_jobs = plan->n_subjects = 2;
	plan->n_points = 1;
	plan->seed = 5;
	plan->jobs = mem_array(2, sizeof(*plan->jobs));
	for (unsigned i = 0; i < 2; i++) {
		plan->jobs[i] = fixture_job(i ? "head" : "base");
		free(plan->jobs[i]->place);
		plan->jobs[i]->place = mem_text("fake");
	}
	plan->n_runs = N_RUNS;
	plan->runs = mem_array(N_RUNS, sizeof(*plan->runs));
	for (uint32_t i = 0; i < N_RUNS; i++)
		plan->runs[i] = (struct planned) { .job = i % 2, .block = i / 2 };
	return plan;
}

struct scene {
	char *directory;
	struct store *store;
	struct plan *plan;
	int64_t campaign;
	struct campaign_options options;
};

static void scene_in(struct scene *scene, char *directory)
{
	struct error err = { 0 };

	memset(&fake, 0, sizeof(fake));
	*scene = (struct scene) {
		.directory = directory,
		.plan = make_plan(),
		.options = { .progress = on_progress,
			     .place = { .interrupted = &fake.interrupted } },
	};
	scene->store = fixture_store(directory);
	if (campaign_start(scene->store, scene->plan, "test", &scene->campaign, &err) < 0)
		fail_msg("cannot start: %s", err.text);
}

static void scene_end(struct scene *scene)
{
	plan_free(scene->plan);
	store_close(scene->store);
	if (scene->directory)
		fixture_remove(scene->directory);
}

static void carry_to(struct scene *scene, enum campaign_end want)
{
	enum campaign_end end = CAMPAIGN_FINISHED;
	struct error err = { 0 };

	if (campaign_carry(scene->store, scene->campaign, scene->plan, &scene->options, &end,
			   &err) < 0)
		fail_msg("cannot carry: %s", err.text);
	CHECK_INT(end, want);
}

static struct campaign_row row_of(struct scene *scene)
{
	struct campaign_row row = { 0 };

	CHECK_INT(store_campaign_find(scene->store, "test", &row, NULL), 0);
	campaign_row_done(&(struct campaign_row) { .name = row.name, .plan = row.plan });
	row.name = row.plan = NULL;
	return row;
}

/* Every kept run is one that the place gave, whole; every planned run has one that ended. */
static void check_all_kept(struct scene *scene)
{
	struct run_row *rows = NULL;
	unsigned ended[N_RUNS] = { 0 };
	size_t n = 0;

	CHECK_INT(store_run_list(scene->store, &(struct run_query) { 0 }, &rows, &n, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		CHECK(rows[i].sequence < N_RUNS);
		CHECK_TEXT(rows[i].subject, rows[i].sequence % 2 ? "head" : "base");
		CHECK_INT(rows[i].block, rows[i].sequence / 2);
		if (rows[i].outcome == RUN_COMPLETE) {
			ended[rows[i].sequence]++;
			fixture_check_run(scene->store, rows[i].id,
					  rows[i].started_wall_ns - RUN_BASE_WALL);
		}
	}
	for (unsigned i = 0; i < N_RUNS; i++)
		CHECK_INT(ended[i], 1);
	run_rows_free(rows, n);
}

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
		cmocka_unit_test(a_name_that_means_something_else_is_refused),
		cmocka_unit_test(a_name_is_made_from_workload_and_time),
		cmocka_unit_test(a_killed_campaign_goes_on_where_it_was),
		cmocka_unit_test(a_full_disk_stops_a_campaign_that_goes_on_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
