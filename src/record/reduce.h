/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From raw samples to a metric's value over the measured window: the one place where differences,
 * rates, shares and means are made. Samples outside [from_ns, to_ns] are not used.
 *
 * Counters: the sum of steps between samples next to each other where both were read. A step
 * backwards is a wrap when the width is 32 and the step modulo 2^32 is below 2^31; any other step
 * backwards makes the metric missing (MISSING_BACKWARDS) when it is the only channel, and is left
 * out of a sum of several channels (a CPU that went and came back). Gauges: each reading holds
 * until the next one (step function), as the kernel's value does. Rates are per second between
 * the first and the last sample that were used: the difference is of that time.
 *
 * Settled: the time, from the first sample of the window on, of the earliest known reading from
 * which on all are within 5 % of the last known one. Missing (MISSING_UNSETTLED) when that is the
 * last one only.
 *
 * Sums count the parts that are known; when none is, the value is missing for the reason of the
 * first part that is. A share of nothing (the whole did not move) is missing (MISSING_UNSAMPLED).
 */
#pragma once

#include "record/channel.h"
#include "record/run.h"
#include "record/value.h"

struct value reduce_metric(const struct series *series, const struct metric_rule *rule,
			   uint64_t from_ns, uint64_t to_ns);
