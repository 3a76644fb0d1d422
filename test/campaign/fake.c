/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fake place and the scene around it. See fake.h. */
#include "fake.h"

#include "base/clock.h"

#include <errno.h>

struct fake fake;

static int fake_check(const struct place_options *options, const struct job *job, struct error *err)
{
	if (fake.refuses_head && strcmp(job->subject, "head") == 0)
		return error_set(err, EPERM, "vm.numa_stat cannot be set: not root");
	return 0;
}

/* The one score of the run, in place of what the fixture draws. */
static void set_score(struct run *run, double value)
{
	for (size_t i = 0; i < run->n_metrics; i++)
		if (run->metrics[i].metric.role == ROLE_SCORE)
			run->metrics[i].value = value_known(value);
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

	if (fake.scores[0] > 0)
		set_score(run, fake.scores[strcmp(job->subject, "head") == 0] +
				       fake.scatter * (double)(carry % 5));
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

	plan->n_jobs = plan->n_subjects = plan->n_judged = 2;
	plan->stopping.runs_max = N_RUNS / 2;
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

void scene_in(struct scene *scene, char *directory)
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

void scene_long_in(struct scene *scene, char *directory)
{
	struct plan *plan = NULL;

	scene_in(scene, directory);
	plan = scene->plan;
	plan->stopping = (struct stopping) { .until_decided = true, .runs_max = N_LONG / 2 };
	free(plan->runs);
	plan->runs = mem_array(N_LONG, sizeof(*plan->runs));
	plan->n_runs = N_LONG;
	/* 0110 1001 and so on: as good as drawn, and balanced against the five turns of scatter. */
	for (uint32_t i = 0; i < N_LONG; i++)
		plan->runs[i] = (struct planned) { .job = (i % 4 == 1 || i % 4 == 2) ^ (i / 4 % 2),
						   .block = i / 4 };
}

void scene_end(struct scene *scene)
{
	plan_free(scene->plan);
	store_close(scene->store);
	if (scene->directory)
		fixture_remove(scene->directory);
}

void carry_to(struct scene *scene, enum campaign_end want)
{
	enum campaign_end end = CAMPAIGN_FINISHED;
	struct error err = { 0 };

	if (campaign_carry(scene->store, scene->campaign, scene->plan, &scene->options, &end,
			   &err) < 0)
		fail_msg("cannot carry: %s", err.text);
	CHECK_INT(end, want);
}

struct campaign_row row_of(struct scene *scene)
{
	struct campaign_row row = { 0 };

	CHECK_INT(store_campaign_find(scene->store, "test", &row, NULL), 0);
	campaign_row_done(&(struct campaign_row) { .name = row.name, .plan = row.plan });
	row.name = row.plan = NULL;
	return row;
}

/* Every kept run is one that the place gave, whole; every planned run has one that ended. */
void check_all_kept(struct scene *scene)
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
