/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pinning: which CPU worker i runs on. The mask is set on the harness before it makes the worker, which
 * inherits it, and restored after the last; so a worker never runs elsewhere, not even at its start.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define PIN_CPUS_MAX 8192

struct pin;

/* Chooses the CPUs in order. "core": the first allowed CPU of each core, sorted by socket, last-level
 * cache and number; "cpu": all allowed CPUs by number; "none": no pinning (*ret_pin is NULL). */
int pin_new(const char *word, struct pin **ret_pin, struct error *err);
void pin_free(struct pin *pin); /* NULL is allowed. */

/* Binds the calling thread to the CPU of worker `index`, wrapping. NULL does nothing. */
int pin_set(const struct pin *pin, unsigned index, struct error *err);
/* Gives the calling thread the mask that it had at pin_new. */
void pin_restore(const struct pin *pin);

/* The order for "core", exported for its test: keeps of `cpus` (ascending) one a core and sorts it;
 * returns how many are left. CPUs whose topology cannot be read count as cores of their own. */
size_t pin_keep_cores(int root_fd, unsigned *cpus, size_t n_cpus);

DEFINE_AUTO(pin, struct pin *, pin_free);
