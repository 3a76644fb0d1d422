/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words for what a metric is. See metric.h. */
#include "record/metric.h"

#include "base/macros.h"

#include <assert.h>

static const char *const kind_texts[] = {
	[METRIC_SCORE] = "score", [METRIC_COUNTER] = "counter", [METRIC_RATE] = "rate",
	[METRIC_SHARE] = "share", [METRIC_GAUGE] = "gauge",     [METRIC_MAXIMUM] = "maximum",
	[METRIC_LAST] = "last",   [METRIC_SETTLED] = "settled",
};
static const char *const better_texts[] = {
	[BETTER_NONE] = "none",
	[BETTER_HIGHER] = "higher",
	[BETTER_LOWER] = "lower",
	[BETTER_UNKNOWN] = "unknown",
};
static const char *const role_texts[] = {
	[ROLE_SCORE] = "score",
	[ROLE_RESTATED] = "restated",
	[ROLE_EVIDENCE] = "evidence",
	[ROLE_COST] = "cost",
};

static_assert(ARRAY_SIZE(kind_texts) == METRIC_KIND_COUNT, "each kind has its word");
static_assert(ARRAY_SIZE(better_texts) == BETTER_COUNT, "each direction has its word");
static_assert(ARRAY_SIZE(role_texts) == ROLE_COUNT, "each role has its word");

const char *metric_kind_text(enum metric_kind kind)
{
	assert(kind < METRIC_KIND_COUNT);
	return kind_texts[kind];
}

const char *metric_better_text(enum metric_better better)
{
	assert(better < BETTER_COUNT);
	return better_texts[better];
}

const char *metric_role_text(enum metric_role role)
{
	assert(role < ROLE_COUNT);
	return role_texts[role];
}
