/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One program started, its number read, and the program ended. */
#pragma once

#include "fidelity_peer.h"

#define FIDELITY_WORDS_MAX 64
#define FIDELITY_CPU_WORD 2 /* Of "taskset -c CPU", with which both commands of one task begin. */

/* One case: two commands and how their outputs are read. The words are owned by the caller. */
struct fidelity_case {
	const char *name;
	const char *original[FIDELITY_WORDS_MAX];
	const char *ours[FIDELITY_WORDS_MAX];
	struct peer peer; /* How the original's number is read. */
};

/* One after the other; NAN when a number could not be had. */
double fidelity_run_original(const struct fidelity_case *at);
double fidelity_run_ours(const struct fidelity_case *at);

/* At the same time, the original on CPU 0 (swapped: 1) and ours on the other one. */
void fidelity_run_both(struct fidelity_case *at, bool swapped, double *ret_original,
		       double *ret_ours);
