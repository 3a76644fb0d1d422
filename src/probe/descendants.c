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

/* Parent of `pid`; 0 when it has gone or is a zombie. */
static pid_t parent_of(int proc_fd, pid_t pid)
{
	char path[32];
	stat_path(pid, path);
	const int fd = openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	char line[512];
	const ssize_t got = read(fd, line, sizeof(line) - 1);
	(void)close(fd);
	if (got <= 0)
		return 0;
	line[got] = '\0';
	/* "pid (name) state ppid": the name may hold anything, so from the last parenthesis. */
	const char *at = strrchr(line, ')');
	if (!at || at[1] != ' ' || at[2] == 'Z' || at[2] == 'X' || at[2] == '\0' || at[3] != ' ')
		return 0;
	pid_t parent = 0;
	for (at += 4; *at >= '0' && *at <= '9'; at++)
		parent = parent * 10 + (*at - '0');
	return parent;
}

static bool descends(int proc_fd, pid_t pid, pid_t ancestor)
{
	for (unsigned i = 0; i < GENERATIONS_MAX && pid > 1; i++) {
		pid = parent_of(proc_fd, pid);
		if (pid == ancestor)
			return true;
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

static void reap_all(void)
{
	while (waitpid(-1, /* status= */ NULL, WNOHANG) > 0)
		;
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
	while ((left = kill_round(proc_fd, self)) > 0 && clock_monotonic_ns() < end) {
		clock_sleep_until_ns(clock_monotonic_ns() + NS_PER_MS);
		reap_all();
	}
	reap_all();
	(void)close(proc_fd);
	errno = before;
	return left;
}
