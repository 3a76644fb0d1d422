/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mutual information by the trapezoid rule, which for normal weights is exact to many digits. */
#include "bisect/information.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define Q_STEPS 16 /* From 0 to a half; the rest is its mirror. */
#define EFFECT_STEPS 28
#define EFFECT_LEAST 0.125              /* Below it grows with the square. */
#define EFFECT_RATIO 1.1892071150027211 /* The fourth root of 2: 28 steps reach 16. */
#define REACH 6.0
#define NODES 49
#define ROOT_OF_TWO_PI 2.5066282746310002

struct information {
	double bits[EFFECT_STEPS + 1][Q_STEPS + 1];
};

static double integrate(double q, double effect)
{
	const double step = 2.0 * REACH / (NODES - 1);
	double sum = 0.0;
	for (int i = 0; i < NODES; i++) {
		const double z = -REACH + i * step;
		const double weight = exp(-0.5 * z * z) * step / ROOT_OF_TWO_PI;
		const double odds = exp(-effect * z - 0.5 * effect * effect);
		sum -= weight * q * log2(q + (1.0 - q) * odds);
		sum -= weight * (1.0 - q) * log2((1.0 - q) + q * odds);
	}
	return fmax(sum, 0.0);
}

struct information *information_new(void)
{
	struct information *information = mem_zero(sizeof(*information));
	double effect = EFFECT_LEAST;
	for (int i = 0; i <= EFFECT_STEPS; i++, effect *= EFFECT_RATIO)
		for (int j = 1; j <= Q_STEPS; j++)
			information->bits[i][j] = integrate(0.5 * j / Q_STEPS, effect);
	return information;
}

void information_free(struct information *information)
{
	free(information);
}

double information_of_number(const struct information *information, double q, double effect)
{
	assert(q >= -1e-9 && q <= 1.0 + 1e-9 && effect >= 0.0);
	const double half = fmax(fmin(q, 1.0 - q), 0.0);
	const double column = half * 2.0 * Q_STEPS;
	const double less = fmin(effect / EFFECT_LEAST, 1.0);
	const double row = fmin(fmax(4.0 * log2(effect / EFFECT_LEAST), 0.0), EFFECT_STEPS);
	const int i = row >= EFFECT_STEPS ? EFFECT_STEPS - 1 : (int)row;
	const int j = column >= Q_STEPS ? Q_STEPS - 1 : (int)column;
	const double down = row - i;
	const double right = column - j;
	const double upper =
		information->bits[i][j] * (1.0 - right) + information->bits[i][j + 1] * right;
	const double lower = information->bits[i + 1][j] * (1.0 - right) +
			     information->bits[i + 1][j + 1] * right;
	return less * less * (upper * (1.0 - down) + lower * down);
}

double information_of_failures(double q, double unchanged, double changed, size_t n)
{
	assert(n > 0 && n <= 64);
	double bits = 0.0;
	for (size_t k = 0; k <= n; k++) {
		const double failures = (double)k;
		const double passes = (double)(n - k);
		const double ways =
			lgamma((double)n + 1.0) - lgamma(failures + 1.0) - lgamma(passes + 1.0);
		const double first =
			exp(ways + failures * log(unchanged) + passes * log1p(-unchanged));
		const double second =
			exp(ways + failures * log(changed) + passes * log1p(-changed));
		const double both = q * second + (1.0 - q) * first;
		if (q * second > 0.0)
			bits += q * second * log2(second / both);
		if ((1.0 - q) * first > 0.0)
			bits += (1.0 - q) * first * log2(first / both);
	}
	return fmax(bits, 0.0);
}
