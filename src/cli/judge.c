/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading, pairing, judging, printing. See judge.h. */
#include "cli/judge.h"

#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/rows.h"
#include "cli/say.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loaded { /* The runs of one side at one point. */
	struct run **runs;
	struct job *job; /* Of the first. */
	size_t n;
};

struct pairing {               /* One point over the sides. */
	struct loaded *loaded; /* One a side. */
	struct compared_side *compared;
	size_t n_compared;
	struct comparison *comparison;
};

struct judged {
	struct pairing *pairings;
	size_t n_pairings;
	size_t n_sides;
	char **names; /* Of the sides: compared_side borrows them. */
};

static void loaded_done(struct loaded *loaded)
{
	for (size_t i = 0; i < loaded->n; i++)
		run_free(loaded->runs[i]);
	free(loaded->runs);
	job_free(loaded->job);
}

void judge_free(struct judged *judged)
{
	if (!judged)
		return;
	for (size_t p = 0; p < judged->n_pairings; p++) {
		struct pairing *pairing = &judged->pairings[p];
		comparison_free(pairing->comparison);
		for (size_t s = 0; pairing->loaded && s < judged->n_sides; s++)
			loaded_done(&pairing->loaded[s]);
		free(pairing->loaded);
		free(pairing->compared);
	}
	for (size_t s = 0; judged->names && s < judged->n_sides; s++)
		free(judged->names[s]);
	free(judged->names);
	free(judged->pairings);
	free(judged);
}

/* The distinct points of a side, in order. */
static size_t list_points(const struct side *side, const char ***ret_points)
{
	const char **points = mem_array(side->n_rows + 1, sizeof(*points));
	size_t n = 0;
	for (size_t i = 0; i < side->n_rows; i++) {
		bool seen = false;
		for (size_t j = 0; j < n && !seen; j++)
			seen = strcmp(points[j], side->rows[i].point) == 0;
		if (!seen)
			points[n++] = side->rows[i].point;
	}
	*ret_points = points;
	return n;
}

static int load(struct store *store, const struct side *side, const char *point,
		struct loaded *loaded, struct error *err)
{
	loaded->runs = mem_array(side->n_rows + 1, sizeof(struct run *));
	for (size_t i = 0; i < side->n_rows; i++) {
		const struct run_row *row = &side->rows[i];
		if (point && strcmp(row->point, point) != 0)
			continue;
		const int failed =
			store_run_get(store, row->id, /* with_series= */ false,
				      &loaded->runs[loaded->n], /* ret_row= */ NULL, err);
		if (failed)
			return failed;
		loaded->n++;
		if (!loaded->job)
			loaded->job = job_copy(row->job);
	}
	return 0;
}

/* Puts the sides that have runs at the point beside each other. With fewer than two of them there
 * is nothing to compare: *ret_pairing stays empty. */
static int pair(struct store *store, const struct side *sides, struct judged *judged,
		const char *point, const struct verdict_options *options, struct error *err)
{
	struct pairing *pairing = &judged->pairings[judged->n_pairings++];
	pairing->loaded = mem_array(judged->n_sides, sizeof(*pairing->loaded));
	pairing->compared = mem_array(judged->n_sides, sizeof(*pairing->compared));
	for (size_t s = 0; s < judged->n_sides; s++) {
		struct loaded *loaded = &pairing->loaded[s];
		const int failed = load(store, &sides[s], point, loaded, err);
		if (failed)
			return failed;
		if (loaded->n > 0)
			pairing->compared[pairing->n_compared++] = (struct compared_side) {
				.name = judged->names[s],
				.job = loaded->job,
				.runs = (const struct run *const *)loaded->runs,
				.n_runs = loaded->n,
			};
	}
	if (pairing->n_compared < 2)
		return 0;
	struct verdict_options in_order = *options;
	in_order.plugin =
		catalogue_workload_find(rows_catalogue(), pairing->compared[0].job->workload);
	return comparison_make(pairing->compared, pairing->n_compared, &in_order,
			       &pairing->comparison, err);
}

/* When no point is common, sides of one point each are still tried: the refusal then names what
 * differs. */
static int pair_all(struct store *store, const struct side *sides, struct judged *judged,
		    const struct judge_rules *rules, struct error *err)
{
	const char *pattern = rules->point_pattern;
	const char **points = NULL;
	const size_t n_points = list_points(&sides[0], &points);
	judged->pairings = mem_array(n_points + 1, sizeof(*judged->pairings));
	int failed = 0;
	size_t n_comparisons = 0;
	for (size_t p = 0; p < n_points && !failed; p++) {
		if (!text_matches(points[p], pattern))
			continue;
		failed = pair(store, sides, judged, points[p], &rules->verdict, err);
		if (judged->pairings[judged->n_pairings - 1].comparison)
			n_comparisons++;
	}
	if (!failed && n_comparisons == 0 && !pattern && n_points == 1)
		failed = pair(store, sides, judged, /* point= */ NULL, &rules->verdict, err);
	else if (!failed && n_comparisons == 0)
		failed =
			error_set(err, EINVAL,
				  "the sides have no workload with the same parameters in common%s",
				  pattern ? " that matches the pattern" : "");
	free(points);
	return failed;
}

/* All points together keep one false-alarm budget. */
static void share_budget(struct judged *judged)
{
	struct comparison **comparisons =
		mem_array(judged->n_pairings + 1, sizeof(struct comparison *));
	size_t n = 0;
	for (size_t p = 0; p < judged->n_pairings; p++)
		if (judged->pairings[p].comparison)
			comparisons[n++] = judged->pairings[p].comparison;
	comparison_share_budget(comparisons, n);
	free(comparisons);
}

int judge_sides(struct store *store, const struct side *sides, size_t n_sides,
		const struct judge_rules *rules, struct judged **ret_judged, struct error *err)
{
	AUTO(judged) struct judged *judged = mem_zero(sizeof(*judged));
	judged->n_sides = n_sides;
	judged->names = mem_array(n_sides, sizeof(char *));
	for (size_t s = 0; s < n_sides; s++)
		judged->names[s] = mem_text(sides[s].name);
	const int failed = pair_all(store, sides, judged, rules, err);
	if (failed)
		return failed;
	share_budget(judged);
	*ret_judged = KEEP(judged);
	return 0;
}

/* The worst score decides: worse over "cannot say" over no regression. */
static int worse_code(int one, int other)
{
	if (one == EXIT_REGRESSION || other == EXIT_REGRESSION)
		return EXIT_REGRESSION;
	return one > other ? one : other;
}

static int find_format(const struct parsed *parsed, const struct report_format **ret_format,
		       struct error *err)
{
	const char *name = options_value(parsed, "format");
	if (!name)
		name = options_has(parsed, "json") ? "json" : "table";
	*ret_format = report_format_find(name);
	if (!*ret_format)
		return error_set(err, EINVAL, "unknown format '%s': table, lkp, json or csv", name);
	return 0;
}

static int evidence_rows(const struct parsed *parsed, uint64_t *ret_rows, struct error *err)
{
	*ret_rows = 0;
	return options_number(parsed, "evidence", 0, 100000, ret_rows, err);
}

int judge_check(const struct parsed *parsed, struct error *err)
{
	struct judge_rules rules;
	const struct report_format *format;
	uint64_t rows;
	int failed = judge_options(parsed, &rules, err);
	if (!failed)
		failed = find_format(parsed, &format, err);
	return failed ? failed : evidence_rows(parsed, &rows, err);
}

int judge_print(const struct judged *judged, const struct parsed *parsed, const char *question)
{
	struct error err = { 0 };
	const struct report_format *format = NULL;
	uint64_t evidence_max = 0;
	int failed = find_format(parsed, &format, &err);
	if (!failed)
		failed = evidence_rows(parsed, &evidence_max, &err);
	if (failed)
		return say_error(failed, &err);
	const struct comparison **comparisons =
		mem_array(judged->n_pairings + 1, sizeof(struct comparison *));
	size_t n = 0;
	int code = EXIT_NO_REGRESSION;
	for (size_t p = 0; p < judged->n_pairings; p++) {
		if (!judged->pairings[p].comparison)
			continue;
		comparisons[n++] = judged->pairings[p].comparison;
		code = worse_code(code, comparison_exit_code(judged->pairings[p].comparison));
	}
	const struct report_options options = { .colour = say_has_colour(),
						.all = options_has(parsed, "all"),
						.evidence_max = evidence_max,
						.width = say_width(),
						.question = question };
	struct text out = { 0 };
	format->render(comparisons, n, &options, &out);
	(void)fwrite(text_string(&out), 1, out.length, stdout); /* say_done sees its failure. */
	text_done(&out);
	free(comparisons);
	return say_done(code);
}

int judge_options(const struct parsed *parsed, struct judge_rules *ret_rules, struct error *err)
{
	struct judge_rules rules = { .point_pattern = options_value(parsed, "point") };
	int failed = options_decimal(parsed, "alpha", 0.5, &rules.verdict.alpha, err);
	if (!failed)
		failed = options_decimal(parsed, "margin", 100, &rules.verdict.margin_percent, err);
	if (!failed)
		*ret_rules = rules;
	return failed;
}
