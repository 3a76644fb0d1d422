/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A monitor as the probe would drive it. See watch.h. */
#include "monitor/watch.h"

#include "base/clock.h"
#include "base/mem.h"
#include "check.h"
#include "record/reduce.h"

#include <stdlib.h>

#define SAMPLES_MAX 16U

struct watch {
	const struct monitor *monitor;
	struct monitor_setup *setup;
	void *state;
	const struct channel *channels;
	uint32_t n_channels;
	struct reading *readings;
	uint64_t times_ns[SAMPLES_MAX];
	uint32_t n_samples;
};

struct watch *watch_open(int root_fd, const char *monitor, struct error *ret_reason)
{
	struct watch *watch = mem_zero(sizeof(*watch));
	watch->monitor = monitor_find(monitor);
	CHECK(watch->monitor != NULL);
	watch->setup = monitor_setup_new(root_fd, monitor, "hackbench");
	if (watch->monitor->open(watch->setup, &watch->state, ret_reason) != MONITOR_OPEN) {
		monitor_setup_free(watch->setup);
		free(watch);
		return NULL;
	}
	watch->channels = monitor_setup_channels(watch->setup, &watch->n_channels);
	watch->readings =
		mem_array((size_t)watch->n_channels * SAMPLES_MAX, sizeof(*watch->readings));
	return watch;
}

struct watch *watch_must(int root_fd, const char *monitor)
{
	struct error reason = { 0 };
	struct watch *watch = watch_open(root_fd, monitor, &reason);
	if (!watch)
		fail_msg("%s is unavailable: %s", monitor, reason.text);
	return watch;
}

void watch_close(struct watch *watch)
{
	watch->monitor->close(watch->state);
	monitor_setup_free(watch->setup);
	free(watch->readings);
	free(watch);
}

void watch_follow(struct watch *watch, bool has_threads)
{
	watch->monitor->follow(watch->state, has_threads);
}

void watch_sample(struct watch *watch)
{
	CHECK(watch->n_samples < SAMPLES_MAX);
	struct reading *readings = watch->readings + (size_t)watch->n_samples * watch->n_channels;
	for (uint32_t i = 0; i < watch->n_channels; i++)
		readings[i] = reading_missing(MISSING_UNSAMPLED);
	watch->monitor->sample(watch->state, readings);
	watch->times_ns[watch->n_samples] = (watch->n_samples + 1) * NS_PER_SEC;
	watch->n_samples++;
}

static const struct metric_rule *find_rule(const struct watch *watch, const char *metric)
{
	uint32_t n;
	const struct metric_rule *rules = monitor_setup_rules(watch->setup, &n);
	for (uint32_t i = 0; i < n; i++) {
		if (strcmp(rules[i].metric.name, metric) == 0)
			return &rules[i];
	}
	return NULL;
}

const struct metric *watch_metric(const struct watch *watch, const char *metric)
{
	const struct metric_rule *rule = find_rule(watch, metric);
	return rule ? &rule->metric : NULL;
}

struct value watch_value(const struct watch *watch, const char *metric)
{
	const struct metric_rule *rule = find_rule(watch, metric);
	if (!rule)
		fail_msg("there is no metric '%s'", metric);
	struct channel *channels = mem_array(watch->n_channels, sizeof(*channels));
	memcpy(channels, watch->channels, watch->n_channels * sizeof(*channels));
	uint64_t times_ns[SAMPLES_MAX];
	memcpy(times_ns, watch->times_ns, sizeof(times_ns));
	const struct series series = {
		.channels = channels,
		.n_channels = watch->n_channels,
		.times_ns = times_ns,
		.readings = watch->readings,
		.n_samples = watch->n_samples,
	};
	const struct value value =
		reduce_metric(&series, rule, NS_PER_SEC, (watch->n_samples + 1) * NS_PER_SEC);
	free(channels);
	return value;
}

struct reading watch_reading(const struct watch *watch, const char *channel)
{
	CHECK(watch->n_samples > 0);
	for (uint32_t i = 0; i < watch->n_channels; i++) {
		if (strcmp(watch->channels[i].name, channel) == 0)
			return watch
				->readings[(size_t)(watch->n_samples - 1) * watch->n_channels + i];
	}
	fail_msg("there is no channel '%s'", channel);
	return reading_missing(MISSING_ABSENT);
}

uint64_t watch_sum(const struct watch *watch)
{
	CHECK(watch->n_samples > 0);
	uint64_t sum = 0;
	for (uint32_t i = 0; i < watch->n_channels; i++) {
		const struct reading *reading =
			&watch->readings[(size_t)(watch->n_samples - 1) * watch->n_channels + i];
		if (watch->channels[i].kind == CHANNEL_COUNTER && reading->state == VALUE_KNOWN)
			sum += reading->count;
	}
	return sum;
}

uint32_t watch_channels(const struct watch *watch)
{
	return watch->n_channels;
}

uint32_t watch_rules(const struct watch *watch)
{
	uint32_t n;
	(void)monitor_setup_rules(watch->setup, &n);
	return n;
}
