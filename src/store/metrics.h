/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of a run as two blobs: the sorted ids of its metrics (a set, shared with all runs
 * that have the same), and the packed values in the same order.
 *
 * A metric is the same when name, unit, kind, better and role are; its explanation is the one that
 * came first.
 */
#pragma once

#include "base/error.h"
#include "record/run.h"
#include "store/database.h"

#include <stddef.h>
#include <stdint.h>

/* Inside an open transaction: the set of the run's metrics, and its packed values in a new block. */
int metrics_put(struct database *database, const struct run *run, int64_t *ret_set,
		uint8_t **ret_values, size_t *ret_length, struct error *err);

/* Adds the metrics of a set with these values to a run. */
int metrics_get(struct database *database, int64_t set, const uint8_t *values, size_t length,
		struct run *run, struct error *err);
