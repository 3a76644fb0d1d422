/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a bisection: the commit is built (or its build is found), the command is run in its tree as any
 * run of assay, the score is read, and the run is kept with what it was made for.
 */
#pragma once

#include "base/error.h"
#include "cli/bisect_case.h"
#include "cli/bisect_course.h"
#include "cli/bisect_entries.h"
#include "place/place.h"
#include "store/store.h"

#include <stdint.h>

struct bisect_measure { /* All borrowed but what is said to be owned. */
	const struct bisect_case *bisection;
	struct store *store;
	int64_t campaign;
	const char *campaign_name; /* Fresh builds are the campaign's own. */
	struct place_options place;
	char *clone, *cache; /* Owned. */
	struct job *job;     /* Owned; of no commit yet. */
	uint32_t session;
	void (*begins)(const char *what,
		       void *user); /* "build 1a2b3c4", "run 1a2b3c4"; may be NULL. */
	void *user;
};

/* Makes the clone and looks that the job can be carried out. */
int bisect_measure_open(struct bisect_measure *measure, struct error *err);
void bisect_measure_close(struct bisect_measure *measure);

/* The job of the command on no commit yet, and its point, which runs of all commits share. */
int bisect_measure_job(const struct bisect_case *bisection, struct job **ret_job,
		       struct error *err);

/* Makes one run and adds it to the entries. -EINTR when the person wants to stop. */
int bisect_measure_unit(struct bisect_measure *measure, const struct bisect_unit_wanted *wanted,
			struct bisect_entries *entries, struct error *err);
