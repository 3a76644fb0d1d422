/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines of several types. */
#include "verdict/sides_made.h"

static void begin(struct sides_made *made)
{
	made_begin(made, 6);
	made_score(made, 100, 100, 1);
}

static void sides_on_different_types_are_withheld(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_fact(&made.base, "cpu.model_name", "Xeon E5-2697 v2");
	sample_fact(&made.head, "cpu.model_name", "Xeon E5-2695 v4");
	made_ask(&made, "groups");
	made_check(&made, true, "cpu.model_name: Xeon E5-2697 v2 and Xeon E5-2695 v4");
	made_end(&made);
}

/* Each block on one type, half of the blocks on each. */
static void sides_spread_alike_over_types_are_warned_about(void **state)
{
	struct sides_made made;
	begin(&made);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < 6; i++)
			run_fact_add(side ? made.head.runs[i] : made.base.runs[i], "node.count",
				     VALUE_KNOWN, MISSING_NOT, i / 2 == 1 ? "4" : "2");
	made_ask(&made, "groups");
	CHECK_INT(made_notes(&made), 2);
	CHECK(!made.comparison->notes[0].withholds);
	CHECK_HOLDS(made.comparison->notes[0].text,
		    "the runs of base are of several types of machine (node.count: 2 and 4)");
	made_end(&made);
}

static void one_run_without_a_twin_withholds(void **state)
{
	struct sides_made made;
	begin(&made);
	for (size_t i = 0; i < 6; i++)
		run_fact_add(made.head.runs[i], "node.count", VALUE_KNOWN, MISSING_NOT,
			     i == 5 ? "4" : "1");
	made_ask(&made, "groups");
	CHECK(made_notes(&made) == 2);
	CHECK(made.comparison->notes[0].withholds || made.comparison->notes[1].withholds);
	made_end(&made);
}

static void two_machines_of_one_type_are_warned_about(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_fact(&made.base, "machine.name", "box1");
	sample_fact(&made.head, "machine.name", "box2");
	made_ask(&made, "groups");
	made_check(&made, false, "base was measured on machine box1 only and head on box2");
	made_end(&made);
}

static void what_was_not_recorded_is_no_other_type(void **state)
{
	struct sides_made made;
	begin(&made);
	for (size_t i = 0; i < 6; i++)
		run_fact_add(made.head.runs[i], "cpu.sockets", VALUE_MISSING, MISSING_DENIED, NULL);
	made_ask(&made, "groups");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sides_on_different_types_are_withheld),
		cmocka_unit_test(sides_spread_alike_over_types_are_warned_about),
		cmocka_unit_test(one_run_without_a_twin_withholds),
		cmocka_unit_test(two_machines_of_one_type_are_warned_about),
		cmocka_unit_test(what_was_not_recorded_is_no_other_type),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
