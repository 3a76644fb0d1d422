/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See open_files.h. */
#include "workload/open_files.h"

#include "base/auto.h"

#include <errno.h>
#include <fcntl.h>

#include <sys/resource.h>

#define FILES_SPARE 64 /* For what the harness still opens. */

/* The lowest free descriptor tells about how many are in use. */
static uint64_t count_open(void)
{
	AUTO(fd) int fd = open("/", O_PATH | O_CLOEXEC);
	return fd < 0 ? 0 : (uint64_t)fd;
}

int open_files_allow(uint64_t held, uint64_t *ret_need, uint64_t *ret_limit)
{
	const rlim_t need = count_open() + held + FILES_SPARE;
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return -errno;
	*ret_need = need;
	*ret_limit = limit.rlim_max;
	if (limit.rlim_cur >= need)
		return 0;
	limit.rlim_cur = need;
	if (limit.rlim_max < need)
		limit.rlim_max = need; /* Only root may raise this one. */
	return setrlimit(RLIMIT_NOFILE, &limit) < 0 ? -EMFILE : 0;
}
