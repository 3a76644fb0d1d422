/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/supervisor.h"

#include "base/clock.h"
#include "check.h"
#include "fake.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

static struct run *run_of(const struct workload *row, const char *const *settings,
			  uint64_t limit_ns, int signal_number)
{
	struct work *work = fake_work(row, settings);
	struct plan plan = fake_plan(&work);
	plan.time_limit_ns = limit_ns;
	struct run *run = fake_run(&plan, signal_number);
	work_free(work);
	CHECK(run);
	return run;
}

static void a_run_to_the_end_is_complete(void **state)
{
	(void)state;
	const char *const settings[] = { "nr_task=2", NULL };
	struct run *run = run_of(&fake_fixed, settings, 20 * NS_PER_SEC, 0);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK_TEXT(run->reason, "");
	CHECK_TEXT(run->isolation, "subreaper");
	run_free(run);
}

static void a_killed_harness_still_gets_a_last_word(void **state)
{
	(void)state;
	const char *const settings[] = { "how=kill-all", NULL };
	struct run *run = run_of(&fake_fixed, settings, 20 * NS_PER_SEC, 0);
	CHECK_INT(run->outcome, RUN_FAILED);
	CHECK_TEXT(run->reason, "harness was killed by signal 9 (Killed)");
	run_free(run);
}

static void a_signal_to_the_supervisor_interrupts_the_run(void **state)
{
	(void)state;
	const char *const settings[] = { "how=hang", NULL };
	struct run *run = run_of(&fake_fixed, settings, 60 * NS_PER_SEC, SIGTERM);
	CHECK_INT(run->outcome, RUN_INTERRUPTED);
	CHECK_HOLDS(run->reason, "stopped by signal 15");
	run_free(run);
	run = run_of(&fake_fixed, settings, 60 * NS_PER_SEC, SIGINT);
	CHECK_INT(run->outcome, RUN_INTERRUPTED);
	run_free(run);
}

static void threads_that_hang_end_the_run_as_failed(void **state)
{
	(void)state;
	const char *const settings[] = { "mode=thread", "how=hang", NULL };
	struct run *run = run_of(&fake_fixed, settings, 300 * NS_PER_MS, 0);
	CHECK_INT(run->outcome, RUN_FAILED);
	CHECK_TEXT(run->reason, "hung: no end after 0.3 s (2 of 3 workers had finished)");
	run_free(run);
}

static void a_stream_that_cannot_be_written_is_an_error(void **state)
{
	(void)state;
	const char *const settings[] = { NULL };
	struct work *work = fake_work(&fake_fixed, settings);
	struct plan plan = fake_plan(&work);
	const pid_t child = fork();
	if (child == 0) {
		int ends[2];
		struct error err = { 0 };
		if (pipe(ends) < 0)
			_exit(1);
		(void)close(ends[0]);
		plan.wire_fd = ends[1];
		_exit(supervisor_run(&plan, &err) == -EPIPE ? 0 : 2);
	}
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK_INT(status, 0);
	work_free(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_to_the_end_is_complete),
		cmocka_unit_test(a_killed_harness_still_gets_a_last_word),
		cmocka_unit_test(a_signal_to_the_supervisor_interrupts_the_run),
		cmocka_unit_test(threads_that_hang_end_the_run_as_failed),
		cmocka_unit_test(a_stream_that_cannot_be_written_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
