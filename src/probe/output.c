/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captured output. See output.h. */
#include "probe/output.h"

#include "base/auto.h"
#include "base/macros.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

#define PIECE_BYTES 4096 /* Of one log frame. */

int output_capture(int *ret_fd, struct error *err)
{
	AUTO(fd) int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null_fd < 0)
		return error_errno(err, errno, "cannot open '/dev/null'");
	AUTO(fd) int fd = memfd_create("assay-output", MFD_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "cannot make a file in memory");
	/* A program that truncates or seeks its output must not make holes in what others say. */
	if (fcntl(fd, F_SETFL, O_APPEND) < 0 || dup2(null_fd, STDIN_FILENO) < 0 ||
	    dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		return error_errno(err, errno, "cannot redirect the standard descriptors");
	*ret_fd = KEEP_FD(fd);
	return 0;
}

static int send_range(int fd, struct wire *wire, off_t from, off_t to)
{
	while (from < to) {
		char piece[PIECE_BYTES];
		const size_t want =
			to - from < PIECE_BYTES ? (size_t)(to - from) : (size_t)PIECE_BYTES;
		const ssize_t got = pread(fd, piece, want, from);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break; /* It was truncated meanwhile. */
		const int failed = wire_log(wire, piece, (size_t)got);
		if (failed)
			return failed;
		from += got;
	}
	return 0;
}

int output_send(int fd, struct wire *wire)
{
	struct stat about;
	if (fstat(fd, &about) < 0)
		return -errno;
	const off_t kept = OUTPUT_HEAD_BYTES + OUTPUT_TAIL_BYTES;
	if (about.st_size <= kept)
		return send_range(fd, wire, 0, about.st_size);
	char gap[80];
	const int length = snprintf(gap, sizeof(gap), "\n[... %lld bytes left out ...]\n",
				    (long long)(about.st_size - kept));
	int failed = send_range(fd, wire, 0, OUTPUT_HEAD_BYTES);
	if (!failed)
		failed = wire_log(wire, gap, (size_t)length);
	if (!failed)
		failed = send_range(fd, wire, about.st_size - OUTPUT_TAIL_BYTES, about.st_size);
	return failed;
}
