/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs as evidence. */
#include "cli/bisect_entries.h"

#include "base/mem.h"
#include "check.h"
#include "cli/bisect_made.h"

static void an_entry_comes_back_out_of_its_run(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(6, "command.time_sec");
	AUTO(run) struct run *run = run_new();
	const struct bisect_unit_wanted wanted = { .arm = BISECT_ARM_VERIFY,
						   .commit = 4,
						   .change = 4 };
	const struct bisect_truth truth = { .culprit = 3, .layout = "moved" };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	struct bisect_entry taken;
	bisect_entries_add(&entries, bisect_made_entry(&truth, &wanted, 11));
	bisect_entries_put(bisection, &entries.items[0], run);
	CHECK(bisect_entries_take(bisection, run, &taken));
	bisect_entries_add(&entries, taken);
	CHECK_INT(taken.arm, BISECT_ARM_VERIFY);
	CHECK_INT(taken.commit, 4);
	CHECK_NEAR(taken.value, entries.items[0].value, 0.0);
	CHECK_TEXT(taken.product, entries.items[0].product);
	CHECK_TEXT(taken.layout, "moved");
	CHECK(taken.has_program);
	CHECK_INT(entries.next_sequence, 12);
	CHECK_INT(entries.last_session, 1);
}

static void what_was_interrupted_or_is_of_another_history_is_no_evidence(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(6, NULL);
	AUTO(bisect_case) struct bisect_case *shorter = bisect_made(3, NULL);
	AUTO(run) struct run *run = run_new();
	AUTO(run) struct run *plain = run_new();
	const struct bisect_entry entry = { .commit = 5, .change = 5, .session = 1, .value = 1.0 };
	struct bisect_entry taken;
	bisect_entries_put(bisection, &entry, run);
	CHECK(!bisect_entries_take(shorter, run, &taken));
	run->outcome = RUN_INTERRUPTED;
	CHECK(!bisect_entries_take(bisection, run, &taken));
	CHECK(!bisect_entries_take(bisection, plain, &taken)); /* Not made for a bisection. */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_comes_back_out_of_its_run),
		cmocka_unit_test(what_was_interrupted_or_is_of_another_history_is_no_evidence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
