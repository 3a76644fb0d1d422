/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bisection made in memory, and an oracle that knows the truth. */
#pragma once

#include "cli/bisect_case.h"
#include "cli/bisect_course.h"
#include "cli/bisect_entries.h"

#include <stddef.h>
#include <stdint.h>

/* A line of n commits, each of which touches the file a.c; `score` may be NULL. */
struct bisect_case *bisect_made(size_t n, const char *score);

struct bisect_truth {
	uint32_t culprit;    /* Commits from it on are slow. */
	uint32_t broken;     /* Does not build; 0: all do. */
	uint32_t same;       /* Its product is its parent's; 0: all differ. */
	const char *layout;  /* What became of the culprit's functions. */
	double aligned_step; /* What is left of the step when functions are aligned. */
	bool is_revert_clean;
};

/* The run that is wanted, as the truth makes it: 100 and a little noise, 110 when it is slow. */
struct bisect_entry bisect_made_entry(const struct bisect_truth *truth,
				      const struct bisect_unit_wanted *wanted, uint64_t sequence);

/* Asks and answers until it is done. */
struct bisect_course *bisect_made_carry(const struct bisect_case *bisection,
					const struct bisect_truth *truth,
					struct bisect_entries *entries);
