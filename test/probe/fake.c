/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Misbehaving workloads and a counting monitor for the tests of the probe. */
#include "fake.h"

#include "base/mem.h"
#include "base/text.h"
#include "probe/supervisor.h"
#include "record/stream.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#define SETTINGS_MAX 16

/* ---- workloads ---- */

static bool misbehaves(const struct worker_self *self, const char *how)
{
	const unsigned culprit = work_workers(self->work) > 1 ? 1 : 0;
	return self->index == culprit && text_equal(work_word(self->work, "how"), how);
}

static int prepare(struct work *work, struct error *err)
{
	if (text_equal(work_word(work, "how"), "unsupported"))
		return error_set(err, EOPNOTSUPP, "planted: this machine has no such thing");
	return 0;
}

static int enter(struct worker_self *self, struct error *err)
{
	if (misbehaves(self, "refuse"))
		return error_set(err, EACCES, "planted: may not enter");
	return 0;
}

static int64_t batch(struct worker_self *self, int64_t operations)
{
	if (misbehaves(self, "hang"))
		(void)poll(NULL, 0, -1);
	if (misbehaves(self, "die"))
		(void)raise(SIGKILL);
	if (misbehaves(self, "exit"))
		_exit(3);
	if (misbehaves(self, "kill-all"))
		(void)kill(getppid(), SIGKILL);
	if (misbehaves(self, "fail"))
		return error_set(&self->err, EIO, "planted: batch failed");
	if (misbehaves(self, "slow"))
		(void)poll(NULL, 0, 400);
	if (misbehaves(self, "idle"))
		return 0;
	return operations;
}

static int64_t loop_batch(struct worker_self *self)
{
	(void)poll(NULL, 0, 1);
	return batch(self, 100);
}

static int64_t fixed_batch(struct worker_self *self)
{
	return batch(self, 7);
}

static int fixed_prepare(struct work *work, struct error *err)
{
	const int failed = prepare(work, err);
	if (!failed)
		work_share(work, mem_zero(1));
	return failed;
}

static void fixed_retire(struct work *work)
{
	free(work_shared(work));
	work_share(work, NULL);
}

static void fixed_score(const struct work *work, const struct tally *tally,
			struct value *ret_values)
{
	ret_values[0] = value_known((double)tally->elapsed_ns / 1e9);
	ret_values[1] = value_known(work_shared(work) ? 100 : 0);
}

#define HOW_WORDS "plain hang die exit fail refuse unsupported slow kill-all idle"

/* clang-format off */
static const struct parameter loop_parameters[] = {
	WORKLOAD_LOOP_PARAMETERS,
	{ .name = "how", .what = "how it misbehaves", .type = PARAMETER_WORD, .preset = "plain",
	  .words = HOW_WORDS },
	{ 0 },
};

static const struct metric loop_metrics[] = {
	WORKLOAD_RATE_METRICS,
	{ 0 },
};
/* clang-format on */

const struct workload fake_loop = {
	.about = { .name = "fake-loop",
		   .suite = "will-it-scale",
		   .what = "a loop",
		   .parameters = loop_parameters,
		   .metrics = loop_metrics,
		   .semantics = 1 },
	.shape = WORK_LOOP,
	.stack_bytes = 1,
	.prepare = prepare,
	.enter = enter,
	.batch = loop_batch,
};

static const struct parameter fixed_parameters[] = {
	{ .name = "mode",
	  .what = "processes or threads",
	  .type = PARAMETER_WORD,
	  .preset = "process",
	  .words = "process thread" },
	{ .name = "nr_task",
	  .what = "workers",
	  .type = PARAMETER_NUMBER,
	  .preset = "3",
	  .min = 1,
	  .max = 100 },
	{ .name = "how",
	  .what = "how it misbehaves",
	  .type = PARAMETER_WORD,
	  .preset = "plain",
	  .words = HOW_WORDS },
	{ 0 },
};

static const struct metric fixed_metrics[] = {
	{ .name = "fake-fixed.time_sec",
	  .unit = "s",
	  .kind = METRIC_SCORE,
	  .better = BETTER_LOWER,
	  .role = ROLE_SCORE,
	  .what = "time of the whole" },
	{ .name = "fake-fixed.prepared",
	  .unit = "%",
	  .kind = METRIC_SCORE,
	  .better = BETTER_HIGHER,
	  .role = ROLE_EVIDENCE,
	  .what = "100 when the score found what prepare had stored" },
	{ 0 },
};

const struct workload fake_fixed = {
	.about = { .name = "fake-fixed",
		   .what = "a fixed amount",
		   .parameters = fixed_parameters,
		   .metrics = fixed_metrics,
		   .semantics = 1 },
	.shape = WORK_FIXED,
	.prepare = fixed_prepare,
	.enter = enter,
	.batch = fixed_batch,
	.score = fixed_score,
	.retire = fixed_retire,
};

/* ---- monitors ---- */

static enum monitor_opened open_counter(struct monitor_setup *setup, void **ret_state,
					struct error *reason)
{
	(void)reason;
	(void)monitor_plain(setup, "grown", "1", METRIC_COUNTER, 64);
	(void)monitor_plain(setup, "never", "1", METRIC_GAUGE, 0);
	*ret_state = mem_zero(sizeof(uint64_t));
	return MONITOR_OPEN;
}

static void sample_counter(void *state, struct reading *readings)
{
	uint64_t *count = state;
	*count += 10;
	readings[0] = reading_count(*count);
}

const struct monitor fake_monitor = {
	.about = { .name = "fake", .what = "a counter" },
	.open = open_counter,
	.sample = sample_counter,
	.close = free,
};

const struct monitor fake_edges_monitor = {
	.about = { .name = "fake-edges", .what = "a counter read twice" },
	.open = open_counter,
	.sample = sample_counter,
	.close = free,
	.edges_only = true,
};

static enum monitor_opened open_absent(struct monitor_setup *setup, void **ret_state,
				       struct error *reason)
{
	(void)setup;
	(void)ret_state;
	(void)error_set(reason, ENOENT, "planted absence");
	return MONITOR_UNAVAILABLE;
}

const struct monitor fake_absent_monitor = {
	.about = { .name = "fake-absent", .what = "nothing" },
	.open = open_absent,
	.sample = sample_counter,
	.close = free,
};

/* ---- runs ---- */

struct work *fake_work(const struct workload *row, const char *const *settings)
{
	struct work_argument arguments[SETTINGS_MAX] = { { 0 } };
	char *names[SETTINGS_MAX];
	size_t n = 0;
	for (; settings[n]; n++) {
		const char *sign = strchr(settings[n], '=');
		names[n] = mem_text_n(settings[n], (size_t)(sign - settings[n]));
		arguments[n] = (struct work_argument) { .name = names[n], .value = sign + 1 };
	}
	struct work *work = NULL;
	struct error err = { 0 };
	if (work_new(row, arguments, n, &work, &err) != 0) {
		(void)fprintf(stderr, "wrong settings in a test: %s\n", err.text);
		abort();
	}
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	return work;
}

struct plan fake_plan(struct work *const *work)
{
	return (struct plan) {
		.works = work,
		.n_works = 1,
		.time_limit_ns = 20000000000ULL,
		.wire_fd = -1,
		.root_fd = -1,
		.isolation = ISOLATION_SUBREAPER,
	};
}

static void feed(struct stream *stream, int fd, pid_t child, int signal_number)
{
	char bytes[4096];
	ssize_t got;
	struct error err = { 0 };
	while ((got = read(fd, bytes, sizeof(bytes))) > 0 || (got < 0 && errno == EINTR)) {
		if (got < 0)
			continue;
		(void)stream_feed(stream, bytes, (size_t)got, &err);
		if (signal_number && stream_phase(stream) == PHASE_MEASURE) {
			(void)kill(child, signal_number);
			signal_number = 0;
		}
	}
}

struct run *fake_run(const struct plan *plan, int signal_number)
{
	int ends[2];
	if (pipe(ends) < 0)
		abort();
	const pid_t child = fork();
	if (child == 0) {
		struct plan mine = *plan;
		struct error err = { 0 };
		(void)close(ends[0]);
		mine.wire_fd = ends[1];
		_exit(supervisor_run(&mine, &err) == 0 ? 0 : 1);
	}
	(void)close(ends[1]);
	struct stream *stream = stream_new();
	feed(stream, ends[0], child, signal_number);
	(void)close(ends[0]);
	int status = -1;
	(void)waitpid(child, &status, 0);
	struct run *run = stream_finish(stream);
	stream_free(stream);
	if (status != 0 && signal_number != SIGKILL) {
		(void)fprintf(stderr, "the supervisor ended with status %#x\n", (unsigned)status);
		run_free(run);
		return NULL;
	}
	return run;
}

struct run *fake_read(int fd)
{
	struct stream *stream = stream_new();
	if (lseek(fd, 0, SEEK_SET) != 0)
		abort();
	feed(stream, fd, /* child= */ 0, /* signal_number= */ 0);
	struct run *run = stream_finish(stream);
	stream_free(stream);
	return run;
}
