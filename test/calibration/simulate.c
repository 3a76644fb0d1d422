/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up experiments. See simulate.h. */
#include "calibration/simulate.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define DRIFT 0.03
#define STEP 0.03
#define SAW 0.01
#define AR_COEFFICIENT 0.9
#define AR_DEVIATION 0.01
#define BLOCK 4

static const char *const shape_texts[] = { "Gaussian", "lognormal", "bimodal", "5 % outliers",
					   "Student t3" };
static const char *const disturbance_texts[] = { "none", "drift 3 %", "AR(1) .9 1 %", "step 3 %",
						 "sawtooth 1 %" };
static const char *const order_texts[] = { "random blocks", "ABAB", "AAAA BBBB" };
static_assert(sizeof(shape_texts) / sizeof(shape_texts[0]) == SHAPE_COUNT, "a word a shape");
static_assert(sizeof(disturbance_texts) / sizeof(disturbance_texts[0]) == DISTURBANCE_COUNT,
	      "a word a disturbance");
static_assert(sizeof(order_texts) / sizeof(order_texts[0]) == ORDER_COUNT, "a word an order");

const char *simulate_shape_text(enum shape shape)
{
	return shape_texts[shape];
}

const char *simulate_disturbance_text(enum disturbance disturbance)
{
	return disturbance_texts[disturbance];
}

const char *simulate_order_text(enum order order)
{
	return order_texts[order];
}

/* One of the orders of n_heads in `n` places, each as likely. */
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

static void draw_order(struct random *random, enum order order, size_t n, bool *is_head)
{
	for (size_t i = 0; i < 2 * n; i++)
		is_head[i] = order == ORDER_APART ? i >= n : i % 2 == 1;
	if (order != ORDER_BLOCKS)
		return;
	for (size_t i = 0; i < 2 * n; i += BLOCK)
		draw_block(random, is_head + i, 2 * n - i < BLOCK ? 2 * n - i : BLOCK);
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
		return deviation * normal / sqrt(squares / 3.0);
	}
	case SHAPE_GAUSSIAN:
	case SHAPE_COUNT:
		break;
	}
	return deviation * normal;
}

static void draw_disturbance(struct random *random, enum disturbance disturbance, size_t n_places,
			     double *ret_shift)
{
	const double moment = random_unit(random);
	double level = AR_DEVIATION * random_normal(random);
	for (size_t i = 0; i < n_places; i++) {
		const double at = (double)i / (double)n_places;
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
	      double ret_base[SIMULATE_RUNS_MAX], double ret_head[SIMULATE_RUNS_MAX])
{
	bool is_head[2 * SIMULATE_RUNS_MAX];
	double shift[2 * SIMULATE_RUNS_MAX];
	const size_t n = experiment->n;
	assert(n > 0 && n <= SIMULATE_RUNS_MAX);
	draw_order(random, experiment->order, n, is_head);
	draw_disturbance(random, experiment->disturbance, 2 * n, shift);

	size_t n_base = 0;
	size_t n_head = 0;
	for (size_t i = 0; i < 2 * n; i++) {
		const double noise = draw_noise(random, experiment->shape, experiment->deviation);
		const double level = (1.0 + shift[i]) * (1.0 + noise);
		if (is_head[i])
			ret_head[n_head++] = level * (1.0 + experiment->effect);
		else
			ret_base[n_base++] = level;
	}
	assert(n_base == n && n_head == n);
}
