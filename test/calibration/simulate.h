/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Experiments whose truth is known: runs of two sides in an order, with noise of a shape, while the
 * machine drifts. Every series follows from its seed.
 */
#pragma once

#include "base/random.h"

#include <stddef.h>

#define SIMULATE_RUNS_MAX 40

enum shape { /* Noise of one run around 1. */
	     SHAPE_GAUSSIAN,
	     SHAPE_LOGNORMAL, /* Logarithm is Gaussian: skewed to the right when the deviation is large. */
	     SHAPE_BIMODAL,  /* Half of the runs 3 deviations below, half above. */
	     SHAPE_OUTLIERS, /* Gaussian, but 1 of 20 runs is 8 deviations slower. */
	     SHAPE_HEAVY,    /* Student's distribution with 3 degrees of freedom. */
	     SHAPE_COUNT,
};

enum disturbance { /* Of the machine, over the session; both sides suffer it alike. */
		   DISTURBANCE_NONE,
		   DISTURBANCE_DRIFT, /* 3 % from the first run to the last. */
		   DISTURBANCE_AR, /* First-order autoregressive, .9 from run to run, deviation 1 %. */
		   DISTURBANCE_STEP,     /* 3 % at a random moment. */
		   DISTURBANCE_SAWTOOTH, /* 1 % up, 1 % down, in turn. */
		   DISTURBANCE_COUNT,
};

enum order {
	ORDER_BLOCKS,    /* Random blocks of 2 + 2, a last one of 1 + 1 when n is odd. */
	ORDER_ALTERNATE, /* base head base head. */
	ORDER_APART,     /* All of base, then all of head. */
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

const char *simulate_shape_text(enum shape shape);
const char *simulate_disturbance_text(enum disturbance disturbance);
const char *simulate_order_text(enum order order);

/* One experiment: n numbers a side. */
void simulate(struct random *random, const struct experiment_case *experiment,
	      double ret_base[SIMULATE_RUNS_MAX], double ret_head[SIMULATE_RUNS_MAX]);
