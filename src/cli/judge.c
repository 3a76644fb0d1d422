/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading, pairing, judging, printing. See judge.h. */
#include "cli/judge.h"

#include "base/mem.h"
#include "base/text.h"
#include "campaign/decide.h"
#include "cli/command.h"
#include "cli/rows.h"
#include "cli/say.h"
#include "stats/sequential.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(EXPERIMENT_FIRST_LOOK == SEQUENTIAL_FIRST_LOOK,
	      "a campaign is asked when the verdict can answer");

struct loaded { /* The runs of one side at one point. */
	struct run **runs;
	struct run_place *places;
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
	char **names;      /* Of the sides: compared_side borrows them. */
	struct plan *plan; /* That all sides are of, or NULL; its names of metrics are borrowed. */
	struct direction *directions; /* The plan's, then the command line's. */
	size_t n_directions;
	struct known *known;
};

static void loaded_done(struct loaded *loaded)
{
	for (size_t i = 0; i < loaded->n; i++)
		run_free(loaded->runs[i]);
	free(loaded->runs);
	free(loaded->places);
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
	known_free(judged->known);
	plan_free(judged->plan);
	free(judged->directions);
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
	loaded->places = mem_array(side->n_rows + 1, sizeof(*loaded->places));
	for (size_t i = 0; i < side->n_rows; i++) {
		const struct run_row *row = &side->rows[i];
		if ((point && strcmp(row->point, point) != 0) || row->block >= PLAN_WARM_UP_BLOCK)
			continue;
		loaded->places[loaded->n] = decide_place(row);
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

void judge_know(const struct compared_side *sides, size_t n_sides, struct verdict_options *options,
		void *user)
{
	const struct judge_knowing *knowing = user;
	assert(n_sides > 0);
	*options = knowing->rules->verdict;
	options->plugin = catalogue_workload_find(rows_catalogue(), sides[0].job->workload);
	struct error err = { 0 };
	if (knowing->known && known_fill(knowing->known, sides, n_sides, options, &err))
		say_warning("%s; judging without what the store knows", err.text);
}

struct pairing_up { /* What all points are judged by. */
	struct store *store;
	const struct side *sides;
	const struct judge_rules *rules;
	size_t family;
};

/* Puts the sides that have runs at the point beside each other. With fewer than two of them there
 * is nothing to compare: *ret_pairing stays empty. */
static int pair(const struct pairing_up *at, struct judged *judged, const char *point,
		struct error *err)
{
	struct pairing *pairing = &judged->pairings[judged->n_pairings++];
	pairing->loaded = mem_array(judged->n_sides, sizeof(*pairing->loaded));
	pairing->compared = mem_array(judged->n_sides, sizeof(*pairing->compared));
	for (size_t s = 0; s < judged->n_sides; s++) {
		struct loaded *loaded = &pairing->loaded[s];
		const int failed = load(at->store, &at->sides[s], point, loaded, err);
		if (failed)
			return failed;
		if (loaded->n > 0)
			pairing->compared[pairing->n_compared++] = (struct compared_side) {
				.name = judged->names[s],
				.job = loaded->job,
				.runs = (const struct run *const *)loaded->runs,
				.n_runs = loaded->n,
				.places = loaded->places,
			};
	}
	if (pairing->n_compared < 2)
		return 0;
	struct judge_knowing knowing = { .store = at->store,
					 .rules = at->rules,
					 .known = judged->known };
	struct verdict_options options;
	judge_know(pairing->compared, pairing->n_compared, &options, &knowing);
	options.directions = judged->directions;
	options.n_directions = judged->n_directions;
	if (judged->plan)
		decide_rule(judged->plan, at->family, &options);
	return comparison_make(pairing->compared, pairing->n_compared, &options,
			       &pairing->comparison, err);
}

/* When no point is common, sides of one point each are still tried: the refusal then names what
 * differs. */
static int pair_all(const struct pairing_up *at, struct judged *judged, struct error *err)
{
	const char *pattern = at->rules->point_pattern;
	const char **points = NULL;
	const size_t n_points = list_points(&at->sides[0], &points);
	judged->pairings = mem_array(n_points + 1, sizeof(*judged->pairings));
	int failed = 0;
	size_t n_comparisons = 0;
	for (size_t p = 0; p < n_points && !failed; p++) {
		if (!text_matches(points[p], pattern))
			continue;
		failed = pair(at, judged, points[p], err);
		if (judged->pairings[judged->n_pairings - 1].comparison)
			n_comparisons++;
	}
	if (!failed && n_comparisons == 0 && !pattern && n_points == 1)
		failed = pair(at, judged, /* point= */ NULL, err);
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

/* Are all sides whole subjects of one campaign? */
static bool are_of_one_campaign(const struct side *sides, size_t n_sides)
{
	for (size_t s = 0; s < n_sides; s++) {
		if (!sides[s].whole || sides[s].n_rows == 0)
			return false;
		for (size_t i = 0; i < sides[s].n_rows; i++)
			if (sides[s].rows[i].campaign != sides[0].rows[0].campaign)
				return false;
	}
	return true;
}

/* The plan of the campaign that all sides are of; NULL in *ret_plan when there is no such campaign,
 * or it was carried out by something else that kept another kind of plan. */
static int find_plan(struct store *store, const struct side *sides, size_t n_sides,
		     struct plan **ret_plan, struct error *err)
{
	struct campaign_row row = { 0 };
	if (!are_of_one_campaign(sides, n_sides))
		return 0;
	int failed = store_campaign_find(store, sides[0].rows[0].campaign_name, &row, err);
	if (!failed)
		failed = plan_from_json(row.plan, ret_plan, /* err= */ NULL);
	campaign_row_done(&row);
	return failed == -EBADMSG ? 0 : failed;
}

static int find_family(const struct pairing_up *at, const struct plan *plan, size_t *ret_family,
		       struct error *err)
{
	if (!plan || !plan->stopping.until_decided)
		return 0;
	const struct decide_source source = { .store = at->store,
					      .campaign = at->sides[0].rows[0].campaign,
					      .plan = plan,
					      .catalogue = rows_catalogue() };
	return decide_family(&source, ret_family, err);
}

/* What the campaign was carried out with, and over it what is asked for now. */
static void gather_directions(const struct judge_rules *rules, struct judged *judged)
{
	const size_t n_plan = judged->plan ? judged->plan->n_better : 0;
	judged->directions =
		mem_array(n_plan + rules->verdict.n_directions, sizeof(*judged->directions));
	for (size_t i = 0; i < n_plan; i++) {
		const struct better *better = &judged->plan->better[i];
		judged->directions[judged->n_directions++] = (struct direction) {
			.metric = better->metric,
			.better = better->higher ? BETTER_HIGHER : BETTER_LOWER,
		};
	}
	for (size_t i = 0; i < rules->verdict.n_directions; i++)
		judged->directions[judged->n_directions++] = rules->directions[i];
}

/* A direction for a metric that is nowhere is a slip of the pen, and would change nothing. */
static void check_directions(const struct judged *judged)
{
	for (size_t d = 0; d < judged->n_directions; d++) {
		const char *metric = judged->directions[d].metric;
		bool found = !metric;
		for (size_t e = 0; e < d && !found; e++) /* Told once. */
			found = text_equal(judged->directions[e].metric, metric);
		for (size_t p = 0; p < judged->n_pairings && !found; p++) {
			const struct comparison *comparison = judged->pairings[p].comparison;
			for (size_t i = 0; comparison && i < comparison->n_rows && !found; i++)
				found = text_matches(comparison->rows[i].metric.name, metric);
		}
		if (!found)
			say_warning("'%s' is to be %s, but no metric is called so; going on "
				    "without it",
				    metric, metric_better_text(judged->directions[d].better));
	}
}

int judge_sides(struct store *store, const struct side *sides, size_t n_sides,
		const struct judge_rules *rules, struct judged **ret_judged, struct error *err)
{
	AUTO(judged) struct judged *judged = mem_zero(sizeof(*judged));
	judged->n_sides = n_sides;
	judged->known = known_new(store);
	judged->names = mem_array(n_sides, sizeof(char *));
	for (size_t s = 0; s < n_sides; s++)
		judged->names[s] = mem_text(sides[s].name);
	struct pairing_up at = { .store = store, .sides = sides, .rules = rules };
	int failed = find_plan(store, sides, n_sides, &judged->plan, err);
	if (!failed)
		failed = find_family(&at, judged->plan, &at.family, err);
	gather_directions(rules, judged);
	if (!failed)
		failed = pair_all(&at, judged, err);
	if (failed)
		return failed;
	share_budget(judged);
	check_directions(judged);
	*ret_judged = KEEP(judged);
	return 0;
}

const struct comparison *judge_comparison(const struct judged *judged, size_t index)
{
	for (size_t p = 0; p < judged->n_pairings; p++)
		if (judged->pairings[p].comparison && index-- == 0)
			return judged->pairings[p].comparison;
	return NULL;
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
	struct judge_rules rules AUTO(rules) = { 0 };
	const struct report_format *format;
	uint64_t rows;
	int failed = judge_options(parsed, &rules, err);
	if (!failed)
		failed = find_format(parsed, &format, err);
	return failed ? failed : evidence_rows(parsed, &rows, err);
}

size_t judge_comparisons(const struct judged *judged, const struct comparison ***ret_comparisons)
{
	const struct comparison **comparisons =
		mem_array(judged->n_pairings + 1, sizeof(struct comparison *));
	size_t n = 0;
	for (size_t p = 0; p < judged->n_pairings; p++)
		if (judged->pairings[p].comparison)
			comparisons[n++] = judged->pairings[p].comparison;
	*ret_comparisons = comparisons;
	return n;
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
