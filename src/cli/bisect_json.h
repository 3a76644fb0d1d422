/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bisection as JSON: data/bisect.schema.json says what stands in it. */
#pragma once

#include "cli/bisect_course.h"

#include <jansson.h>

json_t *bisect_json(const struct bisect_course *course, const char *name);
