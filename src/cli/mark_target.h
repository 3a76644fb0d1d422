/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a mark is of, as a person writes it:
 *
 *     METRIC                   "hackbench.time_sec", or a pattern, "proc-vmstat.*"
 *     CAMPAIGN                 every comparison that runs of the campaign are in
 *     CAMPAIGN/BASE..HEAD      that of these two subjects, whichever of them is the base
 *
 * A word that is the whole name of a campaign is the campaign.
 */
#pragma once

#include "base/error.h"
#include "store/marks.h"
#include "store/store.h"

#include <stdbool.h>

/* Fills metric, campaign, base and head of the row, which become its own. -EINVAL when the store
 * has nothing of the name, with what it has instead. */
int mark_target_find(struct store *store, const char *word, struct mark_row *row,
		     struct error *err);

/* Whether a point that was measured fits the row's pattern: of its campaign, when it has one. */
int mark_target_has_point(struct store *store, const struct mark_row *row, bool *ret_has,
			  struct error *err);

/* The same way back: "proc-vmstat.*", "demo/base..head". New string. */
char *mark_target_text(const struct mark_row *row);
