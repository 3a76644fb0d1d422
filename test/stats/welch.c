/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * welch.h against published values, a twin that integrates the Student density itself, and what its
 * comment promises about constant sides.
 */
#include "stats/welch.h"

#include "base/macros.h"
#include "base/random.h"
#include "check.h"

#include <math.h>

/* Student's sleep data (1908), as shipped with R: extra hours of sleep under two drugs. */
static const double sleep_one[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
static const double sleep_two[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };

static struct welch compare(const double *base, size_t n_base, const double *head, size_t n_head,
			    double confidence)
{
	const struct summary a = summary_make(base, n_base);
	const struct summary b = summary_make(head, n_head);
	return welch_compare(&a, &b, confidence);
}

static void the_sleep_data_give_what_r_documents(void **state)
{
	/* R's t.test(extra ~ group, data = sleep) prints t = -1.8608, df = 17.776, p = 0.07939 and
	 * the 95 % interval -3.3654832 to 0.2054832 of group 1 minus group 2. */
	const struct welch welch = compare(sleep_one, 10, sleep_two, 10, 0.95);
	CHECK(welch.known);
	CHECK(!welch.exact);
	CHECK_NEAR(welch.difference, 1.58, 1e-12);
	CHECK_NEAR(welch.t, 1.8608, 5e-5);
	CHECK_NEAR(welch.degrees, 17.776, 5e-4);
	CHECK_NEAR(welch.p, 0.07939, 5e-6);
	CHECK_NEAR(welch.low, -0.2054832, 5e-8);
	CHECK_NEAR(welch.high, 3.3654832, 5e-8);
}

static void swapping_the_sides_turns_the_sign_only(void **state)
{
	const struct welch one = compare(sleep_one, 10, sleep_two, 10, 0.99);
	const struct welch other = compare(sleep_two, 10, sleep_one, 10, 0.99);
	CHECK_NEAR(one.difference, -other.difference, 1e-15);
	CHECK_NEAR(one.low, -other.high, 1e-12);
	CHECK_NEAR(one.high, -other.low, 1e-12);
	CHECK_NEAR(one.p, other.p, 1e-15);
}

/* Two-sided tail by Simpson's rule over the density of Student's distribution, after substituting
 * x = tan(u), which makes the range finite. */
static double student_tail_twin(double t, double degrees)
{
	const double scale =
		exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(degrees * acos(-1.0));
	const int steps = 20000;
	const double from = atan(fabs(t));
	const double width = (acos(0.0) - from) / steps;
	double sum = 0.0;
	for (int i = 0; i <= steps; i++) {
		const double u = from + width * i;
		const double x = tan(u);
		const double density = pow(1 + x * x / degrees, -(degrees + 1) / 2);
		const double value = i == steps ? 0.0 : density * (1 + x * x);
		sum += value * (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2);
	}
	return 2.0 * scale * sum * width / 3.0;
}

static void random_samples_agree_with_the_integrated_twin(void **state)
{
	struct random random;
	random_seed(&random, 1947);
	for (int round = 0; round < 60; round++) {
		double base[12];
		double head[12];
		const size_t n_base = 3 + (size_t)random_below(&random, 10);
		const size_t n_head = 3 + (size_t)random_below(&random, 10);
		double squares_base = 0;
		double squares_head = 0;
		double mean_base = 0;
		double mean_head = 0;
		for (size_t i = 0; i < n_base; i++)
			mean_base += (base[i] = random_normal(&random)) / (double)n_base;
		for (size_t i = 0; i < n_head; i++)
			mean_head += (head[i] = 0.5 + 3 * random_normal(&random)) / (double)n_head;
		for (size_t i = 0; i < n_base; i++)
			squares_base += pow(base[i] - mean_base, 2);
		for (size_t i = 0; i < n_head; i++)
			squares_head += pow(head[i] - mean_head, 2);
		const double a = squares_base / (double)(n_base - 1) / (double)n_base;
		const double b = squares_head / (double)(n_head - 1) / (double)n_head;
		const double degrees =
			(a + b) * (a + b) /
			(a * a / (double)(n_base - 1) + b * b / (double)(n_head - 1));

		const struct welch welch = compare(base, n_base, head, n_head, 0.9);
		CHECK_NEAR(welch.degrees, degrees, 1e-9 * degrees);
		CHECK_NEAR(welch.p,
			   student_tail_twin((mean_head - mean_base) / sqrt(a + b), degrees), 1e-6);
		/* The ends of the interval are the shifts whose p is 1 - confidence. */
		const double reach = (welch.high - welch.low) / 2 / sqrt(a + b);
		CHECK_NEAR(student_tail_twin(reach, degrees), 0.1, 1e-6);
	}
}

static void one_run_a_side_tells_nothing(void **state)
{
	const double two[] = { 1, 2 };
	const struct welch welch = compare(two, 2, two, 1, 0.99);
	CHECK(!welch.known);
	CHECK(isnan(welch.p));
	CHECK(isnan(welch.low));
	CHECK(!compare(two, 0, two, 2, 0.99).known);
}

static void two_constant_and_equal_sides_are_exactly_equal(void **state)
{
	const double three[] = { 0.1, 0.1, 0.1 };
	const struct welch welch = compare(three, 3, three, 3, 0.99);
	CHECK(welch.known);
	CHECK(welch.exact);
	CHECK_NEAR(welch.p, 1.0, 0.0);
	CHECK_NEAR(welch.low, 0.0, 0.0);
	CHECK_NEAR(welch.high, 0.0, 0.0);
}

static void two_constant_and_different_sides_need_enough_runs(void **state)
{
	const double zero[] = { 0, 0, 0, 0, 0, 0 };
	const double one[] = { 1, 1, 1, 1, 1, 1 };
	const struct welch few = compare(zero, 2, one, 2, 0.99);
	CHECK(few.exact);
	CHECK_NEAR(few.difference, 1.0, 0.0);
	CHECK_NEAR(few.p, 0.125, 1e-15);
	CHECK_NEAR(compare(zero, 4, one, 4, 0.99).p, 2.0 / 256.0, 1e-15);
	CHECK_NEAR(compare(one, 6, zero, 6, 0.99).p, 2.0 / 4096.0, 1e-15);
}

static void the_bound_for_constants_holds_for_every_coin(void **state)
{
	/* The chance that it bounds, worked out for coins of every bias. */
	for (size_t a = 2; a <= 7; a++) {
		for (size_t b = 2; b <= 7; b++) {
			double worst = 0;
			for (double q = 0.001; q < 1.0; q += 0.001) {
				const double x = (double)a;
				const double y = (double)b;
				const double chance =
					pow(q, x) * pow(1 - q, y) + pow(q, y) * pow(1 - q, x);
				worst = fmax(worst, chance);
			}
			CHECK(worst <= welch_exact_p(a, b) + 1e-12);
			CHECK(a != b || worst > 0.999 * welch_exact_p(a, b));
		}
	}
}

static void more_values_than_two_only_lower_the_chance(void **state)
{
	struct random random;
	random_seed(&random, 1990);
	for (int round = 0; round < 3000; round++) {
		double q[6] = { 0 };
		const size_t n_values = 2 + (size_t)random_below(&random, 5);
		double sum = 0;
		for (size_t i = 0; i < n_values; i++)
			sum += (q[i] = pow(random_unit(&random), 3));
		const size_t a = 2 + (size_t)random_below(&random, 6);
		const size_t b = 2 + (size_t)random_below(&random, 6);
		double chance = 0;
		for (size_t x = 0; x < n_values; x++)
			for (size_t y = 0; y < n_values; y++)
				if (x != y)
					chance += pow(q[x] / sum, (double)a) *
						  pow(q[y] / sum, (double)b);
		CHECK(chance <= welch_exact_p(a, b) + 1e-12);
	}
}

static void a_constant_side_against_a_varying_one_has_the_others_degrees(void **state)
{
	const double constant[] = { 5, 5, 5, 5, 5 };
	const double varying[] = { 6, 7, 8, 7 };
	const struct welch welch = compare(constant, 5, varying, 4, 0.95);
	CHECK(welch.known);
	CHECK(!welch.exact);
	CHECK_NEAR(welch.degrees, 3.0, 1e-12);
	CHECK_NEAR(welch.difference, 2.0, 1e-12);
}

static void tiny_and_huge_scales_give_the_same_p(void **state)
{
	const double plain = compare(sleep_one, 10, sleep_two, 10, 0.95).p;
	for (int power = -150; power <= 150; power += 50) {
		double one[10];
		double two[10];
		for (size_t i = 0; i < 10; i++) {
			one[i] = sleep_one[i] * pow(10, power);
			two[i] = sleep_two[i] * pow(10, power);
		}
		CHECK_NEAR(compare(one, 10, two, 10, 0.95).p, plain, 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sleep_data_give_what_r_documents),
		cmocka_unit_test(swapping_the_sides_turns_the_sign_only),
		cmocka_unit_test(random_samples_agree_with_the_integrated_twin),
		cmocka_unit_test(one_run_a_side_tells_nothing),
		cmocka_unit_test(two_constant_and_equal_sides_are_exactly_equal),
		cmocka_unit_test(two_constant_and_different_sides_need_enough_runs),
		cmocka_unit_test(the_bound_for_constants_holds_for_every_coin),
		cmocka_unit_test(more_values_than_two_only_lower_the_chance),
		cmocka_unit_test(a_constant_side_against_a_varying_one_has_the_others_degrees),
		cmocka_unit_test(tiny_and_huge_scales_give_the_same_p),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
