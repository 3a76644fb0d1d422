/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs kept and found again: SQLite in one file, WAL, synchronous=FULL. One run is one transaction;
 * what was committed survives kill -9 and a full disk, and two writers wait for each other. Schema:
 * assay-store(5).
 *
 * A campaign is an experiment being carried out: its plan is kept as JSON text that this room does
 * not look into.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/job.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

struct store;

/* $ASSAY_STORE, else $XDG_DATA_HOME/assay, else ~/.local/share/assay; under sudo the invoking
 * user's. New string. */
char *store_default_directory(void);

/* Opens (and makes, when `create`) the store in `directory`. A store that belongs to another user
 * is an error that says whose it is, unless this is root. Files made under sudo belong to the
 * invoking user. */
int store_open(const char *directory, bool create, struct store **ret_store, struct error *err);
void store_close(struct store *store); /* NULL is allowed. */

/* ---- campaigns ---- */

struct campaign_row {
	int64_t id;
	char *name; /* Unique; made from the time when none was given. */
	char *plan; /* JSON. NULL in listings. */
	uint64_t created_wall_ns;
	bool finished;
	uint64_t runs_planned;
	uint64_t runs_done; /* Planned runs that have a kept run which came to its end: of any
			       outcome but torn and interrupted. */
};

void campaign_row_done(struct campaign_row *row);

int store_campaign_add(struct store *store, const char *name, const char *plan,
		       uint64_t runs_planned, int64_t *ret_id, struct error *err);
int store_campaign_finish(struct store *store, int64_t id, struct error *err);
/* Name, or NULL for the newest. -ENOENT when there is none. */
int store_campaign_find(struct store *store, const char *name, struct campaign_row *ret_row,
			struct error *err);
/* Newest first; at most `limit` (0 = all). *ret_rows is a new array. */
int store_campaign_list(struct store *store, size_t limit, struct campaign_row **ret_rows,
			size_t *ret_n, struct error *err);

/* ---- runs ---- */

struct run_row { /* What a listing shows of a run. */
	int64_t id;
	int64_t campaign;
	char *campaign_name;
	uint64_t sequence; /* Position in the plan, from 0: which planned run this is. */
	uint32_t attempt;  /* From 1; more than one when attempts were torn or interrupted. */
	uint32_t block;    /* Random block it was drawn in; from 2^31 on: it was a warm-up. */
	char *subject;
	char *point; /* job_point(): workload and parameters. */
	struct job *job;
	enum run_outcome outcome;
	char *reason;
	uint64_t started_wall_ns;
};

void run_row_done(struct run_row *row);
void run_rows_free(struct run_row *rows, size_t n);

/* Keeps one run with its job, in one transaction, as the next attempt at its planned run. -EEXIST
 * when an attempt came to its end already: torn and interrupted runs are kept and may be repeated.
 */
int store_run_put(struct store *store, int64_t campaign, uint64_t sequence, uint32_t block,
		  const struct job *job, const struct run *run, int64_t *ret_id, struct error *err);

/* The whole run (metrics, environment, workers, log, costs; series only when asked). -ENOENT when
 * absent. */
int store_run_get(struct store *store, int64_t id, bool with_series, struct run **ret_run,
		  struct run_row *ret_row, struct error *err);

/* Calls each() for every kept run of a campaign, in order of sequence and attempt. */
int store_run_outcomes(struct store *store, int64_t campaign,
		       void (*each)(uint64_t sequence, enum run_outcome outcome, void *user),
		       void *user, struct error *err);

struct run_query {            /* All that are set must hold. */
	int64_t campaign;     /* 0 = any. */
	const char *subject;  /* NULL = any. */
	const char *point;    /* NULL = any. */
	const char *workload; /* NULL = any. */
	const char *machine;  /* Type of machine (store_machine_type in noise.h). NULL = any. */
	const int64_t *ids;   /* NULL = any. */
	size_t n_ids;
	const char *fact_key; /* "@key=value": an environment fact or a parameter with this text.
				 NULL = any. */
	const char *fact_value;
	size_t limit; /* 0 = all; newest are kept. */
};

/* Rows in order of campaign, sequence and attempt. */
int store_run_list(struct store *store, const struct run_query *query, struct run_row **ret_rows,
		   size_t *ret_n, struct error *err);

/* Removes runs, and with them campaigns that are left empty: finished ones, and one that the query
 * names without numbers of runs. Number of runs removed in *ret_n. */
int store_run_remove(struct store *store, const struct run_query *query, uint64_t *ret_n,
		     struct error *err);

/* ---- care ---- */

/* PRAGMA integrity_check, foreign keys, and a decode of every packed row. Calls say(line) for each
 * finding. *ret_bad counts them. */
int store_check(struct store *store, void (*say)(const char *line, void *user), void *user,
		uint64_t *ret_bad, struct error *err);
/* A consistent copy while others write (SQLite backup API); `path` must not exist. */
int store_backup(struct store *store, const char *path, struct error *err);
/* Takes every run and mark of the store at `other_directory` that this one does not have. */
int store_merge(struct store *store, const char *other_directory, uint64_t *ret_runs,
		struct error *err);
/* Drops metric names and sets that no run uses, folds the write-ahead log, gives space back. Bytes
 * freed. */
int store_gc(struct store *store, uint64_t *ret_bytes, struct error *err);

DEFINE_AUTO(store, struct store *, store_close);
