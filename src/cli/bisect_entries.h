/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The evidence of a bisection: the runs of its campaign in their order. A run carries what it was made for
 * as facts, so that whoever has the runs can follow the decision: `bisect.arm`, `bisect.result`, ...
 */
#pragma once

#include "base/checksum.h"
#include "base/error.h"
#include "cli/bisect_case.h"
#include "record/run.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BISECT_SCORE_METRIC "bisect.score"

enum bisect_arm {                     /* What was measured. */
		  BISECT_ARM_SEEK,    /* The commit, for the search. */
		  BISECT_ARM_VERIFY,  /* The commit built afresh, against its neighbour. */
		  BISECT_ARM_ALIGNED, /* The same with every function at a multiple of 64 bytes. */
		  BISECT_ARM_REVERT,  /* The bad end with and without the commit. */
		  BISECT_ARM_COUNT,
};

enum bisect_outcome {
	BISECT_ENTRY_VALUE,  /* A number; with an exit code that decides: 0 passed, 1 failed. */
	BISECT_ENTRY_FAILED, /* The run gave none; it may be tried again. */
	BISECT_ENTRY_BROKEN, /* It cannot be built or judged. */
	BISECT_ENTRY_COUNT,
};

struct bisect_entry {
	enum bisect_arm arm;
	enum bisect_outcome outcome;
	uint32_t commit;
	uint32_t change;  /* Commit that VERIFY, ALIGNED and REVERT are about. */
	bool is_reverted; /* REVERT: without the change. */
	uint32_t session;
	double value;
	double build_sec; /* What its build took; 0 when it was not built for this run. */
	double run_sec;
	char product[CHECKSUM_SHA256_HEX]; /* "" when not known. */
	bool has_program;                  /* The measured program is in the product. */
	char *layout; /* What became of the functions since the neighbour, or NULL. */
	char *layout_detail;
	char *reason; /* Of an outcome without a value. */
	int64_t run;  /* Its number in the store. */
	uint64_t sequence;
};

struct bisect_entries {
	struct bisect_entry *items;
	size_t n, capacity;
	uint64_t next_sequence;
	uint32_t last_session; /* 0 when there is none. */
};

/* All that came to its end, in order. Torn and interrupted runs are no evidence. */
int bisect_entries_read(struct store *store, int64_t campaign, const struct bisect_case *bisection,
			struct bisect_entries *entries, struct error *err);
void bisect_entries_done(struct bisect_entries *entries);

/* Writes the entry into the run, and takes it out again: false when the run is no evidence. */
void bisect_entries_put(const struct bisect_case *bisection, const struct bisect_entry *entry,
			struct run *run);
bool bisect_entries_take(const struct bisect_case *bisection, const struct run *run,
			 struct bisect_entry *ret_entry);

/* Takes the entry, which is owned from then on. */
void bisect_entries_add(struct bisect_entries *entries, struct bisect_entry entry);

/* Runs in the store of the same project, build, command and score on this type of machine, of commits of
 * the history: they become what is given. */
int bisect_entries_reuse(struct store *store, const char *point, struct bisect_case *bisection,
			 struct error *err);

const char *bisect_arm_text(enum bisect_arm arm);

static inline void auto_release_bisect_entries(struct bisect_entries *entries)
{
	bisect_entries_done(entries);
}
