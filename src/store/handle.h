/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is behind the opaque struct store, for the files of this room, and the pieces that several
 * of them need.
 */
#pragma once

#include "base/error.h"
#include "record/job.h"
#include "record/run.h"
#include "store/database.h"
#include "store/owner.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

#define STORE_FILE_NAME "assay.sqlite"
#define STORE_UID_BYTES 33 /* 128 random bits in hexadecimal, terminated. */

struct store {
	struct database database;
	struct owner owner;
	char *directory; /* Owned. */
};

/* Where a run goes. */
struct placement {
	int64_t campaign;
	uint64_t sequence;
	uint32_t block;
	const char *uid; /* The run's own; NULL draws one. */
	bool is_copy;    /* Merged in: a second finished attempt is kept beside the first. */
};

void handle_draw_uid(char ret_uid[static STORE_UID_BYTES]);

/* Adds a run inside the transaction that is open. */
int handle_run_add(struct store *store, const struct placement *placement, const struct job *job,
		   const struct run *run, int64_t *ret_id, struct error *err);

/* The columns of a run_row, of `run r JOIN job j USING (job_id) JOIN campaign c USING
 * (campaign_id)`, and the row that stands in them. */
#define HANDLE_ROW_COLUMNS                                                                         \
	"r.run_id, r.campaign_id, c.name, r.sequence, r.attempt, r.block, j.subject, j.point,"     \
	" j.content, r.outcome, r.reason, r.started_ns"
#define HANDLE_ROW_TABLES "run r JOIN job j USING (job_id) JOIN campaign c USING (campaign_id)"
#define HANDLE_ROW_COUNT 12
int handle_row_read(struct store *store, sqlite3_stmt *statement, struct run_row *ret_row,
		    struct error *err);

/* A campaign's id by its uid, 0 when absent. */
int handle_campaign_by_uid(struct store *store, const char *uid, int64_t *ret_id,
			   struct error *err);
/* Adds a campaign under the first free of name, name-2, name-3, ... inside the open transaction. */
int handle_campaign_copy(struct store *store, const char *uid, const struct campaign_row *row,
			 int64_t *ret_id, struct error *err);

/* Takes the marks of another store that this one does not have, and withdraws what was withdrawn
 * there. */
int handle_marks_merge(struct store *into, struct store *from, struct error *err);
