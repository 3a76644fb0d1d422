/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measured false alarms for people and as JSON. */
#pragma once

#include "cli/alarms.h"

#include <jansson.h>
#include <stdbool.h>

/* Does the rate break the promise, surely? Verdicts are withheld then. */
bool alarms_are_too_many(const struct alarms *alarms);

void alarms_show(const struct alarms *alarms);

json_t *alarms_json(const struct alarms *alarms);
