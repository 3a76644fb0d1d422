/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of a finding as people read them. A change is per cent of the base mean, percentage
 * points where the unit itself is per cent, else in the metric's unit.
 */
#pragma once

#include "verdict/comparison.h"

#include <stddef.h>

#define NUMBER_BYTES 400 /* Room for the longest double without an exponent. */

/* " %", " pp", " KiB": what stands behind the change of a row, with the blank. "" for counts. */
void number_change_unit(const struct row *row, const struct finding *finding, char *buffer,
			size_t size);

/* Decimals that suit all three numbers of a finding. */
int number_decimals(const struct finding *finding);

/* "+4.2 %"; "" when the finding has no change. */
void number_change(const struct row *row, const struct finding *finding, char *buffer, size_t size);

/* "+3.6 to +4.9", without the unit; "above +3.6" when one end is infinite, "no limits" when both are;
 * "" when there is no interval. */
void number_interval(double low, double high, int decimals, char *buffer, size_t size);

/* "0.0021", "3e-07", "<1e-12"; "-" when there is none. */
void number_p(double p, char *buffer, size_t size);

/* "1.2 %": within what this row would have been the same. */
void number_margin(const struct row *row, const struct finding *finding, char *buffer, size_t size);

/* "99" of 0.99, "99.9" of 0.999. */
void number_percent(double share, char *buffer, size_t size);
