/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When an experiment has measured enough: the numbers, and what contradicts what. */
#include "base/clock.h"
#include "experiment/check.h"
#include "record/alpha.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>

#define MAX_TIME_NS_MIN NS_PER_SEC
#define MAX_TIME_NS_MAX (366 * 24 * 3600 * NS_PER_SEC)
#define EFFECT_PERCENT_MAX 100.0

struct stopping experiment_stopping(const struct experiment *experiment)
{
	const bool decided = experiment->until == UNTIL_DECIDED ||
			     (experiment->until == UNTIL_PRESET && experiment->n_subjects > 1);
	const uint64_t most =
		experiment->max_runs ? experiment->max_runs : EXPERIMENT_MAX_RUNS_PRESET;
	return (struct stopping) {
		.until_decided = decided,
		.runs_max = decided ? most : experiment->runs,
		.time_max_ns = experiment->max_time_ns,
		.effect_percent = experiment->effect_percent,
		.alpha = experiment->alpha,
	};
}

int check_runs(uint64_t runs, struct error *err)
{
	if (runs < 1 || runs > EXPERIMENT_RUNS_MAX)
		return error_set(err, EINVAL, "runs is %" PRIu64 ", it must be 1 to %d", runs,
				 EXPERIMENT_RUNS_MAX);
	return 0;
}

int check_max_runs(uint64_t runs, struct error *err)
{
	if (runs < EXPERIMENT_FIRST_LOOK || runs > EXPERIMENT_RUNS_MAX)
		return error_set(err, EINVAL,
				 "max-runs is %" PRIu64
				 ", it must be %d (nothing is decided before) "
				 "to %d; for fewer say runs: %" PRIu64,
				 runs, EXPERIMENT_FIRST_LOOK, EXPERIMENT_RUNS_MAX, runs ? runs : 1);
	return 0;
}

int check_max_time(uint64_t max_time_ns, struct error *err)
{
	if (max_time_ns != 0 && (max_time_ns < MAX_TIME_NS_MIN || max_time_ns > MAX_TIME_NS_MAX))
		return error_set(err, EINVAL, "the most time of a session must be 1s to a year");
	return 0;
}

/* NaN is refused by all three. */

int check_effect(double percent, struct error *err)
{
	if (!(percent >= 0.0 && percent <= EFFECT_PERCENT_MAX))
		return error_set(err, EINVAL, "the effect must be auto, or above 0 to %g per cent",
				 EFFECT_PERCENT_MAX);
	return 0;
}

int check_alpha(double alpha, struct error *err)
{
	const bool preset = alpha >= 0.0 && alpha <= 0.0;
	if (!preset && !(alpha >= ALPHA_LEAST && alpha <= ALPHA_MOST))
		return error_set(err, EINVAL, "alpha must be %g to %g, not %g", ALPHA_LEAST,
				 ALPHA_MOST, alpha);
	return 0;
}

int check_aa(double percent, struct error *err)
{
	if (!(percent >= 0.0 && percent <= EXPERIMENT_AA_PERCENT_MAX))
		return error_set(err, EINVAL,
				 "the share of A/A runs must be 0 to %d per cent of all runs",
				 EXPERIMENT_AA_PERCENT_MAX);
	return 0;
}

int check_stopping(const struct experiment *experiment, struct error *err)
{
	int answer = check_runs(experiment->runs, err);
	if (answer == 0 && experiment->max_runs != 0)
		answer = check_max_runs(experiment->max_runs, err);
	if (answer == 0)
		answer = check_max_time(experiment->max_time_ns, err);
	if (answer == 0)
		answer = check_effect(experiment->effect_percent, err);
	if (answer == 0)
		answer = check_alpha(experiment->alpha, err);
	if (answer == 0)
		answer = check_aa(experiment->aa_percent, err);
	if (answer == 0 && experiment->until == UNTIL_RUNS && experiment->max_runs != 0)
		return error_set(err, EINVAL,
				 "runs is a fixed number, so max-runs contradicts it: leave one of "
				 "them out");
	return answer;
}

int check_until(const struct experiment *experiment, struct error *err)
{
	assert(experiment->n_subjects > 0);
	if (experiment->n_subjects > 1 ||
	    (experiment->until != UNTIL_DECIDED && experiment->max_runs == 0))
		return 0;
	return error_set(err, EINVAL,
			 "subject '%s' is alone, so there is nothing to decide: name a second "
			 "subject, or a fixed number of runs",
			 experiment->subjects[0].name);
}
