/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pipe's writing end is inherited by every process of the run and closed by exec: its end of file says that
 * all of them are dead, and none of them will make another name. See janitor.h.
 */
#include "workload/janitor.h"

#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"
#include "workload/scratch.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

struct janitor {
	pid_t pid;
	int life_fd; /* The writing end. */
};

static NORETURN void be_janitor(const char *prefix, int life_fd)
{
	char byte;
	ssize_t got;
	/* What stops the run must not stop this. */
	sigset_t all;
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, /* old= */ NULL);
	(void)setsid();
	(void)prctl(PR_SET_NAME, "assay-janitor");
	/* A record stream that it held open would seem to go on. */
	if (life_fd > 0)
		(void)close_range(0, (unsigned)life_fd - 1, 0);
	(void)close_range((unsigned)life_fd + 1, UINT_MAX, 0);
	/* What it may start to clear away finds its standard descriptors. */
	int fd;
	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < STDERR_FILENO);
	do
		got = read(life_fd, &byte, 1);
	while (got > 0 || (got < 0 && errno == EINTR));
	scratch_remove(prefix);
	_exit(0);
}

int janitor_new(const char *prefix, struct janitor **ret_janitor, struct error *err)
{
	int ends[2];
	assert(prefix && ret_janitor);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot make a pipe");
	const pid_t pid = fork();
	if (pid == 0) {
		(void)close(ends[1]);
		be_janitor(prefix, ends[0]);
	}
	const int code = errno;
	(void)close(ends[0]);
	if (pid < 0) {
		(void)close(ends[1]);
		return error_errno(err, code, "cannot fork");
	}
	struct janitor *janitor = mem_zero(sizeof(*janitor));
	*janitor = (struct janitor) { .pid = pid, .life_fd = ends[1] };
	*ret_janitor = janitor;
	return 0;
}

void janitor_free(struct janitor *janitor)
{
	if (!janitor)
		return;
	/* One that was killed and buried with the run's orphans is not looked for again. */
	pid_t gone;
	do
		gone = waitpid(janitor->pid, /* status= */ NULL, WNOHANG);
	while (gone < 0 && errno == EINTR);
	if (gone == 0) {
		(void)kill(janitor->pid, SIGKILL);
		while (waitpid(janitor->pid, /* status= */ NULL, 0) < 0 && errno == EINTR)
			;
	}
	(void)close(janitor->life_fd);
	free(janitor);
}
