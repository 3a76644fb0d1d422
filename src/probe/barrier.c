/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gates made of pipes. See barrier.h. */
#include "probe/barrier.h"

#include "base/auto.h"
#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int open_pipe(int ends[static 2], struct error *err)
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot make the start barrier's pipes");
	return 0;
}

static void close_end(int *fd)
{
	auto_release_fd(fd);
	*fd = -1;
}

int barrier_init(struct barrier *barrier, struct error *err)
{
	*barrier = (struct barrier) { { -1, -1 }, { -1, -1 }, { -1, -1 } };
	int failed = open_pipe(barrier->ready, err);
	if (!failed)
		failed = open_pipe(barrier->wake, err);
	if (!failed)
		failed = open_pipe(barrier->finish, err);
	if (failed)
		barrier_done(barrier);
	return failed;
}

void barrier_done(struct barrier *barrier)
{
	for (unsigned i = 0; i < 2; i++) {
		close_end(&barrier->ready[i]);
		close_end(&barrier->wake[i]);
		close_end(&barrier->finish[i]);
	}
}

static void write_byte(int fd)
{
	const char byte = '.';
	ssize_t put;
	do
		put = write(fd, &byte, 1);
	while (put < 0 && errno == EINTR);
	/* Both ends are ours and a pipe holds more bytes than are ever written here, so that only a
	 * programming error can make this fail. */
	assert(put == 1);
}

static void wait_readable(int fd)
{
	struct pollfd gate = { .fd = fd, .events = POLLIN };
	while (poll(&gate, 1, -1) < 0 && errno == EINTR)
		;
}

void barrier_tell(const struct barrier *barrier)
{
	write_byte(barrier->ready[1]);
}

void barrier_wait_wake(const struct barrier *barrier)
{
	wait_readable(barrier->wake[0]);
}

void barrier_wait_finish(const struct barrier *barrier)
{
	wait_readable(barrier->finish[0]);
}

void barrier_open_wake(const struct barrier *barrier)
{
	write_byte(barrier->wake[1]);
}

void barrier_open_finish(const struct barrier *barrier)
{
	write_byte(barrier->finish[1]);
}

void barrier_drop_harness_ends(struct barrier *barrier)
{
	close_end(&barrier->ready[0]);
	close_end(&barrier->wake[1]);
	close_end(&barrier->finish[1]);
}

static void nothing(int number)
{
	(void)number;
}

void barrier_hold_back_child_signals(void)
{
	struct sigaction action = { .sa_handler = nothing };
	(void)sigaction(SIGCHLD, &action, /* old= */ NULL);
	sigset_t child;
	(void)sigemptyset(&child);
	(void)sigaddset(&child, SIGCHLD);
	(void)pthread_sigmask(SIG_BLOCK, &child, /* old= */ NULL);
}

unsigned barrier_listen(int fd, uint64_t deadline_ns)
{
	const uint64_t now = clock_monotonic_ns();
	const uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
	const struct timespec patience = { .tv_sec = (time_t)(left / NS_PER_SEC),
					   .tv_nsec = (long)(left % NS_PER_SEC) };
	sigset_t open_mask;
	(void)pthread_sigmask(SIG_BLOCK, /* set= */ NULL, &open_mask);
	(void)sigdelset(&open_mask, SIGCHLD);
	struct pollfd gate = { .fd = fd, .events = POLLIN };
	if (ppoll(&gate, 1, &patience, &open_mask) <= 0 || !(gate.revents & POLLIN))
		return 0;
	char bytes[256];
	const ssize_t got = read(fd, bytes, sizeof(bytes));
	return got > 0 ? (unsigned)got : 0;
}
