/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a metric by its name alone: from the rows of workloads and adapters, else from
 * data/directions.yaml (the folder in ASSAY_DATA when that is set, else where assay's data is).
 */
#pragma once

#include "record/metric.h"

#include <stddef.h>

/* NULL: nobody said. Lives as long as the program. */
const struct metric *told_direction(const char *name);

/* The rows of the table, for a list. NULL behind the last. */
const struct metric *told_direction_at(size_t index);
