/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Place host: the job runs on this machine, as a child. A lock keeps two assays of one user from
 * measuring at the same time; the subject's settings are journalled, applied, and undone.
 */
#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/text.h"
#include "place/command.h"
#include "place/journal.h"
#include "place/place.h"
#include "place/setting.h"
#include "record/stream.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define TICK_MS 200
#define GRACE_NS (10 * NS_PER_SEC) /* Over the time limit that the probe itself keeps. */
#define STOP_NS (5 * NS_PER_SEC)   /* From asking the probe to stop to killing it. */
#define SAID_BYTES 2048            /* Of the probe's standard error that go into a message. */

struct carrying {
	const struct place_options *options;
	const struct job *job;
	place_progress *progress;
	void *user;
	struct stream *stream;
	int stream_fd; /* Read end of the record stream. */
	pid_t probe;
	uint64_t started_ns;
	uint64_t kill_at_ns; /* 0 until the probe was asked to stop. */
	bool interrupted;
};

static int lock_host(const struct place_options *options, int *ret_fd, struct error *err)
{
	/* The directory is the journal's too, which others look for: see journal.h. */
	const int unmade = fs_make_dirs(options->state_directory, 0755, err);
	if (unmade)
		return unmade;
	AUTO(text) char *path = mem_format("%s/host.lock", options->state_directory);
	AUTO(fd) int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_errno(err, errno, "cannot open '%s'", path);
	while (flock(fd, LOCK_EX) < 0) {
		if (errno != EINTR)
			return error_errno(err, errno, "cannot lock '%s'", path);
		if (options->interrupted && *options->interrupted)
			return error_set(err, EINTR, "interrupted while another assay measures");
	}
	*ret_fd = KEEP_FD(fd);
	return 0;
}

static void ask_to_stop(struct carrying *at, bool interrupted)
{
	if (at->kill_at_ns)
		return;
	at->interrupted = interrupted;
	at->kill_at_ns = clock_monotonic_ns() + STOP_NS;
	(void)kill(at->probe, SIGTERM); /* It may just have ended. */
}

static void watch(struct carrying *at)
{
	const uint64_t now = clock_monotonic_ns();
	if (at->options->interrupted && *at->options->interrupted)
		ask_to_stop(at, /* interrupted= */ true);
	else if (now > at->started_ns + at->job->time_limit_ns + GRACE_NS)
		ask_to_stop(at, /* interrupted= */ false);
	if (at->kill_at_ns && now > at->kill_at_ns)
		(void)kill(at->probe, SIGKILL); /* It may just have ended. */
	if (at->progress)
		at->progress(stream_phase(at->stream), now - at->started_ns, at->user);
}

/* Reads the stream to its end. */
static int drain(struct carrying *at, struct error *err)
{
	static const size_t portion = 65536;
	AUTO(text) char *bytes = mem_zero(portion);
	uint64_t next_watch = at->started_ns;
	for (;;) {
		struct pollfd ready = { .fd = at->stream_fd, .events = POLLIN };
		const int n = poll(&ready, 1, TICK_MS);
		if (clock_monotonic_ns() >= next_watch) {
			watch(at);
			next_watch = clock_monotonic_ns() + TICK_MS * NS_PER_MS;
		}
		if (n <= 0)
			continue;
		const ssize_t got = read(at->stream_fd, bytes, portion);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			return error_errno(err, errno, "cannot read the record stream");
		if (got == 0)
			return 0;
		const int failed = stream_feed(at->stream, bytes, (size_t)got, err);
		if (failed)
			return failed;
	}
}

/* After the stream's end the probe only has to exit. */
static int bury(struct carrying *at)
{
	int status = 0;
	if (spawn_wait(at->probe, clock_monotonic_ns() + STOP_NS, &status) == 0) {
		(void)kill(at->probe, SIGKILL); /* Its number is ours until it is waited for. */
		(void)spawn_wait(at->probe, /* deadline_ns= */ 0, &status);
	}
	return status;
}

/* A probe that wrote no run says on standard error why. */
static int explain(int status, int said_fd, struct error *err)
{
	char how[64];
	char said[SAID_BYTES];
	spawn_status_show(status, how, sizeof(how));
	if (fs_pread_all(said_fd, said, sizeof(said)) < 0)
		said[0] = '\0';
	char *sentence = text_trim(said);
	if (text_starts_with(sentence, "assay-probe: "))
		sentence += strlen("assay-probe: ");
	const bool usage = WIFEXITED(status) && WEXITSTATUS(status) == 129;
	return error_set(err, usage ? EINVAL : EIO, "the probe gave no run (%s)%s%s", how,
			 *sentence ? ": " : "", sentence);
}

static void mark(struct run *run, const struct carrying *at, int status)
{
	char how[64];
	if (at->interrupted && run->outcome != RUN_COMPLETE) {
		run->outcome = RUN_INTERRUPTED;
		free(run->reason);
		run->reason = mem_text("stopped by the person");
	} else if (run->outcome == RUN_TORN) {
		spawn_status_show(status, how, sizeof(how));
		free(run->reason);
		run->reason = mem_format("the record stream ended early: probe %s", how);
	}
}

static int start_probe(struct carrying *at, char *const *joins, int said_fd, int *ret_stream_fd,
		       struct error *err)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot make a pipe");
	AUTO(fd) int write_end = ends[1];
	*ret_stream_fd = ends[0];
	struct command command = { 0 };
	int failed = command_make(&command, at->options, at->job, joins, err);
	if (!failed) {
		const struct spawn spawn = {
			.argv = (const char *const *)command.words,
			.environment = (const char *const *)command.environment,
			.fds = { { .from = write_end, .to = COMMAND_STREAM_FD },
				 { .from = said_fd, .to = STDOUT_FILENO },
				 { .from = said_fd, .to = STDERR_FILENO } },
			.n_fds = 3,
			.new_session = true,
			.parent_death_signal = SIGKILL,
		};
		failed = spawn_start(&spawn, &at->probe, err);
	}
	command_done(&command);
	return failed;
}

/* One probe from start to burial; the settings are applied already. */
static int run_probe(struct carrying *at, char *const *joins, struct run **ret_run,
		     struct error *err)
{
	AUTO(fd) int said_fd = memfd_create("assay-probe-said", MFD_CLOEXEC);
	if (said_fd < 0)
		return error_errno(err, errno, "cannot make a memory file");
	AUTO(fd) int stream_fd = -1;
	const int unstarted = start_probe(at, joins, said_fd, &stream_fd, err);
	if (unstarted)
		return unstarted;
	at->stream_fd = stream_fd;
	at->started_ns = clock_monotonic_ns();
	AUTO(stream) struct stream *stream = stream_new();
	at->stream = stream;
	const int undrained = drain(at, err);
	if (undrained)
		(void)kill(at->probe, SIGKILL); /* It may just have ended. */
	const int status = bury(at);
	if (undrained)
		return undrained;
	AUTO(run) struct run *run = stream_finish(stream);
	const bool unbegun = run->outcome == RUN_TORN && run->started_wall_ns == 0;
	if (unbegun && at->interrupted)
		return error_set(err, EINTR, "interrupted before the probe had begun");
	if (unbegun)
		return explain(status, said_fd, err);
	mark(run, at, status);
	*ret_run = KEEP(run);
	return 0;
}

static int with_settings(struct carrying *at, int root_fd, struct changes *changes,
			 char *const *joins, struct run **ret_run, struct error *err)
{
	const char *directory = at->options->state_directory;
	if (changes->n == 0)
		return run_probe(at, joins, ret_run, err);
	int failed = journal_write(directory, changes, err);
	if (!failed) {
		failed = changes_apply(changes, root_fd, err);
		if (!failed)
			failed = run_probe(at, joins, ret_run, err);
	}
	struct error undoing;
	const int unrestored = changes_undo(changes, root_fd, &undoing);
	if (!unrestored)
		(void)journal_remove(directory, /* err= */ NULL); /* Undoing twice does no harm. */
	if (!unrestored || failed)
		return failed;
	*err = undoing; /* The run stays in *ret_run: what was measured is not lost. */
	return error_at(err, "cannot restore the settings of subject '%s'", at->job->subject);
}

static int host_carry(const struct place_options *options, const struct job *job,
		      place_progress *progress, void *user, struct run **ret_run, struct error *err)
{
	assert(options->state_directory);
	AUTO(fd) int lock_fd = -1;
	AUTO(fd) int root_fd = fs_root_open("/", err);
	if (root_fd < 0)
		return root_fd;
	int failed = lock_host(options, &lock_fd, err);
	if (failed)
		return failed;
	struct carrying at = { .options = options, .job = job, .progress = progress, .user = user };
	struct changes changes = { 0 };
	char **joins = NULL;
	struct run *run = NULL;
	failed = settings_collect(job, root_fd, &changes, &joins, err);
	if (!failed)
		failed = with_settings(&at, root_fd, &changes, joins, &run, err);
	settings_joins_free(joins);
	changes_done(&changes);
	*ret_run = run;
	return failed;
}

/* Writable now? A setting that would fail at the first run is told before anything runs. */
static int check_writable(const struct changes *changes, int root_fd, const struct job *job,
			  struct error *err)
{
	for (size_t i = 0; i < changes->n; i++) {
		const struct change *change = &changes->items[i];
		if (change->kind != CHANGE_WRITE || change->temporary)
			continue;
		if (faccessat(root_fd, change->path, W_OK, AT_EACCESS) < 0)
			return error_set(err, EACCES,
					 "subject '%s' sets '/%s', and the kernel asks for root "
					 "there: run the same command under sudo",
					 job->subject, change->path);
	}
	return 0;
}

static int host_check(const struct place_options *options, const struct job *job, struct error *err)
{
	AUTO(fd) int root_fd = fs_root_open("/", err);
	if (root_fd < 0)
		return root_fd;
	struct changes changes = { 0 };
	struct command command = { 0 };
	char **joins = NULL;
	int failed = settings_collect(job, root_fd, &changes, &joins, err);
	if (failed)
		(void)error_at(err, "subject '%s'", job->subject);
	if (!failed)
		failed = check_writable(&changes, root_fd, job, err);
	if (!failed)
		failed = command_make(&command, options, job, joins, err);
	settings_joins_free(joins);
	changes_done(&changes);
	command_done(&command);
	return failed;
}

const struct place place_host = {
	.name = "host",
	.what = "this machine, on the kernel that is booted",
	.check = host_check,
	.carry = host_carry,
};
