/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The noise table is sorted by metric, and the comparison of a thousand evidence rows asks it a
 * thousand times.
 *
 * The margin of a metric that is told apart worse than 1 % when nothing changed is that noise:
 * calling such a difference a change would be a finding about the weather. Two campaigns of one
 * subject differ by a deviation of sqrt(2) times that of one.
 */
#include "verdict/prior.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN_PERCENT_LEAST 1.0

static int by_metric(const void *key, const void *element)
{
	const struct known_noise *known = element;
	return strcmp(key, known->metric);
}

/* NULL when there is none on the scale of the pair. */
static const struct noise *find_noise(const struct comparison *comparison, const char *metric,
				      const struct pair *pair)
{
	const struct verdict_options *options = &comparison->options;
	const struct known_noise *known =
		options->n_noise ? bsearch(metric, options->noise, options->n_noise,
					   sizeof(*options->noise), by_metric)
				 : NULL;
	return known && known->noise.logarithmic == pair->logarithmic ? &known->noise : NULL;
}

struct moderated_prior prior_known(const struct comparison *comparison, const char *metric,
				   const struct pair *pair)
{
	const struct noise *noise = find_noise(comparison, metric, pair);
	if (!noise || !(noise->within > 0.0) || !(noise->within_degrees >= PRIOR_DEGREES_LEAST))
		return (struct moderated_prior) { .variance = (double)NAN };
	return (struct moderated_prior) {
		.variance = noise->within * noise->within,
		.degrees = fmin(noise->within_degrees, PRIOR_DEGREES_MOST),
	};
}

double prior_margin(const struct comparison *comparison, const struct row *row,
		    const struct pair *pair, bool blocked)
{
	if (!pair->relative && !text_equal(row->metric.unit, "%"))
		return 0.0;
	if (comparison->options.margin_percent > 0.0)
		return comparison->options.margin_percent;
	const struct noise *noise = blocked ? NULL : find_noise(comparison, row->metric.name, pair);
	if (!noise || !(noise->between > 0.0))
		return MARGIN_PERCENT_LEAST;
	const double percent = pair_change(pair, sqrt(2.0) * noise->between);
	return fmax(MARGIN_PERCENT_LEAST, percent);
}
