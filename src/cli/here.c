/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment is written as a record stream and read back, exactly as a run's is. */
#include "cli/here.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/text.h"
#include "probe/environment.h"
#include "record/stream.h"
#include "record/wire.h"
#include "store/noise.h"

#include <errno.h>
#include <unistd.h>

#include <sys/mman.h>

DEFINE_AUTO(wire, struct wire *, wire_free);

/* The facts come back out of the stream that they were written to. */
static int read_facts(int fd, struct run **ret_run, struct error *err)
{
	AUTO(stream) struct stream *stream = stream_new();
	char bytes[65536];
	off_t at = 0;
	for (;;) {
		const ssize_t got = pread(fd, bytes, sizeof(bytes), at);
		if (got < 0)
			return error_errno(err, errno, "cannot read the environment back");
		if (got == 0)
			break;
		at += got;
		const int status = stream_feed(stream, bytes, (size_t)got, err);
		if (status < 0)
			return status;
	}
	*ret_run = stream_finish(stream);
	return 0;
}

int here_environment(int root_fd, struct run **ret_run, struct error *err)
{
	AUTO(fd) int fd = memfd_create("assay-doctor", MFD_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "cannot make a file in memory");
	AUTO(wire) struct wire *wire = wire_new(fd);
	const struct wire_hello hello = {
		.version = "", .workload = "", .prefix = "", .isolation = ""
	};
	int status = wire_hello(wire, &hello);
	if (status == 0)
		status = environment_record(root_fd, wire);
	if (status < 0)
		return error_errno(err, -status, "cannot write the environment down");
	return read_facts(fd, ret_run, err);
}

char *here_machine(const char *root)
{
	AUTO(fd) int root_fd = fs_root_open(root ? root : "/", /* err= */ NULL);
	AUTO(run) struct run *facts = NULL;
	if (root_fd < 0 || here_environment(root_fd, &facts, /* err= */ NULL) < 0)
		return NULL;
	return store_machine_type(facts);
}
