/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reduction against a naive twin on series of chance: in the twin every pair of samples is looked
 * at, the numbers are long doubles of whole counts, a gauge is looked at each millisecond, and no
 * code is shared with reduce.c. Series of chance keep to counts that a long double holds.
 */
#include "base/random.h"
#include "check.h"
#include "record/reduce.h"

#include <math.h>

#define SECOND 1000000000ULL
#define SAMPLES_MAX 16
#define CHANNELS_MAX 4

/* A series of up to four channels that is filled row by row. */
struct table {
	struct channel channels[CHANNELS_MAX];
	uint64_t times_ns[SAMPLES_MAX];
	struct reading readings[SAMPLES_MAX * CHANNELS_MAX];
	struct series series;
};

static void begin(struct table *table, uint32_t n_channels, enum channel_kind kind, uint8_t width)
{
	*table = (struct table) { 0 };
	for (uint32_t i = 0; i < n_channels; i++)
		table->channels[i] = (struct channel) { "c", kind, width };
	table->series = (struct series) {
		.channels = table->channels,
		.n_channels = n_channels,
		.times_ns = table->times_ns,
		.readings = table->readings,
	};
}

static void add_row(struct table *table, uint64_t at_ns, const struct reading *readings)
{
	struct series *series = &table->series;
	series->times_ns[series->n_samples] = at_ns;
	memcpy(series->readings + series->n_samples * series->n_channels, readings,
	       series->n_channels * sizeof(*readings));
	series->n_samples++;
}

static const uint32_t all_channels[] = { 0, 1, 2, 3 };

static struct value reduce_of(const struct table *table, enum metric_kind kind, uint32_t n_parts,
			      double scale)
{
	const struct metric_rule rule = {
		.metric = { .name = "m", .unit = "1", .what = "", .kind = kind },
		.scale = scale,
		.parts = all_channels,
		.n_parts = n_parts,
		.whole = all_channels,
		.n_whole = table->series.n_channels,
	};
	return reduce_metric(&table->series, &rule, 10 * SECOND, 20 * SECOND);
}

static bool twin_counter(const struct table *table, uint32_t channel, bool is_alone,
			 long double *ret_sum)
{
	const struct series *series = &table->series;
	long double sum = 0;
	uint32_t steps = 0;
	uint32_t falls = 0;
	for (uint32_t i = 1; i < series->n_samples; i++) {
		const struct reading one = series->readings[(i - 1) * series->n_channels + channel];
		const struct reading two = series->readings[i * series->n_channels + channel];
		if (series->times_ns[i - 1] < 10 * SECOND || series->times_ns[i] > 20 * SECOND ||
		    one.state != VALUE_KNOWN || two.state != VALUE_KNOWN)
			continue;
		long double step = (long double)two.count - (long double)one.count;
		if (step < 0 && series->channels[channel].width_bits == 32)
			step += 4294967296.0L;
		const bool is_wrap = two.count < one.count;
		if (step < 0 || (is_wrap && step >= 2147483648.0L)) {
			falls++;
			continue;
		}
		sum += step;
		steps++;
	}
	*ret_sum = sum;
	return steps > 0 && !(falls && is_alone);
}

static bool twin_sum(const struct table *table, uint32_t n_parts, long double *ret_sum)
{
	bool is_known = false;
	*ret_sum = 0;
	for (uint32_t i = 0; i < n_parts; i++) {
		long double part;
		if (!twin_counter(table, i, n_parts == 1, &part))
			continue;
		*ret_sum += part;
		is_known = true;
	}
	return is_known;
}

/* The mean as the kernel would show it to somebody who looks every millisecond. */
static bool twin_gauge(const struct table *table, uint32_t channel, double *ret_mean)
{
	const struct series *series = &table->series;
	double sum = 0;
	uint64_t looks = 0;
	for (uint64_t at_ns = 10 * SECOND; at_ns < 20 * SECOND; at_ns += SECOND / 1000) {
		const struct reading *now = NULL;
		for (uint32_t i = 0; i < series->n_samples; i++)
			if (series->times_ns[i] >= 10 * SECOND && series->times_ns[i] <= at_ns)
				now = &series->readings[i * series->n_channels + channel];
		if (!now || now->state != VALUE_KNOWN)
			continue;
		sum += (double)now->count;
		looks++;
	}
	*ret_mean = looks ? sum / (double)looks : 0;
	return looks > 0;
}

static struct reading reading_of_chance(struct random *random, uint64_t *count)
{
	const uint64_t event = random_below(random, 20);
	if (event == 0)
		return reading_missing((enum missing)(1 + random_below(random, MISSING_COUNT - 1)));
	if (event == 1)
		*count = random_below(random, 1ULL << 32); /* Fell, or began anew. */
	else
		*count += random_below(random, 1000000000);
	return reading_count(*count);
}

static void make_by_chance(struct table *table, struct random *random)
{
	const uint32_t n_channels = 1 + (uint32_t)random_below(random, CHANNELS_MAX);
	const uint8_t width = random_below(random, 2) ? 32 : 64;
	const uint64_t n_samples = random_below(random, SAMPLES_MAX + 1);
	uint64_t counts[CHANNELS_MAX] = { 0 };
	uint64_t at_ms = 9000;
	begin(table, n_channels, CHANNEL_COUNTER, width);
	for (uint64_t i = 0; i < n_samples; i++) {
		struct reading row[CHANNELS_MAX];
		for (uint32_t j = 0; j < n_channels; j++) {
			row[j] = reading_of_chance(random, &counts[j]);
			if (width == 32 && row[j].state == VALUE_KNOWN)
				row[j].count &= UINT32_MAX;
		}
		at_ms += random_below(random, 2000);
		add_row(table, at_ms * 1000000, row);
	}
}

/* How far two of one size may be apart: the twin's floats round. */
static void check_near(double have, double want)
{
	CHECK_NEAR(have, want, 1e-9 * (1 + fabs(want)));
}

static void compare_counters(const struct table *table)
{
	const uint32_t n = table->series.n_channels;
	long double whole;
	const bool is_whole_known = twin_sum(table, n, &whole);
	for (uint32_t n_parts = 1; n_parts <= n; n_parts++) {
		long double sum;
		const bool is_known = twin_sum(table, n_parts, &sum);
		const struct value have = reduce_of(table, METRIC_COUNTER, n_parts, 1);
		CHECK(value_is_known(have) == is_known);
		if (is_known)
			check_near(have.number, (double)sum);
		const struct value share = reduce_of(table, METRIC_SHARE, n_parts, 1);
		CHECK(value_is_known(share) == (is_known && is_whole_known && whole > 0));
		if (value_is_known(share))
			check_near(share.number, (double)(100 * sum / whole));
		if (value_is_known(share))
			CHECK(share.number >= 0 && share.number <= 100);
	}
}

static void compare_gauges(const struct table *table)
{
	double mean;
	const bool is_known = twin_gauge(table, 0, &mean);
	const struct value have = reduce_of(table, METRIC_GAUGE, 1, 1);
	if (is_known) {
		CHECK_INT(have.state, VALUE_KNOWN);
		check_near(have.number, mean);
	}
}

static void it_agrees_with_a_naive_twin_on_series_of_chance(void **state)
{
	struct random random;
	random_seed(&random, 20140214);
	for (unsigned i = 0; i < 20000; i++) {
		struct table table;
		make_by_chance(&table, &random);
		compare_counters(&table);
		if (i % 100 == 0)
			compare_gauges(&table);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_agrees_with_a_naive_twin_on_series_of_chance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
