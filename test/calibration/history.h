/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulated histories with a culprit, bisected by our rules and by those of others. */
#pragma once

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct history_case {
	size_t n;
	double effect, second; /* Of one and of another change, in deviations of a run; 0: none. */
	size_t n_given;        /* Runs at each end that are known beforehand. */
	double build;          /* In runs. */
	double outliers;       /* Share of runs that are 8 deviations too high. */
	double broken;         /* Share of commits. */
	double sessions;       /* Deviation of the offset that a session shares. */
	bool has_merges, is_pass_fail;
	size_t neighbours; /* Runs wanted at both sides before the stop; 0: as preset. */
	double failing[2]; /* Share of failures, unchanged and changed. */
};

struct history_outcome {
	double runs, cost, built; /* Up to the first stop; what was given does not count. */
	double verify;            /* Runs of all fresh measurements. */
	bool is_stopped, is_right;
	size_t n_true, n_false; /* Confirmed. */
	bool is_none, is_rest;
};

enum history_rule { HISTORY_GIT_REPEATS, HISTORY_PASS_FAIL };

struct history_outcome history_ours(const struct history_case *history, struct random *random);
/* Of a line with one change; the threshold between the levels is given free. */
struct history_outcome history_other(const struct history_case *history, enum history_rule rule,
				     struct random *random);
const char *history_rule_text(enum history_rule rule);
