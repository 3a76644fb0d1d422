/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings that did not hold, change nothing, or contradict each other. */
#include "verdict/sides_made.h"

static void begin(struct sides_made *made)
{
	made_begin(made, 4);
	made_score(made, 100, 100, 1);
	made_fact(made, "swap.total_mib", "4096");
}

static void a_setting_that_holds_and_differs_is_well(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_setting(&made.head, SETTING_SYSCTL, "vm/swappiness", "10");
	sample_fact(&made.base, "sysctl.vm.swappiness", "60");
	sample_fact(&made.head, "sysctl.vm.swappiness", "10");
	made_ask(&made, "settings");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void a_setting_that_did_not_hold_is_told(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_setting(&made.head, SETTING_SYSCTL, "vm.nr_hugepages", "1000");
	sample_fact(&made.base, "sysctl.vm.nr_hugepages", "0");
	sample_fact(&made.head, "sysctl.vm.nr_hugepages", "912");
	made_ask(&made, "settings");
	made_check(&made, false,
		   "vm.nr_hugepages was to be 1000 with head, and its runs recorded 912");
	made_end(&made);
}

static void a_setting_that_the_other_side_has_too_is_told(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_setting(&made.head, SETTING_SYSCTL, "vm.numa_stat", "1");
	made_fact(&made, "sysctl.vm.numa_stat", "1");
	made_ask(&made, "settings");
	made_check(&made, false, "vm.numa_stat is 1 with base too");
	made_end(&made);
}

static void both_of_a_pair_are_told(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_setting(&made.head, SETTING_SYSCTL, "vm.dirty_bytes", "1000000");
	sample_setting(&made.head, SETTING_SYSCTL, "vm.dirty_ratio", "5");
	made_ask(&made, "settings");
	made_check(&made, false, "sets both vm.dirty_bytes and vm.dirty_ratio");
	made_end(&made);
}

static void what_has_nothing_to_do_is_told(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_setting(&made.head, SETTING_SYSCTL, "kernel.numa_balancing", "1");
	sample_setting(&made.base, SETTING_SYSCTL, "kernel.numa_balancing", "0");
	sample_fact(&made.base, "sysctl.kernel.numa_balancing", "0");
	sample_fact(&made.head, "sysctl.kernel.numa_balancing", "1");
	made_ask(&made, "settings");
	CHECK_INT(made_notes(&made), 2);
	CHECK_HOLDS(made.comparison->notes[0].text,
		    "kernel.numa_balancing does nothing here: there is one memory node");
	made_end(&made);
}

static void blanks_between_numbers_do_not_matter(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_setting(&made.head, SETTING_SYSCTL, "vm.lowmem_reserve_ratio", "256 256\t32");
	sample_fact(&made.head, "sysctl.vm.lowmem_reserve_ratio", "256\t256 32");
	made_ask(&made, "settings");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_setting_that_holds_and_differs_is_well),
		cmocka_unit_test(a_setting_that_did_not_hold_is_told),
		cmocka_unit_test(a_setting_that_the_other_side_has_too_is_told),
		cmocka_unit_test(both_of_a_pair_are_told),
		cmocka_unit_test(what_has_nothing_to_do_is_told),
		cmocka_unit_test(blanks_between_numbers_do_not_matter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
