/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Durations as people write them: 200us, 500ms, 1.5s, 2m, 1h. A number without a unit is an error,
 * because the reader could not tell milliseconds from seconds.
 */
#pragma once

#include "base/error.h"

#include <stdint.h>

#define DURATION_NS_MAX (366ULL * 86400 * 1000000000)

int duration_parse(const char *text, uint64_t *ret_ns, struct error *err);
