/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The result of a campaign with one subject: there is nothing to compare, so its scores are summed
 * up over the runs.
 */
#pragma once

#include "base/error.h"
#include "cli/side.h"
#include "store/store.h"

#include <stdbool.h>

/* Prints a line a score and point; gives an exit code (125 when no run was complete). */
int single_print(struct store *store, const struct side *side, bool json, struct error *err);
