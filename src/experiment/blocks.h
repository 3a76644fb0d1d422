/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of a plan's runs: random blocks, and the twin's place in them. See plan.h. */
#pragma once

#include "experiment/plan.h"

/* Fills plan->runs from its seed, jobs and stopping rule. A twin gets so many whole blocks that its
 * runs are at least the share of all runs. */
void blocks_draw(struct plan *plan, double twin_percent);
