/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Known noise from tables of runs whose scatter is known. */
#include "verdict/noise_table.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"

#include <math.h>

#define POINT "w/size=1"

/* A table of one metric, filled group by group. */
struct made {
	struct repeats repeats;
	char *metrics[1];
	struct repeat_group groups[64];
	double values[1024];
};

static void made_start(struct made *made)
{
	static char name[] = "w.score";

	*made = (struct made) { .metrics = { name } };
	made->repeats = (struct repeats) { .metrics = made->metrics,
					   .n_metrics = 1,
					   .values = made->values,
					   .groups = made->groups };
}

static void add(struct made *made, const char *point, const char *settings, const double *values,
		size_t n)
{
	made->groups[made->repeats.n_groups] = (struct repeat_group) {
		.campaign = (int64_t)made->repeats.n_groups + 1,
		.point = mem_text(point),
		.settings = mem_text(settings),
		.first = made->repeats.n_runs,
		.n = n,
	};
	for (size_t i = 0; i < n; i++)
		made->values[made->repeats.n_runs + i] = values[i];
	made->repeats.n_groups++;
	made->repeats.n_runs += n;
}

/* n values of a lognormal around `level`. */
static void add_random(struct made *made, struct random *random, const char *point, double level,
		       double deviation, size_t n)
{
	double values[64];

	CHECK(n <= ARRAY_SIZE(values));
	for (size_t i = 0; i < n; i++)
		values[i] = level * exp(deviation * random_normal(random));
	add(made, point, "[]", values, n);
}

static void made_end(struct made *made)
{
	for (size_t i = 0; i < made->repeats.n_groups; i++) {
		free(made->groups[i].point);
		free(made->groups[i].settings);
	}
}

/* The one row, or none. */
static bool look(const struct made *made, struct noise *ret_noise)
{
	struct noise_table *table = noise_table_make(&made->repeats, POINT);
	const bool known = table->n > 0;

	CHECK(table->n <= 1);
	if (known) {
		CHECK_TEXT(table->rows[0].metric, "w.score");
		*ret_noise = table->rows[0].noise;
	}
	noise_table_free(table);
	return known;
}

static void what_was_always_above_0_is_known_in_per_cent(void **state)
{
	struct made made;
	struct noise noise;

	made_start(&made);
	add(&made, POINT, "[]", (const double[]) { 100, 110, 121 }, 3);
	CHECK(look(&made, &noise));
	CHECK(noise.logarithmic);
	CHECK_NEAR(noise.within, log(1.1), 1e-12);
	CHECK_NEAR(noise.within_degrees, 2, 0);
	CHECK(isnan(noise.between));
	made_end(&made);
}

static void what_was_0_once_is_known_in_its_unit(void **state)
{
	struct made made;
	struct noise noise;

	made_start(&made);
	add(&made, POINT, "[]", (const double[]) { 0, 10, 20 }, 3);
	CHECK(look(&made, &noise));
	CHECK(!noise.logarithmic);
	CHECK_NEAR(noise.within, 10, 1e-12);
	made_end(&made);
}

static void a_metric_that_never_varied_or_was_seen_once_teaches_nothing(void **state)
{
	struct made made;
	struct noise noise;

	made_start(&made);
	CHECK(!look(&made, &noise));
	add(&made, POINT, "[]", (const double[]) { 7 }, 1);
	CHECK(!look(&made, &noise));
	add(&made, POINT, "[]", (const double[]) { 8, 8, 8 }, 3);
	CHECK(!look(&made, &noise));
	made_end(&made);
}

static void unknown_values_are_left_out(void **state)
{
	struct made made;
	struct noise noise;

	made_start(&made);
	add(&made, POINT, "[]", (const double[]) { (double)NAN, 100, (double)NAN, 110, 121 }, 5);
	add(&made, POINT, "[]", (const double[]) { (double)NAN, (double)NAN }, 2);
	CHECK(look(&made, &noise));
	CHECK_NEAR(noise.within_degrees, 2, 0);
	CHECK_INT(noise.groups, 1);
	made_end(&made);
}

static void other_points_fill_up_only_what_is_in_per_cent(void **state)
{
	static const double other[] = { 900, 1000, 1100 };
	struct made made;
	struct noise noise;

	made_start(&made);
	add(&made, POINT, "[]", (const double[]) { 100, 110 }, 2);
	add(&made, "w/size=2", "[]", other, ARRAY_SIZE(other));
	CHECK(look(&made, &noise));
	CHECK_NEAR(noise.within_degrees, 3, 0);
	made_end(&made);

	made_start(&made);
	add(&made, POINT, "[]", (const double[]) { 0, 110 }, 2);
	add(&made, "w/size=2", "[]", other, ARRAY_SIZE(other));
	CHECK(look(&made, &noise));
	CHECK_NEAR(noise.within_degrees, 1, 0);
	made_end(&made);
}

static void a_point_with_runs_enough_is_believed_alone(void **state)
{
	struct made made;
	struct random random;
	struct noise noise;

	random_seed(&random, 1);
	made_start(&made);
	add_random(&made, &random, POINT, 50, 0.01, 40);
	add_random(&made, &random, "w/size=2", 5000, 0.2, 40);
	CHECK(look(&made, &noise));
	CHECK_NEAR(noise.within_degrees, 39, 0);
	CHECK_NEAR(noise.within, 0.01, 0.004);
	made_end(&made);
}

static void levels_of_campaigns_do_not_count_as_noise_within(void **state)
{
	struct made made;
	struct random random;
	struct noise noise;

	random_seed(&random, 2);
	made_start(&made);
	for (unsigned i = 0; i < 10; i++)
		add_random(&made, &random, POINT, i % 2 ? 50 : 55, 0.01, 10);
	/* Another subject is another level, for a reason. */
	add(&made, POINT, "[\"head\"]", (const double[]) { 500, 501 }, 2);
	CHECK(look(&made, &noise));
	CHECK_NEAR(noise.within, 0.01, 0.004);
	CHECK_NEAR(noise.between, 0.0502, 0.01); /* log(1.1) / 2, 10 campaigns of two levels. */
	made_end(&made);
}

static void noise_that_differs_from_day_to_day_is_believed_less(void **state)
{
	struct made made;
	struct random random;
	struct noise steady;
	struct noise changing;

	random_seed(&random, 3);
	made_start(&made);
	for (unsigned i = 0; i < 12; i++)
		add_random(&made, &random, POINT, 50, 0.01, 10);
	CHECK(look(&made, &steady));
	made_end(&made);
	made_start(&made);
	for (unsigned i = 0; i < 12; i++)
		add_random(&made, &random, POINT, 50, i % 2 ? 0.002 : 0.03, 10);
	CHECK(look(&made, &changing));
	made_end(&made);
	CHECK(changing.within_degrees < 5);
	CHECK(steady.within_degrees > 3 * changing.within_degrees);
	CHECK(steady.within_degrees <= 108);
}

static void rows_are_sorted_by_metric(void **state)
{
	static const double values[] = { 1, 2, 5, 5, 3, 5 }; /* The second one never varied. */
	char *metrics[3] = { mem_text("a"), mem_text("b"), mem_text("c") };
	char *point = mem_text(POINT);
	struct repeat_group group = { .point = point, .settings = point, .n = 2 };
	double *copy = mem_array(ARRAY_SIZE(values), sizeof(*copy));
	const struct repeats repeats = {
		.metrics = metrics,
		.n_metrics = 3,
		.n_runs = 2,
		.values = copy,
		.groups = &group,
		.n_groups = 1,
	};

	memcpy(copy, values, sizeof(values));
	struct noise_table *table = noise_table_make(&repeats, POINT);

	CHECK_INT(table->n, 2);
	CHECK_TEXT(table->rows[0].metric, "a");
	CHECK_TEXT(table->rows[1].metric, "c");
	CHECK_NEAR(table->rows[1].noise.within, log(5.0 / 3) / sqrt(2), 1e-12);
	noise_table_free(table);
	free(copy);
	free(point);
	for (size_t i = 0; i < 3; i++)
		free(metrics[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_always_above_0_is_known_in_per_cent),
		cmocka_unit_test(what_was_0_once_is_known_in_its_unit),
		cmocka_unit_test(a_metric_that_never_varied_or_was_seen_once_teaches_nothing),
		cmocka_unit_test(unknown_values_are_left_out),
		cmocka_unit_test(other_points_fill_up_only_what_is_in_per_cent),
		cmocka_unit_test(a_point_with_runs_enough_is_believed_alone),
		cmocka_unit_test(levels_of_campaigns_do_not_count_as_noise_within),
		cmocka_unit_test(noise_that_differs_from_day_to_day_is_believed_less),
		cmocka_unit_test(rows_are_sorted_by_metric),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
