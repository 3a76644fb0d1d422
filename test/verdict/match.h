/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two sides of equally many runs for tests, in random blocks of two and two where a test wants them. */
#pragma once

#include "base/random.h"
#include "check.h"
#include "verdict/order.h"
#include "verdict/sample.h"

#define MATCH_RUNS_MAX 64

struct match {
	struct sample base, head;
	struct compared_side sides[2];
	struct run_place places[2][MATCH_RUNS_MAX];
	struct verdict_options options;
	struct comparison *comparison;
	bool blocked;
	size_t n;
};

static inline void match_begin(struct match *match, size_t n, bool blocked)
{
	assert_true(n <= MATCH_RUNS_MAX);
	*match = (struct match) { .n = n, .blocked = blocked };
	match->base = sample_make("base", n);
	match->head = sample_make("head", n);
	for (size_t i = 0; i < n; i++) {
		/* Base and head by turns of ABBA. */
		const bool head_first = i % 2 == 1;
		match->places[0][i] = (struct run_place) { i / 2, 2 * i + head_first };
		match->places[1][i] = (struct run_place) { i / 2, 2 * i + !head_first };
	}
}

/* One number a run. */
static inline void match_values(struct match *match, const struct metric *metric,
				const double *base, const double *head)
{
	sample_metric(&match->base, metric, base);
	sample_metric(&match->head, metric, head);
}

/* Normal numbers; `shift` is what the head has more. Each block gets its own `drift` on top. */
static inline void match_normal(struct match *match, const struct metric *metric,
				struct random *random, const double mean_deviation_shift_drift[4])
{
	const double *with = mean_deviation_shift_drift;
	for (size_t i = 0; i < match->n; i++) {
		const double level = with[0] + with[3] * (double)(i / 2);
		run_metric_add(match->base.runs[i], metric,
			       value_known(level + with[1] * random_normal(random)));
		run_metric_add(match->head.runs[i], metric,
			       value_known(level + with[2] + with[1] * random_normal(random)));
	}
}

static inline void match_judge(struct match *match)
{
	struct error err = { 0 };
	match->sides[0] = sample_side(&match->base);
	match->sides[1] = sample_side(&match->head);
	for (size_t i = 0; match->blocked && i < 2; i++)
		match->sides[i].places = match->places[i];
	if (comparison_make(match->sides, 2, &match->options, &match->comparison, &err) < 0)
		CHECK_FAIL("%s", err.text);
}

static inline const struct row *match_row(const struct match *match, const char *name)
{
	for (size_t i = 0; i < match->comparison->n_rows; i++)
		if (strcmp(match->comparison->rows[i].metric.name, name) == 0)
			return &match->comparison->rows[i];
	CHECK_FAIL("no row %s", name);
}

static inline const struct finding *match_finding(const struct match *match, const char *name)
{
	return &match_row(match, name)->findings[1];
}

static inline void match_done(struct match *match)
{
	comparison_free(match->comparison);
	sample_done(&match->base);
	sample_done(&match->head);
}
