/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/descendants.h"

#include "check.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

/* A chain of `depth` processes, each in a session of its own; all hold `fd` open and wait. */
static void make_chain(unsigned depth, int told_fd)
{
	if (fork() != 0)
		return;
	(void)setsid();
	if (depth > 1)
		make_chain(depth - 1, told_fd);
	(void)signal(SIGTERM, SIG_IGN);
	(void)write(told_fd, ".", 1);
	for (;;)
		(void)pause();
}

static void await_bytes(int fd, unsigned n)
{
	char bytes[8];
	while (n > 0) {
		const ssize_t got = read(fd, bytes, n);
		CHECK(got > 0);
		n -= (unsigned)got;
	}
}

static void kill_a_tree(void)
{
	int told[2];
	CHECK_INT(pipe(told), 0);
	make_chain(4, told[1]);
	make_chain(1, told[1]);
	(void)close(told[1]);
	await_bytes(told[0], 5);
	CHECK_INT(descendants_kill(), 0);
	/* End of file: nobody holds the pipe any more. */
	char byte;
	CHECK_INT(read(told[0], &byte, 1), 0);
	CHECK_INT(waitpid(-1, NULL, WNOHANG), -1);
	CHECK_INT(errno, ECHILD);
	(void)close(told[0]);
}

/* Again and again, since the members die while the walk is on its way. */
static void a_whole_tree_of_sessions_is_killed_and_reaped(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 20; i++)
		kill_a_tree();
}

static void others_are_left_alone(void **state)
{
	(void)state;
	/* The victim's sibling does the killing: the victim is no descendant of it. */
	const pid_t victim = fork();
	if (victim == 0)
		for (;;)
			(void)pause();
	const pid_t killer = fork();
	if (killer == 0)
		_exit((int)descendants_kill());
	int status = -1;
	CHECK_INT(waitpid(killer, &status, 0), killer);
	CHECK_INT(status, 0);
	CHECK_INT(waitpid(victim, NULL, WNOHANG), 0);
	(void)kill(victim, SIGKILL);
	(void)waitpid(victim, NULL, 0);
}

static void no_descendants_is_success(void **state)
{
	(void)state;
	errno = ENOTTY;
	CHECK_INT(descendants_kill(), 0);
	CHECK_INT(errno, ENOTTY);
}

int main(void)
{
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return 77;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_tree_of_sessions_is_killed_and_reaped),
		cmocka_unit_test(others_are_left_alone),
		cmocka_unit_test(no_descendants_is_success),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
