/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One build a side: the story of a regression that a rebuild made vanish. */
#include "verdict/sides_made.h"

static void two_kernels_of_one_build_each_are_told(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 40000, 32800, 0.5);
	sample_fact(&made.base, "kernel.build_id", "aaaa");
	sample_fact(&made.head, "kernel.build_id", "bbbb");
	made_ask(&made, "builds");
	made_check(&made, false, "base and head are one build of the kernel each");
	made_end(&made);
}

static void what_did_not_change_needs_no_rebuild(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 40000, 40000, 3);
	sample_fact(&made.base, "kernel.build_id", "aaaa");
	sample_fact(&made.head, "kernel.build_id", "bbbb");
	made_ask(&made, "builds");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void several_builds_a_side_are_replicated(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 40000, 32800, 0.5);
	for (size_t i = 0; i < 8; i++) {
		run_fact_add(made.base.runs[i], "kernel.build_id", VALUE_KNOWN, MISSING_NOT,
			     i % 2 ? "a1" : "a2");
		run_fact_add(made.head.runs[i], "kernel.build_id", VALUE_KNOWN, MISSING_NOT,
			     i % 2 ? "b1" : "b2");
	}
	made_ask(&made, "builds");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void two_programs_are_told(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 100, 110, 0.5);
	sample_setting(&made.head, SETTING_BINARY, "", "/tmp/patched");
	made_ask(&made, "builds");
	made_check(&made, false, "one build of the program each");
	made_end(&made);
}

static void one_file_rebuilt_in_place_is_another_program(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 100, 110, 0.5);
	sample_fact(&made.base, "program.sha256", "aa");
	sample_fact(&made.head, "program.sha256", "bb");
	made_ask(&made, "builds");
	made_check(&made, false, "one build of the program each");
	made_end(&made);
}

static void two_names_of_one_program_are_one(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 100, 110, 0.5);
	sample_setting(&made.head, SETTING_BINARY, "", "/tmp/copy");
	made_fact(&made, "program.sha256", "aa");
	made_ask(&made, "builds");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void a_setting_is_no_build(void **state)
{
	struct sides_made made;
	made_begin(&made, 8);
	made_score(&made, 100, 110, 0.5);
	sample_setting(&made.head, SETTING_SYSCTL, "vm.swappiness", "10");
	made_ask(&made, "builds");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_kernels_of_one_build_each_are_told),
		cmocka_unit_test(what_did_not_change_needs_no_rebuild),
		cmocka_unit_test(several_builds_a_side_are_replicated),
		cmocka_unit_test(two_programs_are_told),
		cmocka_unit_test(one_file_rebuilt_in_place_is_another_program),
		cmocka_unit_test(two_names_of_one_program_are_one),
		cmocka_unit_test(a_setting_is_no_build),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
