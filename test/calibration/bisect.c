/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the bisection find what it is sure of, and at which cost? Histories whose culprit is known are
 * bisected; the runs up to the stop are counted (all of them, the ends included), then those of the
 * fresh measurement. Beside it, on the same histories: git bisect with repeats, and the pass/fail
 * rule of Bayes with the threshold given free. Exits 1 when a claim is not met.
 *
 *     bisect SECTION|all [HISTORIES]
 *
 * A mean is met when its 99 % interval reaches down to the figure, a share when its interval reaches
 * up to it. The seeds were chosen by hand before the first run and are not changed because of a
 * result. How often the ends are measured, and the figures for reused samples (30 and 15 runs at 2 and 4
 * deviations), were settled on these seeds, so their margins flatter a little.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "calibration/history.h"
#include "calibration/rate.h"

#include <math.h>
#include <stdio.h>

#define HISTORIES_SHORT 12

struct row {
	const char *name;
	struct history_case history;
	double runs;  /* Claimed at most; 0: not claimed. */
	double cost;  /* The same, builds included. */
	double right; /* Claimed at least, of those that stop; 0: not claimed. */
};

static const struct {
	const char *name;
	uint64_t seed;
	struct row rows[5];
} sections[] = {
	{ "line",
	  7318349394477056ULL,
	  { { "1 sd", { .n = 1000, .effect = 1 }, 150, 0, .985 },
	    { "2 sd", { .n = 1000, .effect = 2 }, 48, 0, .985 },
	    { "4 sd", { .n = 1000, .effect = 4 }, 25, 0, .985 } } },
	{ "given",
	  2842116027473216ULL,
	  { { "1 sd, 10 + 10 given", { .n = 1000, .effect = 1, .n_given = 10 }, 130, 0, .985 },
	    { "2 sd, 10 + 10 given", { .n = 1000, .effect = 2, .n_given = 10 }, 30, 0, .985 },
	    { "4 sd, 10 + 10 given", { .n = 1000, .effect = 4, .n_given = 10 }, 15, 0, .985 },
	    { "2 sd, 1 run beside it",
	      { .n = 1000, .effect = 2, .n_given = 10, .neighbours = 1 },
	      28,
	      0,
	      0 },
	    { "4 sd, 1 run beside it",
	      { .n = 1000, .effect = 4, .n_given = 10, .neighbours = 1 },
	      12,
	      0,
	      0 } } },
	{ "cost",
	  5099716302431232ULL,
	  { { "1 sd, build 50", { .n = 1000, .effect = 1, .build = 50 }, 0, 830, .985 },
	    { "2 sd, build 50", { .n = 1000, .effect = 2, .build = 50 }, 0, 690, .985 },
	    { "4 sd, build 50", { .n = 1000, .effect = 4, .build = 50 }, 0, 640, .985 } } },
	{ "outliers",
	  1183908540383232ULL,
	  { { "1 sd, 5 % outliers", { .n = 1000, .effect = 1, .outliers = .05 }, 250, 0, .98 },
	    { "2 sd, 5 % outliers", { .n = 1000, .effect = 2, .outliers = .05 }, 75, 0, .98 },
	    { "4 sd, 5 % outliers", { .n = 1000, .effect = 4, .outliers = .05 }, 40, 0, .98 } } },
	{ "merges",
	  8450924718530560ULL,
	  { { "2 sd, merges", { .n = 1000, .effect = 2, .has_merges = true }, 0, 0, .98 },
	    { "4 sd, merges", { .n = 1000, .effect = 4, .has_merges = true }, 0, 0, .98 },
	    { "4 sd, merges, build 50",
	      { .n = 1000, .effect = 4, .has_merges = true, .build = 50 },
	      0,
	      0,
	      .98 } } },
	{ "broken",
	  3996072217608192ULL,
	  { { "2 sd, 10 % broken", { .n = 1000, .effect = 2, .broken = .1 }, 0, 0, .98 },
	    { "4 sd, 10 % broken", { .n = 1000, .effect = 4, .broken = .1 }, 0, 0, .98 } } },
	{ "sessions",
	  6672908815695872ULL,
	  { { "2 sd, sessions 1 sd", { .n = 1000, .effect = 2, .sessions = 1 }, 0, 0, .98 },
	    { "4 sd, sessions 1 sd", { .n = 1000, .effect = 4, .sessions = 1 }, 0, 0, .98 } } },
	{ "passfail",
	  4180236117901312ULL,
	  { { "fails 0 % to 100 %",
	      { .n = 1000, .is_pass_fail = true, .failing = { 0, 1 } },
	      0,
	      0,
	      .98 },
	    { "fails 0 % to 30 %",
	      { .n = 1000, .is_pass_fail = true, .failing = { 0, .3 } },
	      0,
	      0,
	      .98 },
	    { "fails 10 % to 60 %",
	      { .n = 1000, .is_pass_fail = true, .failing = { .1, .6 } },
	      0,
	      0,
	      .98 } } },
	{ "none", 9006104071832576ULL, { { "no change", { .n = 1000 }, 0, 0, 0 } } },
	{ "two",
	  2514760953430016ULL,
	  { { "two of 2 sd", { .n = 1000, .effect = 2, .second = 2 }, 0, 0, 0 },
	    { "two of 4 sd", { .n = 1000, .effect = 4, .second = 4 }, 0, 0, 0 } } },
};

struct tally {
	uint64_t n, n_stopped, n_counted, n_right, n_confirmed, n_false, n_none, n_both, n_rest;
	double runs, runs_squared, cost, cost_squared, verify, built;
};

/* `is_none`: there is nothing to find, and what is counted are the runs until that is said. */
static void count(struct tally *tally, const struct history_outcome *outcome, bool is_none)
{
	tally->n++;
	tally->n_stopped += outcome->is_stopped;
	tally->n_right += outcome->is_right;
	tally->n_confirmed += outcome->n_true > 0;
	tally->n_both += outcome->n_true > 1;
	tally->n_false += outcome->n_false > 0;
	tally->n_none += outcome->is_none;
	tally->n_rest += outcome->is_rest;
	tally->verify += outcome->verify;
	if (!outcome->is_stopped && !(is_none && outcome->is_none))
		return;
	tally->n_counted++;
	tally->runs += outcome->runs;
	tally->runs_squared += outcome->runs * outcome->runs;
	tally->cost += outcome->cost;
	tally->cost_squared += outcome->cost * outcome->cost;
	tally->built += outcome->built;
}

static void print_mean(struct claims *claims, const struct mean *mean, double claimed)
{
	AUTO(text)
	char *figure = mem_format("%.1f (%.1f-%.1f)%s", mean->mean, mean->low, mean->high,
				  claims_check(claims, claimed > 0.0, mean->low <= claimed));
	printf(" %-28s", figure);
}

static void print_row(struct claims *claims, const struct row *row, const struct tally *tally)
{
	const struct rate right =
		rate_of(tally->n_right, tally->n_stopped > 0 ? tally->n_stopped : 1);
	const struct rate wrong = rate_of(tally->n_false, tally->n);
	const struct mean runs = mean_of(tally->runs, tally->runs_squared, tally->n_counted);
	const struct mean cost = mean_of(tally->cost, tally->cost_squared, tally->n_counted);
	const double n = (double)tally->n;
	AUTO(text) char *right_text = rate_show(&right);
	AUTO(text) char *wrong_text = rate_show(&wrong);
	printf("%-23s", row->name);
	print_mean(claims, &runs, row->runs);
	print_mean(claims, &cost, row->cost);
	printf(" %s%s; built %.1f, fresh %.1f; found %.1f %%, both %.1f, accused wrongly %s, none "
	       "%.1f, more said %.1f\n",
	       right_text, claims_check(claims, row->right > 0.0, rate_reaches(&right, row->right)),
	       (double)tally->built / fmax((double)tally->n_counted, 1.0), tally->verify / n,
	       100.0 * (double)tally->n_confirmed / n, 100.0 * (double)tally->n_both / n,
	       wrong_text, 100.0 * (double)tally->n_none / n, 100.0 * (double)tally->n_rest / n);
	(void)fflush(stdout);
}

static void print_others(const struct history_case *history, struct random *random, uint64_t n)
{
	static const enum history_rule rules[] = { HISTORY_GIT_REPEATS, HISTORY_PASS_FAIL };
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		uint64_t n_right = 0;
		double runs = 0.0;
		struct random same = *random;
		for (uint64_t j = 0; j < n; j++) {
			const struct history_outcome outcome =
				history_other(history, rules[i], &same);
			n_right += outcome.is_right;
			runs += outcome.runs;
		}
		const struct rate right = rate_of(n_right, n);
		AUTO(text) char *text = rate_show(&right);
		printf("    %-30s %.1f runs, right %s\n", history_rule_text(rules[i]),
		       runs / (double)n, text);
	}
}

static void print_section(struct claims *claims, size_t section, uint64_t n)
{
	struct random random;
	random_seed(&random, sections[section].seed);
	printf("\n== %s: %llu histories, seed %llu\n", sections[section].name,
	       (unsigned long long)n, (unsigned long long)sections[section].seed);
	for (size_t i = 0; i < ARRAY_SIZE(sections[section].rows); i++) {
		const struct row *row = &sections[section].rows[i];
		if (!row->name)
			break;
		struct tally tally = { 0 };
		const struct random before = random;
		for (uint64_t j = 0; j < n; j++) {
			struct random own;
			random_seed(&own, random_next(&random));
			const struct history_outcome outcome = history_ours(&row->history, &own);
			count(&tally, &outcome,
			      row->history.effect <= 0.0 && !row->history.is_pass_fail);
		}
		print_row(claims, row, &tally);
		struct random again = before;
		if (text_equal(sections[section].name, "line"))
			print_others(&row->history, &again, n);
	}
}

int main(int argc, char **argv)
{
	uint64_t n = HISTORIES_SHORT;
	if (argc < 2 || argc > 3 || (argc == 3 && !text_parse_u64(argv[2], &n)) || n < 2) {
		(void)fprintf(stderr, "usage: bisect SECTION|all [HISTORIES]\n");
		return 2;
	}
	struct claims claims = { 0 };
	bool any = false;
	printf("runs to the stop, cost, right at the stop in %%, each with its 99 %% interval\n");
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		if (!text_equal(argv[1], "all") && !text_equal(argv[1], sections[i].name))
			continue;
		any = true;
		print_section(&claims, i, n);
	}
	if (!any)
		return 2;
	printf("\n%u claims met, %u NOT MET\n", claims.n_met, claims.n_not_met);
	return claims.n_not_met ? 1 : 0;
}
