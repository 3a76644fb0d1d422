/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How well does a hypothesis explain passes and failures, when neither the share of false alarms nor
 * that of misses is known? Each level has a share of failures with the prior Beta(1/2, 1/2), which is
 * integrated out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rates_group { /* Units of one commit. */
	double passes, failures;
};

struct rates {
	double log_evidence;
	double first, second; /* Shares of failures, without and with the change. */
	double error;         /* Of second - first. */
};

/* Masks as in levels.h: commits with the same bits share a level. */
struct rates rates_judge(const struct rates_group *groups, const uint8_t *masks, size_t n_groups,
			 size_t n_known, bool is_none);

struct rates_difference { /* Of the shares of failures, second less first. */
	double estimate;
	double low, high; /* At 95 %. */
};

/* Of two sides with units. */
struct rates_difference rates_compare(const struct rates_group *first,
				      const struct rates_group *second);
