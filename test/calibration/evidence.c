/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 1,500 monitors beside a score, of which five common causes carry half of the variance and Student's
 * t with 5 degrees the rest: how many of 30 that changed are found, and how many others are listed?
 * Judged by comparison_make() as it is; the other rules see the same numbers.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "calibration/sections.h"
#include "stats/adjust.h"
#include "verdict/sample.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define METRICS 1500
#define CHANGED 30
#define SHIFT 4.0 /* Deviations. */
#define FACTORS 5
#define HEAVY_DEGREES 5
#define RATE 0.05
#define REPETITIONS_SHARE 100 /* A comparison is worth so many experiments of one score. */
#define DEVIATION 0.02        /* Of a metric, relative; metrics differ by up to */
#define SPREAD 2.0            /* this factor from it. */

enum lister {
	LISTER_ASSAY,
	LISTER_BENCHSTAT,
	LISTER_LKP_RESULT,
	LISTER_LKP_REST,
	LISTER_BH_WELCH,
	LISTER_COUNT,
};

static const char *const lister_texts[] = { "assay", "benchstat", "LKP 1 %", "LKP 5 %",
					    "Welch, BH 5 %" };
static_assert(ARRAY_SIZE(lister_texts) == LISTER_COUNT, "a word a lister");

struct session { /* The numbers of one experiment, metric by metric; base first. */
	size_t n;
	double (*values)[2 * SIMULATE_RUNS_MAX];
};

static double heavy(struct random *random)
{
	double squares = 0.0;
	for (int i = 0; i < HEAVY_DEGREES; i++)
		squares += pow(random_normal(random), 2);
	const double t = random_normal(random) / sqrt(squares / HEAVY_DEGREES);
	return t / sqrt(HEAVY_DEGREES / (HEAVY_DEGREES - 2.0)); /* Of variance 1. */
}

/* How much each cause moves a metric: a random direction of length 1. */
static void draw_loadings(struct random *random, double loadings[FACTORS])
{
	double squares = 0.0;
	for (size_t f = 0; f < FACTORS; f++) {
		loadings[f] = random_normal(random);
		squares += loadings[f] * loadings[f];
	}
	for (size_t f = 0; f < FACTORS; f++)
		loadings[f] /= sqrt(squares);
}

static void draw_session(struct random *random, size_t n_changed, struct session *session)
{
	double causes[2 * SIMULATE_RUNS_MAX][FACTORS];
	const size_t n = session->n;
	for (size_t run = 0; run < 2 * n; run++)
		for (size_t f = 0; f < FACTORS; f++)
			causes[run][f] = random_normal(random);
	for (size_t metric = 0; metric < METRICS; metric++) {
		double loadings[FACTORS];
		draw_loadings(random, loadings);
		/* Evenly spread on the logarithms. */
		const double deviation = DEVIATION * pow(SPREAD, 2.0 * random_unit(random) - 1.0);
		const double level = pow(10.0, 6.0 * random_unit(random));
		for (size_t run = 0; run < 2 * n; run++) {
			double common = 0.0;
			for (size_t f = 0; f < FACTORS; f++)
				common += loadings[f] * causes[run][f];
			const double noise = (common + heavy(random)) / sqrt(2.0);
			const double shift = metric < n_changed && run >= n ? SHIFT : 0.0;
			/* Counters are not below 0, however heavy the tail. */
			session->values[metric][run] =
				level * fmax(1.0 + deviation * (noise + shift), 0.01);
		}
	}
}

/* The interleaved order of the runs does not matter where the machine is quiet: blocks of 2 + 2. */
static void fill_sample(const struct session *session, size_t side, struct sample *sample,
			struct run_place *places)
{
	for (size_t run = 0; run < session->n; run++) {
		places[run] =
			(struct run_place) { .block = run / 2 + 1,
					     .sequence = 4 * (run / 2) + 2 * (run % 2) + side + 1 };
		const struct metric score = { "hackbench.time_sec", "s",          "",
					      METRIC_SCORE,         BETTER_LOWER, ROLE_SCORE };
		run_metric_add(sample->runs[run], &score, value_known(1.0 + 0.01 * (double)run));
		for (size_t i = 0; i < METRICS; i++) {
			char name[32];
			(void)snprintf(name, sizeof(name), "monitor.%04zu", i);
			const struct metric metric = { name,           "1",         "",
						       METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE };
			run_metric_add(sample->runs[run], &metric,
				       value_known(session->values[i][side * session->n + run]));
		}
	}
}

static size_t number_of(const struct metric *metric)
{
	return strtoul(metric->name + strlen("monitor."), NULL, 10);
}

static void list_ours(const struct session *session, bool listed[METRICS])
{
	static const char *const names[] = { "base", "head" };
	struct sample samples[2];
	struct compared_side sides[2];
	struct run_place places[2][SIMULATE_RUNS_MAX];
	for (size_t side = 0; side < 2; side++) {
		samples[side] = sample_make(names[side], session->n);
		fill_sample(session, side, &samples[side], places[side]);
		sides[side] = sample_side(&samples[side]);
		sides[side].places = places[side];
	}
	const struct verdict_options options = { 0 };
	struct comparison *comparison = NULL;
	struct error err = { 0 };
	if (comparison_make(sides, 2, &options, &comparison, &err) < 0)
		abort();
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		const enum verdict verdict = row->findings[1].verdict;
		if (row->metric.role == ROLE_EVIDENCE)
			listed[number_of(&row->metric)] =
				verdict == VERDICT_MOVED_UP || verdict == VERDICT_MOVED_DOWN;
	}
	comparison_free(comparison);
	sample_done(&samples[0]);
	sample_done(&samples[1]);
}

static void list_others(struct calibration *calibration, const struct session *session,
			bool listed[LISTER_COUNT][METRICS])
{
	double p[METRICS];
	double adjusted[METRICS];
	for (size_t i = 0; i < METRICS; i++) {
		const struct both both = { session->values[i], session->n,
					   session->values[i] + session->n, session->n };
		listed[LISTER_BENCHSTAT][i] = rules_mann_whitney(calibration->rules, &both) <= RATE;
		listed[LISTER_LKP_RESULT][i] = rules_lkp(&both, RULES_LKP_RESULT);
		listed[LISTER_LKP_REST][i] = rules_lkp(&both, RULES_LKP_REST);
		p[i] = rules_welch(&both);
	}
	adjust_benjamini_hochberg(p, METRICS, adjusted);
	for (size_t i = 0; i < METRICS; i++)
		listed[LISTER_BH_WELCH][i] = adjusted[i] <= RATE;
}

struct sums { /* Over repetitions, and of the squares. */
	double found, found_2, false_ones, false_2, share, share_2;
};

static void count(const bool listed[METRICS], size_t n_changed, struct sums *sums)
{
	double found = 0.0;
	double others = 0.0;
	for (size_t i = 0; i < METRICS; i++) {
		found += listed[i] && i < n_changed;
		others += listed[i] && i >= n_changed;
	}
	const double share = found + others > 0.0 ? others / (found + others) : 0.0;
	sums->found += found;
	sums->found_2 += found * found;
	sums->false_ones += others;
	sums->false_2 += others * others;
	sums->share += share;
	sums->share_2 += share * share;
}

struct figures { /* NaN: no claim. */
	size_t n, n_changed;
	double found_least, share_most, false_most;
};

static void print_lister(struct calibration *calibration, const char *name, bool claimed,
			 const struct figures *figures, const struct sums *sums, uint64_t n)
{
	struct claims *claims = &calibration->claims;
	const struct mean found = mean_of(sums->found, sums->found_2, n);
	const struct mean false_ones = mean_of(sums->false_ones, sums->false_2, n);
	const struct mean share = mean_of(sums->share, sums->share_2, n);
	printf("%-14s", name);
	if (figures->n_changed)
		printf(" %5.2f (%5.2f-%5.2f)%-8s", found.mean, found.low, found.high,
		       claims_check(claims, claimed, found.high >= figures->found_least));
	printf(" %6.2f (%.2f-%.2f)%-8s", false_ones.mean, fmax(false_ones.low, 0.0),
	       false_ones.high,
	       claims_check(claims, claimed && !isnan(figures->false_most),
			    false_ones.low <= figures->false_most));
	if (figures->n_changed)
		printf(" %.3f (%.3f-%.3f)%s", share.mean, fmax(share.low, 0.0), share.high,
		       claims_check(claims, claimed, share.low <= figures->share_most));
	printf("\n");
}

static void one_table(struct calibration *calibration, const struct figures *figures)
{
	const uint64_t n = calibration->repetitions / REPETITIONS_SHARE + 2;
	struct sums sums[LISTER_COUNT] = { 0 };
	struct session session = {
		.n = figures->n,
		.values = mem_array(METRICS, sizeof(*session.values)),
	};
	for (uint64_t i = 0; i < n; i++) {
		bool listed[LISTER_COUNT][METRICS];
		draw_session(&calibration->random, figures->n_changed, &session);
		list_ours(&session, listed[LISTER_ASSAY]);
		list_others(calibration, &session, listed);
		for (size_t lister = 0; lister < LISTER_COUNT; lister++)
			count(listed[lister], figures->n_changed, &sums[lister]);
	}
	free(session.values);
	printf("\n1,500 correlated metrics, %zu + %zu runs, %zu changed; mean of %llu comparisons\n",
	       figures->n, figures->n, figures->n_changed, (unsigned long long)n);
	printf("%-14s%s  false%s\n", "", figures->n_changed ? " found                      " : "",
	       figures->n_changed ? "                         false share" : "");
	for (size_t lister = 0; lister < LISTER_COUNT; lister++)
		print_lister(calibration, lister_texts[lister], lister == LISTER_ASSAY, figures,
			     &sums[lister], n);
	(void)fflush(stdout);
}

void section_evidence(struct calibration *calibration)
{
	static const struct figures tables[] = {
		{ 5, 0, (double)NAN, (double)NAN, 0.1 },
		{ 10, 0, (double)NAN, (double)NAN, 0.1 },
		{ 5, CHANGED, 26.0, 0.06, (double)NAN },
		{ 10, CHANGED, 29.5, 0.06, (double)NAN },
	};
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		one_table(calibration, &tables[i]);
}
