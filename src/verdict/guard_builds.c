/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a change of code told from the luck of one build? */
#include "base/text.h"
#include "verdict/guard.h"
#include "verdict/order.h"

#include <string.h>

extern const struct guard guard_builds;

/* What tells two builds apart, best first: the first that both sides recorded is asked. */
static const char *const kernel_builds[] = { "kernel.build_id", "kernel.version" };

static const char *fact_of(const struct run *run, const char *name)
{
	const struct fact *fact = run_fact_find(run, name);
	return fact && fact->state == VALUE_KNOWN ? fact->text : NULL;
}

/* The one value that all complete runs of a side have; NULL when they have several or none. */
static const char *only_value(const struct comparison *comparison, const char *fact, size_t side)
{
	const struct side_order *order = &comparison->orders[side];
	const char *only = order->n ? fact_of(order->runs[0], fact) : NULL;
	for (size_t i = 1; only && i < order->n; i++)
		if (!text_equal(only, fact_of(order->runs[i], fact)))
			only = NULL;
	return only;
}

static bool is_another_kernel(const struct comparison *comparison, size_t head)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernel_builds); i++) {
		const char *base = only_value(comparison, kernel_builds[i], 0);
		const char *other = only_value(comparison, kernel_builds[i], head);
		if (base && other)
			return !text_equal(base, other);
	}
	return false;
}

static const char *setting_value(const struct job *job, enum setting_kind kind)
{
	for (size_t i = 0; i < job->n_settings; i++)
		if (job->settings[i].kind == kind)
			return job->settings[i].value;
	return NULL;
}

/* By its content where all runs of a side ran the same bytes, else by the subject's words. */
static bool is_another_program(const struct comparison *comparison, size_t head)
{
	const char *content = only_value(comparison, "program.sha256", 0);
	const char *other_content = only_value(comparison, "program.sha256", head);
	if (content && other_content)
		return !text_equal(content, other_content);
	if (guard_fact(comparison, "program.sha256", 0) &&
	    guard_fact(comparison, "program.sha256", head))
		return false; /* Several builds a side are replicates. */
	const struct job *base = comparison->sides[0].job;
	const struct job *other = comparison->sides[head].job;
	return !text_equal(setting_value(base, SETTING_BINARY),
			   setting_value(other, SETTING_BINARY));
}

static bool has_found_a_change(const struct comparison *comparison, size_t head)
{
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const enum verdict verdict = comparison->rows[i].findings[head].verdict;
		if (comparison->rows[i].metric.role == ROLE_SCORE &&
		    (verdict == VERDICT_BETTER || verdict == VERDICT_WORSE ||
		     verdict == VERDICT_CHANGED))
			return true;
	}
	return false;
}

static void examine(struct comparison *comparison)
{
	for (size_t head = 1; head < comparison->n_sides; head++) {
		const char *what = is_another_kernel(comparison, head)    ? "kernel"
				   : is_another_program(comparison, head) ? "program"
									  : NULL;
		if (what && has_found_a_change(comparison, head))
			guard_warn(comparison, &guard_builds, head, NULL,
				   "builds are not replicated: %s and %s are one build of the %s "
				   "each, and where a build puts its code can change a score by "
				   "itself; build both anew and measure again before a commit is "
				   "blamed",
				   comparison->sides[0].name, comparison->sides[head].name, what);
	}
}

const struct guard guard_builds = {
	.name = "builds",
	.asks = "are the sides one build each?",
	.explains =
		"Two builds of one source differ in where functions and data land, and that alone moves "
		"scores. A regression of 18 %, 8 runs a side and 40 deviations apart, vanished when both "
		"kernels were built again; the commit that it was blamed on was never executed. Runs "
		"replicate what is set up anew for each of them, and a build is not: however many runs "
		"there are, with one build a side they say that these two files differ, not that the "
		"change of source did it. Where all runs of either side had one kernel each (by its build "
		"id, else its version line), and not the same, or one program each (by the hash of its bytes, else "
		"by the subject's words), "
		"and a score was found better, worse or changed, the guard warns. To go on, build both "
		"sources afresh, measure those, and compare.",
	.examine = examine,
};
