/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentence that a human reads first, one a head. Every format that has room for it shows it. */
#include "base/mem.h"
#include "report/method.h"
#include "report/number.h"
#include "report/reason.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "4.2 %", "1.3 percentage points", "12 KiB": the size without its sign. */
static void add_size(struct text *text, const struct row *row, const struct finding *finding)
{
	char unit[NUMBER_BYTES];
	number_change_unit(row, finding, unit, sizeof(unit));
	text_add(text, "%.*f%s", number_decimals(finding), fabs(finding->change),
		 text_equal(unit, " pp") ? " percentage points" : unit);
}

/* "(99 % interval +3.6 to +4.9 %, 10 + 10 runs, block permutation, false-alarm rate 1 %)" */
static void add_evidence(struct text *text, const struct comparison *comparison,
			 const struct row *row, size_t side, bool same)
{
	const struct finding *finding = &row->findings[side];
	char number[NUMBER_BYTES];
	char unit[NUMBER_BYTES];
	number_change_unit(row, finding, unit, sizeof(unit));
	number_percent(same ? COMPARISON_SAME_CONFIDENCE : 1.0 - comparison->alpha, number,
		       sizeof(number));
	text_add(text, " (%s %% interval ", number);
	number_interval(same ? finding->same_low : finding->low,
			same ? finding->same_high : finding->high, number_decimals(finding), number,
			sizeof(number));
	const bool is_open = isinf(finding->low) && isinf(finding->high) && !same;
	AUTO(text) char *looks = reason_looks(comparison, finding);
	text_add(text, "%s%s, %zu + %zu runs, %s%s%s", number, is_open ? "" : unit,
		 row->cells[0].summary.n, row->cells[side].summary.n, finding->method,
		 looks[0] ? ", " : "", looks);
	if (!same) {
		number_percent(comparison->alpha, number, sizeof(number));
		text_add(text, ", false-alarm rate %s %%", number);
		const size_t n_family = method_family_size(comparison, ROLE_SCORE);
		if (n_family > 1)
			text_add(text, " over %zu scores", n_family);
	}
	text_add(text, ")");
}

static void add_same(struct text *text, const struct row *row, const struct finding *finding,
		     const char *how_sure, const char *change)
{
	char margin[NUMBER_BYTES];
	number_margin(row, finding, margin, sizeof(margin));
	const bool is_share = text_ends_with(margin, " pp");
	if (is_share)
		margin[strlen(margin) - strlen(" pp")] = '\0';
	text_add(text, "%s is the same within %s%s%s: change %s", row->metric.name, margin,
		 is_share ? " percentage points" : "", how_sure, change);
}

static void add_verdict(struct text *text, const struct row *row, const struct finding *finding)
{
	const char *how_sure = reason_is_provisional(finding) ? ", provisionally" : "";
	char change[NUMBER_BYTES];
	number_change(row, finding, change, sizeof(change));
	switch (finding->verdict) {
	case VERDICT_BETTER:
	case VERDICT_WORSE:
		text_add(text, "%s is ", row->metric.name);
		add_size(text, row, finding);
		text_add(text, " %s%s", verdict_text(finding->verdict), how_sure);
		return;
	case VERDICT_CHANGED:
		text_add(text, "%s changed by %s%s", row->metric.name, change, how_sure);
		return;
	case VERDICT_SAME:
		add_same(text, row, finding, how_sure, change);
		return;
	case VERDICT_UNDECIDED:
	case VERDICT_WITHHELD:
	case VERDICT_MOVED_UP:
	case VERDICT_MOVED_DOWN:
	case VERDICT_UNMOVED:
	case VERDICT_NOT_JUDGED:
	case VERDICT_COUNT:
		break;
	}
	text_add(text, "%s is %s: change %s", row->metric.name, verdict_text(finding->verdict),
		 change);
}

/* "; also worse: hackbench.wakeups" for the other scores with a verdict that a reader must know. */
static void add_others(struct text *text, const struct comparison *comparison,
		       const struct row *primary, size_t side)
{
	static const enum verdict told[] = { VERDICT_WORSE, VERDICT_BETTER, VERDICT_CHANGED,
					     VERDICT_WITHHELD };
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		size_t n = 0;
		for (size_t j = 0; j < comparison->n_rows; j++) {
			const struct row *row = &comparison->rows[j];
			if (row == primary || row->metric.role != ROLE_SCORE ||
			    row->findings[side].verdict != told[i])
				continue;
			const bool like = primary->findings[side].verdict == told[i];
			if (n++)
				text_add(text, ", %s", row->metric.name);
			else
				text_add(text, "; %s%s: %s", like ? "also " : "",
					 verdict_text(told[i]), row->metric.name);
		}
	}
}

static void add_sentence(struct text *text, const struct comparison *comparison, size_t side)
{
	const struct row *row = comparison_primary(comparison);
	if (!row) {
		text_add(text, "nothing could be judged: no complete run has a score");
		return;
	}
	const struct finding *finding = &row->findings[side];
	AUTO(text) char *word = reason_word(finding);
	AUTO(text) char *reason = reason_verdict(comparison, finding);
	if (finding->verdict == VERDICT_WITHHELD || !finding->tested) {
		text_add(text, "%s is %s: %s", row->metric.name, word,
			 reason[0] ? reason : "there are too few values");
	} else {
		add_verdict(text, row, finding);
		add_evidence(text, comparison, row, side, finding->verdict == VERDICT_SAME);
		text_add(text, "%s%s", reason[0] ? ": " : "", reason);
	}
	add_others(text, comparison, row, side);
}

char *report_sentence(const struct comparison *comparison)
{
	struct text text = { 0 };
	for (size_t side = 1; side < comparison->n_sides; side++) {
		if (comparison->n_sides > 2)
			text_add(&text, "%s%s: ", side > 1 ? "\n" : "",
				 comparison->sides[side].name);
		add_sentence(&text, comparison, side);
	}
	return text_take(&text);
}
