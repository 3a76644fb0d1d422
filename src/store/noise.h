/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a store has learnt of its runs: how they scatter when nothing was changed, how long they
 * take, and how often this machine cries wolf. Kept by type of machine.
 *
 * Nothing is summed up when a run is kept: the newest runs are looked up and read, at most
 * STORE_NOISE_RUNS_MAX of them, so that the cost does not grow with the store, a removed run is
 * forgotten, and outliers can still be told.
 */
#pragma once

#include "base/error.h"
#include "record/repeats.h"
#include "record/run.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_NOISE_RUNS_MAX 128

/* "Imaginary 9000, CPUs 8, nodes 2, 16 GiB, guest of kvm": what the facts of a run say of the
 * machine: model of the processor, CPUs online, NUMA nodes, memory (rounded), hypervisor. Machines
 * of one type may have different names, kernels and settings. New string; NULL when the facts do
 * not even name the processor. */
char *store_machine_type(const struct run *run);

struct noise_query {
	const char *machine; /* store_machine_type(). */
	const char *workload;
	uint32_t semantics;
	const char *point; /* Its runs go first, others' fill up; NULL: the newest of any point. */
	const int64_t *without; /* Campaigns whose runs are left out: those that are judged. */
	size_t n_without;
	bool earlier; /* Campaigns that are not older than one of those are left out as well: what
		       * was judged once is judged the same for ever. */
};

/* Complete runs of the workload on machines of the type, warm-ups aside, without metrics of role
 * cost. An empty table when there are none. */
int store_noise(struct store *store, const struct noise_query *query, struct repeats **ret_repeats,
		struct error *err);

/* How long a run took, with what goes beside it until the next one starts: mean of the newest
 * complete runs at the job's point on machines of the type. 0 in *ret_ns: there are none. */
int store_run_took(struct store *store, const char *machine, const struct job *job,
		   uint64_t *ret_ns, struct error *err);

/* ---- false alarms, as `assay doctor --aa` measured them last ---- */

struct alarm_rate {
	double alpha; /* The rate that was promised to each comparison. */
	uint64_t n_comparisons;
	uint64_t n_alarms;
	double low, high; /* Interval of the rate. */
	uint64_t seed;    /* That the splits were drawn from. */
	uint64_t measured_wall_ns;
};

/* Replaces what was known of this workload on this type of machine. */
int store_alarms_put(struct store *store, const char *machine, const char *workload,
		     const struct alarm_rate *rate, struct error *err);
/* False in *ret_known when nothing was measured. */
int store_alarms_get(struct store *store, const char *machine, const char *workload,
		     struct alarm_rate *ret_rate, bool *ret_known, struct error *err);
