/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Things that many runs share, kept once and found by the SHA-256 of their content: sets of
 * metrics, facts and channels, and jobs.
 */
#pragma once

#include "base/error.h"
#include "record/job.h"
#include "store/database.h"

#include <stddef.h>
#include <stdint.h>

enum content {
	CONTENT_METRICS,  /* metricset */
	CONTENT_FACTS,    /* factset */
	CONTENT_CHANNELS, /* channelset */
	CONTENT_COUNT,
};

const char *content_table(enum content content);

/* The id of this content; added when it is new. Inside an open transaction. */
int content_put(struct database *database, enum content content, const void *bytes, size_t length,
		int64_t *ret_id, struct error *err);
int content_put_job(struct database *database, const struct job *job, int64_t *ret_id,
		    struct error *err);

/* The content of a set: a new block, NUL-terminated. -EBADMSG when there is no such set. */
int content_get(struct database *database, enum content content, int64_t id, char **ret_bytes,
		size_t *ret_length, struct error *err);
