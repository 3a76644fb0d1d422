/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other load, steal, throttling, lack of memory: a warning where the sides were mixed. */
#include "verdict/sides_made.h"

static void begin(struct sides_made *made, bool parted)
{
	made_begin(made, 8);
	if (parted)
		made_part(made);
	made_score(made, 100, 100, 1);
}

static void a_quiet_machine_is_well(void **state)
{
	for (int parted = 0; parted < 2; parted++) {
		struct sides_made made;
		begin(&made, parted);
		made_ask(&made, "contaminated");
		CHECK_INT(made_notes(&made), 0);
		made_end(&made);
	}
}

static void other_load_on_both_sides_is_a_warning(void **state)
{
	struct sides_made made;
	begin(&made, true);
	made_reading(&made, "mpstat.cpu.all.idle%", 10, 10, 5);
	made_ask(&made, "contaminated");
	made_check(&made, false, "other tasks kept CPUs busy: 0.7");
	made_end(&made);
}

static void other_load_on_one_of_parted_sides_withholds(void **state)
{
	struct sides_made made;
	begin(&made, true);
	made_reading(&made, "mpstat.cpu.all.idle%", 49, 10, 0.5);
	made_ask(&made, "contaminated");
	made_check(&made, true, "the sides were not interleaved");
	made_end(&made);
}

static void other_load_on_one_of_mixed_sides_is_of_the_subject(void **state)
{
	struct sides_made made;
	begin(&made, false);
	made_reading(&made, "mpstat.cpu.all.idle%", 49, 10, 0.5);
	made_ask(&made, "contaminated");
	made_check(&made, false, "the subject causes it");
	made_end(&made);
}

static void steal_is_told(void **state)
{
	struct sides_made made;
	begin(&made, false);
	made_reading(&made, "mpstat.cpu.all.steal%", 7, 7, 10);
	made_reading(&made, "mpstat.cpu.all.idle%", 42.4, 42.4, 0.1);
	made_ask(&made, "contaminated");
	made_check(&made, false, "the hypervisor gave CPU time to others: ");
	made_end(&made);
}

static void swapping_and_waiting_for_memory_are_told(void **state)
{
	struct sides_made made;
	begin(&made, false);
	made_reading(&made, "vmstat.swap.so", 900, 900, 10);
	made_reading(&made, "pressure.memory.some.total_us", 500000, 500000, 10);
	made_ask(&made, "contaminated");
	CHECK_INT(made_notes(&made), 2);
	CHECK_HOLDS(made.comparison->notes[0].text, "tasks waited for memory: ");
	CHECK_HOLDS(made.comparison->notes[1].text, "the machine swapped: ");
	made_end(&made);
}

static void a_process_killed_on_one_side_withholds(void **state)
{
	struct sides_made made;
	begin(&made, false);
	made_reading(&made, "proc-vmstat.oom_kill", 0, 1, 0);
	made_ask(&made, "contaminated");
	made_check(&made, true, "the kernel killed 8 processes during the runs of head");
	made_end(&made);
}

static void add_throttling(struct sides_made *made, bool head_only)
{
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < 8; i++) {
			struct run *run = side ? made->head.runs[i] : made->base.runs[i];
			const uint64_t at = run->started_wall_ns / 1000000000;
			AUTO(text)
			char *count =
				mem_format("%d", head_only ? (at < 9 ? 7 : (int)at) : (int)at);
			run_fact_add(run, "throttle.core", VALUE_KNOWN, MISSING_NOT, count);
		}
}

static void throttling_of_one_parted_side_withholds(void **state)
{
	struct sides_made made;
	begin(&made, true);
	add_throttling(&made, true);
	made_ask(&made, "contaminated");
	CHECK_INT(made_notes(&made), 1);
	CHECK_HOLDS(made.comparison->notes[0].text, "a core was throttled ");
	made_end(&made);
}

static void throttling_of_mixed_sides_is_a_warning(void **state)
{
	struct sides_made made;
	begin(&made, false);
	add_throttling(&made, false);
	made_ask(&made, "contaminated");
	made_check(&made, false, "a core was throttled ");
	made_end(&made);
}

static void another_frequency_is_told(void **state)
{
	for (int parted = 0; parted < 2; parted++) {
		struct sides_made made;
		begin(&made, parted);
		made_reading(&made, "turbostat.Bzy_MHz", 3000, 2800, 0.2);
		made_ask(&made, "contaminated");
		made_check(&made, parted, "the CPUs ran at: ");
		made_end(&made);
	}
}

static void what_was_not_read_is_no_ground(void **state)
{
	struct sides_made made;
	begin(&made, true);
	const struct metric idle = { "mpstat.cpu.all.idle%", "%",         "",
				     METRIC_SHARE,           BETTER_NONE, ROLE_EVIDENCE };
	sample_state(&made.head, &idle, value_missing(MISSING_DENIED));
	made_ask(&made, "contaminated");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_machine_is_well),
		cmocka_unit_test(other_load_on_both_sides_is_a_warning),
		cmocka_unit_test(other_load_on_one_of_parted_sides_withholds),
		cmocka_unit_test(other_load_on_one_of_mixed_sides_is_of_the_subject),
		cmocka_unit_test(steal_is_told),
		cmocka_unit_test(swapping_and_waiting_for_memory_are_told),
		cmocka_unit_test(a_process_killed_on_one_side_withholds),
		cmocka_unit_test(throttling_of_one_parted_side_withholds),
		cmocka_unit_test(throttling_of_mixed_sides_is_a_warning),
		cmocka_unit_test(another_frequency_is_told),
		cmocka_unit_test(what_was_not_read_is_no_ground),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
