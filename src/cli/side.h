/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a person calls a side of a comparison, and the runs behind it:
 *
 *     SUBJECT            of the newest campaign
 *     CAMPAIGN/SUBJECT
 *     CAMPAIGN           when it has one subject only
 *     run:ID[,ID...]
 *     @KEY=VALUE         runs whose environment or parameter has this value
 *
 * A campaign may be shortened to a beginning that only one has. A name that fits several, also a
 * word that is a subject of the newest campaign and the whole name of another one, is an error that
 * lists the candidates.
 */
#pragma once

#include "base/error.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>

struct side {
	char *name; /* As it was asked for. */
	struct run_row *rows;
	size_t n_rows;
	bool whole; /* All runs of a subject of one campaign, not a choice among them. */
};

/* -EINVAL for a name that fits nothing or several. At least one run is behind a side. */
int side_find(struct store *store, const char *text, struct side *ret_side, struct error *err);
void side_done(struct side *side);
