/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BISECT.json. See bisect_json.h. */
#include "cli/bisect_json.h"

#include "base/macros.h"
#include "store/document.h"

#include <assert.h>
#include <math.h>

static json_t *number_json(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

static json_t *commit_json(const struct bisect_course *course, uint32_t commit)
{
	const struct history_commit *of = &course->bisection->history->commits[commit];
	return json_pack("{s:s, s:o}", "id", of->id, "subject", document_string(of->subject));
}

static json_t *effect_json(const struct bisect_effect *effect)
{
	if (!effect->known)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "estimate", number_json(effect->estimate), "low",
			 number_json(effect->low), "high", number_json(effect->high));
}

static json_t *guards_json(const struct bisect_found *found)
{
	json_t *list = json_array();
	for (size_t g = 0; g < BISECT_GUARD_COUNT; g++)
		(void)json_array_append_new(
			list, json_pack("{s:s, s:s, s:s}", "guard",
					bisect_guard_text((enum bisect_guard_kind)g), "answer",
					bisect_guard_answer_text(found->guards[g].answer), "text",
					found->guards[g].text));
	return list;
}

static json_t *found_json(const struct bisect_course *course, const struct bisect_found *found)
{
	const struct bisect_change *change = found->change;
	json_t *commits = json_array();
	for (size_t i = 0; i < change->n_commits; i++)
		(void)json_array_append_new(commits, commit_json(course, change->commits[i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:b, s:o}",
			 "commits", commits, "before", commit_json(course, found->before), "after",
			 commit_json(course, found->after), "probability",
			 number_json(change->probability), "confirmed", change->is_confirmed, "p",
			 number_json(change->p), "n_before", (json_int_t)change->n_before,
			 "n_after", (json_int_t)change->n_after, "effect",
			 effect_json(&change->effect), "effect_aligned",
			 effect_json(&found->aligned), "effect_on_bad", effect_json(&found->revert),
			 "share_of_ends", number_json(found->share), "is_layout", found->is_layout,
			 "guards", guards_json(found));
}

static json_t *posterior_json(const struct bisect_course *course)
{
	size_t n = 0;
	double no_change = 0.0;
	const double *posterior = bisect_posterior(course->bisect, &no_change);
	const uint32_t *candidates = graph_candidates(course->bisection->graph, &n);
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++) {
		json_t *item = commit_json(course, candidates[i]);
		(void)json_object_set_new(item, "probability", number_json(posterior[i]));
		(void)json_object_set_new(item, "cannot_be",
					  json_boolean(course->is_excluded[candidates[i]]));
		(void)json_array_append_new(list, item);
	}
	return json_pack("{s:o, s:o}", "commits", list, "no_change", number_json(no_change));
}

static json_t *evidence_json(const struct bisect_course *course)
{
	static const char *const outcomes[] = { "value", "failed", "broken" };
	static_assert(ARRAY_SIZE(outcomes) == BISECT_ENTRY_COUNT, "every outcome has a word");
	json_t *list = json_array();
	for (size_t i = 0; i < course->entries->n; i++) {
		const struct bisect_entry *entry = &course->entries->items[i];
		const struct history_commit *commits = course->bisection->history->commits;
		(void)json_array_append_new(
			list,
			json_pack("{s:I, s:s, s:s, s:s, s:s, s:b, s:o, s:I}", "sequence",
				  (json_int_t)entry->sequence, "commit", commits[entry->commit].id,
				  "arm", bisect_arm_text(entry->arm), "outcome",
				  outcomes[entry->outcome], "reason",
				  entry->reason ? entry->reason : "", "reverted",
				  entry->is_reverted, "value",
				  entry->outcome == BISECT_ENTRY_VALUE ? number_json(entry->value)
								       : json_null(),
				  "session", (json_int_t)entry->session));
	}
	return list;
}

static json_t *cost_json(const struct bisect_course *course)
{
	const struct bisect_answer *answer = &course->answer;
	double runs = 0.0;
	double builds = 0.0;
	size_t n_arms = 0;
	size_t n_builds = 0;
	bisect_course_halving(course, &runs, &builds);
	for (size_t i = 0; i < course->entries->n; i++) {
		n_arms += course->entries->items[i].arm > BISECT_ARM_VERIFY;
		n_builds += course->entries->items[i].build_sec > 0;
	}
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "runs_search",
			 (json_int_t)answer->n_seek, "runs_confirm", (json_int_t)answer->n_verify,
			 "runs_guards", (json_int_t)n_arms, "runs_from_store",
			 (json_int_t)answer->n_given, "builds", (json_int_t)n_builds,
			 "broken_commits", (json_int_t)answer->n_broken, "halving_runs",
			 runs > 0 ? json_real(runs) : json_null(), "halving_builds",
			 json_real(builds));
}

static json_t *question_json(const struct bisect_course *course, const char *name)
{
	const struct bisect_case *bisection = course->bisection;
	const struct history *history = bisection->history;
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:f}", "campaign",
		document_string(name), "repository", document_string(bisection->repository),
		"build", document_string(bisection->build), "command",
		document_string(bisection->command), "score", document_string(bisection->score),
		"better", metric_better_text(bisection->better), "machine",
		document_string(bisection->machine), "good", commit_json(course, history->good),
		"bad", commit_json(course, history->bad), "confidence", bisection->confidence);
}

json_t *bisect_json(const struct bisect_course *course, const char *name)
{
	json_t *found = json_array();
	for (size_t i = 0; i < course->n_found; i++)
		(void)json_array_append_new(found, found_json(course, &course->found[i]));
	const char *scale = course->is_logarithmic                       ? "logarithm"
			    : course->options.oracle == BISECT_PASS_FAIL ? "share of failures"
									 : "value";
	json_t *json = json_pack(
		"{s:s, s:i, s:o, s:b, s:b, s:s, s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "format",
		"assay-bisect", "version", 1, "question", question_json(course, name), "done",
		course->is_done, "accused", bisect_course_accuses(course), "reason",
		bisect_reason_text(course->reason), "scale", scale, "changes", found, "ends",
		effect_json(&course->answer.ends), "share_explained",
		number_json(course->answer.share), "is_rest", course->answer.is_rest, "cost",
		cost_json(course), "posterior", posterior_json(course), "evidence",
		evidence_json(course));
	assert(json);
	return json;
}
