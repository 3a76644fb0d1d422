/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Guards of a bisection. See bisect_guards.h. */
#include "cli/bisect_guards.h"

#include "base/macros.h"
#include "base/mem.h"
#include "stats/summary.h"
#include "stats/welch.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERVAL 0.95

const char *bisect_guard_text(enum bisect_guard_kind kind)
{
	static const char *const words[] = { "product", "layout", "executed", "revert" };
	static_assert(ARRAY_SIZE(words) == BISECT_GUARD_COUNT, "every guard has a word");
	assert(kind < BISECT_GUARD_COUNT);
	return words[kind];
}

const char *bisect_guard_answer_text(enum bisect_guard_answer answer)
{
	switch (answer) {
	case BISECT_GUARD_STANDS:
		return "stands";
	case BISECT_GUARD_OBJECTS:
		return "objects";
	case BISECT_GUARD_NOT_CHECKED:
		break;
	}
	return "not checked";
}

static void answer(struct bisect_guard *guard, enum bisect_guard_answer answer, const char *format,
		   ...) PRINTF_LIKE(3, 4);

static void answer(struct bisect_guard *guard, enum bisect_guard_answer answer, const char *format,
		   ...)
{
	va_list arguments;
	guard->answer = answer;
	va_start(arguments, format);
	(void)vsnprintf(guard->text, sizeof(guard->text), format, arguments);
	va_end(arguments);
}

/* ---- the third arms ---- */

struct arm { /* Runs of one side. */
	double *values;
	size_t n;
	size_t n_failed;        /* In a row, at the end. */
	const char *why_broken; /* NULL, or why this side cannot be had. Borrowed. */
};

static inline void auto_release_arm(struct arm *arm)
{
	free(arm->values);
}

static double scaled(const struct bisect_course *course, double value)
{
	return course->is_logarithmic && value > 0 ? log(value) : value;
}

static bool belongs(const struct bisect_entry *entry, const struct bisect_unit_wanted *side)
{
	return entry->arm == side->arm && entry->change == side->change &&
	       entry->commit == side->commit && entry->is_reverted == side->is_reverted;
}

static struct arm collect(const struct bisect_course *course, const struct bisect_unit_wanted *side)
{
	struct arm arm = { .values = mem_array(course->entries->n + 1, sizeof(double)) };
	for (size_t i = 0; i < course->entries->n; i++) {
		const struct bisect_entry *entry = &course->entries->items[i];
		if (!belongs(entry, side))
			continue;
		if (entry->outcome == BISECT_ENTRY_VALUE) {
			arm.values[arm.n++] = scaled(course, entry->value);
			arm.n_failed = 0;
		} else if (entry->outcome == BISECT_ENTRY_BROKEN ||
			   ++arm.n_failed >= BISECT_COURSE_FAILURES) {
			arm.why_broken = entry->reason ? entry->reason : "";
		}
	}
	return arm;
}

static struct bisect_unit_wanted aligned_side(const struct bisect_found *found, bool after)
{
	return (struct bisect_unit_wanted) { .arm = BISECT_ARM_ALIGNED,
					     .commit = after ? found->after : found->before,
					     .change = found->after,
					     .before = found->before };
}

static struct bisect_unit_wanted revert_side(const struct bisect_course *course,
					     const struct bisect_found *found, bool reverted)
{
	const uint32_t bad = course->bisection->history->bad;
	return (struct bisect_unit_wanted) { .arm = BISECT_ARM_REVERT,
					     .commit = bad,
					     .change = found->after,
					     .before = bad,
					     .is_reverted = reverted };
}

/* One run of either side in turn, until both have enough or one cannot be had. */
static bool next_of(const struct bisect_course *course, const struct bisect_unit_wanted *one,
		    const struct bisect_unit_wanted *other, struct bisect_unit_wanted *ret_wanted)
{
	struct arm first AUTO(arm) = collect(course, one);
	struct arm second AUTO(arm) = collect(course, other);
	if (first.why_broken || second.why_broken)
		return false;
	if (first.n >= BISECT_COURSE_ARM && second.n >= BISECT_COURSE_ARM)
		return false;
	/* ABBA: whatever drifts meets both sides alike. */
	const bool first_leads = (first.n + second.n) / 2 % 2 == 0;
	if (first.n == second.n)
		*ret_wanted = first_leads ? *one : *other;
	else
		*ret_wanted = first.n < second.n ? *one : *other;
	return true;
}

static struct bisect_effect effect_of(const struct arm *base, const struct arm *head)
{
	const struct summary before = summary_make(base->values, base->n);
	const struct summary after = summary_make(head->values, head->n);
	const struct welch welch = welch_compare(&before, &after, INTERVAL);
	if (!welch.known)
		return (struct bisect_effect) { .known = false };
	return (struct bisect_effect) {
		.known = true, .estimate = welch.difference, .low = welch.low, .high = welch.high
	};
}

/* ---- what the fresh builds tell ---- */

struct fresh { /* Of both sides, from the fresh measurement. Borrowed from the entries. */
	const char *before, *after; /* Products. */
	const char *layout, *detail;
	bool has_program;
};

static struct fresh find_fresh(const struct bisect_course *course, const struct bisect_found *found)
{
	struct fresh fresh = { 0 };
	for (size_t i = 0; i < course->entries->n; i++) {
		const struct bisect_entry *entry = &course->entries->items[i];
		if (entry->arm != BISECT_ARM_VERIFY || !entry->product[0])
			continue;
		if (entry->commit == found->before)
			fresh.before = entry->product;
		if (entry->commit == found->after)
			fresh.after = entry->product;
		if (entry->commit == found->after && entry->layout) {
			fresh.layout = entry->layout;
			fresh.detail = entry->layout_detail;
			fresh.has_program = entry->has_program;
		}
	}
	return fresh;
}

static bool wants_aligned(const struct bisect_course *course, const struct bisect_found *found)
{
	const struct fresh fresh = find_fresh(course, found);
	return course->options.oracle == BISECT_NUMBERS && fresh.layout &&
	       strcmp(fresh.layout, "moved") == 0;
}

/* The revert of the bad end itself is the fresh measurement once more. */
static bool wants_revert(const struct bisect_course *course, const struct bisect_found *found)
{
	return found->after != course->bisection->history->bad && found->change->n_commits == 1;
}

bool bisect_guards_next(const struct bisect_course *course, const struct bisect_found *found,
			struct bisect_unit_wanted *ret_wanted)
{
	const struct bisect_unit_wanted base = aligned_side(found, /* after= */ false);
	const struct bisect_unit_wanted head = aligned_side(found, /* after= */ true);
	const struct bisect_unit_wanted bad = revert_side(course, found, /* reverted= */ false);
	const struct bisect_unit_wanted good = revert_side(course, found, /* reverted= */ true);
	if (wants_aligned(course, found) && next_of(course, &base, &head, ret_wanted))
		return true;
	return wants_revert(course, found) && next_of(course, &good, &bad, ret_wanted);
}

static void ask_product(const struct bisect_course *course, struct bisect_found *found)
{
	struct bisect_guard *guard = &found->guards[BISECT_GUARD_PRODUCT];
	const struct fresh fresh = find_fresh(course, found);
	if (!fresh.before || !fresh.after)
		answer(guard, BISECT_GUARD_NOT_CHECKED,
		       "the build leaves no program that could be compared");
	else if (strcmp(fresh.before, fresh.after) != 0)
		answer(guard, BISECT_GUARD_STANDS, "it changes what is built");
	else if (bisect_case_is_compiled(course->bisection, found->after))
		answer(guard, BISECT_GUARD_OBJECTS,
		       "it cannot be the cause: the programs built before and after it are the same, and "
		       "it touches nothing that a running program reads");
	else
		answer(guard, BISECT_GUARD_NOT_CHECKED,
		       "the programs built before and after it are the same, but it touches files that "
		       "a running program may read");
}

static void ask_layout(const struct bisect_course *course, struct bisect_found *found)
{
	struct bisect_guard *guard = &found->guards[BISECT_GUARD_LAYOUT];
	const struct fresh fresh = find_fresh(course, found);
	const struct bisect_unit_wanted base = aligned_side(found, /* after= */ false);
	const struct bisect_unit_wanted head = aligned_side(found, /* after= */ true);
	struct arm before AUTO(arm) = collect(course, &base);
	struct arm after AUTO(arm) = collect(course, &head);
	const char *why = before.why_broken ? before.why_broken : after.why_broken;
	const char *detail = fresh.detail ? fresh.detail : "";
	if (!fresh.layout || strcmp(fresh.layout, "not checked") == 0) {
		answer(guard, BISECT_GUARD_NOT_CHECKED, "%s",
		       *detail ? detail
			       : "the measured program is none that was built in the tree");
		return;
	}
	if (strcmp(fresh.layout, "moved") != 0) {
		answer(guard, BISECT_GUARD_STANDS, "%s", detail);
		return;
	}
	if (why || before.n < 2 || after.n < 2) {
		answer(guard, BISECT_GUARD_NOT_CHECKED,
		       "%s; not measured with aligned functions: %s", detail,
		       why ? why : "too few runs");
		return;
	}
	found->aligned = effect_of(&before, &after);
	const double whole = found->change->effect.estimate;
	const double left = found->aligned.estimate;
	const bool is_sure = found->aligned.low > whole || found->aligned.high < whole;
	found->is_layout = found->aligned.known && is_sure && fabs(left) < fabs(whole) / 2;
	if (found->is_layout)
		answer(guard, BISECT_GUARD_OBJECTS,
		       "layout: %s, and with every function at a multiple of 64 bytes %.0f %% of the "
		       "effect is left",
		       detail, 100.0 * left / whole);
	else
		answer(guard, BISECT_GUARD_STANDS,
		       "%s, but with every function at a multiple of 64 bytes %.0f %% of the effect is "
		       "left",
		       detail, 100.0 * left / whole);
}

static void ask_revert(const struct bisect_course *course, struct bisect_found *found)
{
	struct bisect_guard *guard = &found->guards[BISECT_GUARD_REVERT];
	const struct bisect_unit_wanted with = revert_side(course, found, /* reverted= */ false);
	const struct bisect_unit_wanted without = revert_side(course, found, /* reverted= */ true);
	struct arm bad AUTO(arm) = collect(course, &with);
	struct arm good AUTO(arm) = collect(course, &without);
	const char *why = good.why_broken ? good.why_broken : bad.why_broken;
	if (!wants_revert(course, found)) {
		answer(guard, BISECT_GUARD_NOT_CHECKED, "%s",
		       found->change->n_commits == 1 ? "the commit is the bad end itself"
						     : "it is one of several commits");
		return;
	}
	if (why || bad.n < 2 || good.n < 2) {
		answer(guard, BISECT_GUARD_NOT_CHECKED, "%s", why ? why : "too few runs");
		return;
	}
	found->revert = effect_of(&good, &bad);
	if (course->answer.ends.known && course->answer.ends.estimate != 0.0)
		found->share = found->revert.estimate / course->answer.ends.estimate;
	answer(guard, BISECT_GUARD_STANDS,
	       "the bad end without it: its revert takes back %.0f %% of the change between the ends",
	       100.0 * found->share);
}

void bisect_guards_ask(const struct bisect_course *course, struct bisect_found *found)
{
	struct bisect_guard *executed = &found->guards[BISECT_GUARD_EXECUTED];
	ask_product(course, found);
	ask_layout(course, found);
	answer(executed, BISECT_GUARD_NOT_CHECKED,
	       "whether the changed functions run in the measured window is not looked at");
	ask_revert(course, found);
}
