/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking while the runs come in, at one false-alarm rate. After each look k, at n_k runs a side, the
 * error spent so far is alpha * n_k / n_max (linear spending; Lan and DeMets 1983). The boundary is
 * exact for the randomisation used: a set of relabelled schedules is kept; at look k the most extreme
 * of those not rejected yet are rejected, as many as the spending allows, and the observed schedule
 * is rejected when it lies among them.
 *
 * The p value orders outcomes by stages (Tsiatis, Rosner and Mehta 1984): an earlier rejection is
 * more extreme than a later one. It is at most alpha exactly when a look rejected: while looks are
 * left, it is held above alpha.
 */
#pragma once

#include "base/auto.h"
#include "base/macros.h"
#include "stats/blocked.h"
#include "stats/permute.h"

#define SEQUENTIAL_FIRST_LOOK 8         /* Runs a side. */
#define SEQUENTIAL_SCHEDULES 10000      /* At least, and 20 / alpha, */
#define SEQUENTIAL_SCHEDULES_MAX 200000 /* but at most. */

struct sequential_plan {
	double alpha;   /* Of this hypothesis, over all looks. */
	size_t n_max;   /* Runs a side at which alpha is spent. */
	size_t n_first; /* Runs a side at the first look; 0 = SEQUENTIAL_FIRST_LOOK. */
	uint64_t seed;
	size_t n_schedules; /* 0 = as above. The rate is kept with any number; fewer are faster, and
			     * their boundary is ragged. */
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
 * is made after each whole block once both sides have n_first runs, until one rejects or alpha is
 * spent. Runs of blocks of one side do not count. What a look said does not change when blocks are
 * added. */
struct sequential sequential_judge(const struct blocked *blocked, enum permute_score score,
				   const struct sequential_plan *plan);

/*
 * The relabelled schedules of a design, for callers who judge many metrics or many simulated
 * campaigns of it: making them takes about as long as a judgement. A set belongs to its seed: whoever
 * counts rejections over simulated campaigns takes a new seed now and then, because the boundary of
 * one set errs by sqrt(alpha / n_schedules) always to the same side.
 */
struct sequential_schedules;

/* `sizes`: runs of the base and of the head of each block that holds both, in order. */
struct sequential_schedules *sequential_schedules_new(const struct sequential_plan *plan,
						      const size_t (*sizes)[2],
						      size_t n_blocks) NODISCARD;
void sequential_schedules_free(struct sequential_schedules *schedules);
DEFINE_AUTO(sequential_schedules, struct sequential_schedules *, sequential_schedules_free);

/* The same answer as sequential_judge: the blocks that hold both sides must be the first of the
 * design, and the plan the one that the schedules were made for. */
struct sequential sequential_judge_with(const struct sequential_schedules *schedules,
					const struct blocked *blocked, enum permute_score score,
					const struct sequential_plan *plan);
