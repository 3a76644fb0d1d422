/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A monitor as the probe would drive it: opened below a root, sampled at instants one second apart,
 * its metrics reduced over all samples.
 */
#pragma once

#include "monitor/monitor.h"
#include "record/value.h"

#include <stdbool.h>

struct watch;

/* NULL when the monitor is unavailable; the reason is in *ret_reason then. */
struct watch *watch_open(int root_fd, const char *monitor, struct error *ret_reason);
/* One that must open. */
struct watch *watch_must(int root_fd, const char *monitor);
void watch_close(struct watch *watch);

/* The workers have been made. */
void watch_follow(struct watch *watch, bool has_threads);
void watch_sample(struct watch *watch);

/* A metric over all samples so far, by its full name; fails the test when there is no such
 * metric. */
struct value watch_value(const struct watch *watch, const char *metric);
const struct metric *watch_metric(const struct watch *watch, const char *metric); /* NULL. */

/* Last reading of a channel; fails the test when there is no such channel. */
struct reading watch_reading(const struct watch *watch, const char *channel);

/* Sum of the last readings of all counters. */
uint64_t watch_sum(const struct watch *watch);

uint32_t watch_channels(const struct watch *watch);
uint32_t watch_rules(const struct watch *watch);

/* Checks: the metric is known and has this value; the metric is missing for this reason. */
#define CHECK_VALUE(watch, metric, want)                                                           \
	do {                                                                                       \
		const struct value value_ = watch_value((watch), (metric));                        \
		if (value_.state != VALUE_KNOWN)                                                   \
			fail_msg("%s:%d: %s is missing: %s", __FILE__, __LINE__, (metric),         \
				 missing_text(value_.why));                                        \
		CHECK_NEAR(value_.number, (want), 1e-9 * ((want) > 1 ? (want) : 1));               \
	} while (0)

#define CHECK_MISSING(watch, metric, want)                                                         \
	do {                                                                                       \
		const struct value value_ = watch_value((watch), (metric));                        \
		CHECK_INT(value_.state, VALUE_MISSING);                                            \
		CHECK_TEXT(missing_text(value_.why), missing_text(want));                          \
	} while (0)
