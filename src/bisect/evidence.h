/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a bisection is told: its options, and one unit of evidence after the other. Both together with
 * the graph are all that its steps and its answer depend on; who writes them down can replay it.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BISECT_CHANGES_MAX 4 /* At most looked for in one range. */
#define BISECT_UNITS_MAX 100000

enum bisect_oracle_kind { BISECT_NUMBERS, BISECT_PASS_FAIL };

enum bisect_direction { /* Of the values from good to bad, or of the share of failures. */
			BISECT_EITHER,
			BISECT_UP,
			BISECT_DOWN,
};

struct bisect_options {
	enum bisect_oracle_kind oracle;
	bool is_logarithmic; /* Judge logarithms where all values are above 0. */
	enum bisect_direction direction;
	double confidence;    /* .99: of the commit, before it is measured afresh. */
	double confirm_alpha; /* .01: how often the fresh measurement may confirm what is not so. */
	double cost_build, cost_boot, cost_run; /* In one unit, whichever; run above 0. */
	const bool *is_built;  /* One a commit, before the first unit; NULL: none. Borrowed. What
			       * was measured counts as built from then on. */
	const double *weights; /* How likely each commit is beforehand, in any unit, above 0 for
				* candidates; NULL: all alike. Borrowed. */
	double no_change;      /* .05: the probability beforehand that nothing changed. */
	double reach; /* 3: values further than so many deviations outside the two levels are drawn
		       * in; 0: never. */
	bool has_sessions;   /* Units of one session (a boot, an hour) may share an offset. */
	size_t ends_max;     /* 40: units at each end after which "nothing changed" may be said. */
	size_t neighbours;   /* 3: units at both neighbours of the change before it is confirmed. */
	size_t confirm_min;  /* 5: fresh units an arm, at least. */
	size_t confirm_max;  /* 60: and at most, in one attempt. */
	size_t attempts_max; /* 4: confirmations that may fail. */
	size_t changes_max;  /* 3: changes that are looked for. */
	size_t units_max;    /* 0: no limit of all units together. */
	uint64_t seed;
};

/* The values in the comments above, for numbers; logarithms, either direction, costs 0, 0 and 1. */
struct bisect_options evidence_preset(void);

/* What is wrong with the options: -EINVAL and a sentence; 0. */
int evidence_check(const struct bisect_options *options, struct error *err);

enum bisect_purpose {               /* Of a unit; the step says which. */
		      BISECT_GIVEN, /* Known beforehand: what raised the alarm, runs of the store. */
		      BISECT_SEEK,  /* To find the commit. */
		      BISECT_VERIFY, /* The fresh measurement of both sides of it. */
};

enum bisect_result { BISECT_VALUE, BISECT_PASS, BISECT_FAIL, BISECT_BROKEN };

/* One unit of evidence: what was set up anew and measured once (never an iteration inside of it). */
struct bisect_unit {
	uint32_t commit;
	uint32_t session; /* Any number; equal ones share a session. */
	enum bisect_purpose purpose;
	enum bisect_result result; /* BROKEN: the commit cannot be built, booted or judged. It is
				    * never asked for again, and earlier values of it stay. */
	double value;              /* Of BISECT_VALUE; finite. */
};
