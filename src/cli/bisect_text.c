/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bisection for people. See bisect_text.h. */
#include "cli/bisect_text.h"

#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "cli/progress.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 64
#define LIKELIEST 5
#define WORTH_SHOWING 0.005
#define SHOWN 10 /* Digits of a hash. */

static const struct history_commit *commit_of(const struct bisect_course *course, uint32_t commit)
{
	return &course->bisection->history->commits[commit];
}

static void add_commit(const struct bisect_course *course, uint32_t commit, struct text *text)
{
	const struct history_commit *of = commit_of(course, commit);
	text_add(text, "%.*s %.60s", SHOWN, of->id, of->subject);
}

/* "+3.1 % (+2.8 .. +3.4)" where logarithms were judged; points of per cent for pass and fail. */
static void add_effect(const struct bisect_course *course, const struct bisect_effect *effect,
		       struct text *text)
{
	if (!effect->known)
		text_add(text, "not known");
	else if (course->is_logarithmic)
		text_add(text, "%+.2f %% (95 %% interval %+.2f .. %+.2f)",
			 100.0 * expm1(effect->estimate), 100.0 * expm1(effect->low),
			 100.0 * expm1(effect->high));
	else if (course->options.oracle == BISECT_PASS_FAIL)
		text_add(text, "%+.0f points of failures (95 %% interval %+.0f .. %+.0f)",
			 100.0 * effect->estimate, 100.0 * effect->low, 100.0 * effect->high);
	else
		text_add(text, "%+.6g (95 %% interval %+.6g .. %+.6g)", effect->estimate,
			 effect->low, effect->high);
}

/* ---- while it goes on ---- */

static void add_entry(const struct bisect_course *course, const struct bisect_entry *entry,
		      struct text *text)
{
	text_add(text, "run %" PRIu64 ": ", entry->sequence + 1);
	if (entry->outcome == BISECT_ENTRY_VALUE && course->bisection->score)
		text_add(text, "%.8g", entry->value);
	else if (entry->outcome == BISECT_ENTRY_VALUE)
		text_add(text, "%s", entry->value != 0.0 ? "bad" : "good");
	else
		text_add(text, "%s", entry->reason && *entry->reason ? entry->reason : "no value");
	text_add(text, "  ");
	if (entry->is_reverted)
		text_add(text, "without %.*s: ", SHOWN, commit_of(course, entry->change)->id);
	else if (entry->arm == BISECT_ARM_ALIGNED)
		text_add(text, "aligned: ");
	add_commit(course, entry->commit, text);
	text_add(text, "\n");
}

/* A column stands for the sum of its commits. */
static void add_plot(const struct bisect_course *course, const double *posterior, size_t n,
		     struct text *text)
{
	static const char levels[] = ".:-=+*#%@";
	const size_t width = n < COLUMNS ? n : COLUMNS;
	text_add(text, "  good |");
	for (size_t column = 0; column < width; column++) {
		double sum = 0.0;
		for (size_t i = column * n / width; i < (column + 1) * n / width; i++)
			sum += posterior[i];
		const size_t level = (size_t)(sum * (double)(sizeof(levels) - 1));
		const size_t most = sizeof(levels) - 2;
		text_add(text, "%c",
			 sum < WORTH_SHOWING ? ' ' : levels[level < most ? level : most]);
	}
	text_add(text, "| bad   %zu commits\n", n);
}

static void add_likeliest(const struct bisect_course *course, const double *posterior, size_t n,
			  struct text *text)
{
	size_t n_candidates = 0;
	const uint32_t *candidates = graph_candidates(course->bisection->graph, &n_candidates);
	bool *is_shown = mem_array(n + 1, sizeof(*is_shown));
	assert(n == n_candidates);
	for (unsigned rank = 0; rank < LIKELIEST; rank++) {
		size_t best = n;
		for (size_t i = 0; i < n; i++)
			if (!is_shown[i] && (best == n || posterior[i] > posterior[best]))
				best = i;
		if (best == n || posterior[best] < WORTH_SHOWING)
			break;
		is_shown[best] = true;
		text_add(text, "  %5.1f %%  ", 100.0 * posterior[best]);
		add_commit(course, candidates[best], text);
		text_add(text, "\n");
	}
	free(is_shown);
}

static void add_left(const struct bisect_course *course, struct text *text)
{
	const struct bisect_remaining left = bisect_remaining(course->bisect);
	text_add(text, "  next: %s", bisect_reason_text(course->reason));
	if (course->next.arm == BISECT_ARM_ALIGNED || course->next.arm == BISECT_ARM_REVERT) {
		text_add(text, "; then %s\n",
			 course->next.arm == BISECT_ARM_ALIGNED ? "aligned functions"
								: "the bad end without it");
		return;
	}
	if (isfinite(left.units) && isfinite(left.builds))
		text_add(text, "; left: about %.0f runs and %.0f builds, and %.0f to confirm",
			 left.units, left.builds, left.verify_units);
	const bool in_seconds =
		course->bisection->cost_run <= 0 && course->bisection->cost_build <= 0;
	const double seconds = left.cost + left.verify_units * course->options.cost_run;
	if (in_seconds && isfinite(seconds) && course->entries->n > 0 && seconds < 1e9) {
		char duration[64];
		progress_duration((uint64_t)(seconds * 1e9), duration, sizeof(duration));
		text_add(text, ", %s", duration);
	}
	text_add(text, "\n");
}

void bisect_text_progress(const struct bisect_course *course, struct text *text)
{
	size_t n = 0;
	double no_change = 0.0;
	const double *posterior = bisect_posterior(course->bisect, &no_change);
	(void)graph_candidates(course->bisection->graph, &n); /* Only their number. */
	if (course->entries->n > 0)
		add_entry(course, &course->entries->items[course->entries->n - 1], text);
	add_plot(course, posterior, n, text);
	add_likeliest(course, posterior, n, text);
	if (no_change >= WORTH_SHOWING)
		text_add(text, "  %5.1f %%  nothing changed\n", 100.0 * no_change);
	if (!course->is_done)
		add_left(course, text);
}

/* ---- the result ---- */

static void add_found(const struct bisect_course *course, const struct bisect_found *found,
		      struct text *text)
{
	const struct bisect_change *change = found->change;
	for (size_t i = 0; i < change->n_commits; i++) {
		text_add(text, "%s", i == 0 ? "  " : "  or ");
		add_commit(course, change->commits[i], text);
		text_add(text, "\n");
	}
	text_add(text, "    probability %.4f before the fresh measurement\n", change->probability);
	if (change->n_before + change->n_after > 0) {
		text_add(text, "    built afresh and measured afresh against its parent: ");
		add_effect(course, &change->effect, text);
		text_add(text, ", p = %.2g, %zu + %zu runs: %s\n", change->p, change->n_before,
			 change->n_after, change->is_confirmed ? "confirmed" : "not confirmed");
	}
	for (size_t g = 0; g < BISECT_GUARD_COUNT; g++)
		text_add(text, "    %s: %s (%s)\n", bisect_guard_text((enum bisect_guard_kind)g),
			 found->guards[g].text, bisect_guard_answer_text(found->guards[g].answer));
	if (found->aligned.known) {
		text_add(text, "    effect with aligned functions: ");
		add_effect(course, &found->aligned, text);
		text_add(text, "\n");
	}
	if (found->revert.known) {
		text_add(text, "    effect of the commit on the bad end: ");
		add_effect(course, &found->revert, text);
		text_add(text, "\n");
	}
}

static void add_headline(const struct bisect_course *course, struct text *text)
{
	bool layout = false;
	for (size_t i = 0; i < course->n_found; i++)
		layout |= course->found[i].is_layout;
	if (!course->is_done)
		text_add(text, "not done yet: %s\n", bisect_reason_text(course->reason));
	else if (bisect_course_accuses(course) && course->n_found == 1)
		text_add(text, "the change was brought by\n");
	else if (bisect_course_accuses(course))
		text_add(text, "the change was brought by %zu commits\n", course->n_found);
	else if (layout)
		text_add(text, "no commit is accused: what was found is layout\n");
	else if (course->n_found > 0)
		text_add(text, "no commit is accused (%s); the likeliest is\n",
			 bisect_reason_text(course->reason));
	else
		text_add(text, "no commit is accused: %s\n", bisect_reason_text(course->reason));
}

void bisect_text_result(const struct bisect_course *course, struct text *text)
{
	const struct bisect_answer *answer = &course->answer;
	const struct history *history = course->bisection->history;
	double runs = 0.0;
	double builds = 0.0;
	size_t n = 0;
	size_t n_arms = 0;
	size_t n_builds = 0;
	(void)graph_candidates(course->bisection->graph, &n); /* Only their number. */
	for (size_t i = 0; i < course->entries->n; i++) {
		n_arms += course->entries->items[i].arm > BISECT_ARM_VERIFY;
		n_builds += course->entries->items[i].build_sec > 0;
	}
	add_headline(course, text);
	for (size_t i = 0; i < course->n_found; i++)
		add_found(course, &course->found[i], text);
	text_add(text, "between the ends %.*s and %.*s: ", SHOWN,
		 history->commits[history->good].id, SHOWN, history->commits[history->bad].id);
	add_effect(course, &answer->ends, text);
	text_add(text, ", %zu commits\n", n);
	if (course->is_done && isfinite(answer->share) && answer->n_changes > 0)
		text_add(text, "of that, %.0f %% is explained%s\n", 100.0 * answer->share,
			 answer->is_rest ? "; there is another change in the range" : "");
	bisect_course_halving(course, &runs, &builds);
	text_add(
		text,
		"taken: %zu runs to search, %zu to confirm, %zu for the guards, %zu from the store; %zu "
		"builds, %zu commits that cannot be measured\n",
		answer->n_seek, answer->n_verify, n_arms, answer->n_given, n_builds,
		answer->n_broken);
	if (runs > 0)
		text_add(
			text,
			"git bisect that repeats each step as often as this confidence needs: about %.0f "
			"runs and %.0f builds, and no probability\n",
			runs, builds);
}

/* ---- the log ---- */

static const char *word_of(const struct bisect_entry *entry)
{
	return entry->outcome == BISECT_ENTRY_VALUE    ? "run"
	       : entry->outcome == BISECT_ENTRY_BROKEN ? "skip"
						       : "failed";
}

void bisect_text_log(const struct bisect_course *course, const char *name, struct text *text)
{
	const struct bisect_case *bisection = course->bisection;
	const struct history *history = bisection->history;
	text_add(text, "# assay bisect log of '%s'\n# repository: %s\n# build: %s\n# command: %s\n",
		 name, bisection->repository, bisection->build, bisection->command);
	text_add(text, "# score: %s\n", bisection->score ? bisection->score : "exit code");
	text_add(text, "# good: [%s] %s\ngood %s\n", history->commits[history->good].id,
		 history->commits[history->good].subject, history->commits[history->good].id);
	text_add(text, "# bad: [%s] %s\nbad %s\n", history->commits[history->bad].id,
		 history->commits[history->bad].subject, history->commits[history->bad].id);
	for (size_t i = 0; i < bisection->n_given; i++)
		text_add(text, "given %s %.17g # %s\n",
			 history->commits[bisection->given[i].commit].id, bisection->given[i].value,
			 bisection->given[i].run ? bisection->given[i].run : "");
	for (size_t i = 0; i < course->entries->n; i++) {
		const struct bisect_entry *entry = &course->entries->items[i];
		text_add(text, "%s %s", word_of(entry), commit_of(course, entry->commit)->id);
		if (entry->outcome == BISECT_ENTRY_VALUE)
			text_add(text, " %.17g", entry->value);
		text_add(text, " # %s%s%s%s\n", bisect_arm_text(entry->arm),
			 entry->is_reverted ? ", reverted" : "",
			 entry->reason && *entry->reason ? ": " : "",
			 entry->reason ? entry->reason : "");
	}
	text_add(text, "# %s\n", course->is_done ? "done" : "not done yet");
}
