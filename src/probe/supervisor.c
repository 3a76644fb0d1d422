/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts the harness, waits for it and buries it. See supervisor.h. */
#include "probe/supervisor.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/spawn.h"
#include "probe/harness.h"
#include "probe/output.h"
#include "record/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#define GRACE_NS (5 * NS_PER_SEC)       /* Over the time limit that the harness keeps by itself. */
#define TRIM_EVERY_NS (250 * NS_PER_MS) /* Memory is written at some GB/s. */

enum ended {
	ENDED_BY_ITSELF,
	ENDED_BY_SIGNAL, /* To us: the person or the controller wants it stopped. */
	ENDED_BY_DEADLINE,
};

/* ---- in the harness ---- */

static int set_up(struct plan *plan, struct isolation *isolation, int output_fd, struct error *err)
{
	/* A session of its own: the terminal's Ctrl-C comes to the supervisor alone, and it decides. */
	(void)setsid();
	sigset_t none;
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, /* old= */ NULL);
	(void)signal(SIGPIPE, SIG_DFL); /* Workers expect it, whatever the caller made of it. */
	/* Away from the standard descriptors, which become the workload's; closed by exec. */
	plan->wire_fd = fcntl(plan->wire_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (plan->wire_fd < 0)
		return error_errno(err, errno, "cannot duplicate the record stream's descriptor");
	const int failed = isolation_settle(isolation, err);
	if (failed)
		return failed;
	return output_capture(output_fd, err);
}

static int be_harness(const struct plan *plan, struct isolation *isolation, int output_fd)
{
	struct plan mine = *plan;
	struct error err = { 0 };
	/* Another number than 0-2 would reach the programs that the workload executes. */
	if (plan->wire_fd > STDERR_FILENO)
		(void)fcntl(plan->wire_fd, F_SETFD, FD_CLOEXEC);
	if (set_up(&mine, isolation, output_fd, &err) == 0)
		return harness_run(&mine, isolation, output_fd);
	if (mine.wire_fd < 0)
		return HARNESS_UNHEARD;
	struct wire *wire = wire_new(mine.wire_fd);
	const int failed = wire_end(wire, RUN_FAILED, err.text);
	wire_free(wire);
	return failed ? HARNESS_UNHEARD : HARNESS_WRITTEN;
}

/* ---- in the supervisor ---- */

static sigset_t signals_of_interest(void)
{
	sigset_t signals;
	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGCHLD);
	(void)sigaddset(&signals, SIGTERM);
	(void)sigaddset(&signals, SIGINT);
	(void)sigaddset(&signals, SIGHUP);
	return signals;
}

/* *ret_detail: the harness's wait status, or the signal that came to us. */
static enum ended await(pid_t harness, int output_fd, uint64_t deadline_ns, int *ret_detail)
{
	const sigset_t signals = signals_of_interest();
	while (waitpid(harness, ret_detail, WNOHANG) != harness) {
		const uint64_t now = clock_monotonic_ns();
		if (now >= deadline_ns)
			return ENDED_BY_DEADLINE;
		output_trim(output_fd);
		const uint64_t left =
			deadline_ns - now < TRIM_EVERY_NS ? deadline_ns - now : TRIM_EVERY_NS;
		const struct timespec patience = { .tv_sec = (time_t)(left / NS_PER_SEC),
						   .tv_nsec = (long)(left % NS_PER_SEC) };
		const int number = sigtimedwait(&signals, /* info= */ NULL, &patience);
		if (number <= 0 || number == SIGCHLD)
			continue;
		*ret_detail = number;
		return ENDED_BY_SIGNAL;
	}
	return ENDED_BY_ITSELF;
}

static int last_word(const struct plan *plan, enum run_outcome outcome, const char *reason,
		     struct error *err)
{
	struct wire *wire = wire_new(plan->wire_fd);
	const int failed = wire_end(wire, outcome, reason);
	wire_free(wire);
	return failed ? error_errno(err, -failed, "cannot write the record stream") : 0;
}

static int conclude(const struct plan *plan, enum ended ended, int detail, struct error *err)
{
	char reason[160];
	char how[96];
	switch (ended) {
	case ENDED_BY_SIGNAL:
		(void)snprintf(reason, sizeof(reason), "stopped by signal %d (%s)", detail,
			       strsignal(detail));
		return last_word(plan, RUN_INTERRUPTED, reason, err);
	case ENDED_BY_DEADLINE:
		(void)snprintf(reason, sizeof(reason), "hung: the harness gave no end within %g s",
			       clock_seconds(plan->time_limit_ns + GRACE_NS));
		return last_word(plan, RUN_FAILED, reason, err);
	case ENDED_BY_ITSELF:
		break;
	}
	if (WIFEXITED(detail) && WEXITSTATUS(detail) == HARNESS_WRITTEN)
		return 0;
	if (WIFEXITED(detail) && WEXITSTATUS(detail) == HARNESS_UNHEARD)
		return error_set(err, EPIPE, "cannot write the record stream");
	spawn_status_show(detail, how, sizeof(how));
	(void)snprintf(reason, sizeof(reason), "harness %s %s",
		       WIFSIGNALED(detail) ? "was killed by" : "ended with", how);
	return last_word(plan, RUN_FAILED, reason, err);
}

int supervisor_run(const struct plan *plan, struct error *err)
{
	const sigset_t signals = signals_of_interest();
	(void)sigprocmask(SIG_BLOCK, &signals, /* old= */ NULL);
	(void)signal(SIGCHLD,
		     SIG_DFL); /* A caller that ignores it would have the kernel reap for us. */
	AUTO(isolation) struct isolation *isolation = NULL;
	AUTO(fd) int output_fd = -1;
	int failed = output_new(&output_fd, err);
	if (!failed)
		failed = isolation_new(plan->isolation, &isolation, err);
	if (failed)
		return failed;
	const pid_t harness = fork();
	if (harness == 0)
		_exit(be_harness(plan, isolation, output_fd));
	if (harness < 0) {
		const int code = errno;
		isolation_end(isolation, /* harness= */ 0);
		return error_errno(err, code, "cannot fork the harness");
	}
	/* A reader that has gone is an error of the write, for us; the harness may die of it. */
	(void)signal(SIGPIPE, SIG_IGN);
	uint64_t deadline_ns = UINT64_MAX;
	if (plan->time_limit_ns)
		deadline_ns = clock_monotonic_ns() + plan->time_limit_ns + GRACE_NS;
	int detail = 0;
	const enum ended ended = await(harness, output_fd, deadline_ns, &detail);
	isolation_end(isolation, ended == ENDED_BY_ITSELF ? 0 : harness);
	return conclude(plan, ended, detail, err);
}
