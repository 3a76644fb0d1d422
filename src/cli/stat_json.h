/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flat JSON of `assay stat` (data/stat.schema.json): what a script asks, without the rest. */
#pragma once

#include "cli/stat_case.h"

#include <jansson.h>

/* One object; the caller owns it. */
json_t *stat_json(const struct stat_case *one);
