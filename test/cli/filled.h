/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A store of the test's own with runs of hackbench, put there as campaigns put them.
 */
#pragma once

#include "record/run.h"
#include "store/fixture.h"
#include "store/store.h"

struct filled {
	char *directory;
	struct store *store;
};

void filled_open(struct filled *filled);
void filled_done(struct filled *filled);

/* A job at the point hackbench/groups=... on a subject without settings. */
struct job *filled_job(const char *subject, const char *groups);

/* A complete run whose primary score is `seconds`, with a counter beside it. */
struct run *filled_run(double seconds);

/* Puts one complete run; its id. */
int64_t filled_put(struct filled *filled, int64_t campaign, uint64_t sequence, const char *subject,
		   const char *groups, double seconds);

/* Puts a run that failed because it "hung"; its id. */
int64_t filled_put_failed(struct filled *filled, int64_t campaign, uint64_t sequence,
			  const char *subject, const char *groups);

/* A campaign with `n` runs of each subject, a run of the i-th taking seconds[i] and a little that
 * differs from run to run. `subjects` ends with NULL. Its id. */
int64_t filled_campaign(struct filled *filled, const char *name, const char *const *subjects,
			const double *seconds, size_t n);
