/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judged pairs as text. See stat_text.h. */
#include "cli/stat_text.h"

#include "base/mem.h"
#include "report/column.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2
#define NUMBER_SHOWN 64

/* "3 judged: 1 worse, 2 undecided". */
static void add_count(struct stat_case *const *cases, size_t n, struct text *text)
{
	size_t counts[VERDICT_COUNT] = { 0 };
	for (size_t i = 0; i < n; i++)
		counts[stat_case_row(cases[i])->findings[1].verdict]++;
	text_add(text, "%zu judged:", n);
	const char *separator = " ";
	for (size_t i = 0; i < VERDICT_COUNT; i++) {
		if (!counts[i])
			continue;
		text_add(text, "%s%zu %s", separator, counts[i], verdict_text((enum verdict)i));
		separator = ", ";
	}
	text_add(text, "\n\n");
}

static void add_number(struct text *text, const char *word, double number)
{
	char digits[NUMBER_SHOWN];
	report_number(number, digits, sizeof(digits));
	text_add(text, ", %s %s", word, digits);
}

/* "  base    8 values, median 40200, mean 40181, deviation 172 (0.43 %), 39901 to 40411". */
static void add_sample(const struct stat_case *one, size_t side, size_t name_width,
		       struct text *text)
{
	const struct cell *cell = &stat_case_row(one)->cells[side];
	const struct summary *summary = &cell->summary;
	text_add(text, "%*s", INDENT, "");
	column_left(text, one->names[side], name_width);
	text_add(text, "  %zu value%s", summary->n, summary->n == 1 ? "" : "s");
	if (cell->n_missing)
		text_add(text, " (%zu missing)", cell->n_missing);
	if (summary->n > 0) {
		add_number(text, "median", summary->median);
		add_number(text, "mean", summary->mean);
	}
	if (summary->n > 1) {
		add_number(text, "deviation", summary->deviation);
		const double share = summary_relative_deviation(summary);
		if (isfinite(share))
			text_add(text, " (%.2g %%)", share);
		add_number(text, "from", summary->minimum);
		char digits[NUMBER_SHOWN];
		report_number(summary->maximum, digits, sizeof(digits));
		text_add(text, " to %s", digits);
	}
	text_add(text, "\n");
}

struct doubts { /* All that a case is warned of. */
	char **texts;
	size_t n;
};

static struct doubts doubts_of(const struct comparison *comparison)
{
	struct doubts doubts = { .texts = mem_array(comparison->n_notes + comparison->n_warnings,
						    sizeof(char *)) };
	for (size_t i = 0; i < comparison->n_notes; i++) {
		const struct guard_note *note = &comparison->notes[i];
		doubts.texts[doubts.n++] =
			mem_format("%s%s: %s", note->guard,
				   note->withholds ? " withholds the verdict" : "", note->text);
	}
	for (size_t i = 0; i < comparison->n_warnings; i++)
		doubts.texts[doubts.n++] = mem_text(comparison->warnings[i]);
	return doubts;
}

static void doubts_done(struct doubts *doubts)
{
	for (size_t i = 0; i < doubts->n; i++)
		free(doubts->texts[i]);
	free(doubts->texts);
}

static bool has_doubt(const struct doubts *doubts, const char *text)
{
	for (size_t i = 0; i < doubts->n; i++)
		if (strcmp(doubts->texts[i], text) == 0)
			return true;
	return false;
}

/* Of several metrics only; of one there is nothing to have in common. */
static bool is_common(const struct doubts *all, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (!has_doubt(&all[i], text))
			return false;
	return n > 1;
}

static void add_doubts(const struct doubts *all, size_t n, size_t which, bool common, size_t width,
		       struct text *text)
{
	for (size_t i = 0; i < all[which].n; i++) {
		const char *doubt = all[which].texts[i];
		if (is_common(all, n, doubt) != common)
			continue;
		text_add(text, "! ");
		column_wrap(text, doubt, width - INDENT, INDENT);
	}
}

static void add_case(const struct stat_case *one, size_t width, struct text *text)
{
	AUTO(text) char *sentence = report_sentence(one->comparison);
	column_wrap(text, sentence, width, 0);
	const size_t base = column_width(one->names[0]);
	const size_t head = column_width(one->names[1]);
	for (size_t side = 0; side < 2; side++)
		add_sample(one, side, base > head ? base : head, text);
}

void stat_text(struct stat_case *const *cases, size_t n, size_t width, struct text *ret_text)
{
	struct doubts *all = mem_array(n, sizeof(*all));
	for (size_t i = 0; i < n; i++)
		all[i] = doubts_of(cases[i]->comparison);
	if (n > 1)
		add_count(cases, n, ret_text);
	for (size_t i = 0; i < n; i++) {
		add_case(cases[i], width, ret_text);
		add_doubts(all, n, i, /* common= */ false, width, ret_text);
		if (n > 1)
			text_add(ret_text, "\n");
	}
	if (n > 1)
		add_doubts(all, n, 0, /* common= */ true, width, ret_text);
	for (size_t i = 0; i < n; i++)
		doubts_done(&all[i]);
	free(all);
}
