/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up experiments. See simulate.h. */
#include "calibration/simulate.h"

#include "base/macros.h"

#include <assert.h>
#include <math.h>

#define DRIFT 0.03
#define STEP 0.03
#define SAW 0.005
#define AR_COEFFICIENT 0.9
#define AR_DEVIATION 0.01
#define BLOCK 4
#define GRID_FINE 0.5 /* Deviations. */
#define GRID_COARSE 2.0

static const char *const shape_texts[] = { "Gaussian",   "lognormal", "bimodal", "5 % outliers",
					   "Student t3", "quantised", "ties" };
static const char *const disturbance_texts[] = { "none", "drift 3 %", "AR(1) .9, 1 %", "step 3 %",
						 "sawtooth 1 %" };
static const char *const order_texts[] = { "blocks", "one block", "ABAB", "AAAA BBBB" };
static_assert(ARRAY_SIZE(shape_texts) == SHAPE_COUNT, "a word a shape");
static_assert(ARRAY_SIZE(disturbance_texts) == DISTURBANCE_COUNT, "a word a disturbance");
static_assert(ARRAY_SIZE(order_texts) == ORDER_COUNT, "a word an order");

const char *simulate_shape_text(enum shape shape)
{
	assert(shape < SHAPE_COUNT);
	return shape_texts[shape];
}

const char *simulate_disturbance_text(enum disturbance disturbance)
{
	assert(disturbance < DISTURBANCE_COUNT);
	return disturbance_texts[disturbance];
}

const char *simulate_order_text(enum order order)
{
	assert(order < ORDER_COUNT);
	return order_texts[order];
}

/* One of the orders of half and half in `n` places, each as likely. */
static void draw_block(struct random *random, bool *is_head, size_t n)
{
	for (size_t i = 0; i < n; i++)
		is_head[i] = i >= n / 2;
	for (size_t i = n; i-- > 1;) {
		const size_t other = (size_t)random_below(random, i + 1);
		const bool kept = is_head[i];
		is_head[i] = is_head[other];
		is_head[other] = kept;
	}
}

static size_t smaller(size_t one, size_t other)
{
	return one < other ? one : other;
}

static void draw_order(struct random *random, enum order order, struct simulated *simulated)
{
	const size_t n = simulated->n;
	const size_t block = order == ORDER_BLOCKS ? BLOCK : n;
	for (size_t i = 0; i < n; i++) {
		simulated->is_head[i] = order == ORDER_APART ? i >= n / 2 : i % 2 == 1;
		simulated->blocks[i] = (uint32_t)(i / block);
	}
	if (order != ORDER_BLOCKS && order != ORDER_ONE_BLOCK)
		return;
	for (size_t i = 0; i < n; i += block)
		draw_block(random, simulated->is_head + i, smaller(n - i, block));
}

static double draw_noise(struct random *random, enum shape shape, double deviation)
{
	const double normal = random_normal(random);
	switch (shape) {
	case SHAPE_LOGNORMAL: {
		/* Mean 1 and the wanted deviation. */
		const double variance = log1p(deviation * deviation);
		return exp(sqrt(variance) * normal - variance / 2) - 1.0;
	}
	case SHAPE_BIMODAL:
		return deviation * (normal + (random_below(random, 2) ? 3.0 : -3.0));
	case SHAPE_OUTLIERS:
		return deviation * (normal + (random_below(random, 20) ? 0.0 : 8.0));
	case SHAPE_HEAVY: {
		double squares = 0.0;
		for (int i = 0; i < 3; i++)
			squares += pow(random_normal(random), 2);
		/* A run takes some time, however heavy the tail. */
		return fmax(deviation * normal / sqrt(squares / 3.0), -0.9);
	}
	case SHAPE_GAUSSIAN:
	case SHAPE_QUANTISED:
	case SHAPE_TIES:
	case SHAPE_COUNT:
		break;
	}
	return deviation * normal;
}

/* The clock that the value is read from, where it has steps. */
static double read_value(const struct experiment_case *experiment, double value)
{
	const double steps = experiment->shape == SHAPE_QUANTISED ? GRID_FINE
			     : experiment->shape == SHAPE_TIES    ? GRID_COARSE
								  : 0.0;
	const double grid = steps * experiment->deviation;
	return grid > 0.0 ? grid * round(value / grid) : value;
}

static void draw_disturbance(struct random *random, enum disturbance disturbance, size_t n_places,
			     double *ret_shift)
{
	const double moment = random_unit(random);
	double level = AR_DEVIATION * random_normal(random);
	for (size_t i = 0; i < n_places; i++) {
		const double at = (double)i / ((double)n_places - 1.0);
		ret_shift[i] = 0.0;
		if (disturbance == DISTURBANCE_DRIFT)
			ret_shift[i] = DRIFT * at;
		if (disturbance == DISTURBANCE_STEP)
			ret_shift[i] = at >= moment ? STEP : 0.0;
		if (disturbance == DISTURBANCE_SAWTOOTH)
			ret_shift[i] = i % 2 ? SAW : -SAW;
		if (disturbance == DISTURBANCE_AR)
			ret_shift[i] = level;
		level = AR_COEFFICIENT * level + sqrt(1.0 - AR_COEFFICIENT * AR_COEFFICIENT) *
							 AR_DEVIATION * random_normal(random);
	}
}

void simulate(struct random *random, const struct experiment_case *experiment,
	      struct simulated *ret_simulated)
{
	assert(experiment->n > 0 && experiment->n <= SIMULATE_RUNS_MAX);
	double shift[2 * SIMULATE_RUNS_MAX];
	ret_simulated->n = 2 * experiment->n;
	draw_order(random, experiment->order, ret_simulated);
	draw_disturbance(random, experiment->disturbance, ret_simulated->n, shift);
	for (size_t i = 0; i < ret_simulated->n; i++) {
		const double noise = draw_noise(random, experiment->shape, experiment->deviation);
		const double effect = ret_simulated->is_head[i] ? experiment->effect : 0.0;
		ret_simulated->values[i] =
			read_value(experiment, (1.0 + shift[i]) * (1.0 + noise + effect));
	}
}

size_t simulate_side(const struct simulated *simulated, bool is_head,
		     double ret_values[SIMULATE_RUNS_MAX])
{
	size_t n = 0;
	for (size_t i = 0; i < simulated->n; i++)
		if (simulated->is_head[i] == is_head)
			ret_values[n++] = simulated->values[i];
	assert(n == simulated->n / 2);
	return n;
}

struct blocked simulate_blocked(const struct simulated *simulated)
{
	return (struct blocked) {
		.values = simulated->values,
		.is_head = simulated->is_head,
		.blocks = simulated->blocks,
		.n = simulated->n,
	};
}
