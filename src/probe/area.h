/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory that harness and workers share: the phase word that starts and stops the loops, and one slot
 * a worker. Every slot, and the phase word, stands alone on a pair of cache lines (pairs, because the
 * prefetcher fetches them so): a worker that counts disturbs no other.
 */
#pragma once

#include "record/run.h"

#include <stdatomic.h>
#include <stdint.h>

#include <sys/resource.h>

#define AREA_LINE_BYTES 128
#define SLOT_REASON_BYTES 320

enum slot_state {
	SLOT_STARTING,
	SLOT_READY,    /* Waits at the barrier. */
	SLOT_FINISHED, /* Has done its work; its numbers below are valid. */
	SLOT_FAILED,   /* `code` and `reason` are valid. */
};

/* One edge of a worker's own window. */
struct edge {
	uint64_t at_ns;      /* CLOCK_MONOTONIC; 0 = never reached. WORK_FIXED has only the end. */
	uint64_t operations; /* Done until then. */
	struct rusage used;  /* Until then, by the worker. */
};

struct slot {
	_Alignas(AREA_LINE_BYTES) _Atomic uint64_t operations; /* So far; written by the worker. */
	_Atomic int state; /* enum slot_state; release/acquire. */
	int code;          /* Negative errno. */
	struct edge begin;
	struct edge end;
	char reason[SLOT_REASON_BYTES];
};

struct area {
	_Alignas(AREA_LINE_BYTES) _Atomic int phase; /* enum phase */
	struct slot slots[];
};

/* Shared with all later children, zeroed. NULL with errno set when there is no memory. */
struct area *area_new(unsigned n_slots);
void area_free(struct area *area, unsigned n_slots); /* NULL is allowed. */

static inline enum slot_state slot_state(const struct slot *slot)
{
	return (enum slot_state)atomic_load_explicit(&slot->state, memory_order_acquire);
}

/* Publishes everything that the worker wrote into the slot before. */
static inline void slot_enter(struct slot *slot, enum slot_state state)
{
	atomic_store_explicit(&slot->state, (int)state, memory_order_release);
}
