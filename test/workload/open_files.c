/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/open_files.h"

#include "check.h"

#include <errno.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

static struct rlimit limit_now(void)
{
	struct rlimit limit;
	CHECK_INT(getrlimit(RLIMIT_NOFILE, &limit), 0);
	return limit;
}

static void enough_is_left_alone(void **state)
{
	(void)state;
	const struct rlimit before = limit_now();
	uint64_t need;
	uint64_t limit;
	CHECK_INT(open_files_allow(1, &need, &limit), 0);
	CHECK(need > 1);
	CHECK_INT(limit, before.rlim_max);
	CHECK_INT(limit_now().rlim_cur, before.rlim_cur);
}

static void a_soft_limit_is_raised_to_what_is_needed(void **state)
{
	(void)state;
	struct rlimit lowered = limit_now();
	lowered.rlim_cur = 64;
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &lowered), 0);
	uint64_t need;
	uint64_t limit;
	CHECK_INT(open_files_allow(100, &need, &limit), 0);
	CHECK(need > 100);
	CHECK_INT(limit_now().rlim_cur, need);
}

/* In a child that may not raise its hard limit; its exit code tells the check that failed. */
static int refused_child(void)
{
	const struct rlimit low = { .rlim_cur = 100, .rlim_max = 100 };
	uint64_t need = 0;
	uint64_t limit = 0;
	if (setrlimit(RLIMIT_NOFILE, &low) < 0 || (geteuid() == 0 && setuid(65534) < 0))
		return 1;
	if (open_files_allow(1000, &need, &limit) != -EMFILE)
		return 2;
	return need > 1000 && limit == 100 ? 0 : 3;
}

static void a_hard_limit_tells_what_was_needed_and_what_is_allowed(void **state)
{
	(void)state;
	const pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0)
		_exit(refused_child());
	int status = 0;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status));
	CHECK_INT(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enough_is_left_alone),
		cmocka_unit_test(a_soft_limit_is_raised_to_what_is_needed),
		cmocka_unit_test(a_hard_limit_tells_what_was_needed_and_what_is_allowed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
