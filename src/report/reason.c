/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences about verdicts. See reason.h. */
#include "report/reason.h"

#include "base/mem.h"
#include "base/text.h"
#include "report/describe.h"
#include "report/number.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#define NS_PER_SEC UINT64_C(1000000000)

bool reason_is_provisional(const struct finding *finding)
{
	switch (finding->verdict) {
	case VERDICT_BETTER:
	case VERDICT_WORSE:
	case VERDICT_CHANGED:
	case VERDICT_SAME:
		return finding->provisional;
	case VERDICT_UNDECIDED:
	case VERDICT_WITHHELD:
	case VERDICT_MOVED_UP:
	case VERDICT_MOVED_DOWN:
	case VERDICT_UNMOVED:
	case VERDICT_NOT_JUDGED:
	case VERDICT_COUNT:
		break;
	}
	return false;
}

char *reason_looks(const struct comparison *comparison, const struct finding *finding)
{
	if (finding->look_runs == 0)
		return mem_text("");
	const enum verdict verdict = finding->guard ? finding->unguarded : finding->verdict;
	const char *what = verdict == VERDICT_UNDECIDED ? "looked at up to" : "decided at";
	if (comparison->options.sequential_max == 0)
		return mem_format("%s %zu runs a side", what, finding->look_runs);
	return mem_format("%s %zu of at most %zu runs a side", what, finding->look_runs,
			  comparison->options.sequential_max);
}

char *reason_test(const struct comparison *comparison, const struct row *row, size_t side)
{
	const struct finding *finding = &row->findings[side];
	struct text text = { 0 };
	text_add(&text, "%s", describe_direction(row->metric.better));
	if (!finding->tested)
		return text_take(&text);
	char number[NUMBER_BYTES];
	if (isnan(finding->p_adjusted)) {
		text_add(&text, "; %s", finding->method);
	} else {
		number_p(finding->p_adjusted, number, sizeof(number));
		text_add(&text, "; p %s adjusted (%s)", number, finding->method);
	}
	number_margin(row, finding, number, sizeof(number));
	text_add(&text, "; same means within ±%s", number);
	AUTO(text) char *looks = reason_looks(comparison, finding);
	text_add(&text, "%s%s", looks[0] ? "; " : "", looks);
	if (reason_is_provisional(finding))
		text_add(&text,
			 "; provisional: the test assumes more than the random order of the runs");
	return text_take(&text);
}

char *reason_word(const struct finding *finding)
{
	if (finding->verdict != VERDICT_WITHHELD || !finding->guard)
		return mem_text(verdict_text(finding->verdict));
	return mem_format("withheld (%s)", finding->guard);
}

char *reason_verdict(const struct comparison *comparison, const struct finding *finding)
{
	struct text text = { 0 };
	if (finding->reason)
		text_add(&text, "%s", finding->reason);
	if (finding->verdict != VERDICT_UNDECIDED)
		return text_take(&text);
	if (!finding->reason && finding->tested && finding->smallest_p > comparison->alpha) {
		char number[NUMBER_BYTES];
		number_p(finding->smallest_p, number, sizeof(number));
		text_add(&text, "%sthese runs could have given p %s at best",
			 text.length ? "; " : "", number);
	}
	if (finding->runs_wanted)
		text_add(&text, "%sabout %zu runs a side would decide if the estimate holds",
			 text.length ? "; " : "", finding->runs_wanted);
	return text_take(&text);
}

char *reason_when(const struct mark *mark, bool with_time)
{
	const time_t seconds = (time_t)(mark->when_wall_ns / NS_PER_SEC);
	struct tm calendar;
	char buffer[64];
	if (!gmtime_r(&seconds, &calendar) ||
	    strftime(buffer, sizeof(buffer), with_time ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d",
		     &calendar) == 0)
		return mem_format("%" PRIu64 " s after 1970", mark->when_wall_ns / NS_PER_SEC);
	return mem_text(buffer);
}

char *reason_mark(const struct mark *mark, const struct finding *finding)
{
	struct text text = { 0 };
	AUTO(text) char *when = reason_when(mark, /* with_time= */ false);
	text_add(&text, "marked %s by %s on %s", mark->invalid ? "invalid" : "expected", mark->who,
		 when);
	if (!mark->invalid && isfinite(mark->tolerance_percent)) {
		text_add(&text, ", within ±%g %%", mark->tolerance_percent);
		if (finding && finding->known && finding->relative &&
		    fabs(finding->change) > mark->tolerance_percent)
			text_add(&text, " (this change is outside)");
	}
	text_add(&text, ": %s", mark->why);
	return text_take(&text);
}

char *reason_note(const struct comparison *comparison, const struct guard_note *note)
{
	const char *side =
		note->side && comparison->n_sides > 2 ? comparison->sides[note->side].name : NULL;
	struct text text = { 0 };
	text_add(&text, "%s %s", note->guard, note->withholds ? "withholds" : "warns");
	if (note->withholds && note->metric)
		text_add(&text, " the verdict on %s", note->metric);
	else if (note->withholds)
		text_add(&text, " every verdict");
	else if (note->metric)
		text_add(&text, " of %s", note->metric);
	if (side)
		text_add(&text, " of %s", side);
	text_add(&text, ": %s", note->text);
	return text_take(&text);
}
