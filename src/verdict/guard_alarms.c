/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does this machine keep its promise? When comparisons of a subject with itself found changes more
 * often than they may, surely so, the tests' assumptions do not hold here, and no verdict that rests
 * on them is worth its word.
 */
#include "verdict/guard.h"

extern const struct guard guard_alarms;

#define COMPARISONS_TO_WARN 100 /* With fewer a single alarm would speak. */

static void examine(struct comparison *comparison)
{
	const struct measured_alarms *alarms = comparison->options.alarms;
	if (!alarms || alarms->n_comparisons == 0)
		return;
	const double rate = (double)alarms->n_alarms / (double)alarms->n_comparisons;
	if (alarms->low > alarms->alpha)
		guard_withhold(
			comparison, &guard_alarms, /* side= */ 0, /* metric= */ NULL,
			"on this type of machine %zu of %zu comparisons of a subject with itself "
			"found a change (%.3g %%, interval %.3g to %.3g %%), where %.3g %% may",
			alarms->n_alarms, alarms->n_comparisons, 100.0 * rate, 100.0 * alarms->low,
			100.0 * alarms->high, 100.0 * alarms->alpha);
	else if (rate > alarms->alpha && alarms->n_comparisons >= COMPARISONS_TO_WARN)
		guard_warn(
			comparison, &guard_alarms, /* side= */ 0, /* metric= */ NULL,
			"on this type of machine %zu of %zu comparisons of a subject with itself "
			"found a change (%.3g %%), where %.3g %% may; the interval still reaches "
			"that",
			alarms->n_alarms, alarms->n_comparisons, 100.0 * rate,
			100.0 * alarms->alpha);
}

const struct guard guard_alarms = {
	.name = "alarms",
	.asks = "does this machine raise false alarms more often than it may?",
	.explains =
		"`assay doctor --aa WORKLOAD` compares subjects of the store with themselves, by the "
		"rule that judges everything else, counts how often a change is found, and keeps the "
		"count with its 95 % interval for the workload and the type of machine. When the "
		"lower end of that interval is above the rate that was promised (alpha, 1 % unless "
		"asked otherwise), a change found here may well be the machine's own doing, and every "
		"verdict of the workload on this type of machine is withheld. A rate above the "
		"promise whose interval still reaches it only makes a warning once 100 comparisons "
		"stand behind it. What helps: `assay doctor` names what makes the machine noisy; then "
		"measure campaigns anew, remove the old ones, and ask --aa again.",
	.examine = examine,
};
