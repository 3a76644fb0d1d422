/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds and their cache. `<cache>/builds/<key>/` holds tree/ and log; the file `built` beside them is
 * written last, so that a directory without it was being made when somebody died. See builder.h.
 */
#include "revision/builder.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/text.h"
#include "revision/checkout.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

#define KEY_SHOWN 16 /* Digits of the key in the name of its directory. */
#define POLL_NS (50 * NS_PER_MS)
#define VERSION_BYTES 4096
#define STATUS_BYTES 256
#define FORMAT_VERSION "1"

/* What of the environment the usual build tools read. */
static const char *const variables[] = { "CC",      "CXX",    "CFLAGS", "CXXFLAGS",  "CPPFLAGS",
					 "LDFLAGS", "LDLIBS", "ARCH",   "MAKEFLAGS", "KCFLAGS" };

static const char *const compilers[] = { "cc", "gcc", "clang", "c++", "g++", "clang++" };

void built_done(struct built *built)
{
	free(built->directory);
	free(built->log_path);
	free(built->how);
	*built = (struct built) { 0 };
}

char *builder_cache_directory(void)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	if (cache && *cache == '/')
		return mem_format("%s/assay", cache);
	return mem_format("%s/.cache/assay", home && *home ? home : "/var");
}

/* ---- the key ---- */

/* What the compiler says of itself; "none" without one. */
static char *compiler_version(void)
{
	const char *named = getenv("CC");
	AUTO(text) char *words = mem_text(named && *named ? named : "cc");
	words[strcspn(words, " ")] = '\0';
	const char *const argv[] = { words, "--version", NULL };
	const struct spawn spawn = { .argv = argv };
	char *output = NULL;
	int status = 0;
	if (spawn_output(&spawn, VERSION_BYTES, &output, &status, /* err= */ NULL) == 0)
		return output;
	return mem_text("none");
}

static void make_key(const struct builder_request *request, char *ret_key)
{
	AUTO(text_buffer) struct text text = { 0 };
	AUTO(text) char *version = compiler_version();
	/* The clone is in it, since a build may read its history: git describe. */
	text_add(&text, FORMAT_VERSION "\n%s\n%s\n%s\n%s\n%d\n%s\n", request->clone, request->tree,
		 request->command, version, (int)request->arm,
		 request->fresh ? request->fresh : "");
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		const char *value = getenv(variables[i]);
		text_add(&text, "%s=%s\n", variables[i], value ? value : "");
	}
	checksum_sha256_hex(text_string(&text), text.length, ret_key);
}

/* ---- a build that is there ---- */

/* "broken? nanoseconds how". */
static int read_built(const char *place, struct built *built)
{
	char status[STATUS_BYTES];
	AUTO(text) char *path = mem_format("%s/built", place);
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fs_pread_all(fd, status, sizeof(status)) <= 0)
		return -EBADMSG;
	const char *at = status;
	const char *end = status + strlen(status);
	uint64_t broken = 0;
	if (!text_scan_u64(&at, end, &broken) || *at++ != ' ' ||
	    !text_scan_u64(&at, end, &built->elapsed_ns) || *at++ != ' ')
		return -EBADMSG;
	built->is_broken = broken != 0;
	built->how = mem_text_n(at, strcspn(at, "\n"));
	return 0;
}

static int write_built(const char *place, const struct built *built, struct error *err)
{
	AUTO(text) char *path = mem_format("%s/built", place);
	AUTO(text)
	char *status =
		mem_format("%d %" PRIu64 " %s\n", built->is_broken, built->elapsed_ns, built->how);
	return fs_replace(path, status, strlen(status), 0600, err);
}

/* ---- making one ---- */

/* Compilers that add the flag to whatever they are called with. CFLAGS in the environment would take the
 * place of what a makefile presets with ?=, its optimisation included, and most files never look at it. */
static int make_compilers(const char *place, struct error *err)
{
	AUTO(text) char *directory = mem_format("%s/bin", place);
	int failed = fs_make_dirs(directory, 0700, err);
	for (size_t i = 0; i < ARRAY_SIZE(compilers) && !failed; i++) {
		AUTO(text) char *program = spawn_find(compilers[i], getenv("PATH"));
		if (!program)
			continue;
		AUTO(text) char *path = mem_format("%s/%s", directory, compilers[i]);
		AUTO(text)
		char *script =
			mem_format("#!/bin/sh\nexec '%s' -falign-functions=64 \"$@\"\n", program);
		failed = fs_replace(path, script, strlen(script), 0700, err);
	}
	return failed;
}

/* The command runs in a session of its own below a shell that waits for nothing but it, and that ends
 * them all when this process is killed: no compiler is left behind. */
static int start(const struct builder_request *request, const char *place,
		 const struct built *built, pid_t *ret_pid, struct error *err)
{
	static const char keeper[] = "trap 'kill -9 0' TERM\n"
				     "PATH=$1$PATH; export PATH\n"
				     "sh -c \"$2\" &\n"
				     "wait $!\n";
	AUTO(text)
	char *path = request->arm == BUILDER_ALIGNED ? mem_format("%s/bin:", place) : mem_text("");
	const char *const argv[] = {
		"sh", "-c", keeper, "assay-build", path, request->command, NULL
	};
	AUTO(fd) int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	AUTO(fd)
	int log = open(built->log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0600);
	if (nothing < 0 || log < 0)
		return error_errno(err, errno, "cannot write the build log '%s'", built->log_path);
	const struct spawn spawn = {
		.argv = argv,
		.directory = built->directory,
		.fds = { { nothing, STDIN_FILENO },
			 { log, STDOUT_FILENO },
			 { log, STDERR_FILENO } },
		.n_fds = 3,
		.new_session = true,
		.parent_death_signal = SIGTERM,
	};
	return spawn_start(&spawn, ret_pid, err);
}

/* 1 ended, 0 took too long, -EINTR. Whatever is left of a stopped build is killed. */
static int wait_for(const struct builder_request *request, pid_t pid, int *ret_status)
{
	const uint64_t deadline_ns = clock_monotonic_ns() + BUILDER_TIME_LIMIT_NS;
	int ended = 0;
	bool interrupted = false;
	while (ended == 0 && !interrupted && clock_monotonic_ns() < deadline_ns) {
		ended = spawn_wait(pid, clock_monotonic_ns() + POLL_NS, ret_status);
		interrupted = request->interrupted && *request->interrupted;
	}
	if (ended != 0)
		return ended;
	(void)kill(-pid, SIGKILL); /* It may have ended just now. */
	(void)spawn_wait(pid, /* deadline_ns= */ 0, ret_status);
	return interrupted ? -EINTR : 0;
}

static int compile(const struct builder_request *request, const char *place, struct built *built,
		   struct error *err)
{
	const uint64_t begin_ns = clock_monotonic_ns();
	pid_t pid = -1;
	int status = 0;
	int failed = request->arm == BUILDER_ALIGNED ? make_compilers(place, err) : 0;
	if (!failed)
		failed = start(request, place, built, &pid, err);
	if (failed)
		return failed;
	const int ended = wait_for(request, pid, &status);
	if (ended == -EINTR)
		return error_set(err, EINTR, "interrupted");
	if (ended < 0)
		return error_errno(err, -ended, "cannot wait for the build of %.12s",
				   request->commit);
	char how[64] = "it took longer than 4 hours";
	if (ended == 1)
		spawn_status_show(status, how, sizeof(how));
	built->is_broken = ended == 0 || status != 0;
	built->how = mem_text(built->is_broken ? how : "");
	built->elapsed_ns = clock_monotonic_ns() - begin_ns;
	return 0;
}

static int make(const struct builder_request *request, const char *place, struct built *built,
		struct error *err)
{
	if (request->begins)
		request->begins(request->user);
	int failed = checkout_remove(request->clone, place, err);
	if (!failed)
		failed = fs_make_dirs(place, 0700, err);
	if (!failed)
		failed = checkout_make(request->clone, request->commit, built->directory, err);
	if (!failed)
		failed = compile(request, place, built, err);
	if (!failed)
		failed = write_built(place, built, err);
	return failed;
}

int builder_get(const struct builder_request *request, struct built *ret_built, struct error *err)
{
	assert(request->clone && request->cache && request->commit && request->tree);
	struct built built AUTO(built) = { 0 };
	make_key(request, built.key);
	AUTO(text) char *builds = mem_format("%s/builds", request->cache);
	AUTO(text) char *place = mem_format("%s/%.*s", builds, KEY_SHOWN, built.key);
	AUTO(text) char *lock_path = mem_format("%s.lock", place);
	int failed = fs_make_dirs(builds, 0700, err);
	if (failed)
		return failed;
	AUTO(fd) int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (lock < 0)
		return error_errno(err, errno, "cannot open '%s'", lock_path);
	if (flock(lock, LOCK_EX) < 0)
		return errno == EINTR ? error_set(err, EINTR, "interrupted")
				      : error_errno(err, errno, "cannot lock '%s'", lock_path);
	built.directory = mem_format("%s/tree", place);
	built.log_path = mem_format("%s/log", place);
	built.was_cached = read_built(place, &built) == 0;
	if (!built.was_cached)
		failed = make(request, place, &built, err);
	if (failed)
		return failed;
	*ret_built = built;
	built = (struct built) { 0 };
	return 0;
}

char *builder_log(const struct built *built)
{
	AUTO(fd) int fd = open(built->log_path, O_RDONLY | O_CLOEXEC);
	const off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	if (end < 0)
		return mem_text("");
	const off_t from = end > (off_t)BUILDER_LOG_BYTES ? end - (off_t)BUILDER_LOG_BYTES : 0;
	char *bytes = mem_zero((size_t)(end - from) + 1);
	const ssize_t got = pread(fd, bytes, (size_t)(end - from), from);
	bytes[got > 0 ? got : 0] = '\0';
	text_make_printable(bytes, strlen(bytes));
	return bytes;
}
