/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs in the order in which they were carried out, and their blocks. */
#include "verdict/order.h"

#include "base/macros.h"
#include "check.h"
#include "verdict/sample.h"

struct ordered {
	struct sample base, head;
	struct compared_side sides[2];
	struct comparison comparison;
};

static void begin(struct ordered *ordered, size_t n, const struct run_place *base,
		  const struct run_place *head)
{
	*ordered =
		(struct ordered) { .base = sample_make("base", n), .head = sample_make("head", n) };
	ordered->sides[0] = sample_side(&ordered->base);
	ordered->sides[1] = sample_side(&ordered->head);
	ordered->sides[0].places = base;
	ordered->sides[1].places = head;
	ordered->comparison = (struct comparison) { .sides = ordered->sides, .n_sides = 2 };
}

static void end(struct ordered *ordered)
{
	order_free(ordered->comparison.orders, 2);
	sample_done(&ordered->base);
	sample_done(&ordered->head);
}

static void runs_stand_as_they_were_carried_out(void **state)
{
	static const struct run_place base[] = { { 77, 9 }, { 12, 2 }, { 12, 3 } };
	static const struct run_place head[] = { { 12, 1 }, { 77, 8 }, { 77, 7 } };
	struct ordered ordered;
	begin(&ordered, 3, base, head);
	order_make(&ordered.comparison);
	const struct side_order *orders = ordered.comparison.orders;
	CHECK_INT(orders[0].n, 3);
	CHECK(orders[0].runs[0] == ordered.base.runs[1]);
	CHECK(orders[0].runs[1] == ordered.base.runs[2]);
	CHECK(orders[0].runs[2] == ordered.base.runs[0]);
	CHECK(orders[1].runs[0] == ordered.head.runs[0]);
	CHECK(orders[1].runs[1] == ordered.head.runs[2]);
	CHECK(orders[1].runs[2] == ordered.head.runs[1]);
	CHECK_INT(orders[1].sequences[1], 7);
	end(&ordered);
}

static void blocks_are_numbered_by_their_first_run(void **state)
{
	/* Block 3 began before block 1, whichever side was first in it. */
	static const struct run_place base[] = { { 1, 6 }, { 3, 4 } };
	static const struct run_place head[] = { { 1, 5 }, { 3, 2 } };
	struct ordered ordered;
	begin(&ordered, 2, base, head);
	order_make(&ordered.comparison);
	const struct side_order *orders = ordered.comparison.orders;
	for (size_t side = 0; side < 2; side++) {
		CHECK_INT(orders[side].blocks[0], 0);
		CHECK_INT(orders[side].blocks[1], 1);
	}
	CHECK(order_is_shared(&ordered.comparison, 1));
	end(&ordered);
}

static void sides_of_two_campaigns_share_no_block(void **state)
{
	static const struct run_place base[] = { { 1, 1 }, { 2, 2 } };
	static const struct run_place head[] = { { 3, 3 }, { 4, 4 } };
	struct ordered ordered;
	begin(&ordered, 2, base, head);
	order_make(&ordered.comparison);
	CHECK(!order_is_shared(&ordered.comparison, 1));
	end(&ordered);
}

static void without_places_runs_stay_as_they_stand(void **state)
{
	static const struct run_place head[] = { { 1, 2 }, { 1, 1 } };
	struct ordered ordered;
	begin(&ordered, 2, /* base= */ NULL, head);
	order_make(&ordered.comparison);
	const struct side_order *orders = ordered.comparison.orders;
	CHECK(orders[0].runs[0] == ordered.base.runs[0]);
	CHECK(!orders[0].blocks);
	CHECK(!order_is_shared(&ordered.comparison, 1));
	end(&ordered);
}

static void runs_that_are_not_complete_have_no_place(void **state)
{
	static const struct run_place base[] = { { 1, 1 }, { 1, 2 } };
	static const struct run_place head[] = { { 1, 3 }, { 1, 4 } };
	struct ordered ordered;
	begin(&ordered, 2, base, head);
	sample_fail(&ordered.head, 0, RUN_FAILED, "hung");
	order_make(&ordered.comparison);
	CHECK_INT(ordered.comparison.orders[0].n, 2);
	CHECK_INT(ordered.comparison.orders[1].n, 1);
	CHECK(ordered.comparison.orders[1].runs[0] == ordered.head.runs[1]);
	end(&ordered);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_stand_as_they_were_carried_out),
		cmocka_unit_test(blocks_are_numbered_by_their_first_run),
		cmocka_unit_test(sides_of_two_campaigns_share_no_block),
		cmocka_unit_test(without_places_runs_stay_as_they_stand),
		cmocka_unit_test(runs_that_are_not_complete_have_no_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
