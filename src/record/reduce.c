/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences, rates, shares, means, over the measured window. See reduce.h. */
#include "record/reduce.h"

#include "base/macros.h"

#include <assert.h>
#include <math.h>

/* What is near the last reading. */
#define SETTLED_SHARE 0.05

/* The samples of the window, and how a rule's channels are read there. */
struct window {
	const struct series *series;
	uint32_t first, end; /* Samples [first, end). */
	uint64_t to_ns;
};

/* One channel of a counter, or the sum of several. Steps are kept as integers: a counter above
 * 2^53 has no exact float, while the difference of two has. */
struct steps {
	uint64_t sum;
	uint32_t taken;     /* Steps that were added. */
	uint32_t backwards; /* Steps that were left out. */
	bool is_absurd;     /* The sum itself passed 2^64. */
};

static struct window window_of(const struct series *series, uint64_t from_ns, uint64_t to_ns)
{
	struct window window = { .series = series, .to_ns = to_ns };
	while (window.first < series->n_samples && series->times_ns[window.first] < from_ns)
		window.first++;
	window.end = window.first;
	while (window.end < series->n_samples && series->times_ns[window.end] <= to_ns)
		window.end++;
	return window;
}

static const struct reading *reading_at(const struct window *window, uint32_t sample,
					uint32_t channel)
{
	const struct series *series = window->series;
	return &series->readings[(size_t)sample * series->n_channels + channel];
}

/* The reason of a channel that gave nothing: of its first missing reading; else it has no meaning
 * here; else there were too few samples. */
static struct value nothing_of(const struct window *window, uint32_t channel)
{
	bool has_no_meaning = false;
	for (uint32_t i = window->first; i < window->end; i++) {
		const struct reading *reading = reading_at(window, i, channel);
		if (reading->state == VALUE_MISSING)
			return value_missing((enum missing)reading->why);
		if (reading->state == VALUE_NOT_APPLICABLE)
			has_no_meaning = true;
	}
	return has_no_meaning ? value_not_applicable() : value_missing(MISSING_UNSAMPLED);
}

/* The state of a whole that is made of several parts of which none gave a number: missing for the
 * reason of the first missing one; without meaning only when all are. */
static void merge_nothing(struct value *whole, struct value part)
{
	const bool is_first = whole->state == VALUE_KNOWN;
	if (is_first || (whole->state == VALUE_NOT_APPLICABLE && part.state == VALUE_MISSING))
		*whole = part;
}

static void add_step(struct steps *steps, uint64_t before, uint64_t after, unsigned width_bits)
{
	uint64_t step = after - before;
	if (after < before) {
		step &= UINT32_MAX;
		if (width_bits != 32 || step >= 1ULL << 31) {
			steps->backwards++;
			return;
		}
	}
	steps->taken++;
	if (__builtin_add_overflow(steps->sum, step, &steps->sum))
		steps->is_absurd = true;
}

static struct steps steps_of(const struct window *window, uint32_t channel)
{
	const unsigned width_bits = window->series->channels[channel].width_bits;
	struct steps steps = { 0 };
	for (uint32_t i = window->first; i + 1 < window->end; i++) {
		const struct reading *before = reading_at(window, i, channel);
		const struct reading *after = reading_at(window, i + 1, channel);
		if (before->state == VALUE_KNOWN && after->state == VALUE_KNOWN)
			add_step(&steps, before->count, after->count, width_bits);
	}
	return steps;
}

/* What one channel's steps are worth alone, or within a sum: there steps backwards are left out. */
static struct value value_of_steps(const struct window *window, uint32_t channel,
				   const struct steps *steps, bool is_alone)
{
	if (steps->is_absurd)
		return value_missing(MISSING_MALFORMED);
	if (steps->backwards && (is_alone || !steps->taken))
		return value_missing(MISSING_BACKWARDS);
	if (!steps->taken)
		return nothing_of(window, channel);
	return value_known((double)steps->sum);
}

static struct value counters(const struct window *window, const uint32_t *channels, uint32_t n)
{
	uint64_t sum = 0;
	bool is_any_known = false;
	struct value nothing = value_known(0);
	for (uint32_t i = 0; i < n; i++) {
		if (window->series->channels[channels[i]].kind != CHANNEL_COUNTER)
			return value_missing(MISSING_MALFORMED);
		const struct steps steps = steps_of(window, channels[i]);
		const struct value part =
			value_of_steps(window, channels[i], &steps, /* is_alone= */ n == 1);
		if (!value_is_known(part))
			merge_nothing(&nothing, part);
		else if (__builtin_add_overflow(sum, steps.sum, &sum))
			return value_missing(MISSING_MALFORMED);
		is_any_known |= value_is_known(part);
	}
	return is_any_known ? value_known((double)sum) : nothing;
}

/* The time that the samples span, not the window's: what a counter gained before the first sample
 * is not in the difference. */
static struct value rate(const struct window *window, const struct metric_rule *rule)
{
	const struct value sum = counters(window, rule->parts, rule->n_parts);
	if (!value_is_known(sum))
		return sum;
	const uint64_t *times_ns = window->series->times_ns;
	const uint64_t span_ns = times_ns[window->end - 1] - times_ns[window->first];
	if (span_ns == 0)
		return value_missing(MISSING_UNSAMPLED);
	return value_known(sum.number * 1e9 / (double)span_ns);
}

static struct value share(const struct window *window, const struct metric_rule *rule)
{
	const struct value parts = counters(window, rule->parts, rule->n_parts);
	if (!value_is_known(parts))
		return parts;
	const struct value whole = counters(window, rule->whole, rule->n_whole);
	if (!value_is_known(whole))
		return whole;
	if (whole.number == 0)
		return value_missing(MISSING_UNSAMPLED);
	return value_known(100 * parts.number / whole.number);
}

/* A counter read as a level is the number that it shows. */
static double level_of(const struct window *window, const struct reading *reading, uint32_t channel)
{
	return window->series->channels[channel].kind == CHANNEL_COUNTER ? (double)reading->count
									 : reading->level;
}

/* Each reading holds until the next sample, the last one until the end of the window. Readings
 * that hold for no time at all count only when there are no others. */
static struct value mean_of(const struct window *window, uint32_t channel)
{
	const uint64_t *times_ns = window->series->times_ns;
	double weighted = 0;
	double weight = 0;
	double plain = 0;
	uint32_t known = 0;
	for (uint32_t i = window->first; i < window->end; i++) {
		const struct reading *reading = reading_at(window, i, channel);
		if (reading->state != VALUE_KNOWN)
			continue;
		const uint64_t until_ns = i + 1 < window->end ? times_ns[i + 1] : window->to_ns;
		const double held = (double)(until_ns - times_ns[i]);
		const double level = level_of(window, reading, channel);
		weighted += level * held;
		weight += held;
		plain += level;
		known++;
	}
	if (!known)
		return nothing_of(window, channel);
	return value_known(weight > 0 ? weighted / weight : plain / known);
}

static struct value gauges(const struct window *window, const struct metric_rule *rule)
{
	double sum = 0;
	bool is_any_known = false;
	struct value nothing = value_known(0);
	for (uint32_t i = 0; i < rule->n_parts; i++) {
		const struct value part = mean_of(window, rule->parts[i]);
		if (!value_is_known(part))
			merge_nothing(&nothing, part);
		else
			sum += part.number;
		is_any_known |= value_is_known(part);
	}
	return is_any_known ? value_known(sum) : nothing;
}

static struct value maximum(const struct window *window, uint32_t channel)
{
	struct value most = nothing_of(window, channel);
	bool is_any_known = false;
	for (uint32_t i = window->first; i < window->end; i++) {
		const struct reading *reading = reading_at(window, i, channel);
		if (reading->state != VALUE_KNOWN)
			continue;
		const double level = level_of(window, reading, channel);
		if (!is_any_known || level > most.number)
			most = value_known(level);
		is_any_known = true;
	}
	return most;
}

static struct value last(const struct window *window, uint32_t channel)
{
	if (window->first == window->end)
		return value_missing(MISSING_UNSAMPLED);
	const struct reading *reading = reading_at(window, window->end - 1, channel);
	if (reading->state == VALUE_KNOWN)
		return value_known(level_of(window, reading, channel));
	if (reading->state == VALUE_NOT_APPLICABLE)
		return value_not_applicable();
	return value_missing((enum missing)reading->why);
}

/* Backwards from the last known reading, as far as all are near it. Readings that are missing in
 * between say nothing: a task that has ended has no place. */
static struct value settled(const struct window *window, uint32_t channel)
{
	const uint64_t *times_ns = window->series->times_ns;
	uint64_t since_ns = 0;
	double final = 0;
	uint32_t near = 0;
	bool was_far = false;
	for (uint32_t i = window->end; i > window->first && !was_far; i--) {
		const struct reading *reading = reading_at(window, i - 1, channel);
		if (reading->state != VALUE_KNOWN)
			continue;
		const double level = level_of(window, reading, channel);
		if (!near)
			final = level;
		was_far = fabs(level - final) > SETTLED_SHARE * fabs(final);
		if (was_far)
			continue;
		since_ns = times_ns[i - 1];
		near++;
	}
	if (near < 2)
		return was_far ? value_missing(MISSING_UNSETTLED) : nothing_of(window, channel);
	return value_known((double)(since_ns - times_ns[window->first]) / 1e9);
}

static struct value reduce_unscaled(const struct window *window, const struct metric_rule *rule)
{
	assert(rule->n_parts > 0);
	switch (rule->metric.kind) {
	case METRIC_COUNTER:
		return counters(window, rule->parts, rule->n_parts);
	case METRIC_RATE:
		return rate(window, rule);
	case METRIC_SHARE:
		return share(window, rule);
	case METRIC_GAUGE:
		return gauges(window, rule);
	case METRIC_MAXIMUM:
		return maximum(window, rule->parts[0]);
	case METRIC_LAST:
		return last(window, rule->parts[0]);
	case METRIC_SETTLED:
		return settled(window, rule->parts[0]);
	case METRIC_SCORE:
	case METRIC_KIND_COUNT:
		break;
	}
	/* A rule makes no scores. */
	assert(rule->metric.kind != METRIC_SCORE && rule->metric.kind < METRIC_KIND_COUNT);
	return value_missing(MISSING_MALFORMED);
}

struct value reduce_metric(const struct series *series, const struct metric_rule *rule,
			   uint64_t from_ns, uint64_t to_ns)
{
	const struct window window = window_of(series, from_ns, to_ns);
	struct value value = reduce_unscaled(&window, rule);
	if (value_is_known(value) && rule->metric.kind != METRIC_SHARE)
		value.number *= rule->scale;
	if (value_is_known(value) && !isfinite(value.number))
		return value_missing(MISSING_MALFORMED);
	return value;
}
