/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue of workloads and monitors, made from their tables once. cli/ is the room that may
 * see both, and hands the catalogue to the rooms that may not.
 */
#pragma once

#include "record/catalogue.h"

const struct catalogue *rows_catalogue(void);
