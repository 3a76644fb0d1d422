/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Same-subject comparisons out of the store. See alarms.h. */
#include "cli/alarms.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "campaign/decide.h"
#include "cli/alarms_split.h"
#include "cli/known.h"
#include "cli/rows.h"
#include "stats/power.h"
#include "verdict/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COMPARISONS_MAX 100000

void alarms_free(struct alarms *alarms)
{
	if (!alarms)
		return;
	for (size_t i = 0; i < alarms->n_found; i++) {
		free(alarms->found[i].campaign);
		free(alarms->found[i].point);
		free(alarms->found[i].subject);
		free(alarms->found[i].metric);
	}
	free(alarms->found);
	free(alarms->workload);
	free(alarms);
}

struct measuring {
	struct store *store;
	struct alarms *alarms;
	size_t found_capacity;
};

struct loaded { /* One side. */
	struct run **runs;
	struct run_place *places;
	size_t n;
};

static void loaded_done(struct loaded *loaded)
{
	for (size_t i = 0; i < loaded->n; i++)
		run_free(loaded->runs[i]);
	free(loaded->runs);
	free(loaded->places);
}

static inline void auto_release_loaded(struct loaded *loaded)
{
	loaded_done(loaded);
}

static int load(struct store *store, const struct split_side *side, struct loaded *loaded,
		struct error *err)
{
	loaded->runs = mem_array(side->n, sizeof(*loaded->runs));
	loaded->places = mem_array(side->n, sizeof(*loaded->places));
	for (size_t i = 0; i < side->n; i++) {
		const int failed = store_run_get(store, side->rows[i]->id, /* with_series= */ false,
						 &loaded->runs[i], /* ret_row= */ NULL, err);
		if (failed)
			return failed;
		loaded->places[loaded->n++] = decide_place(side->rows[i]);
	}
	return 0;
}

static bool is_change(enum verdict verdict)
{
	return verdict == VERDICT_BETTER || verdict == VERDICT_WORSE || verdict == VERDICT_CHANGED;
}

static void note_found(struct measuring *measuring, const struct run_row *row,
		       const struct row *score)
{
	struct alarms *alarms = measuring->alarms;
	const struct finding *finding = &score->findings[1];
	alarms->found = mem_grow(alarms->found, &measuring->found_capacity, alarms->n_found + 1,
				 sizeof(*alarms->found));
	alarms->found[alarms->n_found++] = (struct alarm) {
		.campaign = mem_text(row->campaign_name),
		.point = mem_text(row->point),
		.subject = mem_text(row->subject),
		.metric = mem_text(score->metric.name),
		.change_percent = finding->relative ? finding->change : (double)NAN,
		.p_adjusted = finding->p_adjusted,
	};
}

/* Counts what a comparison of a subject with itself came to. */
static void count(struct measuring *measuring, const struct split *split,
		  const struct comparison *comparison)
{
	struct alarms *alarms = measuring->alarms;
	size_t n_verdicts = 0;
	size_t n_changes = 0;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		const enum verdict verdict = row->findings[1].verdict;
		if (row->metric.role != ROLE_SCORE || verdict == VERDICT_WITHHELD ||
		    verdict == VERDICT_NOT_JUDGED)
			continue;
		n_verdicts++;
		if (!is_change(verdict))
			continue;
		n_changes++;
		note_found(measuring, split->sides[0].rows[0], row);
	}
	if (n_verdicts == 0) {
		alarms->n_withheld++;
		return;
	}
	alarms->n_twins += split->is_twin;
	alarms->n_splits += !split->is_twin;
	alarms->n_alarms += n_changes > 0;
}

static int judge(struct measuring *measuring, const struct split *split, struct error *err)
{
	AUTO(loaded) struct loaded base = { 0 };
	AUTO(loaded) struct loaded head = { 0 };
	AUTO(known) struct known *known = known_new(measuring->store);
	AUTO(comparison) struct comparison *comparison = NULL;
	int failed = load(measuring->store, &split->sides[0], &base, err);
	if (!failed)
		failed = load(measuring->store, &split->sides[1], &head, err);
	if (failed)
		return failed;
	struct compared_side sides[2] = { { .runs = (const struct run *const *)base.runs,
					    .n_runs = base.n,
					    .places = base.places },
					  { .runs = (const struct run *const *)head.runs,
					    .n_runs = head.n,
					    .places = head.places } };
	for (size_t s = 0; s < ARRAY_SIZE(sides); s++) {
		sides[s].job = split->sides[s].rows[0]->job;
		sides[s].name = s ? "itself" : sides[s].job->subject;
	}
	struct verdict_options options = { .alpha = ALARMS_ALPHA };
	options.plugin = catalogue_workload_find(rows_catalogue(), sides[0].job->workload);
	failed = known_fill(known, sides, ARRAY_SIZE(sides), &options, err);
	options.alarms = NULL; /* It is what is being measured. */
	options.n_marks = 0;
	if (!failed)
		failed = comparison_make(sides, ARRAY_SIZE(sides), &options, &comparison, err);
	if (!failed)
		count(measuring, split, comparison);
	return failed;
}

int alarms_measure(struct store *store, const char *machine, const char *workload, uint64_t seed,
		   struct alarms **ret_alarms, struct error *err)
{
	AUTO(alarms) struct alarms *alarms = mem_zero(sizeof(*alarms));
	AUTO(splits) struct splits *splits = NULL;
	struct measuring measuring = { .store = store, .alarms = alarms };
	alarms->workload = mem_text(workload);
	alarms->seed = seed;
	int failed = splits_find(store, machine, workload, seed, &splits, err);
	for (size_t i = 0; !failed && i < splits->n; i++)
		failed = judge(&measuring, &splits->list[i], err);
	if (failed)
		return failed;
	alarms->n_short = splits->n_short;
	power_rate_interval(alarms->n_alarms, alarms_comparisons(alarms), ALARMS_CONFIDENCE,
			    &alarms->low, &alarms->high);
	*ret_alarms = KEEP(alarms);
	return 0;
}

size_t alarms_wanted(void)
{
	for (size_t n = 100; n < COMPARISONS_MAX; n += 100) {
		double low;
		double high;
		const double expected = ceil((double)n * ALARMS_ALPHA);
		power_rate_interval((size_t)expected, n, ALARMS_CONFIDENCE, &low, &high);
		if (high < 3 * ALARMS_ALPHA)
			return n;
	}
	return COMPARISONS_MAX;
}
