/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The score of a run. */
#include "cli/bisect_score.h"

#include "base/mem.h"
#include "check.h"
#include "cli/bisect_made.h"

#include <errno.h>

static int take(const char *score, enum run_outcome outcome, const char *reason, const char *log,
		struct bisect_entry *entry)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(3, score);
	AUTO(run) struct run *run = run_new();
	struct error err = { 0 };
	free(run->reason);
	free(run->log);
	run->outcome = outcome;
	run->reason = mem_text(reason);
	run->log = mem_text(log);
	free(entry->reason);
	*entry = (struct bisect_entry) { 0 };
	return bisect_score_take(bisection, run, entry, &err);
}

static void exit_codes_mean_what_they_mean_to_git(void **state)
{
	struct bisect_entry entry = { 0 };
	CHECK_INT(take(NULL, RUN_COMPLETE, "", "", &entry), 0);
	CHECK_NEAR(entry.value, 0.0, 0.0);
	static const char *const bad[] = { "exit code 1", "exit code 124", "exit code 126",
					   "exit code 127" };
	for (size_t i = 0; i < 4; i++) {
		CHECK_INT(take(NULL, RUN_FAILED, bad[i], "", &entry), 0);
		CHECK_NEAR(entry.value, 1.0, 0.0);
		CHECK_INT(entry.outcome, BISECT_ENTRY_VALUE);
	}
	CHECK_INT(take(NULL, RUN_FAILED, "exit code 125", "", &entry), 0);
	CHECK_INT(entry.outcome, BISECT_ENTRY_BROKEN);
	CHECK_INT(take(NULL, RUN_FAILED, "exit code 128", "", &entry), -EINVAL);
	CHECK_INT(take(NULL, RUN_FAILED, "signal 9 (Killed)", "", &entry), -EINVAL);
	free(entry.reason);
}

static void a_number_is_read_out_of_the_output(void **state)
{
	struct bisect_entry entry = { 0 };
	CHECK_INT(take("regex:rate: ([0-9.]+)", RUN_COMPLETE, "", "begin\nrate: 12.5 per s\n",
		       &entry),
		  0);
	CHECK_NEAR(entry.value, 12.5, 0.0);
	CHECK_INT(entry.outcome, BISECT_ENTRY_VALUE);
	CHECK_INT(take("json:/rate", RUN_COMPLETE, "", "{\"rate\": 7.25}\n", &entry), 0);
	CHECK_NEAR(entry.value, 7.25, 0.0);
	free(entry.reason);
}

static void what_is_not_there_is_no_number(void **state)
{
	struct bisect_entry entry = { 0 };
	CHECK_INT(take("regex:rate: ([0-9.]+)", RUN_COMPLETE, "", "nothing here\n", &entry), 0);
	CHECK_INT(entry.outcome, BISECT_ENTRY_FAILED);
	CHECK(entry.reason && *entry.reason);
	CHECK_INT(take("command.time_sec", RUN_FAILED, "exit code 1", "", &entry), 0);
	CHECK_INT(entry.outcome, BISECT_ENTRY_FAILED);
	CHECK_TEXT(entry.reason, "exit code 1");
	free(entry.reason);
}

static void a_score_that_cannot_be_is_refused(void **state)
{
	struct error err = { 0 };
	CHECK_INT(bisect_score_check("command.time_sec", &err), 0);
	CHECK_INT(bisect_score_check("regex:a ([0-9]+)", &err), 0);
	CHECK_INT(bisect_score_check("regex:a ([0-9]+", &err), -EINVAL);
	CHECK_INT(bisect_score_check("hackbench.time_sec", &err), -EINVAL);
	CHECK(bisect_score_better("command.time_sec") == BETTER_LOWER);
	CHECK(bisect_score_better("regex:a ([0-9]+)") == BETTER_UNKNOWN);
	CHECK(bisect_score_better("regex:a ([0-9]+),better=higher") == BETTER_HIGHER);
	CHECK_INT(bisect_score_check("json:/rate", &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_codes_mean_what_they_mean_to_git),
		cmocka_unit_test(a_number_is_read_out_of_the_output),
		cmocka_unit_test(what_is_not_there_is_no_number),
		cmocka_unit_test(a_score_that_cannot_be_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
