/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which known noise serves as a prior, and what it makes of the margin. */
#include "verdict/prior.h"

#include "check.h"
#include "verdict/match.h"

static struct pair logarithmic = { .relative = true, .logarithmic = true, .base_mean = 10.0 };
static struct pair plain = { .relative = true, .base_mean = 10.0 };
static struct pair in_units = { .base_mean = 0.0 };

static const struct known_noise noise[] = {
	{ "a.loud", { true, 0.02, 500.0, 0.05, 9 } },
	{ "b.few", { true, 0.02, PRIOR_DEGREES_LEAST - 1.0, (double)NAN, 1 } },
	{ "c.plain", { false, 3.0, 12.0, 2.0, 3 } },
	{ "d.once", { true, (double)NAN, 0.0, (double)NAN, 4 } },
};

static struct comparison comparison_of(double margin_percent)
{
	return (struct comparison) { .options = { .noise = noise,
						  .n_noise = sizeof(noise) / sizeof(noise[0]),
						  .margin_percent = margin_percent } };
}

static void a_prior_needs_enough_degrees_and_never_counts_for_many(void **state)
{
	const struct comparison comparison = comparison_of(0.0);
	struct moderated_prior prior = prior_known(&comparison, "a.loud", &logarithmic);
	CHECK_NEAR(prior.variance, 4e-4, 1e-15);
	CHECK_NEAR(prior.degrees, PRIOR_DEGREES_MOST, 0.0);
	prior = prior_known(&comparison, "b.few", &logarithmic);
	CHECK_NEAR(prior.degrees, 0.0, 0.0);
	prior = prior_known(&comparison, "c.plain", &plain);
	CHECK_NEAR(prior.variance, 9.0, 1e-15);
	CHECK_NEAR(prior.degrees, 12.0, 0.0);
	prior = prior_known(&comparison, "d.once", &logarithmic);
	CHECK_NEAR(prior.degrees, 0.0, 0.0);
	prior = prior_known(&comparison, "z.unheard", &logarithmic);
	CHECK_NEAR(prior.degrees, 0.0, 0.0);
}

static void a_prior_of_another_scale_is_no_prior(void **state)
{
	const struct comparison comparison = comparison_of(0.0);
	CHECK_NEAR(prior_known(&comparison, "a.loud", &plain).degrees, 0.0, 0.0);
	CHECK_NEAR(prior_known(&comparison, "c.plain", &logarithmic).degrees, 0.0, 0.0);
}

static double margin_of(const char *name, const char *unit, const struct pair *pair, bool blocked,
			double asked)
{
	const struct comparison comparison = comparison_of(asked);
	const struct row row = { .metric = { name, unit, "", METRIC_SCORE, BETTER_LOWER,
					     ROLE_SCORE } };
	return prior_margin(&comparison, &row, pair, blocked);
}

static void the_margin_is_one_per_cent_or_the_noise_between_campaigns(void **state)
{
	CHECK_NEAR(margin_of("z.unheard", "s", &logarithmic, false, 0.0), 1.0, 0.0);
	CHECK_NEAR(margin_of("a.loud", "s", &logarithmic, false, 0.0),
		   100.0 * expm1(sqrt(2.0) * 0.05), 1e-12);
	CHECK_NEAR(margin_of("c.plain", "s", &plain, false, 0.0), 100.0 * sqrt(2.0) * 2.0 / 10.0,
		   1e-12);
	/* In shared blocks what moves a campaign moves both sides. */
	CHECK_NEAR(margin_of("a.loud", "s", &logarithmic, true, 0.0), 1.0, 0.0);
	/* A person's word counts more. */
	CHECK_NEAR(margin_of("a.loud", "s", &logarithmic, false, 0.3), 0.3, 0.0);
}

static void against_nothing_there_is_no_margin_but_shares_have_points(void **state)
{
	CHECK_NEAR(margin_of("z.unheard", "errors", &in_units, false, 5.0), 0.0, 0.0);
	CHECK_NEAR(margin_of("z.unheard", "%", &in_units, false, 5.0), 5.0, 0.0);
	CHECK_NEAR(margin_of("z.unheard", "%", &in_units, false, 0.0), 1.0, 0.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_prior_needs_enough_degrees_and_never_counts_for_many),
		cmocka_unit_test(a_prior_of_another_scale_is_no_prior),
		cmocka_unit_test(the_margin_is_one_per_cent_or_the_noise_between_campaigns),
		cmocka_unit_test(against_nothing_there_is_no_margin_but_shares_have_points),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
