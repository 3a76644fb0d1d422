/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank.h against a published example, all relabellings of small samples, and formulas by hand. */
#include "stats/rank.h"

#include "base/macros.h"
#include "base/random.h"
#include "check.h"

#include <math.h>
#include <stdbool.h>

static void equal_numbers_share_their_mean_rank(void **state)
{
	const double numbers[] = { 3, 1, 3, 2, 3 };
	double ranks[5];
	/* Three equal ones: 27 - 3. */
	CHECK_NEAR(rank_make(numbers, 5, ranks), 24, 0);
	const double want[] = { 4, 1, 4, 2, 4 };
	for (size_t i = 0; i < 5; i++)
		CHECK_NEAR(ranks[i], want[i], 0);
	CHECK_NEAR(rank_make(numbers, 0, ranks), 0, 0);
}

static void ranks_agree_with_counting(void **state)
{
	struct random random;
	random_seed(&random, 11);
	for (int round = 0; round < 300; round++) {
		double numbers[30];
		double ranks[30];
		const size_t n = 1 + (size_t)random_below(&random, 30);
		for (size_t i = 0; i < n; i++)
			numbers[i] = floor(12 * random_unit(&random));
		(void)rank_make(numbers, n, ranks);
		for (size_t i = 0; i < n; i++) {
			double smaller = 0;
			double equal = 0;
			for (size_t j = 0; j < n; j++) {
				smaller += numbers[j] < numbers[i];
				equal += !(numbers[j] < numbers[i] || numbers[j] > numbers[i]);
			}
			CHECK_NEAR(ranks[i], smaller + (equal + 1) / 2, 0);
		}
	}
}

static void the_permeability_example_gives_its_published_p(void **state)
{
	/* Hollander and Wolfe (1973), p. 69; one-sided 0.1272 there. */
	const double at_term[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	const double early[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	const struct mann_whitney test = rank_mann_whitney(early, 5, at_term, 10);
	CHECK(test.known);
	CHECK(test.exact);
	CHECK_NEAR(test.u, 35, 0);
	CHECK_NEAR(test.effect, 0.7, 1e-15);
	CHECK_NEAR(test.p, 2 * 0.1272, 1e-4);
}

static void three_runs_a_side_cannot_go_below_a_tenth(void **state)
{
	const double base[] = { 1, 2, 3 };
	const double head[] = { 400, 500, 600 };
	CHECK_NEAR(rank_mann_whitney(base, 3, head, 3).p, 0.1, 1e-15);
	CHECK_NEAR(rank_mann_whitney(head, 3, base, 3).p, 0.1, 1e-15);
}

static void a_side_without_runs_is_not_judged(void **state)
{
	const double some[] = { 1, 2 };
	CHECK(!rank_mann_whitney(some, 2, NULL, 0).known);
	CHECK(isnan(rank_mann_whitney(NULL, 0, some, 2).p));
}

static double count_pairs(const double *base, size_t n_base, const double *head, size_t n_head)
{
	double u = 0;
	for (size_t i = 0; i < n_base; i++)
		for (size_t j = 0; j < n_head; j++)
			u += head[j] > base[i] ? 1 : (head[j] < base[i] ? 0 : 0.5);
	return u;
}

/* Every way to call n_head of the numbers "head": how many are as far from the middle. */
static double enumerate_p(const double *numbers, size_t n, size_t n_head, double u)
{
	const double middle = (double)((n - n_head) * n_head) / 2;
	double as_far = 0;
	double all = 0;
	for (unsigned labels = 0; labels < 1U << n; labels++) {
		if ((size_t)__builtin_popcount(labels) != n_head)
			continue;
		double base[16];
		double head[16];
		size_t bases = 0;
		size_t heads = 0;
		for (size_t i = 0; i < n; i++) {
			if (labels >> i & 1U)
				head[heads++] = numbers[i];
			else
				base[bases++] = numbers[i];
		}
		const double here = count_pairs(base, bases, head, heads);
		all++;
		as_far += fabs(here - middle) >= fabs(u - middle) - 1e-9;
	}
	return as_far / all;
}

static void exact_p_agrees_with_all_relabellings(void **state)
{
	struct random random;
	random_seed(&random, 1947);
	for (int round = 0; round < 40; round++) {
		double numbers[10];
		const size_t n_base = 1 + (size_t)random_below(&random, 5);
		const size_t n_head = 1 + (size_t)random_below(&random, 5);
		for (size_t i = 0; i < n_base + n_head; i++)
			numbers[i] = random_normal(&random) + (i >= n_base ? 1 : 0);
		const struct mann_whitney test =
			rank_mann_whitney(numbers, n_base, numbers + n_base, n_head);
		CHECK(test.exact);
		CHECK_NEAR(test.u, count_pairs(numbers, n_base, numbers + n_base, n_head), 1e-12);
		CHECK_NEAR(test.p, enumerate_p(numbers, n_base + n_head, n_head, test.u), 1e-12);
	}
}

static void ties_make_p_approximate_but_near(void **state)
{
	const double base[] = { 1, 1, 2, 2, 3, 3 };
	const double head[] = { 2, 3, 3, 4, 4, 5 };
	double numbers[12];
	for (size_t i = 0; i < 6; i++) {
		numbers[i] = base[i];
		numbers[6 + i] = head[i];
	}
	const struct mann_whitney test = rank_mann_whitney(base, 6, head, 6);
	CHECK(!test.exact);
	/* By hand: u = 3 + 5 + 5 + 18 = 31; ties 2 2 3 4: sum of t^3 - t 1: 6, 2: 24, 3: 60, 4: 6 = 96; variance
	 * 36 / 12 (13 - 96 / 132) = 36.818; z = (13 - 0.5) / 6.0678 = 2.0600. */
	CHECK_NEAR(test.u, 31, 1e-12);
	CHECK_NEAR(test.p, 0.0394, 1e-4);
	CHECK_NEAR(test.p, enumerate_p(numbers, 12, 6, test.u), 0.02);
}

static void all_runs_equal_is_no_difference(void **state)
{
	const double same[] = { 7, 7, 7, 7 };
	const struct mann_whitney test = rank_mann_whitney(same, 4, same, 4);
	CHECK(test.known);
	CHECK_NEAR(test.effect, 0.5, 0);
	CHECK_NEAR(test.p, 1, 0);
}

static void many_runs_use_the_normal_distribution(void **state)
{
	double base[60];
	double head[60];
	struct random random;
	random_seed(&random, 5);
	for (size_t i = 0; i < 60; i++) {
		base[i] = random_normal(&random);
		head[i] = random_normal(&random) + 1.5;
	}
	const struct mann_whitney test = rank_mann_whitney(base, 60, head, 60);
	CHECK(!test.exact);
	CHECK(test.p < 1e-6);
	CHECK(test.p > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_numbers_share_their_mean_rank),
		cmocka_unit_test(ranks_agree_with_counting),
		cmocka_unit_test(the_permeability_example_gives_its_published_p),
		cmocka_unit_test(three_runs_a_side_cannot_go_below_a_tenth),
		cmocka_unit_test(a_side_without_runs_is_not_judged),
		cmocka_unit_test(exact_p_agrees_with_all_relabellings),
		cmocka_unit_test(ties_make_p_approximate_but_near),
		cmocka_unit_test(all_runs_equal_is_no_difference),
		cmocka_unit_test(many_runs_use_the_normal_distribution),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
