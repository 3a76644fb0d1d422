/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan for people (--dry-run): points, subjects, the order of the runs, and how long it takes.
 */
#pragma once

#include "experiment/plan.h"

#include <stdbool.h>

/* Prints on standard output; gives an exit code. */
int plan_show(const struct plan *plan, bool json);
