/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set-bit: every way of setting, by any number of workers, counts each setting once. */
#include "check.h"
#include "workload/drive.h"

#define BATCH 32768

static void check_settings(const char *how, const char *clear, const char *sharing,
			   const char *mode)
{
	struct work *work = drive_work("set-bit", how, clear, sharing, mode, "nr_task=3", NULL);
	struct drive run = { .batches = 2 };
	if (drive(work, &run) < 0)
		fail_msg("%s %s %s %s: %s", how, clear, sharing, mode, run.err.text);
	CHECK_INT(run.tally.operations, 3 * 2 * BATCH);
	const double rate = run.tally.rate_per_sec;
	CHECK_NEAR(run.values[0].number, rate, rate * 1e-9);
	CHECK_NEAR(run.values[1].number, rate / 3, rate * 1e-9);
	CHECK_NEAR(run.values[2].number * rate / 3, 1e9, 1);
	CHECK_NEAR(run.values[3].number, rate, rate * 1e-9);
	work_free(work);
}

static void each_way_counts_every_setting_once(void **state)
{
	const char *const hows[] = { "how=always", "how=test-first" };
	const char *const clears[] = { "clear_permille=0", "clear_permille=333",
				       "clear_permille=1000" };
	const char *const sharings[] = { "sharing=1", "sharing=2", "sharing=16384" };
	for (size_t i = 0; i < 2 * 3 * 3 * 2; i++)
		check_settings(hows[i % 2], clears[i / 2 % 3], sharings[i / 6 % 3],
			       i / 18 ? "mode=thread" : "mode=process");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_way_counts_every_setting_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
