/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often does this type of machine cry wolf? Runs of one and the same subject are compared with
 * each other, by the rule that judges everything else, and every change that is found is a false
 * alarm. The runs come from the store, in two ways:
 *
 *   twins   subjects of a campaign that differ in nothing but their names, like those that the
 *           option --aa of `assay run` adds: judged as they were measured, block by block;
 *   splits  the runs of one subject in each block, put at random on two sides.
 *
 * No run is in more than one comparison, so that the comparisons count as independent. Splits are
 * drawn from a seed and the names of campaign, point and subject: more runs do not change the splits
 * that were made before, and nobody can draw until the answer pleases.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "store/store.h"

#include <stddef.h>
#include <stdint.h>

#define ALARMS_ALPHA 0.01
#define ALARMS_CONFIDENCE 0.95
#define ALARMS_RUNS_MIN 3 /* A side; fewer are no comparison. */

struct alarm { /* A change that was found where there is none. */
	char *campaign, *point, *subject, *metric;
	double change_percent; /* NaN when it is not relative. */
	double p_adjusted;
};

struct alarms { /* Of one workload on one type of machine. */
	char *workload;
	size_t n_splits, n_twins; /* Comparisons that gave verdicts. */
	size_t n_alarms;          /* Of these, with any score better, worse or changed. */
	size_t n_withheld;        /* More comparisons, whose verdicts guards withheld. */
	size_t n_short;           /* Subjects with too few runs for any comparison. */
	double low, high;         /* Interval of the rate; 0 and 1 without a comparison. */
	uint64_t seed;
	struct alarm *found;
	size_t n_found;
};

/* Measures; `machine` is a store_machine_type(). Nothing is kept. */
int alarms_measure(struct store *store, const char *machine, const char *workload, uint64_t seed,
		   struct alarms **ret_alarms, struct error *err);
void alarms_free(struct alarms *alarms); /* NULL is allowed. */

static inline size_t alarms_comparisons(const struct alarms *alarms)
{
	return alarms->n_splits + alarms->n_twins;
}

/* How many comparisons there must be for the interval to end below three times alpha when the
 * promise is kept. */
size_t alarms_wanted(void);

DEFINE_AUTO(alarms, struct alarms *, alarms_free);
