/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "outlive.h"

#include <stdlib.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

static void nothing_outlives_a_killed_supervisor(void **state)
{
	(void)state;
	outlive_need(ISOLATION_PID_NAMESPACE);
	CHECK(outlive_all_died(ISOLATION_PID_NAMESPACE, OUTLIVE_SUPERVISOR_KILLED));
}

static void nothing_outlives_a_killed_harness(void **state)
{
	(void)state;
	outlive_need(ISOLATION_PID_NAMESPACE);
	CHECK(outlive_all_died(ISOLATION_PID_NAMESPACE, OUTLIVE_HARNESS_KILLED));
}

static void the_supervisor_can_end_everything(void **state)
{
	(void)state;
	outlive_need(ISOLATION_PID_NAMESPACE);
	CHECK(outlive_all_died(ISOLATION_PID_NAMESPACE, OUTLIVE_ENDED));
}

static void the_harness_can_kill_all_but_itself(void **state)
{
	(void)state;
	outlive_need(ISOLATION_PID_NAMESPACE);
	CHECK(outlive_all_died(ISOLATION_PID_NAMESPACE, OUTLIVE_KILL_REST));
}

/* 0 all died, 1 something lived, 2 cannot be tried. */
static int try_as_ordinary_user(void)
{
	struct error err = { 0 };
	if (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0)
		return 2;
	/* Changing the user made /proc/self root's; executing a program would give it back. */
	(void)prctl(PR_SET_DUMPABLE, 1);
	struct isolation *isolation = NULL;
	const pid_t child = fork();
	if (child == 0) {
		if (isolation_new(ISOLATION_PID_NAMESPACE, &isolation, &err) != 0)
			_exit(2);
		_exit(strcmp(isolation_text(isolation), "pid-namespace+user-namespace") == 0 ? 0
											     : 1);
	}
	int status = -1;
	if (waitpid(child, &status, 0) != child || status != 0)
		return WEXITSTATUS(status);
	return outlive_all_died(ISOLATION_PID_NAMESPACE, OUTLIVE_SUPERVISOR_KILLED) ? 0 : 1;
}

static void an_ordinary_user_gets_the_same_inside_a_user_namespace(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		(void)fprintf(stderr, "skipped: only root can become another user\n");
		skip();
	}
	const pid_t child = fork();
	if (child == 0)
		_exit(try_as_ordinary_user());
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status));
	if (WEXITSTATUS(status) == 2) {
		(void)fprintf(stderr, "skipped: no user namespaces for users here\n");
		skip();
	}
	CHECK_INT(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_outlives_a_killed_supervisor),
		cmocka_unit_test(nothing_outlives_a_killed_harness),
		cmocka_unit_test(the_supervisor_can_end_everything),
		cmocka_unit_test(the_harness_can_kill_all_but_itself),
		cmocka_unit_test(an_ordinary_user_gets_the_same_inside_a_user_namespace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
