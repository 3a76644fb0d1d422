/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The complete runs of the base and of one head in the order in which they were carried out: what
 * guards ask that look at the machine over time. Where blocks were drawn their order is known;
 * otherwise the clock of the runs tells it.
 */
#pragma once

#include "verdict/comparison.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session_run {
	const struct run *run; /* Borrowed. */
	size_t side;
	size_t index; /* In the order of its side: where cells keep its value. */
	uint32_t block;
};

struct session {
	struct session_run *runs;
	size_t n;
	bool ordered;     /* The order is known. */
	bool drawn;       /* It was drawn by lot, in blocks that the two sides share. */
	bool mixed;       /* The sides were interleaved: what moved the machine moved both. */
	bool alternating; /* One of each by turns, without a draw. */
	size_t turns;     /* Stretches of one side; what chance would give on average: */
	double turns_expected;
};

struct session session_make(const struct comparison *comparison, size_t head);
void session_done(struct session *session);

/* The values of a row over the session, each less the median of its side; missing ones are left out.
 * `only` is a side, or SIZE_MAX for both. A new array; how many. */
size_t session_residuals(const struct session *session, const struct row *row, size_t only,
			 double **ret_residuals);

static inline void auto_release_session(struct session *session)
{
	session_done(session);
}
