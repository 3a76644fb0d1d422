/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Refuses what may not be compared and counts what was not measured to its end. A comparison of
 * unlike things is an error and never a table; a failed run is a warning and never a number.
 */
#include "verdict/sides.h"

#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define REASONS_SHOWN_MAX 3

static const char *or_nothing(const char *text)
{
	return text ? text : "";
}

static bool sets_parameter(const struct job *job, const char *name)
{
	for (size_t i = 0; i < job->n_settings; i++)
		if (job->settings[i].kind == SETTING_PARAM &&
		    text_equal(job->settings[i].key, name))
			return true;
	return false;
}

static int check_argument(const struct compared_side *base, const struct compared_side *side,
			  const char *name, struct error *err)
{
	const char *base_value = job_argument(base->job, name);
	const char *side_value = job_argument(side->job, name);
	if (text_equal(base_value, side_value) || sets_parameter(base->job, name) ||
	    sets_parameter(side->job, name))
		return 0;
	return error_set(
		err, EINVAL,
		"cannot compare '%s' with '%s': parameter '%s' is '%s' against '%s', and no "
		"subject sets it; choose runs of one point",
		base->name, side->name, name, base_value ? base_value : "(none)",
		side_value ? side_value : "(none)");
}

static int check_arguments(const struct compared_side *base, const struct compared_side *side,
			   struct error *err)
{
	int code = 0;
	for (size_t i = 0; code == 0 && i < base->job->n_arguments; i++)
		code = check_argument(base, side, base->job->arguments[i].name, err);
	for (size_t i = 0; code == 0 && i < side->job->n_arguments; i++)
		code = check_argument(base, side, side->job->arguments[i].name, err);
	return code;
}

static int refuse_semantics(const struct compared_side *base, const struct compared_side *side,
			    uint32_t base_version, uint32_t side_version, struct error *err)
{
	return error_set(
		err, EINVAL,
		"cannot compare '%s' with '%s': the scores of %s have version %u against %u of "
		"their meaning; measure both sides with one version of assay",
		base->name, side->name, base->job->workload, base_version, side_version);
}

/* The runs themselves, since what was planned and what the probe did may be of two versions. */
static int check_runs(const struct compared_side *base, const struct compared_side *side,
		      struct error *err)
{
	for (size_t i = 0; i < side->n_runs; i++) {
		const struct run *run = side->runs[i];
		if (run->outcome == RUN_COMPLETE && run->semantics != base->job->semantics)
			return refuse_semantics(base, side, base->job->semantics, run->semantics,
						err);
	}
	return 0;
}

static int check_pair(const struct compared_side *base, const struct compared_side *side,
		      struct error *err)
{
	if (!text_equal(base->job->workload, side->job->workload))
		return error_set(err, EINVAL,
				 "cannot compare '%s' with '%s': workload '%s' against '%s'",
				 base->name, side->name, or_nothing(base->job->workload),
				 or_nothing(side->job->workload));
	if (base->job->semantics != side->job->semantics)
		return refuse_semantics(base, side, base->job->semantics, side->job->semantics,
					err);
	const int code = check_runs(base, side, err);
	return code < 0 ? code : check_arguments(base, side, err);
}

int sides_check(const struct compared_side *sides, size_t n_sides, struct error *err)
{
	if (n_sides < 2)
		return error_set(err, EINVAL, "a comparison needs two sides, and there is %s",
				 n_sides ? "one" : "none");
	for (size_t i = 0; i < n_sides; i++)
		if (sides[i].n_runs == 0 || !sides[i].job)
			return error_set(err, EINVAL, "side '%s' has no runs", sides[i].name);

	int code = check_runs(&sides[0], &sides[0], err);
	for (size_t i = 1; code == 0 && i < n_sides; i++)
		code = check_pair(&sides[0], &sides[i], err);
	return code;
}

/* "hung: no progress for 10 s; killed by signal 9; 2 further reasons" of the runs that ended so. */
static char *reasons_of(const struct compared_side *side, enum run_outcome outcome)
{
	const char *shown[REASONS_SHOWN_MAX];
	size_t n_shown = 0;
	size_t n_further = 0;
	struct text text = { 0 };
	for (size_t i = 0; i < side->n_runs; i++) {
		const char *reason = or_nothing(side->runs[i]->reason);
		bool seen = side->runs[i]->outcome != outcome || reason[0] == '\0';
		for (size_t j = 0; !seen && j < n_shown; j++)
			seen = text_equal(shown[j], reason);
		if (seen)
			continue;
		if (n_shown == REASONS_SHOWN_MAX) {
			n_further++;
			continue;
		}
		text_add(&text, "%s%s", n_shown ? "; " : ": ", reason);
		shown[n_shown++] = reason;
	}
	if (n_further)
		text_add(&text, "; and %zu more with other reasons", n_further);
	return text_take(&text);
}

static void warn_outcome(struct comparison *comparison, const struct compared_side *side,
			 enum run_outcome outcome, size_t count)
{
	static const char *const words[RUN_OUTCOME_COUNT] = {
		[RUN_COMPLETE] = "complete",
		[RUN_FAILED] = "failed",
		[RUN_UNSUPPORTED] = "not possible here",
		[RUN_TORN] = "torn (probe or machine died)",
		[RUN_INTERRUPTED] = "interrupted",
	};
	AUTO(text) char *reasons = reasons_of(side, outcome);
	const char *verb = outcome == RUN_FAILED ? "" : count == 1 ? "was " : "were ";
	comparison_warn(comparison, "%zu of %zu runs of %s %s%s%s", count, side->n_runs, side->name,
			verb, words[outcome], reasons);
}

static void count_side(struct comparison *comparison, size_t index)
{
	const struct compared_side *side = &comparison->sides[index];
	size_t *outcomes = comparison->counts[index].outcomes;
	for (size_t i = 0; i < side->n_runs; i++) {
		assert(side->runs[i]->outcome < RUN_OUTCOME_COUNT);
		outcomes[side->runs[i]->outcome]++;
	}
	for (size_t outcome = RUN_COMPLETE + 1; outcome < RUN_OUTCOME_COUNT; outcome++)
		if (outcomes[outcome])
			warn_outcome(comparison, side, (enum run_outcome)outcome,
				     outcomes[outcome]);
	if (outcomes[RUN_COMPLETE] == 0)
		comparison_warn(comparison, "%s has no complete run: nothing can be decided",
				side->name);
	if (outcomes[RUN_COMPLETE] == 1)
		comparison_warn(comparison,
				"%s has one complete run: one run has no deviation, so nothing can "
				"be decided",
				side->name);
}

/* Another way of holding the workload's processes together costs another amount of time. */
static void compare_isolation(struct comparison *comparison, size_t index)
{
	const struct run *base = sides_first_run(&comparison->sides[0]);
	const struct run *run = sides_first_run(&comparison->sides[index]);
	if (!text_equal(base->isolation, run->isolation))
		comparison_warn(
			comparison,
			"the runs of %s were isolated by %s, those of %s by %s: measure both "
			"as the same user",
			comparison->sides[0].name, base->isolation ? base->isolation : "(unknown)",
			comparison->sides[index].name,
			run->isolation ? run->isolation : "(unknown)");
}

void sides_count(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_sides; i++)
		count_side(comparison, i);
	for (size_t i = 1; i < comparison->n_sides; i++)
		compare_isolation(comparison, i);
}

const struct run *sides_first_run(const struct compared_side *side)
{
	for (size_t i = 0; i < side->n_runs; i++)
		if (side->runs[i]->outcome == RUN_COMPLETE)
			return side->runs[i];
	return side->runs[0];
}
