/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of two sides in the order in which they were carried out. */
#include "verdict/session.h"

#include "verdict/sides_made.h"

static void drawn_blocks_are_ordered_and_mixed(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 100, 100, 1);
	made_judge(&made);
	AUTO(session) struct session session = session_make(made.comparison, 1);
	CHECK_INT(session.n, 16);
	CHECK(session.ordered && session.drawn && session.mixed && !session.alternating);
	for (size_t i = 1; i < session.n; i++)
		CHECK(session.runs[i - 1].run->started_wall_ns <
		      session.runs[i].run->started_wall_ns);
	made_end(&made);
}

static void one_side_after_the_other_is_ordered_and_not_mixed(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_part(&made);
	made_score(&made, 100, 100, 1);
	made_judge(&made);
	AUTO(session) struct session session = session_make(made.comparison, 1);
	CHECK(session.ordered && !session.drawn && !session.mixed && !session.alternating);
	CHECK_INT(session.turns, 2);
	CHECK_NEAR(session.turns_expected, 9.0, 1e-9);
	CHECK_INT(session.runs[7].side, 0);
	CHECK_INT(session.runs[8].side, 1);
	made_end(&made);
}

static void strict_turns_are_seen(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made.order_known = false;
	for (size_t i = 0; i < 8; i++) {
		made.base.runs[i]->started_wall_ns = 1000 + 2 * i;
		made.head.runs[i]->started_wall_ns = 1001 + 2 * i;
	}
	made_score(&made, 100, 100, 1);
	made_judge(&made);
	AUTO(session) struct session session = session_make(made.comparison, 1);
	CHECK(session.ordered && session.mixed && session.alternating && !session.drawn);
	made_end(&made);
}

static void without_places_and_times_nothing_is_known(void **state)
{
	struct sides_made made;
	made_begin(&made, 4);
	made_part(&made);
	made.head.runs[2]->started_wall_ns = 0;
	made_score(&made, 100, 100, 1);
	made_judge(&made);
	AUTO(session) struct session session = session_make(made.comparison, 1);
	CHECK(!session.ordered && !session.mixed && !session.drawn);
	made_end(&made);
}

/* Two campaigns count their runs each from 1: only time can order them. */
static void sequences_of_two_campaigns_are_not_one_order(void **state)
{
	struct sides_made made;
	made_begin(&made, 6);
	made_part(&made);
	made.order_known = true;
	for (size_t i = 0; i < 6; i++) {
		made.places[0][i] = (struct run_place) { 100 + i / 2, i + 1 };
		made.places[1][i] = (struct run_place) { 200 + i / 2, i + 1 };
	}
	made_score(&made, 100, 100, 1);
	made_judge(&made);
	AUTO(session) struct session session = session_make(made.comparison, 1);
	CHECK(session.ordered && !session.drawn && !session.mixed);
	CHECK_INT(session.turns, 2);
	made_end(&made);
}

static void residuals_leave_the_side_and_what_is_missing_out(void **state)
{
	static const double base[] = { 10, 11, 12, 13 };
	static const double head[] = { 21, 20, 22, 23 };
	struct sides_made made;
	made_begin(&made, 4);
	made_part(&made);
	sample_metric(&made.base, &made_rate, base);
	sample_metric(&made.head, &made_rate, head);
	made.head.runs[3]->metrics[0].value = value_missing(MISSING_ABSENT);
	made_judge(&made);
	AUTO(session) struct session session = session_make(made.comparison, 1);
	double *residuals = NULL;
	CHECK_INT(session_residuals(&session, &made.comparison->rows[0], SIZE_MAX, &residuals), 7);
	CHECK_NEAR(residuals[0], -1.5, 1e-12);
	CHECK_NEAR(residuals[4], 0.0, 1e-12);
	CHECK_NEAR(residuals[5], -1.0, 1e-12);
	free(residuals);
	CHECK_INT(session_residuals(&session, &made.comparison->rows[0], 1, &residuals), 3);
	free(residuals);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drawn_blocks_are_ordered_and_mixed),
		cmocka_unit_test(one_side_after_the_other_is_ordered_and_not_mixed),
		cmocka_unit_test(strict_turns_are_seen),
		cmocka_unit_test(without_places_and_times_nothing_is_known),
		cmocka_unit_test(sequences_of_two_campaigns_are_not_one_order),
		cmocka_unit_test(residuals_leave_the_side_and_what_is_missing_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
