/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the workload used: arithmetic on getrusage readings. */
#pragma once

#include "monitor/monitor.h"

#include <sys/resource.h>

/* Adds to *usage what was used between two readings of the same task. Times and counts are summed,
 * max_resident_kib is the larger; elapsed_ns is left alone. */
void usage_add(struct usage *usage, const struct rusage *begin, const struct rusage *end);

/* Takes away the same, but never below 0; max_resident_kib is left alone. */
void usage_take_away(struct usage *usage, const struct rusage *begin, const struct rusage *end);
