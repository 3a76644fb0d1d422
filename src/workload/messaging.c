/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups that send messages to each other. See messaging.h. */
#include "workload/messaging.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/open_files.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/socket.h>

#define BUFFER_ALIGNMENT 64 /* No two tasks' buffers share a cache line. */

/* Descriptors are -1 when this task has not got them. */
struct channel {
	int read_end;
	int write_end;
};

struct bench {
	size_t groups;
	size_t fds; /* Receivers of a group, and senders. */
	uint64_t loops;
	size_t size;
	struct channel *channels; /* Of all groups, one a receiver. */
	char *buffers;            /* One mapping, a piece of buffer_bytes for each worker. */
	size_t buffer_bytes;
};

static size_t group_of(const struct bench *bench, size_t index)
{
	return index / (2 * bench->fds);
}

static bool is_receiver(const struct bench *bench, size_t index)
{
	return index % (2 * bench->fds) < bench->fds;
}

static bool is_last_of_group(const struct bench *bench, size_t index)
{
	return index % (2 * bench->fds) == 2 * bench->fds - 1;
}

static struct channel *channels_of_group(const struct bench *bench, size_t group)
{
	return &bench->channels[group * bench->fds];
}

/* The channel of a receiver. */
static struct channel *own_channel(const struct bench *bench, size_t index)
{
	assert(is_receiver(bench, index));
	return channels_of_group(bench, group_of(bench, index)) + index % (2 * bench->fds);
}

static void shut(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* Our own channel; nothing can be lost. */
	*fd = -1;
}

/* ---- channels ---- */

/* A connected pair over the loopback; nothing is set that the original does not set. */
static int make_inet(int ret_fds[static 2])
{
	struct sockaddr_in here = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(here);
	AUTO(fd) int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	AUTO(fd) int write_end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0 || write_end < 0)
		return -errno;
	if (bind(listener, (struct sockaddr *)&here, length) < 0 ||
	    getsockname(listener, (struct sockaddr *)&here, &length) < 0 ||
	    listen(listener, 1) < 0 || connect(write_end, (struct sockaddr *)&here, length) < 0)
		return -errno;
	const int read_end =
		accept4(listener, /* address= */ NULL, /* length= */ NULL, SOCK_CLOEXEC);
	if (read_end < 0)
		return -errno;
	ret_fds[0] = read_end;
	ret_fds[1] = KEEP_FD(write_end);
	return 0;
}

static int make_channel(const char *ipc, struct channel *ret_channel)
{
	int fds[2];
	int failed = 0;
	if (text_equal(ipc, "inet"))
		failed = make_inet(fds);
	else if (text_equal(ipc, "pipe"))
		failed = pipe2(fds, O_CLOEXEC) < 0 ? -errno : 0;
	else
		failed = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0 ? -errno : 0;
	if (!failed)
		*ret_channel = (struct channel) { .read_end = fds[0], .write_end = fds[1] };
	return failed;
}

/* ---- the harness's side ---- */

/* Threads hold all channels in one process, far more than the usual soft limit of 1024. */
static int raise_limit(const struct work *work, const struct bench *bench, struct error *err)
{
	const size_t held =
		work_has_threads(work) ? bench->groups * bench->fds * 2 : bench->fds + 2;
	uint64_t need;
	uint64_t limit;
	const int failed = open_files_allow(held, &need, &limit);
	if (failed == -EMFILE)
		return error_set(err, EMFILE,
				 "%zu groups of %zu channels need %" PRIu64 " open files in one "
				 "process and the limit is %" PRIu64
				 "; use mode=process, fewer groups, or raise "
				 "the limit (ulimit -Hn)",
				 bench->groups, bench->fds, need, limit);
	return failed ? error_errno(err, -failed, "cannot read the limit of open files") : 0;
}

void messaging_retire(struct work *work)
{
	struct bench *bench = work_shared(work);
	if (!bench)
		return;
	for (size_t i = 0; i < bench->groups * bench->fds; i++) {
		shut(&bench->channels[i].read_end);
		shut(&bench->channels[i].write_end);
	}
	if (bench->buffers)
		(void)munmap(bench->buffers, bench->buffer_bytes * work_workers(work));
	free(bench->channels);
	free(bench);
	work_share(work, /* shared= */ NULL);
}

int messaging_prepare(struct work *work, const struct messaging *messaging, struct error *err)
{
	struct bench *bench = mem_zero(sizeof(*bench));
	work_share(work, bench);
	bench->groups = messaging->groups;
	bench->fds = messaging->fds;
	bench->loops = messaging->loops;
	bench->size = messaging->size;
	bench->channels = mem_array(bench->groups * bench->fds, sizeof(*bench->channels));
	for (size_t i = 0; i < bench->groups * bench->fds; i++)
		bench->channels[i] = (struct channel) { .read_end = -1, .write_end = -1 };
	bench->buffer_bytes = (bench->size + BUFFER_ALIGNMENT - 1) & ~(BUFFER_ALIGNMENT - 1UL);
	void *buffers = mmap(NULL, bench->buffer_bytes * work_workers(work), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int failed = 0;
	if (buffers == MAP_FAILED)
		failed = error_errno(err, errno, "cannot map the messages' buffers");
	else
		bench->buffers = buffers;
	if (!failed)
		failed = raise_limit(work, bench, err);
	if (failed)
		messaging_retire(work);
	return failed;
}

int messaging_before_worker(struct work *work, unsigned index, struct error *err)
{
	const struct bench *bench = work_shared(work);
	if (!is_receiver(bench, index))
		return 0;
	const char *ipc = work_word(work, "ipc");
	const int failed = make_channel(ipc, own_channel(bench, index));
	if (failed == -ENETUNREACH || failed == -EADDRNOTAVAIL)
		return error_set(err, EOPNOTSUPP,
				 "ipc=inet needs the loopback interface, which is not up");
	if (failed)
		return error_errno(err, -failed, "cannot make a %s for group %zu", ipc,
				   group_of(bench, index));
	return 0;
}

void messaging_after_worker(struct work *work, unsigned index)
{
	const struct bench *bench = work_shared(work);
	if (work_has_threads(work))
		return;
	if (is_receiver(bench, index))
		shut(&own_channel(bench, index)->read_end);
	if (!is_last_of_group(bench, index))
		return;
	struct channel *channels = channels_of_group(bench, group_of(bench, index));
	for (size_t i = 0; i < bench->fds; i++)
		shut(&channels[i].write_end);
}

/* ---- the worker's side ---- */

static char *buffer_of(const struct bench *bench, size_t index)
{
	return bench->buffers + index * bench->buffer_bytes;
}

int messaging_enter(struct worker_self *self, struct error *err)
{
	const struct bench *bench = work_shared(self->work);
	if (is_receiver(bench, self->index) && !work_has_threads(self->work))
		shut(&own_channel(bench, self->index)->write_end);
	/* Touched here, so that no page of it is made inside the time. */
	memset(buffer_of(bench, self->index), '-', bench->buffer_bytes);
	return 0;
}

/* One whole message, however many calls it takes; 0 or -errno. */
static int send_message(int fd, const char *message, size_t size)
{
	for (size_t sent = 0; sent < size;) {
		const ssize_t done = write(fd, message + sent, size - sent);
		if (done > 0)
			sent += (size_t)done;
		else if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static int receive_message(int fd, char *message, size_t size)
{
	for (size_t received = 0; received < size;) {
		const ssize_t done = read(fd, message + received, size - received);
		if (done > 0)
			received += (size_t)done;
		else if (done == 0)
			return -EPIPE;
		else if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static int send_all(const struct bench *bench, size_t index)
{
	const struct channel *channels = channels_of_group(bench, group_of(bench, index));
	const char *message = buffer_of(bench, index);
	int failed = 0;
	for (uint64_t loop = 0; loop < bench->loops && !failed; loop++)
		for (size_t i = 0; i < bench->fds && !failed; i++)
			failed = send_message(channels[i].write_end, message, bench->size);
	return failed;
}

static int receive_all(const struct bench *bench, size_t index)
{
	const int fd = own_channel(bench, index)->read_end;
	char *message = buffer_of(bench, index);
	const uint64_t messages = bench->loops * bench->fds;
	int failed = 0;
	for (uint64_t i = 0; i < messages && !failed; i++)
		failed = receive_message(fd, message, bench->size);
	return failed;
}

/* The whole job of one task. A message is counted once, where it is written. */
int64_t messaging_batch(struct worker_self *self)
{
	const struct bench *bench = work_shared(self->work);
	const bool receiver = is_receiver(bench, self->index);
	const int failed =
		receiver ? receive_all(bench, self->index) : send_all(bench, self->index);
	if (failed)
		return error_errno(&self->err, -failed, "%s %u of group %zu",
				   receiver ? "receiver" : "sender", self->index,
				   group_of(bench, self->index));
	return receiver ? 0 : (int64_t)(bench->loops * bench->fds);
}
