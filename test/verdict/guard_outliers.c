/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run far from all others, and which one. */
#include "verdict/sides_made.h"

static void the_stray_run_is_named(void **state)
{
	struct sides_made made;
	made_begin(&made, 10);
	for (size_t i = 0; i < 10; i++) {
		const double noise = random_normal(&made.random);
		run_metric_add(made.base.runs[i], &made_rate, value_known(100 + noise));
		run_metric_add(made.head.runs[i], &made_rate,
			       value_known(i == 6 ? 60.25 : 100 - noise));
	}
	made_ask(&made, "outliers");
	made_check(&made, false, "run 7 (number ");
	CHECK_HOLDS(made.comparison->notes[0].text, "with 60.25");
	CHECK_INT(made.comparison->notes[0].side, 1);
	made_end(&made);
}

static void without_a_known_order_it_is_counted_as_the_runs_stand(void **state)
{
	static const double base[] = { 10, 11, 10.2, 10.8, 10.4, 10.6, 10.1, 10.9, 10.3, 99 };
	struct sides_made made;
	made_begin(&made, 10);
	made_part(&made);
	sample_metric(&made.base, &made_rate, base);
	made_score(&made, 10.5, 10.5, 3);
	made_ask(&made, "outliers");
	made_check(&made, false, ": run 10 with 99");
	made_end(&made);
}

static void normal_numbers_have_none(void **state)
{
	struct sides_made made;
	made_begin(&made, 20);
	made_score(&made, 100, 100, 5);
	made_ask(&made, "outliers");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void a_third_of_the_runs_are_no_outliers(void **state)
{
	static const double head[] = { 10, 10.1, 10.2, 99, 10.4, 98, 10.1, 97, 10.3 };
	struct sides_made made;
	made_begin(&made, 9);
	sample_metric(&made.head, &made_rate, head);
	made_score(&made, 10, 10, 3);
	made_ask(&made, "outliers");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void seven_runs_have_no_outliers(void **state)
{
	static const double head[] = { 10, 10.1, 10.2, 10.3, 10.4, 10.1, 97 };
	struct sides_made made;
	made_begin(&made, 7);
	sample_metric(&made.head, &made_rate, head);
	made_score(&made, 10, 10, 3);
	made_ask(&made, "outliers");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_stray_run_is_named),
		cmocka_unit_test(without_a_known_order_it_is_counted_as_the_runs_stand),
		cmocka_unit_test(normal_numbers_have_none),
		cmocka_unit_test(a_third_of_the_runs_are_no_outliers),
		cmocka_unit_test(seven_runs_have_no_outliers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
