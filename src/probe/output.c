/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captured output. See output.h. */
#include "probe/output.h"

#include "base/auto.h"
#include "base/macros.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

#define PIECE_BYTES 4096 /* Of one log frame. */
#define OUTPUT_TRIM_BYTES (8 << 20)

static_assert(OUTPUT_TRIM_BYTES > OUTPUT_HEAD_BYTES + 2 * OUTPUT_TAIL_BYTES, "a hole has a length");

/* Moves a descriptor above the standard ones, which may be free when the caller closed them. */
static int lift(int low)
{
	if (low < 0 || low > STDERR_FILENO)
		return low;
	const int fd = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	(void)close(low);
	return fd;
}

int output_new(int *ret_fd, struct error *err)
{
	AUTO(fd) int fd = lift(memfd_create("assay-output", MFD_CLOEXEC));
	if (fd < 0)
		return error_errno(err, errno, "cannot make a file in memory");
	/* A program that truncates or seeks its output must not make holes in what others say. */
	if (fcntl(fd, F_SETFL, O_APPEND) < 0)
		return error_errno(err, errno, "cannot set a file in memory to append");
	*ret_fd = KEEP_FD(fd);
	return 0;
}

/* A descriptor that reads as empty. Where there is no /dev, a pipe that nobody writes to. */
static int open_nothing(void)
{
	const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int ends[2];
	if (fd >= 0 || pipe2(ends, O_CLOEXEC) < 0)
		return fd;
	(void)close(ends[1]);
	return ends[0];
}

int output_capture(int fd, struct error *err)
{
	AUTO(fd) int null_fd = lift(open_nothing());
	if (null_fd < 0)
		return error_errno(err, errno, "cannot open '/dev/null'");
	if (dup2(null_fd, STDIN_FILENO) < 0 || dup2(fd, STDOUT_FILENO) < 0 ||
	    dup2(fd, STDERR_FILENO) < 0)
		return error_errno(err, errno, "cannot redirect the standard descriptors");
	return 0;
}

void output_trim(int fd)
{
	struct stat about;
	if (fstat(fd, &about) < 0 || about.st_blocks * 512 < OUTPUT_TRIM_BYTES)
		return;
	/* Twice the tail, for more is being written meanwhile, which moves the tail only forward. */
	const off_t end = about.st_size - 2 * (off_t)OUTPUT_TAIL_BYTES;
	(void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, OUTPUT_HEAD_BYTES,
			end - OUTPUT_HEAD_BYTES); /* If it cannot be, the file only stays large. */
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
