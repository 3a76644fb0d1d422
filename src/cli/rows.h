/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue of workloads and monitors, made from their tables and from the adapters once. cli/ is
 * the room that may see all of them, and hands the catalogue to the rooms that may not.
 */
#pragma once

#include "base/error.h"
#include "intake/harvest.h"
#include "record/catalogue.h"

/* What is built in alone. */
const struct catalogue *rows_built_in(void);

/* With the adapters. The first call reads their files. */
const struct catalogue *rows_catalogue(void);
const struct adapters *rows_adapters(void);

/* Adds the adapter in a file that the person named (--adapter). To be called before anything of the
 * catalogue is held. -EINVAL for anything wrong in it. */
int rows_adapter_add(const char *path, struct error *err);

/* What is wrong with the adapter in NAME.yaml that could not be read; NULL when there is none. */
const char *rows_broken(const char *name);

/* Of all of them: name and sentence of the index-th; NULL behind the last. */
const char *rows_broken_at(size_t index, const char **ret_sentence);
