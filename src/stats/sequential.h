/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking while the runs come in, at one false-alarm rate. After each look k, at n_k runs a side, the
 * error spent so far is alpha * n_k / n_max (linear spending; Lan and DeMets 1983). The boundary is
 * exact for the randomisation used: a set of relabelled schedules is kept; at look k the most extreme
 * of those not rejected yet are rejected, as many as the spending allows, and the observed schedule
 * is rejected when it lies among them.
 *
 * The p value orders outcomes by stages (Tsiatis, Rosner and Mehta 1984): an earlier rejection is
 * more extreme than a later one. It is at most alpha exactly when a look rejected.
 */
#pragma once

#include "stats/blocked.h"
#include "stats/permute.h"

#define SEQUENTIAL_FIRST_LOOK 8 /* Runs a side. */
#define SEQUENTIAL_SCHEDULES 10000

struct sequential_plan {
	double alpha;   /* Of this hypothesis, over all looks. */
	size_t n_max;   /* Runs a side at which alpha is spent. */
	size_t n_first; /* Runs a side at the first look; 0 = SEQUENTIAL_FIRST_LOOK. */
	uint64_t seed;
};

struct sequential {
	bool known; /* At least one look was due. */
	bool rejected;
	size_t look_runs; /* Runs a side at the rejecting look, else at the last one. */
	size_t n_looks;   /* That were made. */
	double p;         /* Stage-wise; NaN when not known. */
	double spent;     /* alpha spent up to the last look. */
};

/* Blocks must stand in the order in which they were carried out, each block's runs together; a look
 * is made after each whole block once both sides have n_first runs. */
struct sequential sequential_judge(const struct blocked *blocked, enum permute_score score,
				   const struct sequential_plan *plan);
