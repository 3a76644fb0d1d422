/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each name in /proc/vmstat and in the nodes' vmstat files is: a counter since boot or a
 * level. The files do not say it, and a counter that is averaged is a number without meaning.
 */
#pragma once

#include "record/metric.h"

#include <stdbool.h>

/* METRIC_COUNTER or METRIC_GAUGE. *ret_listed is false when the table does not know the name; it is
 * taken as a gauge then. */
enum metric_kind vmstat_kind(const char *name, bool *ret_listed);

/* Fills kind, unit and what of a metric by the kernel's name. */
void vmstat_describe(const char *name, struct metric *metric);
