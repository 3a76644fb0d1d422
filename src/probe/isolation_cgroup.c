/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Isolation by a control group (version 2, kernel 5.14 or newer for cgroup.kill). The harness enters a
 * group of its own below the supervisor's. A watcher outside of it, in a session of its own, waits for the
 * end of a pipe that the supervisor alone holds open; then it kills the group and removes it. So the
 * same act serves the normal end and the supervisor's sudden death.
 */
#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/macros.h"
#include "probe/descendants.h"
#include "probe/isolation_way.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#define REMOVE_TRIES 1000 /* A millisecond apart. */
#define GROUP_PATH_BYTES 3072

/* Where version 2 is mounted, or NULL. */
static const char *mount_point(void)
{
	static const char *const places[] = { "/sys/fs/cgroup/unified", "/sys/fs/cgroup" };
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct statfs about;
		if (statfs(places[i], &about) == 0 && about.f_type == CGROUP2_SUPER_MAGIC)
			return places[i];
	}
	return NULL;
}

/* The path of our own group: what follows "0::" in /proc/self/cgroup. */
static bool own_group(char *ret_path, size_t size)
{
	AUTO(file) FILE *file = fopen("/proc/self/cgroup", "re");
	char line[GROUP_PATH_BYTES];
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "0::", 3) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		const char *path = line + 3;
		(void)snprintf(ret_path, size, "%s", strcmp(path, "/") == 0 ? "" : path);
		return true;
	}
	return false;
}

static int write_at(int dir_fd, const char *name, const char *content)
{
	const int fd = openat(dir_fd, name, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	const int failed = fs_write_all(fd, content, strlen(content));
	(void)close(fd);
	return failed;
}

static NORETURN void watch(const struct isolation *isolation, int end_fd)
{
	(void)setsid();
	sigset_t all;
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, /* old= */ NULL);
	/* It may hold nothing that others wait for the end of, least of all the record stream. */
	const int cgroup_fd = fcntl(isolation->cgroup_fd, F_DUPFD, 64);
	const int pipe_fd = fcntl(end_fd, F_DUPFD, cgroup_fd + 1);
	(void)close_range(0, (unsigned)cgroup_fd - 1, 0);
	if (pipe_fd > cgroup_fd + 1)
		(void)close_range((unsigned)cgroup_fd + 1, (unsigned)pipe_fd - 1, 0);
	(void)close_range((unsigned)pipe_fd + 1, ~0U, 0);
	char byte;
	while (read(pipe_fd, &byte, 1) < 0 && errno == EINTR)
		;
	(void)write_at(cgroup_fd, "cgroup.kill", "1");
	for (unsigned i = 0; i < REMOVE_TRIES && rmdir(isolation->cgroup_path) < 0; i++) {
		if (errno != EBUSY)
			break;
		clock_sleep_until_ns(clock_monotonic_ns() + NS_PER_MS);
	}
	_exit(0);
}

static int start_watcher(struct isolation *isolation, struct error *err)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot make a pipe");
	isolation->watcher = fork();
	if (isolation->watcher == 0) {
		(void)close(ends[1]);
		(void)close(isolation->alive[1]);
		watch(isolation, ends[0]);
	}
	const int code = errno;
	(void)close(ends[0]);
	isolation->watcher_fd = ends[1];
	return isolation->watcher < 0 ? error_errno(err, code, "cannot fork the watcher") : 0;
}

static int begin(struct isolation *isolation, struct error *err)
{
	const char *mount = mount_point();
	char group[GROUP_PATH_BYTES];
	if (!mount || !own_group(group, sizeof(group)))
		return error_set(err, EOPNOTSUPP, "no control groups of version 2 are mounted");
	(void)snprintf(isolation->cgroup_path, sizeof(isolation->cgroup_path),
		       "%s%s/assay-probe.%d", mount, group, getpid());
	if (mkdir(isolation->cgroup_path, 0755) < 0 && errno != EEXIST)
		return error_errno(err, errno, "cannot make the control group '%s'",
				   isolation->cgroup_path);
	isolation->cgroup_fd = open(isolation->cgroup_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int failed = 0;
	if (isolation->cgroup_fd < 0 || faccessat(isolation->cgroup_fd, "cgroup.kill", W_OK, 0) < 0)
		failed = error_set(err, EOPNOTSUPP,
				   "control groups have no cgroup.kill (kernel before 5.14)");
	else
		failed = start_watcher(isolation, err);
	if (failed)
		(void)rmdir(isolation->cgroup_path); /* Made above and empty. */
	return failed;
}

static int settle(struct isolation *isolation, struct error *err)
{
	const int failed = write_at(isolation->cgroup_fd, "cgroup.procs", "0");
	if (failed)
		return error_errno(err, -failed, "cannot enter the control group '%s'",
				   isolation->cgroup_path);
	/* So that kill_rest finds orphans without killing the harness as cgroup.kill would. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return error_errno(err, errno, "cannot become the reaper of orphans");
	return 0;
}

static void kill_rest(void)
{
	(void)descendants_kill();
}

static void reap(pid_t pid)
{
	while (pid > 0 && waitpid(pid, /* status= */ NULL, 0) < 0 && errno == EINTR)
		;
}

static void end(struct isolation *isolation, pid_t harness)
{
	if (harness > 0)
		(void)kill(harness, SIGKILL);
	reap(harness);
	if (isolation->watcher_fd >= 0)
		(void)close(isolation->watcher_fd);
	isolation->watcher_fd = -1;
	reap(isolation->watcher);
	isolation->watcher = 0;
}

const struct isolation_way isolation_cgroup_way = {
	.name = "cgroup",
	.begin = begin,
	.settle = settle,
	.parent_death_signal = SIGKILL,
	.kill_rest = kill_rest,
	.end = end,
};
