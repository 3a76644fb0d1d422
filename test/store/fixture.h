/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of the store need: a directory of their own, jobs and runs made from a number (the
 * same number gives the same run), and the comparison of two runs in everything that they hold.
 */
#pragma once

#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "record/job.h"
#include "record/run.h"
#include "store/store.h"

#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#define FIXTURE_SECOND 1000000000ULL

/* A new empty directory. New string. */
char *fixture_directory(void);

/* Removes a directory that fixture_directory made, with all that is in it; frees the name. */
void fixture_remove(char *directory);

/* A whole file: a new NUL-terminated block. */
char *fixture_read(const char *path, size_t *ret_length);

struct store *fixture_store(const char *directory);

struct job *fixture_job(const char *subject);

/* Everything that a run can hold, with values drawn from `number`. */
struct run *fixture_run(uint64_t number);

void fixture_same_metrics(const struct run *have, const struct run *want);

void fixture_same_facts(const struct run *have, const struct run *want);

void fixture_same_series(const struct series *have, const struct series *want);

void fixture_same_runs(const struct run *have, const struct run *want);

/* Puts run `number` and checks that it was acknowledged; the id. */
int64_t fixture_put(struct store *store, int64_t campaign, uint64_t sequence, const char *subject,
		    uint64_t number);

/* Gets a run, and checks that it is run `number` in everything. */
void fixture_check_run(struct store *store, int64_t id, uint64_t number);

int64_t fixture_campaign(struct store *store, const char *name, uint64_t planned);
