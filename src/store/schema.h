/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store's tables, their version and the steps from each version to the next. Described for
 * people in assay-store(5).
 */
#pragma once

#include "base/error.h"
#include "store/database.h"

#include <stdbool.h>
#include <stdint.h>

#define SCHEMA_VERSION 2
#define SCHEMA_APPLICATION_ID 0x41535359 /* "ASSY" */

/* Looks whether an opened database is a store that this program can use, before anything is
 * changed in it. *ret_empty: it holds nothing yet. -EBADMSG when it is another program's or of a
 * newer version. */
int schema_look(struct database *database, bool *ret_empty, struct error *err);

/* Settings of the connection (write-ahead log, full synchronisation, foreign keys), then the
 * tables of the present version: made in an empty database, brought forward in an older one. Two
 * processes may do this at once. */
int schema_prepare(struct database *database, struct error *err);
