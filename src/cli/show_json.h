/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run as JSON: every metric with its three states, the environment, workers, costs, log.
 */
#pragma once

#include "record/run.h"
#include "store/store.h"

#include <jansson.h>

/* A new document. */
json_t *show_json(const struct run_row *row, const struct run *run);
