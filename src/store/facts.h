/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The environment of runs. Most facts are the same from run to run, so they are kept once, as a set
 * that many runs share; each run has beside it its own facts: those that are new to the set, differ
 * from it, or change with every run by their nature, and the names of those it lacks.
 */
#pragma once

#include "base/error.h"
#include "record/run.h"

#include <stddef.h>

/* More own facts than this, and a run gets a set of its own making. */
#define FACTS_OWN_MAX 64

/* The set that would suit this run: all facts that do not change by their nature. New string,
 * canonical. */
char *facts_set(const struct run *run);

/* The own facts that make the run of `set`: a new string in *ret_own, their number in *ret_n.
 * -EBADMSG when `set` is damaged. */
int facts_own(const char *set, const struct run *run, char **ret_own, size_t *ret_n,
	      struct error *err);

/* Gives a run that has no facts those of a set and the run's own. */
int facts_back(const char *set, const char *own, struct run *run, struct error *err);
