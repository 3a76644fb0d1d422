/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks that changed, and slow ones. */
#include "verdict/sides_made.h"

static void begin(struct sides_made *made)
{
	made_begin(made, 6);
	made_score(made, 100, 100, 1);
}

static void another_clock_on_each_side_withholds(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_fact(&made.base, "clock.source", "tsc");
	sample_fact(&made.head, "clock.source", "kvm-clock");
	made_ask(&made, "clock");
	made_check(&made, true, "time was told by tsc for base and by kvm-clock for head");
	made_end(&made);
}

static void a_subject_may_set_the_clock(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_fact(&made.head, "clock.source", "kvm-clock");
	sample_setting(&made.head, SETTING_SYSFS,
		       "devices/system/clocksource/clocksource0/current_clocksource", "kvm-clock");
	made_ask(&made, "clock");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void a_clock_that_changed_midway_is_told(void **state)
{
	struct sides_made made;
	begin(&made);
	for (size_t i = 0; i < 6; i++) {
		run_fact_add(made.base.runs[i], "clock.source", VALUE_KNOWN, MISSING_NOT,
			     i < 3 ? "tsc" : "acpi");
		run_fact_add(made.base.runs[i], "clock.available", VALUE_KNOWN, MISSING_NOT,
			     i < 3 ? "tsc acpi" : "acpi");
	}
	made_ask(&made, "clock");
	CHECK_INT(made_notes(&made), 2);
	CHECK_HOLDS(made.comparison->notes[0].text,
		    "changed from tsc to acpi within the runs of base");
	CHECK_HOLDS(made.comparison->notes[1].text, "found it unstable");
	CHECK(!made.comparison->notes[0].withholds && !made.comparison->notes[1].withholds);
	made_end(&made);
}

static void a_slow_clock_is_told(void **state)
{
	struct sides_made made;
	begin(&made);
	made_fact(&made, "clock.source", "hpet");
	made_ask(&made, "clock");
	CHECK_INT(made_notes(&made), 2);
	CHECK_HOLDS(made.comparison->notes[0].text, "the clock of base is hpet");
	made_end(&made);
}

static void a_machine_without_the_time_stamp_counter_is_well(void **state)
{
	struct sides_made made;
	begin(&made);
	made_fact(&made, "clock.source", "arch_sys_counter");
	made_fact(&made, "clock.available", "arch_sys_counter");
	made_ask(&made, "clock");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_clock_on_each_side_withholds),
		cmocka_unit_test(a_subject_may_set_the_clock),
		cmocka_unit_test(a_clock_that_changed_midway_is_told),
		cmocka_unit_test(a_slow_clock_is_told),
		cmocka_unit_test(a_machine_without_the_time_stamp_counter_is_well),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
