/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of machines: what two machines must have in common so that what one of them taught of noise
 * and duration holds for the other. The type is a text made from recorded facts; see
 * store_machine_type in store/noise.h.
 */
#pragma once

#include "base/error.h"
#include "record/run.h"
#include "store/database.h"

#include <stdint.h>

/* Inside an open transaction: the id of the type of the machine that this run was on; 0 when its
 * facts do not say. */
int machine_put(struct database *database, const struct run *run, int64_t *ret_id,
		struct error *err);

/* Gives every run of a store that came from version 1 of the schema its machine. */
int machine_fill(struct database *database, struct error *err);
