/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Did the machine become faster or slower while it was measured, or do neighbouring runs resemble
 * each other? */
#include "base/auto.h"
#include "base/macros.h"
#include "stats/shape.h"
#include "verdict/guard.h"
#include "verdict/session.h"

#include <math.h>
#include <stdint.h>

extern const struct guard guard_drift;

#define RUNS_MIN 8
#define TREND_P 0.001        /* Chance to see a trend where there is none. */
#define NEIGHBOURS_MIN 12    /* Runs from which an autocorrelation says anything. */
#define NEIGHBOURS_REACH 3.3 /* Standard errors, 1/sqrt(n): about one in two thousand. */
#define SHARE_OF_CHANGE 0.5  /* Of the change that is found, which the drift could explain. */

DEFINE_AUTO(residuals, double *, free);

struct drift {
	bool known;
	bool trends;
	double trend_p;
	double percent_a_run; /* Of the base mean. */
	bool remembers;
	double correlation;
};

static struct drift look(const struct session *session, const struct row *row, size_t only)
{
	struct drift drift = { 0 };
	AUTO(residuals) double *residuals = NULL;
	const size_t n = session_residuals(session, row, only, &residuals);
	const double level = fabs(row->cells[0].summary.mean);
	if (n < RUNS_MIN || !(level > 0.0))
		return drift;
	const struct trend trend = shape_trend(residuals, n);
	drift.percent_a_run = 100.0 * trend.slope / level;
	drift.known = true;
	drift.trend_p = trend.p;
	drift.trends = trend.known && trend.p < TREND_P;
	drift.correlation = shape_autocorrelation(residuals, n);
	drift.remembers =
		n >= NEIGHBOURS_MIN && drift.correlation > NEIGHBOURS_REACH / sqrt((double)n);
	return drift;
}

static void tell_mixed(struct comparison *comparison, const struct session *session,
		       const struct row *row, size_t head)
{
	const struct drift drift = look(session, row, SIZE_MAX);
	const double whole = drift.percent_a_run * (double)(session->n - 1);
	if (drift.trends && fabs(whole) >= comparison->margin_percent)
		guard_warn(comparison, &guard_drift, head, row->metric.name,
			   "%s drifted by %+.2g %% over the session; the order was mixed, so it is "
			   "in both sides and only widens the interval",
			   row->metric.name, whole);
	else if (drift.remembers)
		guard_warn(
			comparison, &guard_drift, head, row->metric.name,
			"neighbouring runs of %s resemble each other (autocorrelation %.2f): the "
			"machine changes its state in between, and the interval is the wider for "
			"it",
			row->metric.name, drift.correlation);
}

/* One side after the other: a drift that goes on between the sides' middles is in the change. */
static void tell_parted(struct comparison *comparison, const struct session *session,
			const struct row *row, size_t head)
{
	const size_t sides[] = { 0, head };
	const double level = fabs(row->cells[0].summary.mean);
	const double change = row->cells[head].summary.mean - row->cells[0].summary.mean;
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++) {
		const struct drift drift = look(session, row, sides[i]);
		const char *name = comparison->sides[sides[i]].name;
		const double between = drift.percent_a_run * (double)session->n / 2.0;
		const double least = fmax(comparison->margin_percent,
					  SHARE_OF_CHANGE * 100.0 * fabs(change) / level);
		if (drift.trends && fabs(between) >= least)
			guard_withhold(
				comparison, &guard_drift, head, row->metric.name,
				"%s drifted by %+.2g %% a run within %s, and the sides were "
				"not interleaved: going on between them, that alone would be "
				"%+.2g %%",
				row->metric.name, drift.percent_a_run, name, between);
		else if (drift.remembers)
			guard_withhold(
				comparison, &guard_drift, head, row->metric.name,
				"neighbouring runs of %s resemble each other within %s "
				"(autocorrelation %.2f), and the sides were not interleaved: "
				"the runs count for fewer than they are",
				row->metric.name, name, drift.correlation);
	}
}

static void examine_head(struct comparison *comparison, size_t head)
{
	AUTO(session) struct session session = session_make(comparison, head);
	if (!session.ordered)
		return;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		if (row->metric.role != ROLE_SCORE || row->mixed)
			continue;
		if (session.mixed)
			tell_mixed(comparison, &session, row, head);
		else
			tell_parted(comparison, &session, row, head);
	}
}

static void examine(struct comparison *comparison)
{
	for (size_t head = 1; head < comparison->n_sides; head++)
		examine_head(comparison, head);
}

static void show_line(const struct row *row, const char *where, const struct drift *drift,
		      struct text *text)
{
	if (!drift->known)
		text_add(text, "%s %s: fewer than %d runs, nothing can be seen\n", row->metric.name,
			 where, RUNS_MIN);
	else
		text_add(text,
			 "%s %s: %+.2g %% a run (p = %.2g, counts below %g), autocorrelation of "
			 "neighbours %.2f\n",
			 row->metric.name, where, drift->percent_a_run, drift->trend_p, TREND_P,
			 drift->correlation);
}

static void show(const struct comparison *comparison, size_t head, struct text *text)
{
	AUTO(session) struct session session = session_make(comparison, head);
	if (!session.ordered) {
		text_add(text, "the order of the runs is not known\n");
		return;
	}
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		if (row->metric.role != ROLE_SCORE || row->mixed)
			continue;
		const struct drift both = look(&session, row, SIZE_MAX);
		const struct drift base = look(&session, row, 0);
		const struct drift other = look(&session, row, head);
		if (session.mixed)
			show_line(row, "over both sides", &both, text);
		else
			show_line(row, "within the base", &base, text);
		if (!session.mixed)
			show_line(row, "within the head", &other, text);
	}
}

const struct guard guard_drift = {
	.name = "drift",
	.asks = "did the machine drift over the session?",
	.explains =
		"The runs of both sides are put into the order in which they were measured, each less "
		"the median of its side, and asked for a trend (Mann and Kendall, chance of a false "
		"one 1 in 1000, from 8 runs on) and for a likeness of neighbours (autocorrelation "
		"beyond 3.3 standard errors, from 12 runs on). Where the sides were interleaved, "
		"either is in both of them and the guard only warns, of a trend when it came to more "
		"than the margin. Where they were not, it withholds the verdict: when the trend within "
		"a side, going on from the middle of one to the middle of the other, would come to the "
		"margin and to half of the change that was found, or when neighbours are alike. To "
		"cure it, measure the sides interleaved, after a warm-up.",
	.examine = examine,
	.show = show,
};
