/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program once and takes its time: whatever it presses is what is measured. Its output goes
 * where the worker's goes, into the run's log, from which the controller reads the scores that the
 * parameter `score` or an adapter asks for; the probe itself does nothing with it.
 *
 * The number lies with everything that belongs to the program but not to the question: loading it
 * from a cold disk, its own warm-up, output that it waits for. A program that ends with an exit
 * code other than 0, or by a signal, makes the run failed; its time is then no score.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "workload/workload.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* The words point into one block behind the array. */
struct words {
	const char **argv; /* NULL-terminated. */
	char *bytes;
};

static unsigned count(const struct work *work)
{
	return 1;
}

static void words_free(struct words *words)
{
	if (!words)
		return;
	free(words->argv);
	free(words->bytes);
	free(words);
}

/* Takes one word from *at, without its quotes, to `to` (which never runs ahead of *at), and
 * terminates it. False when a quote is left open. */
static bool take_word(const char **at, char **to)
{
	char quote = '\0';
	for (; **at && (quote || **at != ' '); (*at)++) {
		if (**at == quote)
			quote = '\0';
		else if (!quote && (**at == '\'' || **at == '"'))
			quote = **at;
		else
			*(*to)++ = **at;
	}
	if (**at)
		(*at)++;
	*(*to)++ = '\0';
	return !quote;
}

/* Splits on blanks; '...' and "..." keep blanks and each other's quotes; nothing else is special. */
static int split(const char *program, struct words *words, struct error *err)
{
	const size_t length = strlen(program);
	words->argv = mem_array(length / 2 + 2, sizeof(*words->argv));
	words->bytes = mem_zero(length + 2);
	size_t n_words = 0;
	const char *at = program;
	char *to = words->bytes;
	for (;;) {
		at += strspn(at, " ");
		if (!*at)
			break;
		assert(n_words < length / 2 + 1);
		words->argv[n_words++] = to;
		if (!take_word(&at, &to))
			return error_set(err, EINVAL, "parameter 'program' leaves a quote open: %s",
					 program);
	}
	if (n_words == 0)
		return error_set(err, EINVAL,
				 "parameter 'program' is empty; write a program and its arguments");
	return 0;
}

static int prepare(struct work *work, struct error *err)
{
	struct words *words = mem_zero(sizeof(*words));
	const int failed = split(work_word(work, "program"), words, err);
	if (failed) {
		words_free(words);
		return failed;
	}
	work_share(work, words);
	return 0;
}

static int64_t batch(struct worker_self *self)
{
	const struct words *words = work_shared(self->work);
	const struct spawn spawn = { .argv = words->argv, .parent_death_signal = SIGKILL };
	pid_t process;
	int status;
	const int failed = spawn_start(&spawn, &process, &self->err);
	if (failed)
		return failed;
	const int ended = spawn_wait(process, /* deadline_ns= */ 0, &status);
	if (ended < 0)
		return error_errno(&self->err, -ended, "cannot wait for '%s'", words->argv[0]);
	if (status != 0) {
		char how[64];
		spawn_status_show(status, how, sizeof(how));
		return error_set(&self->err, ECHILD, "%s", how);
	}
	return 1;
}

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	ret_values[0] = value_known(clock_seconds(tally->elapsed_ns));
}

static void retire(struct work *work)
{
	words_free(work_shared(work));
	work_share(work, /* shared= */ NULL);
}

static const struct parameter parameters[] = {
	{
		.name = "program",
		.what = "program and arguments, split on blanks; '...' and \"...\" keep blanks",
		.type = PARAMETER_TEXT,
	},
	{
		.name = "score",
		.what = "time, regex:RE, json:POINTER or csv:COLUMN; ';;' between several",
		.type = PARAMETER_TEXT,
		.preset = "time",
	},
	{ 0 },
};

static const struct metric metrics[] = {
	{
		.name = "command.time_sec",
		.unit = "s",
		.kind = METRIC_SCORE,
		.better = BETTER_LOWER,
		.role = ROLE_SCORE,
		.what = "time from start to end of the program",
	},
	{ 0 },
};

const struct workload workload_command = {
	.about = {
		.name = "command",
		.what = "an external program, run once",
		.stands = "whatever the program presses",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_FIXED,
	.count = count,
	.prepare = prepare,
	.batch = batch,
	.score = score,
	.retire = retire,
};
