/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Isolation by a PID namespace. The supervisor unshares, so that its next child is pid 1 of the new
 * namespace; when that one dies the kernel kills all others in it, also those that left their
 * session and lost their parents. A user without privilege makes the PID namespace inside a user
 * namespace that maps him to himself; the harness then drops the capabilities which that gives, so that
 * the workload runs with exactly the rights that it would have had.
 */
#include "base/auto.h"
#include "base/fs.h"
#include "probe/isolation_way.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/syscall.h>
#include <sys/wait.h>

static const char text_with_user[] = "pid-namespace+user-namespace";

static int write_self(const char *name, const char *content)
{
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/self/%s", name);
	AUTO(fd) int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return fs_write_all(fd, content, strlen(content));
}

/* Enters a new user namespace in which user and group are who they were, and a PID namespace. */
static int unshare_as_user(void)
{
	const uid_t user = geteuid();
	const gid_t group = getegid();
	if (unshare(CLONE_NEWUSER | CLONE_NEWPID) < 0)
		return -errno;
	char line[64];
	/* A group map needs setgroups to be given up; kernels before 3.19 have no such file. */
	int failed = write_self("setgroups", "deny");
	if (failed && failed != -ENOENT)
		return failed;
	(void)snprintf(line, sizeof(line), "%u %u 1\n", user, user);
	failed = write_self("uid_map", line);
	if (failed)
		return failed;
	(void)snprintf(line, sizeof(line), "%u %u 1\n", group, group);
	return write_self("gid_map", line);
}

/* Tries it in a child first: a half-made user namespace (some security modules refuse the maps
 * only) could not be left again. The child forks once to see that the namespace can be inhabited. */
static int try_as_user(void)
{
	const pid_t pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		if (unshare_as_user() != 0)
			_exit(1);
		const pid_t first = fork();
		if (first == 0)
			_exit(0);
		int status = -1;
		_exit(first > 0 && waitpid(first, &status, 0) == first && status == 0 ? 0 : 1);
	}
	int status = -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status == 0 ? 0 : -EPERM;
}

static int begin(struct isolation *isolation, struct error *err)
{
	if (unshare(CLONE_NEWPID) == 0)
		return 0;
	const int code = errno;
	if (try_as_user() != 0)
		return error_set(err, EOPNOTSUPP,
				 "no PID namespace (%s), and none inside a user namespace",
				 strerror(code));
	const int failed = unshare_as_user();
	if (failed)
		return error_errno(err, -failed, "cannot make a user namespace");
	isolation->text = text_with_user;
	return 0;
}

static int settle(struct isolation *isolation, struct error *err)
{
	if (isolation->text != text_with_user)
		return 0;
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };
	if (syscall(SYS_capset, &header, none) < 0)
		return error_errno(err, errno, "cannot drop the user namespace's capabilities");
	return 0;
}

static void kill_rest(void)
{
	/* To pid 1, -1 means all others of its namespace. */
	while (kill(-1, SIGKILL) == 0 || errno != ESRCH) {
		if (waitpid(-1, /* status= */ NULL, 0) < 0 && errno == ECHILD)
			break;
	}
	while (waitpid(-1, /* status= */ NULL, 0) > 0 || errno == EINTR)
		;
}

static void end(struct isolation *isolation, pid_t harness)
{
	(void)isolation;
	if (harness <= 0)
		return;
	/* Reaping pid 1 waits for all others: the kernel lets it go only when they have gone. */
	(void)kill(harness, SIGKILL);
	while (waitpid(harness, /* status= */ NULL, 0) < 0 && errno == EINTR)
		;
}

const struct isolation_way isolation_namespace_way = {
	.name = "pid-namespace",
	.begin = begin,
	.settle = settle,
	.parent_death_signal = SIGKILL,
	.kill_rest = kill_rest,
	.end = end,
};
