/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children of the bench. See fidelity_run.h. */
#include "fidelity_run.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/spawn.h"
#include "record/stream.h"

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT_BYTES 65536

struct child {
	pid_t pid;
	int fd; /* Its output. */
	uint64_t start_ns;
};

/* In a session of its own (and with it an autogroup of the scheduler); its output is descriptor `to`, and,
 * of an original, what it says of errors as well: schbench prints its numbers there. False with a message
 * when it cannot be started. */
static bool start(const char *const *argv, int to, struct child *ret_child)
{
	struct error err = { 0 };
	int ends[2];
	if (pipe(ends) < 0)
		return false;
	struct spawn spawn = { .argv = argv,
			       .fds = { { .from = ends[1], .to = to },
					{ .from = ends[1], .to = STDERR_FILENO } },
			       .n_fds = to == STDOUT_FILENO ? 2 : 1,
			       .new_session = true };
	ret_child->start_ns = clock_monotonic_ns();
	const int failed = spawn_start(&spawn, &ret_child->pid, &err);
	(void)close(ends[1]);
	ret_child->fd = ends[0];
	if (!failed)
		return true;
	(void)fprintf(stderr, "fidelity: %s\n", err.text);
	(void)close(ends[0]);
	return false;
}

/* The number that ends in front of `marker`, of which only blanks are between. */
static double number_before(const char *output, const char *marker)
{
	const char *end = marker;
	while (end > output && isspace((unsigned char)end[-1]))
		end--;
	const char *begin = end;
	while (begin > output && (isdigit((unsigned char)begin[-1]) || begin[-1] == '.'))
		begin--;
	return begin < end ? strtod(begin, /* end= */ NULL) : (double)NAN;
}

/* The number at the marker's n-th place; NAN while it, or the end of its line, has not come. */
static double find_number(const struct peer *peer, const char *output)
{
	const char *found = output;
	for (unsigned i = 0; found && i < peer->lines; i++) {
		found = strstr(i ? found + strlen(peer->marker) : found, peer->marker);
	}
	if (!found || !strchr(found, '\n'))
		return (double)NAN;
	if (peer->reading == PEER_BEFORE)
		return number_before(output, found) / peer->per;
	return strtod(found + strlen(peer->marker), /* end= */ NULL) / peer->per;
}

/* Reads until the number has come, or to the end. */
static double read_number(const struct peer *peer, int fd)
{
	static char output[OUTPUT_BYTES];
	size_t filled = 0;
	ssize_t got;
	output[0] = '\0';
	while (filled < sizeof(output) - 1 &&
	       (got = read(fd, output + filled, sizeof(output) - 1 - filled)) > 0) {
		filled += (size_t)got;
		output[filled] = '\0';
		const double number =
			peer->reading == PEER_ELAPSED ? (double)NAN : find_number(peer, output);
		if (isfinite(number))
			return number;
	}
	return (double)NAN;
}

/* The original is killed with all its tasks when its number has come: it may have no end that we want to
 * wait for. */
static double original_end(const struct fidelity_case *at, const struct child *child)
{
	double number = read_number(&at->peer, child->fd);
	int status = -1;
	if (at->peer.reading == PEER_ELAPSED) { /* The output's end is the program's. */
		(void)spawn_wait(child->pid, /* deadline_ns= */ 0, &status);
		if (status == 0)
			number = clock_seconds(clock_monotonic_ns() - child->start_ns) /
				 at->peer.per;
	} else {
		(void)kill(-child->pid, SIGKILL);
		(void)spawn_wait(child->pid, /* deadline_ns= */ 0, &status);
	}
	(void)close(child->fd);
	return number;
}

static double our_end(const struct fidelity_case *at, const struct child *child)
{
	struct error err = { 0 };
	AUTO(stream) struct stream *stream = stream_new();
	static char bytes[65536];
	ssize_t got;
	while ((got = read(child->fd, bytes, sizeof(bytes))) > 0)
		if (stream_feed(stream, bytes, (size_t)got, &err))
			(void)fprintf(stderr, "fidelity: %s\n", err.text);
	int status = 0;
	(void)spawn_wait(child->pid, /* deadline_ns= */ 0, &status);
	(void)close(child->fd);
	AUTO(run) struct run *run = stream_finish(stream);
	const struct measured *measured = run_metric_find(run, at->peer.metric);
	if (run->outcome != RUN_COMPLETE)
		(void)fprintf(stderr, "fidelity: %s: %s\n", at->name, run->reason);
	return measured && value_is_known(measured->value) ? measured->value.number : (double)NAN;
}

double fidelity_run_original(const struct fidelity_case *at)
{
	struct child child;
	return start(at->original, STDOUT_FILENO, &child) ? original_end(at, &child) : (double)NAN;
}

double fidelity_run_ours(const struct fidelity_case *at)
{
	struct child child;
	return start(at->ours, /* to= */ 3, &child) ? our_end(at, &child) : (double)NAN;
}

void fidelity_run_both(struct fidelity_case *at, bool swapped, double *ret_original,
		       double *ret_ours)
{
	struct child original;
	struct child ours;
	at->original[FIDELITY_CPU_WORD] = swapped ? "1" : "0";
	at->ours[FIDELITY_CPU_WORD] = swapped ? "0" : "1";
	*ret_original = (double)NAN;
	*ret_ours = (double)NAN;
	if (!start(at->original, STDOUT_FILENO, &original))
		return;
	if (start(at->ours, /* to= */ 3, &ours))
		*ret_ours = our_end(at, &ours);
	*ret_original = original_end(at, &original);
}
