/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Monitors that said nothing, or only zeros, on one side. */
#include "verdict/sides_made.h"

static const char *const names[] = { "turbostat.Avg_MHz", "turbostat.Busy%", "turbostat.Bzy_MHz",
				     "turbostat.PkgWatt" };

static void add_monitor(struct sample *sample, struct value value)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct metric metric = { names[i],     "1",         "",
					       METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE };
		sample_state(sample, &metric, value);
	}
}

static void begin(struct sides_made *made)
{
	made_begin(made, 5);
	made_score(made, 100, 100, 1);
}

static void zeros_on_one_side_are_told(void **state)
{
	struct sides_made made;
	begin(&made);
	add_monitor(&made.base, value_known(0));
	add_monitor(&made.head, value_known(1200));
	made_ask(&made, "silent");
	made_check(&made, false, "monitor turbostat read nothing but zeros for base, and 4 other");
	made_end(&made);
}

static void silence_on_one_side_is_told_with_its_reason(void **state)
{
	struct sides_made made;
	begin(&made);
	add_monitor(&made.base, value_known(1200));
	add_monitor(&made.head, value_missing(MISSING_DENIED));
	made_ask(&made, "silent");
	made_check(&made, false, "spoke for base and was silent for head (permission denied)");
	made_end(&made);
}

static void silence_in_some_runs_is_told(void **state)
{
	struct sides_made made;
	begin(&made);
	add_monitor(&made.base, value_known(1200));
	for (size_t i = 0; i < 2; i++)
		for (size_t n = 0; n < ARRAY_SIZE(names); n++) {
			const struct metric metric = { names[n],     "1",         "",
						       METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE };
			run_metric_add(made.head.runs[i], &metric,
				       value_missing(MISSING_UNREADABLE));
		}
	add_monitor(&made.head, value_known(1300));
	made_ask(&made, "silent");
	made_check(&made, false, "monitor turbostat was silent in 2 of 5 runs of head");
	made_end(&made);
}

static void silence_on_both_sides_is_no_difference(void **state)
{
	struct sides_made made;
	begin(&made);
	add_monitor(&made.base, value_missing(MISSING_ABSENT));
	add_monitor(&made.head, value_missing(MISSING_ABSENT));
	made_ask(&made, "silent");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

/* Another kernel has a counter less, and one that stood still. */
static void a_counter_or_two_are_no_silence(void **state)
{
	struct sides_made made;
	begin(&made);
	made_reading(&made, "proc-vmstat.pgalloc", 10, 0, 0);
	const struct metric gone = { "proc-vmstat.gone", "1",         "",
				     METRIC_COUNTER,     BETTER_NONE, ROLE_EVIDENCE };
	sample_state(&made.base, &gone, value_known(5));
	sample_state(&made.head, &gone, value_missing(MISSING_ABSENT));
	made_reading(&made, "proc-vmstat.pgfree", 10, 11, 0);
	made_ask(&made, "silent");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeros_on_one_side_are_told),
		cmocka_unit_test(silence_on_one_side_is_told_with_its_reason),
		cmocka_unit_test(silence_in_some_runs_is_told),
		cmocka_unit_test(silence_on_both_sides_is_no_difference),
		cmocka_unit_test(a_counter_or_two_are_no_silence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
