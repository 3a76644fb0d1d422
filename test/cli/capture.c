/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stream sent elsewhere for a while. See capture.h. */
#include "capture.h"

#include "base/mem.h"
#include "check.h"

#include <fcntl.h>
#include <unistd.h>

#include <sys/mman.h>

#define CAPTURE_BYTES_MAX (1 << 20)

static void divert(int to, FILE *stream, void (*act)(void *user), void *user)
{
	(void)fflush(stream);
	const int was = dup(fileno(stream));
	CHECK(was >= 0);
	CHECK(dup2(to, fileno(stream)) >= 0);
	act(user);
	(void)fflush(stream); /* It may fail: a test of a full disk wants just that. */
	clearerr(stream);
	CHECK(dup2(was, fileno(stream)) >= 0);
	CHECK_INT(close(was), 0);
}

char *capture(FILE *stream, void (*act)(void *user), void *user)
{
	const int file = memfd_create("capture", MFD_CLOEXEC);
	CHECK(file >= 0);
	divert(file, stream, act, user);
	char *text = mem_array(CAPTURE_BYTES_MAX + 1, 1);
	const ssize_t length = pread(file, text, CAPTURE_BYTES_MAX, 0);
	CHECK(length >= 0 && length < CAPTURE_BYTES_MAX);
	CHECK_INT(close(file), 0);
	return text;
}

void capture_into(const char *path, FILE *stream, void (*act)(void *user), void *user)
{
	const int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	CHECK(file >= 0);
	divert(file, stream, act, user);
	CHECK_INT(close(file), 0);
}
