/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the model in the order in which its parts need each other: may the sides be compared, how
 * did their runs end, do the surroundings agree, which metrics are there, what do they say.
 */
#include "verdict/comparison.h"

#include "base/mem.h"
#include "base/text.h"
#include "record/alpha.h"
#include "verdict/cluster.h"
#include "verdict/decide.h"
#include "verdict/evidence.h"
#include "verdict/guard.h"
#include "verdict/order.h"
#include "verdict/rows.h"
#include "verdict/sides.h"
#include "verdict/told.h"
#include "verdict/undecided.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#define EXIT_CODE_REGRESSION 1
#define EXIT_CODE_CANNOT_SAY 125

static double or_preset(double given, double preset)
{
	return given > 0.0 ? given : preset;
}

/* Only a plan in a store can ask for it: what people write is refused before. */
static void warn_alpha(struct comparison *comparison)
{
	const double asked = comparison->options.alpha;
	if (asked > 0.0 && asked < ALPHA_LEAST)
		comparison_warn(comparison,
				"a false-alarm rate of %.2g is smaller than can be kept: judged "
				"at %g",
				asked, ALPHA_LEAST);
}

int comparison_make(const struct compared_side *sides, size_t n_sides,
		    const struct verdict_options *options, struct comparison **ret_comparison,
		    struct error *err)
{
	const int code = sides_check(sides, n_sides, err);
	if (code < 0)
		return code;
	assert(options->alpha >= 0.0 && options->alpha < 1.0);

	struct comparison *comparison = mem_zero(sizeof(*comparison));
	comparison->point = job_point(sides[0].job);
	comparison->sides = sides;
	comparison->n_sides = n_sides;
	comparison->counts = mem_array(n_sides, sizeof(*comparison->counts));
	comparison->alpha = fmax(or_preset(options->alpha, 0.01), ALPHA_LEAST);
	comparison->margin_percent = or_preset(options->margin_percent, 1.0);
	comparison->evidence_rate = or_preset(options->evidence_rate, 0.05);

	comparison->options = *options;
	sides_count(comparison);
	order_make(comparison);
	rows_collect(comparison);
	rows_order(comparison, options->plugin);
	told_apply(comparison);
	warn_alpha(comparison);
	undecided_warn_gaps(comparison);
	evidence_measure(comparison);
	comparison_share_budget(&comparison, 1);
	*ret_comparison = comparison;
	return 0;
}

void comparison_share_budget(struct comparison *const *comparisons, size_t n)
{
	/* A comparison that shares with nobody was judged so when it was made. */
	if (n == 1 && comparisons[0]->n_sharing == 1)
		return;
	decide_all(comparisons, n);
	for (size_t i = 0; i < n; i++) {
		rows_order(comparisons[i], /* plugin= */ NULL);
		cluster_make(comparisons[i]);
		guard_all(comparisons[i]);
	}
}

void comparison_free(struct comparison *comparison)
{
	if (!comparison)
		return;
	rows_free(comparison->rows, comparison->n_rows, comparison->n_sides);
	order_free(comparison->orders, comparison->n_sides);
	guard_forget(comparison);
	free(comparison->marks);
	for (size_t i = 0; i < comparison->n_warnings; i++)
		free(comparison->warnings[i]);
	free(comparison->warnings);
	free(comparison->counts);
	free(comparison->point);
	free(comparison);
}

void comparison_warn(struct comparison *comparison, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	AUTO(text) char *warning = mem_format_v(format, arguments);
	va_end(arguments);
	/* What is wrong with the base would be said once for each head. */
	for (size_t i = 0; i < comparison->n_warnings; i++)
		if (text_equal(comparison->warnings[i], warning))
			return;

	/* Doubts are few: growing by one keeps the struct free of a capacity. */
	size_t capacity = comparison->n_warnings;
	comparison->warnings = mem_grow(comparison->warnings, &capacity, comparison->n_warnings + 1,
					sizeof(*comparison->warnings));
	comparison->warnings[comparison->n_warnings++] = KEEP(warning);
}

const struct row *comparison_primary(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		for (size_t side = 1; side < comparison->n_sides; side++)
			if (comparison->rows[i].metric.role == ROLE_SCORE &&
			    comparison->rows[i].findings[side].verdict != VERDICT_NOT_JUDGED)
				return &comparison->rows[i];
	return NULL;
}

/* A row that is not judged has no question that more runs could answer. */
static bool is_decided(enum verdict verdict)
{
	return verdict != VERDICT_UNDECIDED && verdict != VERDICT_WITHHELD;
}

static bool has_failed_runs(const struct side_count *count)
{
	return count->outcomes[RUN_FAILED] + count->outcomes[RUN_TORN] +
		       count->outcomes[RUN_UNSUPPORTED] >
	       0;
}

/* What a finding asks the exit code to be. A person's mark is believed: what he expects is no
 * regression, and what he calls invalid says nothing. */
static int exit_code_of(const struct comparison *comparison, const struct row *row, size_t side)
{
	const struct finding *finding = &row->findings[side];
	if (finding->verdict == VERDICT_NOT_JUDGED)
		return 0;
	if (told_invalid(comparison, row) || !is_decided(finding->verdict))
		return EXIT_CODE_CANNOT_SAY;
	if (finding->verdict == VERDICT_WORSE && !told_expected(comparison, row, finding->change))
		return EXIT_CODE_REGRESSION;
	return 0;
}

int comparison_exit_code(const struct comparison *comparison)
{
	bool cannot_say = !comparison_primary(comparison);
	for (size_t i = 0; i < comparison->n_rows; i++)
		for (size_t side = 1; side < comparison->n_sides; side++) {
			if (comparison->rows[i].metric.role != ROLE_SCORE)
				continue;
			const int code = exit_code_of(comparison, &comparison->rows[i], side);
			if (code == EXIT_CODE_REGRESSION)
				return code;
			cannot_say |= code != 0;
		}
	for (size_t side = 0; side < comparison->n_sides; side++)
		cannot_say |= has_failed_runs(&comparison->counts[side]);
	return cannot_say ? EXIT_CODE_CANNOT_SAY : 0;
}

bool comparison_is_decided(const struct comparison *comparison)
{
	bool decided = comparison_primary(comparison) != NULL;
	for (size_t i = 0; i < comparison->n_rows; i++)
		for (size_t side = 1; side < comparison->n_sides; side++)
			if (comparison->rows[i].metric.role == ROLE_SCORE)
				decided &= is_decided(comparison->rows[i].findings[side].verdict);
	return decided;
}
