/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The raw samples of a run's monitors, as CSV: monitor, channel, seconds into the window, reading.
 */
#pragma once

#include "record/run.h"

/* Prints the channels whose "monitor.channel" matches the pattern (NULL: all). */
void show_series(const struct run *run, const char *pattern);
