/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Isolation without any privilege or kernel feature newer than 3.4: supervisor and harness both adopt
 * orphans. When the supervisor dies the harness gets SIGTERM and kills all that descends from it, found
 * through /proc; when the harness dies its orphans come to the supervisor, which does the same. Two
 * SIGKILLs at the same moment, to both, leave orphans behind; therefore it is the last resort.
 */
#include "base/macros.h"
#include "probe/descendants.h"
#include "probe/isolation_way.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

static int begin(struct isolation *isolation, struct error *err)
{
	(void)isolation;
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return error_errno(err, errno, "cannot become the reaper of orphans");
	return 0;
}

/* The supervisor has gone. Interrupts the harness wherever it stands; only system calls. */
static NORETURN void leave_with_all(int number)
{
	(void)descendants_kill();
	_exit(128 + number);
}

static int settle(struct isolation *isolation, struct error *err)
{
	struct sigaction action = { .sa_handler = leave_with_all };
	(void)sigfillset(&action.sa_mask);
	if (sigaction(SIGTERM, &action, /* old= */ NULL) < 0)
		return error_errno(err, errno, "cannot handle SIGTERM");
	return begin(isolation, err);
}

static void kill_rest(void)
{
	(void)descendants_kill();
}

static void end(struct isolation *isolation, pid_t harness)
{
	(void)isolation;
	if (harness > 0) {
		(void)kill(harness, SIGKILL);
		while (waitpid(harness, /* status= */ NULL, 0) < 0 && errno == EINTR)
			;
	}
	(void)descendants_kill();
}

const struct isolation_way isolation_subreaper_way = {
	.name = "subreaper",
	.begin = begin,
	.settle = settle,
	.parent_death_signal = SIGTERM,
	.kill_rest = kill_rest,
	.end = end,
};
