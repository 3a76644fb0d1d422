/* SPDX-License-Identifier: GPL-2.0-or-later */
/* select.h against sorting. */
#include "stats/select.h"

#include "base/random.h"
#include "check.h"

#include <math.h>

static int descending(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;
	return (a < b) - (a > b);
}

static void it_agrees_with_sorting(void **state)
{
	struct random random;
	random_seed(&random, 1964);
	for (int round = 0; round < 300; round++) {
		double numbers[50] = { 0 };
		double sorted[50] = { 0 };
		double heap[50];
		const size_t n = 1 + (size_t)random_below(&random, 50);
		for (size_t i = 0; i < n; i++)
			numbers[i] = round % 3 == 0 ? floor(4.0 * random_unit(&random))
						    : random_normal(&random);
		if (round % 5 == 0)
			numbers[0] = -(double)INFINITY;
		memcpy(sorted, numbers, sizeof(sorted));
		qsort(sorted, n, sizeof(*sorted), descending);
		for (size_t k = 1; k <= n; k++) {
			const double have = select_largest(numbers, n, k, heap);
			CHECK(!(have < sorted[k - 1]) && !(have > sorted[k - 1]));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_agrees_with_sorting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
