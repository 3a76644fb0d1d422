/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evidence that moved together is one cause. */
#pragma once

#include "verdict/comparison.h"

/* Numbers the clusters among the rows that moved; the rows stand in their order and the findings have
 * their verdicts. */
void cluster_make(struct comparison *comparison);
