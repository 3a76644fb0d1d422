/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The progress of a campaign on standard error: one line that rewrites itself on a terminal, plain
 * lines elsewhere (one a run at most every ten seconds). Behind the time that is left stands what the
 * last look found of each score: estimate, interval, verdict so far, and the runs to go.
 */
#pragma once

#include "campaign/campaign.h"

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool terminal;
	bool quiet;
	bool line_open;   /* A line without its end stands on the terminal. */
	uint64_t last_ns; /* When it was last written. */
};

void progress_start(struct progress *progress, bool quiet);
/* A campaign_options.progress; `user` is a struct progress. */
void progress_update(const struct campaign_progress *campaign, void *user);
void progress_end(struct progress *progress);

/* "3 min 20 s", "45 s", "2 h 5 min". */
void progress_duration(uint64_t ns, char *buffer, size_t size);
