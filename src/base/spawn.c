/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Child processes by fork and exec; an exec that fails is told to the parent through a
 * close-on-exec pipe. */
#include "base/spawn.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

/* The least number above those that the child wants. No higher than needed, for the limit of open
 * files may be low. */
static int first_free(const struct spawn *spawn)
{
	int above = STDERR_FILENO + 1;
	for (size_t i = 0; i < spawn->n_fds; i++)
		if (spawn->fds[i].to >= above)
			above = spawn->fds[i].to + 1;
	return above;
}

/* In the child: gives the wanted descriptors their numbers. Parking first, so that no number is
 * overwritten early. */
static bool place_fds(const struct spawn *spawn, int *report_fd)
{
	const int above = first_free(spawn);
	int parked[SPAWN_FDS_MAX];
	/* What somebody opened without O_CLOEXEC shall not reach the child. An old kernel cannot do
	 * this; then it does. */
	(void)close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
	const int report = fcntl(*report_fd, F_DUPFD_CLOEXEC, above);
	if (report < 0)
		return false;
	*report_fd = report;
	for (size_t i = 0; i < spawn->n_fds; i++) {
		parked[i] = fcntl(spawn->fds[i].from, F_DUPFD_CLOEXEC, above);
		if (parked[i] < 0)
			return false;
	}
	for (size_t i = 0; i < spawn->n_fds; i++)
		if (dup2(parked[i], spawn->fds[i].to) < 0)
			return false;
	return true;
}

static void reset_signals(void)
{
	sigset_t none;
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, /* old= */ NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGXFSZ, SIG_DFL);
	(void)signal(SIGINT, SIG_DFL);
}

/* In the child; never returns. Whatever fails is told as an errno through the report pipe. */
static NORETURN void become(const struct spawn *spawn, int report_fd, pid_t parent)
{
	bool ready = place_fds(spawn, &report_fd);
	reset_signals();
	if (ready && spawn->new_session)
		ready = setsid() >= 0;
	if (ready && spawn->parent_death_signal) {
		ready = prctl(PR_SET_PDEATHSIG, spawn->parent_death_signal) == 0;
		if (getppid() != parent)
			_exit(127);
	}
	if (ready && spawn->directory)
		ready = chdir(spawn->directory) == 0;
	if (ready) {
		/* execvpe takes non-const pointers by an old habit of C; it does not write. */
		union {
			const char *const *constant;
			char *const *plain;
		} argv = { .constant = spawn->argv },
		  environment = { .constant = spawn->environment };
		(void)execvpe(spawn->argv[0], argv.plain,
			      spawn->environment ? environment.plain : environ);
	}
	const int code = errno;
	/* If even this fails the parent sees a child that ends with 127. */
	if (write(report_fd, &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

static void check_plan(const struct spawn *spawn)
{
	assert(spawn->argv && spawn->argv[0]);
	assert(spawn->n_fds <= SPAWN_FDS_MAX);
	for (size_t i = 0; i < spawn->n_fds; i++)
		assert(spawn->fds[i].to >= 0);
}

/* The errno of what failed in the child before it became the program; 0 when nothing did. */
static int wait_for_exec(int report_fd)
{
	int code = 0;
	ssize_t got;
	do
		got = read(report_fd, &code, sizeof(code));
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(code) ? code : 0;
}

int spawn_start(const struct spawn *spawn, pid_t *ret_pid, struct error *err)
{
	check_plan(spawn);
	int report[2];
	if (pipe2(report, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot make a pipe");
	AUTO(fd) int read_end = report[0];
	const pid_t parent = getpid();
	const pid_t pid = fork();
	if (pid < 0) {
		const int code = errno;
		(void)close(report[1]);
		return error_errno(err, code, "cannot fork");
	}
	if (pid == 0)
		become(spawn, report[1], parent);
	(void)close(report[1]);
	const int code = wait_for_exec(read_end);
	if (code) {
		(void)waitpid(pid, /* status= */ NULL, 0);
		return error_errno(err, code, "cannot run '%s'", spawn->argv[0]);
	}
	*ret_pid = pid;
	return 0;
}

int spawn_output(const struct spawn *spawn, size_t limit, char **ret_output, int *ret_status,
		 struct error *err)
{
	int output[2];
	if (pipe2(output, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot make a pipe");
	AUTO(fd) int read_end = output[0];
	AUTO(fd) int write_end = output[1];
	struct spawn child = *spawn;
	assert(child.n_fds < SPAWN_FDS_MAX);
	child.fds[child.n_fds++] = (struct spawn_fd) { .from = write_end, .to = STDOUT_FILENO };
	pid_t pid = -1;
	const int failed = spawn_start(&child, &pid, err);
	if (failed)
		return failed;
	(void)close(KEEP_FD(write_end));
	char *kept = mem_zero(limit + 1);
	size_t have = 0;
	for (;;) {
		char dropped[4096];
		const bool full = have == limit;
		const ssize_t got = read(read_end, full ? dropped : kept + have,
					 full ? sizeof(dropped) : limit - have);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		if (!full)
			have += (size_t)got;
	}
	kept[have] = '\0';
	(void)spawn_wait(pid, /* deadline_ns= */ 0, ret_status);
	*ret_output = kept;
	return 0;
}

char *spawn_find(const char *name, const char *folders)
{
	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? mem_text(name) : NULL;
	const char *at = *name && folders ? folders : "";
	while (*at) {
		const size_t length = strcspn(at, ":");
		AUTO(text) char *path = mem_format("%.*s/%s", (int)length, at, name);
		if (length > 0 && access(path, X_OK) == 0)
			return KEEP(path);
		at += length;
		at += *at == ':';
	}
	return NULL;
}

int spawn_wait(pid_t pid, uint64_t deadline_ns, int *ret_status)
{
	for (;;) {
		const pid_t got = waitpid(pid, ret_status, deadline_ns ? WNOHANG : 0);
		if (got == pid)
			return 1;
		if (got < 0 && errno != EINTR)
			return -errno;
		if (got < 0)
			continue;
		const uint64_t now = clock_monotonic_ns();
		if (now >= deadline_ns)
			return 0;
		const uint64_t pause =
			deadline_ns - now < NS_PER_MS ? deadline_ns - now : NS_PER_MS;
		clock_sleep_until_ns(now + pause);
	}
}

void spawn_status_show(int status, char *buffer, size_t size)
{
	if (WIFEXITED(status))
		(void)snprintf(buffer, size, "exit code %d", WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		(void)snprintf(buffer, size, "signal %d (%s)", WTERMSIG(status),
			       strsignal(WTERMSIG(status)));
	else
		(void)snprintf(buffer, size, "wait status %#x", (unsigned)status);
}
