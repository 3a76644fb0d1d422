/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Experiments whose truth is known: runs of two sides in an order, with noise of a shape, while the
 * machine drifts. Every series follows from its seed.
 *
 * A true change moves the level of the head's runs by a share of the base's level and leaves the
 * size of the noise as it is; a disturbance of the machine scales both.
 */
#pragma once

#include "base/random.h"
#include "stats/blocked.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIMULATE_RUNS_MAX 40 /* A side. */

enum shape { /* Noise of one run around 1. */
	     SHAPE_GAUSSIAN,
	     SHAPE_LOGNORMAL, /* Logarithm is Gaussian: skewed to the right when the deviation is large. */
	     SHAPE_BIMODAL,   /* Half of the runs 3 deviations below, half above. */
	     SHAPE_OUTLIERS,  /* Gaussian, but 1 of 20 runs is 8 deviations slower. */
	     SHAPE_HEAVY,     /* Student's distribution with 3 degrees of freedom. */
	     SHAPE_QUANTISED, /* Gaussian, read from a clock that steps by half a deviation. */
	     SHAPE_TIES,      /* The same, steps of two deviations: some three numbers are left. */
	     SHAPE_COUNT,
};

enum disturbance { /* Of the machine, over the session; both sides suffer it alike. */
		   DISTURBANCE_NONE,
		   DISTURBANCE_DRIFT, /* 3 % from the first run to the last. */
		   DISTURBANCE_AR, /* First-order autoregressive, .9 from run to run, deviation 1 %. */
		   DISTURBANCE_STEP,     /* 3 % at a random moment. */
		   DISTURBANCE_SAWTOOTH, /* Every second run 1 % higher. */
		   DISTURBANCE_COUNT,
};

enum order {
	ORDER_BLOCKS,    /* Random blocks of 2 + 2, a last one of 1 + 1 when n is odd. */
	ORDER_ONE_BLOCK, /* All runs in one random order. */
	ORDER_ALTERNATE, /* base head base head; told to the judge as one block. */
	ORDER_APART,     /* All of base, then all of head; likewise. */
	ORDER_COUNT,
};

struct experiment_case {
	enum shape shape;
	enum disturbance disturbance;
	enum order order;
	size_t n;         /* Runs a side. */
	double deviation; /* Of the noise, relative: 0.01. */
	double effect;    /* True change of head, relative: 0.02. */
};

struct simulated { /* In the order in which the runs were carried out. */
	size_t n;  /* Of both sides together. */
	double values[2 * SIMULATE_RUNS_MAX];
	bool is_head[2 * SIMULATE_RUNS_MAX];
	uint32_t blocks[2 * SIMULATE_RUNS_MAX];
};

const char *simulate_shape_text(enum shape shape);
const char *simulate_disturbance_text(enum disturbance disturbance);
const char *simulate_order_text(enum order order);

void simulate(struct random *random, const struct experiment_case *experiment,
	      struct simulated *ret_simulated);

/* The values of one side, in order; how many. */
size_t simulate_side(const struct simulated *simulated, bool is_head,
		     double ret_values[SIMULATE_RUNS_MAX]);

/* As the tests of stats/ want it; borrows all. */
struct blocked simulate_blocked(const struct simulated *simulated);
