/* SPDX-License-Identifier: GPL-2.0-or-later */
/* adjust.h against published examples and twins that follow the papers' step rules literally. */
#include "stats/adjust.h"

#include "base/macros.h"
#include "base/random.h"
#include "check.h"

#include <math.h>
#include <stdbool.h>

/* The 15 p values of the example in Benjamini and Hochberg (1995), section 3. */
static const double paper[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
				0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000 };

static size_t rejected(const double *adjusted, size_t n, double alpha)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += adjusted[i] <= alpha;
	return count;
}

static void the_example_of_1995_rejects_three_by_holm_and_four_by_share(void **state)
{
	double adjusted[ARRAY_SIZE(paper)];
	adjust_holm(paper, ARRAY_SIZE(paper), adjusted);
	CHECK_INT(rejected(adjusted, ARRAY_SIZE(paper), 0.05), 3);
	CHECK_NEAR(adjusted[0], 0.0015, 1e-15);
	CHECK_NEAR(adjusted[3], 0.114, 1e-15);
	adjust_benjamini_hochberg(paper, ARRAY_SIZE(paper), adjusted);
	CHECK_INT(rejected(adjusted, ARRAY_SIZE(paper), 0.05), 4);
	CHECK_NEAR(adjusted[3], 0.035625, 1e-15);
	CHECK_NEAR(adjusted[14], 1.0, 0.0);
}

static void holm_never_falls_with_rank(void **state)
{
	/* p.adjust(c(.01, .02, .03, .04, .05), "holm") in R: .05 .08 .09 .09 .09. */
	const double p[] = { 0.05, 0.01, 0.03, 0.02, 0.04 };
	double adjusted[5];
	adjust_holm(p, 5, adjusted);
	CHECK_NEAR(adjusted[1], 0.05, 1e-15);
	CHECK_NEAR(adjusted[3], 0.08, 1e-15);
	CHECK_NEAR(adjusted[2], 0.09, 1e-15);
	CHECK_NEAR(adjusted[4], 0.09, 1e-15);
	CHECK_NEAR(adjusted[0], 0.09, 1e-15);
}

static void tests_that_did_not_take_place_cost_nothing(void **state)
{
	const double p[] = { (double)NAN, 0.01, (double)NAN, 0.5 };
	double adjusted[4];
	adjust_holm(p, 4, adjusted);
	CHECK(isnan(adjusted[0]));
	CHECK(isnan(adjusted[2]));
	CHECK_NEAR(adjusted[1], 0.02, 1e-15);
	adjust_benjamini_hochberg(p, 4, adjusted);
	CHECK(isnan(adjusted[0]));
	CHECK_NEAR(adjusted[1], 0.02, 1e-15);
	CHECK_NEAR(adjusted[3], 0.5, 1e-15);
}

static void no_test_at_all_is_allowed(void **state)
{
	adjust_holm(NULL, 0, NULL);
	adjust_benjamini_hochberg(NULL, 0, NULL);
	const double p[] = { 0.3 };
	double adjusted[1];
	adjust_holm(p, 1, adjusted);
	CHECK_NEAR(adjusted[0], 0.3, 0.0);
	adjust_benjamini_hochberg(p, 1, adjusted);
	CHECK_NEAR(adjusted[0], 0.3, 0.0);
}

/* Holm's procedure as he wrote it: take the smallest p, compare it with alpha / (tests left), stop
 * at the first that fails. Quadratic on purpose. */
static void holm_twin(const double *p, size_t n, double alpha, bool *ret_rejected)
{
	for (size_t i = 0; i < n; i++)
		ret_rejected[i] = false;
	for (size_t left = n; left > 0; left--) {
		size_t smallest = n;
		for (size_t i = 0; i < n; i++)
			if (!ret_rejected[i] && (smallest == n || p[i] < p[smallest]))
				smallest = i;
		if (p[smallest] * (double)left > alpha)
			return;
		ret_rejected[smallest] = true;
	}
}

/* Theirs: the largest k whose k-th smallest p is at most k alpha / n; reject all p up to it. */
static void share_twin(const double *p, size_t n, double alpha, bool *ret_rejected)
{
	double limit = -1;
	for (size_t i = 0; i < n; i++) {
		size_t rank = 0;
		for (size_t j = 0; j < n; j++)
			rank += p[j] <= p[i];
		if (p[i] * (double)n / (double)rank <= alpha && p[i] > limit)
			limit = p[i];
	}
	for (size_t i = 0; i < n; i++)
		ret_rejected[i] = p[i] <= limit;
}

static void any_dependence_costs_the_harmonic_sum(void **state)
{
	/* 1 + 1/2 + ... + 1/15 = 3.318229: the fourth of the example is 3.318229 * 0.035625. */
	double adjusted[ARRAY_SIZE(paper)];
	adjust_benjamini_yekutieli(paper, ARRAY_SIZE(paper), adjusted);
	CHECK_NEAR(adjusted[3], 0.11821, 1e-5);
	CHECK_INT(rejected(adjusted, ARRAY_SIZE(paper), 0.05), 3);
	CHECK_NEAR(adjusted[14], 1.0, 0.0);
	adjust_benjamini_yekutieli(NULL, 0, NULL);
}

static void dependence_is_paid_for_the_tests_that_took_place(void **state)
{
	const double p[] = { (double)NAN, 0.01, (double)NAN, 0.5 };
	double adjusted[4];
	adjust_benjamini_yekutieli(p, 4, adjusted);
	CHECK(isnan(adjusted[2]));
	CHECK_NEAR(adjusted[1], 0.03, 1e-15);
	CHECK_NEAR(adjusted[3], 0.75, 1e-15);
}

static void random_families_agree_with_the_twins(void **state)
{
	struct random random;
	random_seed(&random, 1979);
	for (int round = 0; round < 3000; round++) {
		double p[30];
		double adjusted[30];
		bool twin[30];
		const size_t n = 1 + (size_t)random_below(&random, 30);
		/* Coarse values, so that ties happen; cubed, so that small ones do. */
		for (size_t i = 0; i < n; i++)
			p[i] = pow(floor(50.0 * random_unit(&random)) / 50.0, 3);
		const double alpha = 0.0005 + 0.2 * random_unit(&random);
		adjust_holm(p, n, adjusted);
		holm_twin(p, n, alpha, twin);
		for (size_t i = 0; i < n; i++)
			CHECK_INT(adjusted[i] <= alpha, twin[i]);
		adjust_benjamini_hochberg(p, n, adjusted);
		share_twin(p, n, alpha, twin);
		for (size_t i = 0; i < n; i++)
			CHECK_INT(adjusted[i] <= alpha, twin[i]);
		double price = 0;
		for (size_t i = 1; i <= n; i++)
			price += 1.0 / (double)i;
		adjust_benjamini_yekutieli(p, n, adjusted);
		share_twin(p, n, alpha / price, twin);
		for (size_t i = 0; i < n; i++)
			CHECK_INT(adjusted[i] <= alpha, twin[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_of_1995_rejects_three_by_holm_and_four_by_share),
		cmocka_unit_test(holm_never_falls_with_rank),
		cmocka_unit_test(tests_that_did_not_take_place_cost_nothing),
		cmocka_unit_test(no_test_at_all_is_allowed),
		cmocka_unit_test(any_dependence_costs_the_harmonic_sum),
		cmocka_unit_test(dependence_is_paid_for_the_tests_that_took_place),
		cmocka_unit_test(random_families_agree_with_the_twins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
