/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Was time told by the same clock, and by a quick and steady one? */
#include "base/macros.h"
#include "base/text.h"
#include "verdict/guard.h"
#include "verdict/order.h"

#include <string.h>

extern const struct guard guard_clock;

static const char *fact_of(const struct run *run, const char *name)
{
	const struct fact *fact = run_fact_find(run, name);
	return fact && fact->state == VALUE_KNOWN ? fact->text : NULL;
}

static bool has_word(const char *list, const char *word)
{
	const size_t length = strlen(word);
	for (const char *at = list; at && (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

/* The first two values of a fact within a side that differ; false when all are one. */
static bool varies(const struct comparison *comparison, const char *fact, size_t side,
		   const char *ret_values[static 2])
{
	const struct side_order *order = &comparison->orders[side];
	ret_values[0] = NULL;
	for (size_t i = 0; i < order->n; i++) {
		const char *value = fact_of(order->runs[i], fact);
		if (!value)
			continue;
		ret_values[1] = value;
		if (ret_values[0] && !text_equal(ret_values[0], value))
			return true;
		ret_values[0] = value;
	}
	return false;
}

static bool sets_clock(const struct job *job)
{
	for (size_t i = 0; i < job->n_settings; i++)
		if (job->settings[i].kind == SETTING_SYSFS &&
		    strstr(job->settings[i].key, "clocksource"))
			return true;
	return false;
}

/* The kernel takes a clock that it found unstable off the list of the available ones. */
static void warn_unstable(struct comparison *comparison, size_t side)
{
	const struct side_order *order = &comparison->orders[side];
	bool had_tsc = false;
	bool lost_tsc = false;
	for (size_t i = 0; i < order->n; i++) {
		const char *available = fact_of(order->runs[i], "clock.available");
		if (!available)
			continue;
		had_tsc |= has_word(available, "tsc");
		lost_tsc |= !has_word(available, "tsc");
	}
	if (had_tsc && lost_tsc)
		guard_warn(comparison, &guard_clock, side, NULL,
			   "the kernel stopped to offer the time stamp counter within the runs of "
			   "%s: it found it unstable",
			   comparison->sides[side].name);
}

static void examine_side(struct comparison *comparison, size_t side)
{
	static const char *const slow[] = { "hpet", "acpi_pm", "jiffies", "refined-jiffies" };
	const char *values[2];
	if (varies(comparison, "clock.source", side, values))
		guard_warn(comparison, &guard_clock, side, NULL,
			   "the clock changed from %s to %s within the runs of %s", values[0],
			   values[1], comparison->sides[side].name);
	warn_unstable(comparison, side);
	for (size_t i = 0; i < ARRAY_SIZE(slow); i++)
		if (text_equal(guard_fact(comparison, "clock.source", side), slow[i]))
			guard_warn(comparison, &guard_clock, side, NULL,
				   "the clock of %s is %s: reading it is a system call or worse, "
				   "which is in the score of all that reads the time often",
				   comparison->sides[side].name, slow[i]);
}

static void examine_head(struct comparison *comparison, size_t head)
{
	const char *base = guard_fact(comparison, "clock.source", 0);
	const char *other = guard_fact(comparison, "clock.source", head);
	const char *values[2];
	if (!base || !other || text_equal(base, other) ||
	    varies(comparison, "clock.source", 0, values) ||
	    varies(comparison, "clock.source", head, values) ||
	    sets_clock(comparison->sides[0].job) || sets_clock(comparison->sides[head].job))
		return;
	guard_withhold(
		comparison, &guard_clock, head, NULL,
		"time was told by %s for %s and by %s for %s, and no subject says so: both the "
		"workload's own reading of the time and the length of a second may differ",
		base, comparison->sides[0].name, other, comparison->sides[head].name);
}

static void examine(struct comparison *comparison)
{
	for (size_t side = 0; side < comparison->n_sides; side++)
		examine_side(comparison, side);
	for (size_t head = 1; head < comparison->n_sides; head++)
		examine_head(comparison, head);
}

static void show(const struct comparison *comparison, size_t head, struct text *text)
{
	const size_t sides[] = { 0, head };
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++) {
		const char *source = guard_fact(comparison, "clock.source", sides[i]);
		const char *available = guard_fact(comparison, "clock.available", sides[i]);
		text_add(text, "%s: %s, of %s\n", comparison->sides[sides[i]].name,
			 source ? source : "not recorded", available ? available : "not recorded");
	}
}

const struct guard guard_clock = {
	.name = "clock",
	.asks = "did the clock change, or is it a slow one?",
	.explains =
		"When the kernel finds the time stamp counter unstable it goes over to another clock, "
		"which takes a microsecond to read instead of some tens of nanoseconds: everything that "
		"reads the time becomes slower, and the moment before, the time itself was wrong. The "
		"guard withholds the verdict when all runs of the base had one clock and all of the head "
		"another, and no subject sets it. It warns when the clock changed within a side, when "
		"the time stamp counter vanished from the available ones, and of the clocks hpet, "
		"acpi_pm and jiffies. To cure it, see why in the kernel's log (clocksource, tsc), and "
		"boot anew before measuring.",
	.examine = examine,
	.show = show,
};
