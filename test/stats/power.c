/* SPDX-License-Identifier: GPL-2.0-or-later */
/* power.h against published figures, simulation, and a twin that adds up the binomial. */
#include "stats/power.h"

#include "base/random.h"
#include "check.h"
#include "stats/summary.h"
#include "stats/welch.h"

#include <math.h>

static void the_published_figures_come_out(void **state)
{
	/* power.t.test(n = 20, delta = 1, sd = 1) of R; Cohen's 64 runs for half a deviation at
	 * 80 %; 23 for one deviation at 90 %. */
	CHECK_NEAR(power_of(1, 1, 20, 0.05), 0.8689528, 1e-6);
	CHECK_NEAR(power_of(-1, 1, 20, 0.05), 0.8689528, 1e-6);
	CHECK_INT(power_runs(0.5, 1, 0.05, 0.8, 1000), 64);
	CHECK_INT(power_runs(1, 1, 0.05, 0.9, 1000), 23);
}

static void no_shift_is_found_as_often_as_alpha_says(void **state)
{
	CHECK_NEAR(power_of(0, 1, 10, 0.01), 0.01, 1e-9);
	CHECK_NEAR(power_of(0, 0, 10, 0.01), 0.01, 0);
	CHECK_NEAR(power_of(3, 0, 10, 0.01), 1, 0);
	CHECK_NEAR(power_of(3, 1, 1, 0.01), 0, 0);
}

static void the_edges_of_the_distribution_are_quiet(void **state)
{
	for (size_t n = 2; n < 3000; n += 97)
		for (double shift = 0.001; shift < 1e4; shift *= 7) {
			const double power = power_of(shift, 1, n, 0.0001);
			CHECK(power >= 0 && power <= 1);
		}
	CHECK_NEAR(power_of(1e3, 1, 10, 0.01), 1, 1e-9);
}

static void out_of_reach_is_said_by_zero(void **state)
{
	CHECK_INT(power_runs(0.01, 1, 0.01, 0.9, 1000), 0);
	CHECK_INT(power_runs(1, 1, 0.01, 0.9, 1), 0);
	CHECK_INT(power_runs_same(0.01, 1, 0.9, 1000), 0);
	CHECK_INT(power_runs(100, 1, 0.01, 0.9, 1000), 2);
	CHECK_INT(power_runs_same(1, 0, 0.9, 1000), 2);
}

static void the_number_of_runs_is_the_smallest(void **state)
{
	for (double shift = 0.4; shift < 5; shift *= 1.3) {
		const size_t n = power_runs(shift, 1, 0.01, 0.9, 1000);
		CHECK(n >= 2);
		CHECK(power_of(shift, 1, n, 0.01) >= 0.9);
		CHECK(n == 2 || power_of(shift, 1, n - 1, 0.01) < 0.9);
	}
}

static double simulate_same(struct random *random, double margin, size_t n)
{
	size_t inside = 0;
	const size_t rounds = 4000;
	for (size_t round = 0; round < rounds; round++) {
		double numbers[2][40];
		double squares = 0;
		double means[2];
		for (size_t side = 0; side < 2; side++) {
			for (size_t i = 0; i < n; i++)
				numbers[side][i] = random_normal(random);
			const struct summary summary = summary_make(numbers[side], n);
			means[side] = summary.mean;
			squares += summary.deviation * summary.deviation * (double)(n - 1);
		}
		/* Student's pooled interval through two summaries of one deviation: Welch's degrees
		 * are then 2 n - 2. */
		const struct summary base = { .n = n,
					      .mean = means[0],
					      .deviation = sqrt(squares / (double)(2 * n - 2)) };
		struct summary head = base;
		head.mean = means[1];
		const struct welch interval = welch_compare(&base, &head, 0.95);
		inside += interval.low > -margin && interval.high < margin;
	}
	return (double)inside / (double)rounds;
}

static void enough_runs_show_sameness_in_simulation(void **state)
{
	struct random random;
	random_seed(&random, 1990);
	const double margins[] = { 1, 1.5, 3 };
	for (size_t i = 0; i < 3; i++) {
		const size_t n = power_runs_same(margins[i], 1, 0.8, 100);
		CHECK(n >= 3 && n <= 40);
		CHECK(simulate_same(&random, margins[i], n) >= 0.78);
		CHECK(simulate_same(&random, margins[i], n - 1) <= 0.82);
	}
}

static double binomial_at_least(size_t k, size_t n, double p)
{
	double sum = 0;
	for (size_t i = k; i <= n; i++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) -
			   lgamma((double)(n - i) + 1) + (double)i * log(p) +
			   (double)(n - i) * log1p(-p));
	return sum;
}

static void rate_intervals_end_where_the_binomial_says(void **state)
{
	for (size_t hits = 0; hits <= 40; hits += 4) {
		double low;
		double high;
		power_rate_interval(hits, 40, 0.95, &low, &high);
		CHECK(hits == 0 || fabs(binomial_at_least(hits, 40, low) - 0.025) < 1e-9);
		CHECK(hits == 40 || fabs(binomial_at_least(hits + 1, 40, high) - 0.975) < 1e-9);
		CHECK(hits > 0 || low <= 0);
		CHECK(hits < 40 || high >= 1);
	}
}

static void no_hit_in_ten_allows_up_to_31_percent(void **state)
{
	double low;
	double high;
	power_rate_interval(0, 10, 0.95, &low, &high);
	CHECK_NEAR(low, 0, 0);
	CHECK_NEAR(high, 1 - pow(0.025, 0.1), 1e-12);
	power_rate_interval(0, 0, 0.95, &low, &high);
	CHECK_NEAR(low, 0, 0);
	CHECK_NEAR(high, 1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_published_figures_come_out),
		cmocka_unit_test(no_shift_is_found_as_often_as_alpha_says),
		cmocka_unit_test(the_edges_of_the_distribution_are_quiet),
		cmocka_unit_test(out_of_reach_is_said_by_zero),
		cmocka_unit_test(the_number_of_runs_is_the_smallest),
		cmocka_unit_test(enough_runs_show_sameness_in_simulation),
		cmocka_unit_test(rate_intervals_end_where_the_binomial_says),
		cmocka_unit_test(no_hit_in_ten_allows_up_to_31_percent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
