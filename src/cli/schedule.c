/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When enough has been measured, from the command line. See schedule.h. */
#include "cli/schedule.h"

#include "base/mem.h"
#include "base/text.h"
#include "cli/judge.h"
#include "experiment/build.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static int check_contradictions(const struct parsed *parsed, const struct experiment *experiment,
				struct error *err)
{
	const char *until = options_value(parsed, "until");
	const bool fixed = options_has(parsed, "runs");
	if (until && strcmp(until, "decided") != 0)
		return error_set(err, EINVAL,
				 "option '--until' knows 'decided', not '%s'; a fixed number is "
				 "'--runs N'",
				 until);
	if (until && fixed)
		return error_set(err, EINVAL,
				 "'--until decided' and '--runs %s' contradict each other: leave "
				 "one of them out ('--max-runs' limits the runs until decided)",
				 options_value(parsed, "runs"));
	if (options_has(parsed, "max-runs") && fixed)
		return error_set(err, EINVAL,
				 "'--max-runs %s' and '--runs %s' contradict each other: a fixed "
				 "number has no most",
				 options_value(parsed, "max-runs"), options_value(parsed, "runs"));
	if (options_has(parsed, "max-runs") && !until && experiment->until == UNTIL_RUNS)
		return error_set(err, EINVAL,
				 "'--max-runs' limits the runs until decided, but the experiment "
				 "file says 'runs: %" PRIu64 "': say '--until decided' as well",
				 experiment->runs);
	return 0;
}

static int override_aa(const struct parsed *parsed, struct experiment *experiment,
		       struct error *err)
{
	const char *value = options_value(parsed, "aa");
	if (!value)
		return 0;
	AUTO(text) char *digits = mem_text_n(value, strlen(value) - text_ends_with(value, "%"));
	double percent;
	if (!text_parse_f64(digits, &percent))
		return error_set(err, EINVAL, "option '--aa' needs per cent, like 5%%, not '%s'",
				 value);
	experiment->aa_percent = percent;
	return 0;
}

/* What is good goes into the plan: a comparison of what was measured, later on, must not forget it. */
static int add_better(const struct parsed *parsed, struct experiment *experiment, struct error *err)
{
	for (size_t i = 0; i < parsed->n_options; i++) {
		struct direction direction;
		if (strcmp(parsed->options[i].row->name, "better") != 0)
			continue;
		const int failed = judge_direction(parsed->options[i].value, &direction, err);
		if (failed)
			return failed;
		build_better(experiment, direction.metric, direction.better == BETTER_HIGHER);
	}
	return 0;
}

static int override_end(const struct parsed *parsed, struct experiment *experiment,
			struct error *err)
{
	if (options_has(parsed, "runs")) {
		experiment->until = UNTIL_RUNS;
		experiment->max_runs = 0; /* Of the file. */
	}
	if (options_has(parsed, "until"))
		experiment->until = UNTIL_DECIDED;
	int failed = options_number(parsed, "runs", 1, EXPERIMENT_RUNS_MAX, &experiment->runs, err);
	if (!failed)
		failed = options_number(parsed, "max-runs", EXPERIMENT_FIRST_LOOK,
					EXPERIMENT_RUNS_MAX, &experiment->max_runs, err);
	return failed;
}

static int override_max_time(const struct parsed *parsed, struct experiment *experiment,
			     struct error *err)
{
	if (!options_has(parsed, "max-time"))
		return 0;
	uint64_t time_ns = 0;
	const int failed = options_duration(parsed, "max-time", &time_ns, err);
	if (failed)
		return failed;
	/* Nothing at all would mean "no end", which nobody means who asks for 0. */
	if (time_ns == 0)
		return error_set(err, EINVAL,
				 "option '--max-time' needs 1s to a year, not '%s'; without it "
				 "there is no end in time",
				 options_value(parsed, "max-time"));
	experiment->max_time_ns = time_ns;
	return 0;
}

int schedule_override(const struct parsed *parsed, struct experiment *experiment, struct error *err)
{
	int failed = check_contradictions(parsed, experiment, err);
	if (!failed)
		failed = override_end(parsed, experiment, err);
	if (!failed)
		failed = override_max_time(parsed, experiment, err);
	if (!failed)
		failed = judge_effect(parsed, &experiment->effect_percent, err);
	if (!failed)
		failed = options_alpha(parsed, "alpha", &experiment->alpha, err);
	if (!failed)
		failed = add_better(parsed, experiment, err);
	if (!failed)
		failed = override_aa(parsed, experiment, err);
	if (options_has(parsed, "warm-up-block"))
		experiment->warm_up_block = true;
	return failed;
}
