/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks /proc with getdents64 and follows each process's chain of parents upwards. Quadratic in the worst
 * case, but it keeps nothing: no allocation, no limit on the number of processes. A process that
 * forks while the walk goes by is found by the next round, since its orphans come to us.
 */
#include "probe/descendants.h"

#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#define PATIENCE_NS (10 * NS_PER_SEC)
#define GENERATIONS_MAX 100000 /* Against a chain that changes under the walk. */

/* The digits of `text` as a pid; 0 when there are other characters. */
static pid_t pid_of(const char *text)
{
	pid_t pid = 0;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || pid > 100000000)
			return 0;
		pid = pid * 10 + (*text - '0');
	}
	return pid;
}

/* "PID/stat" into buffer, without snprintf, which may not be used in a signal handler. */
static void stat_path(pid_t pid, char buffer[static 32])
{
	char digits[16];
	size_t n = 0;
	do
		digits[n++] = (char)('0' + pid % 10);
	while ((pid /= 10) > 0);
	size_t at = 0;
	while (n > 0)
		buffer[at++] = digits[--n];
	memcpy(buffer + at, "/stat", sizeof("/stat"));
}

/* Parent of `pid`, which may have ended already; -1 when it has gone. */
static pid_t parent_of(int proc_fd, pid_t pid, bool *ret_ended)
{
	char path[32];
	stat_path(pid, path);
	const int fd = openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	char line[512];
	const ssize_t got = read(fd, line, sizeof(line) - 1);
	(void)close(fd);
	if (got <= 0)
		return -1;
	line[got] = '\0';
	/* "pid (name) state ppid": the name may hold anything, so from the last parenthesis. */
	const char *at = strrchr(line, ')');
	if (!at || at[1] != ' ' || at[2] == '\0' || at[3] != ' ')
		return -1;
	*ret_ended = at[2] == 'Z' || at[2] == 'X';
	pid_t parent = 0;
	for (at += 4; *at >= '0' && *at <= '9'; at++)
		parent = parent * 10 + (*at - '0');
	return parent;
}

/* Whether `pid` lives and descends from `ancestor`. What lies between them may end while we look: a
 * zombie still names its own parent, and one that has gone left its children to somebody else, so
 * the chain is followed anew. */
static bool descends(int proc_fd, pid_t pid, pid_t ancestor)
{
	pid_t at = pid;
	for (unsigned i = 0; i < GENERATIONS_MAX && at > 1; i++) {
		bool ended = false;
		const pid_t parent = parent_of(proc_fd, at, &ended);
		if (at == pid && (parent < 0 || ended))
			return false;
		if (parent == ancestor)
			return true;
		at = parent < 0 ? pid : parent;
	}
	return false;
}

/* One walk; the number of processes that got the signal. */
static unsigned kill_round(int proc_fd, pid_t self)
{
	_Alignas(struct dirent64) char entries[4096];
	unsigned killed = 0;
	if (lseek(proc_fd, 0, SEEK_SET) != 0)
		return 0;
	ssize_t got;
	while ((got = getdents64(proc_fd, entries, sizeof(entries))) > 0) {
		for (ssize_t at = 0; at < got;) {
			const struct dirent64 *entry = (const void *)(entries + at);
			at += entry->d_reclen;
			const pid_t pid = pid_of(entry->d_name);
			if (pid > 1 && pid != self && descends(proc_fd, pid, self) &&
			    kill(pid, SIGKILL) == 0)
				killed++;
		}
	}
	return killed;
}

/* Whether children are left that cannot be reaped yet. */
static bool reap_all(void)
{
	pid_t reaped;
	do
		reaped = waitpid(-1, /* status= */ NULL, WNOHANG);
	while (reaped > 0);
	return reaped == 0;
}

unsigned descendants_kill(void)
{
	const int before = errno;
	const int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (proc_fd < 0)
		return 0; /* Without /proc there is nothing to find them by. */
	const pid_t self = getpid();
	const uint64_t end = clock_monotonic_ns() + PATIENCE_NS;
	unsigned left;
	for (;;) {
		left = kill_round(proc_fd, self);
		/* A process whose first thread has ended looks dead, but is reaped only after all of its
		 * threads, and its children are not ours before that. */
		const bool is_left = reap_all();
		if (left == 0 && is_left)
			left = 1;
		if (left == 0 || clock_monotonic_ns() >= end)
			break;
		clock_sleep_until_ns(clock_monotonic_ns() + NS_PER_MS);
	}
	(void)close(proc_fd);
	errno = before;
	return left;
}
