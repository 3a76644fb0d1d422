/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a bisection: their presets and limits. See evidence.h. */
#include "bisect/evidence.h"

#include "bisect/bisect.h"

#include <errno.h>
#include <math.h>

struct bisect_options evidence_preset(void)
{
	return (struct bisect_options) {
		.oracle = BISECT_NUMBERS,
		.is_logarithmic = true,
		.confidence = 0.99,
		.confirm_alpha = 0.01,
		.cost_run = 1.0,
		.no_change = 0.05,
		.reach = 3.0,
		.ends_max = 40,
		.neighbours = 3,
		.confirm_min = 5,
		.confirm_max = 60,
		.attempts_max = 4,
		.changes_max = 3,
	};
}

static bool is_probability(double number)
{
	return number > 0.0 && number < 1.0;
}

int evidence_check(const struct bisect_options *options, struct error *err)
{
	if (!(options->confidence >= 0.5 && options->confidence < 1.0))
		return error_set(err, EINVAL, "the confidence must be from 0.5 to below 1");
	if (!is_probability(options->confirm_alpha) || !is_probability(options->no_change))
		return error_set(err, EINVAL, "a probability must lie between 0 and 1");
	if (!(options->cost_run > 0.0 && isfinite(options->cost_run)) ||
	    !(options->cost_build >= 0.0 && isfinite(options->cost_build)) ||
	    !(options->cost_boot >= 0.0 && isfinite(options->cost_boot)))
		return error_set(err, EINVAL,
				 "a run must cost more than 0, a build and a boot at least 0");
	if (options->confirm_min < 3 || options->confirm_min * 2 > BISECT_STEP_UNITS ||
	    options->confirm_max < options->confirm_min)
		return error_set(err, EINVAL, "a confirmation takes 3 to %d runs a side at first",
				 BISECT_STEP_UNITS / 2);
	if (options->ends_max < 3 || options->neighbours < 1 ||
	    options->neighbours > BISECT_STEP_UNITS)
		return error_set(err, EINVAL,
				 "ends need at least 3 runs, and neighbours 1 to %d each",
				 BISECT_STEP_UNITS);
	if (options->changes_max < 1 || options->changes_max > BISECT_CHANGES_MAX)
		return error_set(err, EINVAL, "1 to %d changes can be looked for",
				 BISECT_CHANGES_MAX);
	if (!(options->reach >= 0.0) || options->units_max > BISECT_UNITS_MAX)
		return error_set(err, EINVAL, "at most %d runs, and a reach of 0 or more",
				 BISECT_UNITS_MAX);
	return 0;
}
