/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ratio.h against its definition by bisection, against Welch at 1, and by coverage. */
#include "stats/ratio.h"

#include "base/random.h"
#include "check.h"
#include "stats/welch.h"

#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

static void draw(struct random *random, double mean, double deviation, double *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		numbers[i] = mean + deviation * random_normal(random);
}

/* Is the ratio r inside? The definition itself: head - r base within t standard errors of 0. */
static bool is_inside(const struct summary *base, const struct summary *head, double t, double r)
{
	const double error = sqrt(head->deviation * head->deviation / (double)head->n +
				  r * r * base->deviation * base->deviation / (double)base->n);
	return fabs(head->mean - r * base->mean) <= t * error;
}

/* The edge between an inside and an outside ratio. */
static double edge(const struct summary *base, const struct summary *head, double t, double inside,
		   double outside)
{
	for (unsigned i = 0; i < 200; i++) {
		const double middle = (inside + outside) / 2;
		if (is_inside(base, head, t, middle))
			inside = middle;
		else
			outside = middle;
	}
	return inside;
}

static void the_ends_are_where_the_definition_says(void **state)
{
	struct random random;
	random_seed(&random, 20261130);
	for (unsigned round = 0; round < 200; round++) {
		double a[8];
		double b[6];
		draw(&random, 10, 1, a, 8);
		draw(&random, 4 + (double)round / 10, 2, b, 6);
		const struct summary base = summary_make(a, 8);
		const struct summary head = summary_make(b, 6);
		const struct ratio ratio = ratio_compare(&base, &head, 0.95);
		const double t = qt(0.975, welch_compare(&base, &head, 0.95).degrees, 1, 0);
		CHECK(ratio.known);
		CHECK_NEAR(ratio.low, edge(&base, &head, t, ratio.ratio, -50), 1e-9);
		CHECK_NEAR(ratio.high, edge(&base, &head, t, ratio.ratio, 50), 1e-9);
	}
}

static void the_interval_leaves_one_out_exactly_when_welch_finds_a_difference(void **state)
{
	struct random random;
	unsigned n_different = 0;
	random_seed(&random, 7);
	for (unsigned round = 0; round < 2000; round++) {
		double a[5];
		double b[5];
		draw(&random, 100, 3, a, 5);
		draw(&random, 100 + (double)(round % 8), 3, b, 5);
		const struct summary base = summary_make(a, 5);
		const struct summary head = summary_make(b, 5);
		const struct ratio ratio = ratio_compare(&base, &head, 0.99);
		const bool differs = welch_compare(&base, &head, 0.99).p < 0.01;
		CHECK(ratio.known);
		CHECK_INT(ratio.low > 1 || ratio.high < 1, differs);
		n_different += differs;
	}
	CHECK(n_different > 50 && n_different < 1500);
}

/* A doubling: the plain interval of the difference over the base mean would be far too narrow. */
static void the_interval_holds_the_true_ratio_as_often_as_it_says(void **state)
{
	struct random random;
	unsigned n_inside = 0;
	random_seed(&random, 99);
	for (unsigned round = 0; round < 4000; round++) {
		double a[8];
		double b[8];
		draw(&random, 10, 1, a, 8);
		draw(&random, 20, 2, b, 8);
		const struct summary base = summary_make(a, 8);
		const struct summary head = summary_make(b, 8);
		const struct ratio ratio = ratio_compare(&base, &head, 0.95);
		n_inside += ratio.low <= 2 && 2 <= ratio.high;
	}
	/* 3800 expected, deviation 13.8; the degrees of freedom are approximate: 4 deviations. */
	CHECK(n_inside > 3745 && n_inside < 3860);
}

static void a_fall_is_never_more_than_the_whole(void **state)
{
	const double a[] = { 0.31, 0.25, 0.38, 0.30 };
	const double b[] = { 0.11, 0.10, 0.12, 0.10 };
	const struct summary base = summary_make(a, 4);
	const struct summary head = summary_make(b, 4);
	const struct ratio ratio = ratio_compare(&base, &head, 0.99);
	CHECK(ratio.known);
	CHECK(ratio.low > 0);
}

static void a_base_that_may_be_zero_has_no_bounded_interval(void **state)
{
	const double near_zero[] = { -1, 1, 0.5, -0.4 };
	const double b[] = { 3, 4, 5, 4 };
	const double constant[] = { 2, 2, 2 };
	const struct summary base = summary_make(near_zero, 4);
	const struct summary head = summary_make(b, 4);
	const struct summary flat = summary_make(constant, 3);
	CHECK(!ratio_compare(&base, &head, 0.95).known);
	CHECK(!ratio_compare(&flat, &flat, 0.95).known);
	CHECK(isnan(ratio_compare(&base, &head, 0.95).low));
	const struct summary one = summary_make(b, 1);
	CHECK(!ratio_compare(&head, &one, 0.95).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ends_are_where_the_definition_says),
		cmocka_unit_test(the_interval_leaves_one_out_exactly_when_welch_finds_a_difference),
		cmocka_unit_test(the_interval_holds_the_true_ratio_as_often_as_it_says),
		cmocka_unit_test(a_fall_is_never_more_than_the_whole),
		cmocka_unit_test(a_base_that_may_be_zero_has_no_bounded_interval),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
