/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of how far a campaign is, on a terminal and elsewhere. */
#include "cli/progress.h"

#include "base/clock.h"
#include "base/macros.h"
#include "capture.h"
#include "filled.h"

#include <math.h>

struct telling { /* Updates to make, in order. */
	struct progress progress;
	struct campaign_progress at;
	struct job *job;
	struct run *run;
	unsigned times;
	bool ends;
};

static void telling_open(struct telling *telling)
{
	*telling = (struct telling) { .job = filled_job("head", "4"),
				      .run = filled_run(1),
				      .times = 1 };
	telling->at = (struct campaign_progress) { .runs_done = 3,
						   .runs_planned = 8,
						   .sequence = 2,
						   .remaining_ns = 45 * NS_PER_SEC,
						   .job = telling->job,
						   .phase = PHASE_WARMUP,
						   .kept = true,
						   .run = telling->run };
}

static void telling_done(struct telling *telling)
{
	job_free(telling->job);
	run_free(telling->run);
}

static void tell(void *user)
{
	struct telling *telling = user;

	for (unsigned i = 0; i < telling->times; i++)
		progress_update(&telling->at, &telling->progress);
	if (telling->ends)
		progress_end(&telling->progress);
}

static void check_tells(struct telling *telling, const char *want)
{
	char *have = capture(stderr, tell, telling);

	CHECK_TEXT(have, want);
	free(have);
}

static void durations_are_told_in_two_units(void **state)
{
	static const struct {
		uint64_t ns;
		const char *want;
	} cases[] = {
		{ 0, "0 s" },
		{ 499 * NS_PER_MS, "0 s" },
		{ 500 * NS_PER_MS, "1 s" },
		{ 45 * NS_PER_SEC, "45 s" },
		{ 59 * NS_PER_SEC + 600 * NS_PER_MS, "1 min 0 s" },
		{ 200 * NS_PER_SEC, "3 min 20 s" },
		{ 3600 * NS_PER_SEC, "1 h 0 min" },
		{ 7530 * NS_PER_SEC, "2 h 5 min" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char have[32];

		progress_duration(cases[i].ns, have, sizeof(have));
		CHECK_TEXT(have, cases[i].want);
	}
}

static void elsewhere_a_line_is_plain_and_not_repeated_at_once(void **state)
{
	struct telling telling;

	telling_open(&telling);
	telling.times = 5;
	check_tells(&telling, "[3/8] hackbench head, about 45 s left\n");
	telling_done(&telling);
}

static void elsewhere_only_kept_runs_are_told(void **state)
{
	struct telling telling;

	telling_open(&telling);
	telling.at.kept = false;
	check_tells(&telling, "");
	telling_done(&telling);
}

static void a_terminal_line_rewrites_itself_and_goes_at_the_end(void **state)
{
	struct telling telling;

	telling_open(&telling);
	telling.progress.terminal = true;
	telling.at.kept = false;
	check_tells(&telling, "\r\033[K[3/8] hackbench head: warm-up, about 45 s left");
	telling.times = 0;
	telling.ends = true;
	check_tells(&telling, "\r\033[K");
	check_tells(&telling, ""); /* Nothing stands there any more. */
	telling_done(&telling);
}

static void a_run_that_failed_is_told_also_when_quiet(void **state)
{
	struct telling telling;

	telling_open(&telling);
	telling.progress.quiet = true;
	check_tells(&telling, "");
	telling.run->outcome = RUN_FAILED;
	free(telling.run->reason);
	telling.run->reason = mem_text("hung");
	check_tells(&telling, "run 3 of hackbench, subject head: failed: hung\n");
	telling.at.run_id = 12;
	check_tells(&telling,
		    "run 3 of hackbench, subject head: failed: hung (assay show 12 --log)\n");
	telling_done(&telling);
}

/* A run that was stopped is not done, and is the first all the same. */
static void the_first_run_is_run_1_also_when_it_was_stopped(void **state)
{
	struct telling telling;

	telling_open(&telling);
	telling.progress.quiet = true;
	telling.at.runs_done = 0;
	telling.at.sequence = 0;
	telling.run->outcome = RUN_INTERRUPTED;
	free(telling.run->reason);
	telling.run->reason = mem_text("stopped");
	check_tells(&telling, "run 1 of hackbench, subject head: interrupted: stopped\n");
	telling_done(&telling);
}

static void what_differs_between_points_tells_which_one_failed(void **state)
{
	struct telling telling;
	struct job *other = filled_job("head", "8");
	struct job *jobs[2];
	struct plan plan = { .jobs = jobs, .n_jobs = 2, .n_points = 2, .n_subjects = 1 };

	telling_open(&telling);
	jobs[0] = telling.job;
	jobs[1] = other;
	telling.progress.quiet = true;
	telling.at.plan = &plan;
	telling.run->outcome = RUN_FAILED;
	free(telling.run->reason);
	telling.run->reason = mem_text("hung");
	check_tells(&telling, "run 3 of hackbench groups=4, subject head: failed: hung\n");
	plan.n_jobs = 1; /* One point: nothing differs. */
	check_tells(&telling, "run 3 of hackbench, subject head: failed: hung\n");
	telling_done(&telling);
	job_free(other);
}

/* Two heads and two scores, of which the second has no value. */
struct looked {
	struct telling telling;
	struct plan plan;
	struct cell cells[3];
	struct finding findings[2][3];
	struct row rows[2];
	struct compared_side sides[3];
	struct side_count counts[3];
	struct comparison comparison;
};

static void looked_open(struct looked *looked, size_t n_sides)
{
	*looked = (struct looked) { 0 };
	telling_open(&looked->telling);
	looked->plan = (struct plan) { .jobs = &looked->telling.job,
				       .n_jobs = 1,
				       .n_subjects = 1,
				       .n_points = 1,
				       .stopping = { .until_decided = true, .runs_max = 20 } };
	looked->comparison = (struct comparison) { .rows = looked->rows,
						   .n_rows = 2,
						   .sides = looked->sides,
						   .n_sides = n_sides,
						   .counts = looked->counts };
	for (size_t i = 0; i < 3; i++) {
		looked->sides[i] = (struct compared_side) { .name = i == 1 ? "head" : "other",
							    .job = looked->telling.job };
		looked->counts[i].outcomes[RUN_COMPLETE] = 10;
	}
	for (size_t i = 0; i < 2; i++)
		looked->rows[i] = (struct row) {
			.metric = { .name = "s.time", .unit = "s", .role = ROLE_SCORE },
			.findings = looked->findings[i]
		};
	for (size_t i = 1; i < 3; i++)
		looked->findings[0][i] = (struct finding) { .verdict = VERDICT_UNDECIDED,
							    .known = true,
							    .tested = true,
							    .relative = true,
							    .change = -2.04,
							    .low = -3,
							    .high = 0.46 };
	looked->telling.at.plan = &looked->plan;
	looked->telling.at.comparison = &looked->comparison;
}

static void each_score_has_its_estimate_and_verdict_so_far(void **state)
{
	struct looked looked;

	looked_open(&looked, 2);
	check_tells(&looked.telling, "[3/8] hackbench head, at most 45 s left; s.time -2.0 % "
				     "[-3.0, +0.5] undecided, at most 10 runs to go\n");
	looked.telling.progress.last_ns = 0;
	looked.findings[0][1].runs_wanted = 11;
	check_tells(&looked.telling, "[3/8] hackbench head, at most 45 s left; s.time -2.0 % "
				     "[-3.0, +0.5] undecided, about 1 run to go\n");
	looked.telling.progress.last_ns = 0;
	looked.findings[0][1].verdict = VERDICT_BETTER;
	check_tells(&looked.telling, "[3/8] hackbench head, at most 45 s left; s.time -2.0 % "
				     "[-3.0, +0.5] better\n");
	looked.telling.progress.last_ns = 0;
	looked.counts[0].outcomes[RUN_COMPLETE] = 4;
	check_tells(&looked.telling, "[3/8] hackbench head, at most 45 s left; s.time -2.0 % "
				     "[-3.0, +0.5], judged from 8 runs on\n");
	telling_done(&looked.telling);
}

static void several_heads_are_told_apart(void **state)
{
	struct looked looked;

	looked_open(&looked, 3);
	looked.findings[0][2].relative = false;
	looked.findings[0][2].tested = false;
	looked.findings[0][2].low = looked.findings[0][2].high = (double)NAN;
	looked.findings[0][2].verdict = VERDICT_SAME;
	check_tells(&looked.telling,
		    "[3/8] hackbench head, at most 45 s left; s.time head -2.0 % [-3.0, +0.5] "
		    "undecided, at most 10 runs to go; s.time other -2.04 s same\n");
	telling_done(&looked.telling);
}

static void a_fixed_number_is_not_judged_on_the_way(void **state)
{
	struct looked looked;

	looked_open(&looked, 2);
	looked.plan.stopping.until_decided = false;
	check_tells(&looked.telling, "[3/8] hackbench head, about 45 s left; s.time -2.0 % "
				     "[-3.0, +0.5], 10 runs to go\n");
	telling_done(&looked.telling);
}

static void a_warm_up_block_is_called_so(void **state)
{
	struct telling telling;

	telling_open(&telling);
	telling.at.warm_up = true;
	check_tells(&telling, "[3/8] hackbench head: warm-up block, about 45 s left\n");
	telling_done(&telling);
}

static void start_knows_that_this_is_no_terminal_line_yet(void **state)
{
	struct progress progress = { .line_open = true, .last_ns = 7 };

	progress_start(&progress, /* quiet= */ true);
	CHECK(progress.quiet);
	CHECK(!progress.line_open);
	CHECK_INT(progress.last_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_are_told_in_two_units),
		cmocka_unit_test(elsewhere_a_line_is_plain_and_not_repeated_at_once),
		cmocka_unit_test(elsewhere_only_kept_runs_are_told),
		cmocka_unit_test(a_terminal_line_rewrites_itself_and_goes_at_the_end),
		cmocka_unit_test(a_run_that_failed_is_told_also_when_quiet),
		cmocka_unit_test(the_first_run_is_run_1_also_when_it_was_stopped),
		cmocka_unit_test(what_differs_between_points_tells_which_one_failed),
		cmocka_unit_test(each_score_has_its_estimate_and_verdict_so_far),
		cmocka_unit_test(several_heads_are_told_apart),
		cmocka_unit_test(a_fixed_number_is_not_judged_on_the_way),
		cmocka_unit_test(a_warm_up_block_is_called_so),
		cmocka_unit_test(start_knows_that_this_is_no_terminal_line_yet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
