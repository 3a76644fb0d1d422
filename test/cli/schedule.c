/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When enough has been measured, said on the command line, over what a file says. */
#include "cli/schedule.h"

#include "base/clock.h"
#include "base/macros.h"
#include "check.h"
#include "cli/judge.h"

#include <errno.h>

static const struct option_row rows[] = { OPTIONS_SCHEDULE, OPTIONS_JUDGE, { 0 } };

/* Words of a command line, ended by NULL. */
static int override(const char *const *words, struct experiment *experiment, struct error *err)
{
	char *argv[16] = { (char[]) { "run" } };
	AUTO(parsed) struct parsed *parsed = NULL;
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc - 1];
	CHECK_INT(options_parse(rows, argc, argv, &parsed, err), 0);
	return schedule_override(parsed, experiment, err);
}

static void what_is_said_goes_before_the_file(void **state)
{
	static const char *const words[] = { "--max-runs", "30",   "--max-time",      "10m",
					     "--effect",   "2.5%", "--alpha",         "0.05",
					     "--aa",       "5%",   "--warm-up-block", NULL };
	AUTO(experiment) struct experiment *experiment = experiment_new();
	struct error err = { 0 };

	experiment->max_runs = 9;
	if (override(words, experiment, &err))
		fail_msg("%s", err.text);
	CHECK_INT(experiment->max_runs, 30);
	CHECK_INT(experiment->max_time_ns, 600 * NS_PER_SEC);
	CHECK_NEAR(experiment->effect_percent, 2.5, 0);
	CHECK_NEAR(experiment->alpha, 0.05, 0);
	CHECK_NEAR(experiment->aa_percent, 5, 0);
	CHECK(experiment->warm_up_block);
}

static void what_is_not_said_stays_as_it_is(void **state)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();

	experiment->until = UNTIL_RUNS;
	experiment->runs = 6;
	experiment->effect_percent = 3;
	experiment->warm_up_block = true;
	CHECK_INT(override((const char *const[]) { NULL }, experiment, NULL), 0);
	CHECK_INT(experiment->until, UNTIL_RUNS);
	CHECK_INT(experiment->runs, 6);
	CHECK_NEAR(experiment->effect_percent, 3, 0);
	CHECK(experiment->warm_up_block);
}

static void a_number_and_decided_replace_each_other(void **state)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();

	experiment->until = UNTIL_DECIDED; /* The file's, with its most runs. */
	experiment->max_runs = 40;
	CHECK_INT(override((const char *const[]) { "--runs", "5", NULL }, experiment, NULL), 0);
	CHECK_INT(experiment->until, UNTIL_RUNS);
	CHECK_INT(experiment->runs, 5);
	CHECK_INT(experiment->max_runs, 0);
	CHECK_INT(override((const char *const[]) { "--until", "decided", "--max-runs", "12", NULL },
			   experiment, NULL),
		  0);
	CHECK_INT(experiment->until, UNTIL_DECIDED);
	CHECK_INT(experiment->max_runs, 12);
}

static void auto_takes_the_files_effect_back(void **state)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();

	experiment->effect_percent = 3;
	CHECK_INT(override((const char *const[]) { "--effect", "auto", NULL }, experiment, NULL),
		  0);
	CHECK_NEAR(experiment->effect_percent, 0, 0);
}

static void what_is_good_is_kept_with_the_plan(void **state)
{
	static const char *const words[] = { "--better", "lower:a", "--better", "higher", NULL };
	AUTO(experiment) struct experiment *experiment = experiment_new();

	CHECK_INT(override(words, experiment, NULL), 0);
	CHECK_INT(experiment->n_better, 2);
	CHECK_TEXT(experiment->better[0].metric, "a");
	CHECK(!experiment->better[0].higher);
	CHECK(experiment->better[1].metric == NULL);
	CHECK(experiment->better[1].higher);
}

static void contradictions_are_refused(void **state)
{
	static const struct {
		const char *words[5];
		const char *sentence;
	} cases[] = {
		{ { "--until", "decided", "--runs", "5" },
		  "'--until decided' and '--runs 5' contradict each other" },
		{ { "--max-runs", "20", "--runs", "5" },
		  "'--max-runs 20' and '--runs 5' contradict each other" },
		{ { "--max-runs", "20" },
		  "the experiment file says 'runs: 10': say '--until "
		  "decided' as well" },
		{ { "--until", "done" }, "option '--until' knows 'decided', not 'done'" },
		{ { "--effect", "1", "--margin", "2" }, "'--effect 1' and '--margin 2' are one" },
		{ { "--aa", "some" }, "option '--aa' needs per cent" },
		{ { "--max-time", "0" }, "option '--max-time' needs 1s to a year, not '0'" },
		{ { "--max-time", "0.0ms" }, "option '--max-time' needs 1s to a year" },
		{ { "--alpha", "1e-300" }, "option '--alpha' needs a rate from 1e-06 to 0.5" },
		{ { "--until", "decided", "--max-runs", "7" }, "must be between 8 and 100000" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO(experiment) struct experiment *experiment = experiment_new();
		struct error err = { 0 };

		experiment->until = UNTIL_RUNS;
		CHECK_INT(override(cases[i].words, experiment, &err), -EINVAL);
		CHECK_HOLDS(err.text, cases[i].sentence);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_said_goes_before_the_file),
		cmocka_unit_test(what_is_not_said_stays_as_it_is),
		cmocka_unit_test(a_number_and_decided_replace_each_other),
		cmocka_unit_test(auto_takes_the_files_effect_back),
		cmocka_unit_test(what_is_good_is_kept_with_the_plan),
		cmocka_unit_test(contradictions_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
