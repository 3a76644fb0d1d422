/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `assay stat` says to people: the report's sentence for each metric, what the two samples look
 * like, and every doubt. A table of `assay compare` would be mostly empty: of anybody's numbers
 * neither machine nor settings are known.
 */
#pragma once

#include "base/text.h"
#include "cli/stat_case.h"

#include <stddef.h>

/* Adds all of `n` cases, which share one budget, in lines of at most `width` characters. */
void stat_text(struct stat_case *const *cases, size_t n, size_t width, struct text *ret_text);
