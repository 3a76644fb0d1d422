/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fidelity: does a built-in workload give the number that the original program gives?
 *
 * For each case the original and ours are run in random blocks of 2 + 2 (recorded seed), with the
 * same parameters, until the 95 % interval of the ratio ours/original is narrower than +-3 % or the
 * pairs are used up. The first series is the one that is printed. The interval is Student's over the
 * blocks: a block gives one number, the difference of its two sides' mean logarithms, so that a
 * machine whose speed wanders from minute to minute does not widen it.
 *
 * A will-it-scale program warms up for six seconds whatever one asks. Its warm-up seconds differ
 * from the measured ones in nothing but the word that is printed, so it is ended when it has printed
 * its second one, and ours measures the same second: one of warm-up, one in the window.
 *
 *     fidelity PROBE [--only NAME,...] [--pairs N] [--seed N]
 *
 * The will-it-scale cases have one task: the two programs of a pair run at the same time, one on CPU
 * 0 and one on CPU 1, and change places in the next pair of the block, so that whatever else the
 * machine does meets both. Both run with the addresses fixed (setarch -R), as will-it-scale's own
 * runner does: where the heap and the mappings lie decides more than 50 % of brk1 in threads.
 * hackbench wants all CPUs and runs alone.
 *
 * hackbench is looked for in PATH. The will-it-scale tests are measured when ASSAY_WILL_IT_SCALE
 * names the directory of its built programs (<test>_processes, <test>_threads); else "not measured".
 */
#include "base/auto.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/spawn.h"
#include "base/text.h"
#include "record/stream.h"
#include "stats/summary.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define PAIRS_MAX 200
#define PAIRS_MIN 8
#define WIDTH_WANTED 0.03
#define WORDS_MAX 24
#define CPU_WORD 2 /* Of "taskset -c CPU". */
#define OUTPUT_BYTES 8192

struct bench {
	const char *probe;
	const char *original_directory; /* Of will-it-scale, or NULL. */
	uint64_t pairs_max;
	struct random random;
};

/* One case: two commands and how their outputs are read. */
struct fidelity_case {
	char *name;
	const char *original[WORDS_MAX];
	const char *ours[WORDS_MAX];
	const char *marker; /* In the original's output, in front of its number. */
	unsigned lines;     /* The number is taken behind this marker, and the program is ended. */
	const char *metric; /* Ours. */
	bool one_task;      /* Both commands begin with taskset; CPU_WORD is the CPU. */
	double per;         /* The original's number is divided by this to mean what ours means. */
};

/* Reads until the marker has come `lines` times and a whole line behind it, or to the end. The
 * number behind that marker; NAN when it is not there. */
static double read_number(const struct fidelity_case *at, int fd)
{
	char output[OUTPUT_BYTES];
	size_t filled = 0;
	ssize_t got;
	while (filled < sizeof(output) - 1 &&
	       (got = read(fd, output + filled, sizeof(output) - 1 - filled)) > 0) {
		filled += (size_t)got;
		output[filled] = '\0';
		const char *found = output;
		for (unsigned i = 0; found && i < at->lines; i++) {
			found = strstr(found, at->marker);
			found = found ? found + strlen(at->marker) : NULL;
		}
		if (found && strchr(found, '\n'))
			return strtod(found, /* end= */ NULL) / at->per;
	}
	return NAN;
}

struct child {
	pid_t pid;
	int fd; /* Its output. */
};

/* In a session of its own (and with it an autogroup of the scheduler); its output is descriptor `to`.
 * False with a message when it cannot be started. */
static bool start(const char *const *argv, int to, struct child *ret_child)
{
	struct error err = { 0 };
	int ends[2];
	if (pipe(ends) < 0)
		return false;
	const struct spawn spawn = { .argv = argv,
				     .fds = { { .from = ends[1], .to = to } },
				     .n_fds = 1,
				     .new_session = true };
	const int failed = spawn_start(&spawn, &ret_child->pid, &err);
	(void)close(ends[1]);
	ret_child->fd = ends[0];
	if (!failed)
		return true;
	(void)fprintf(stderr, "fidelity: %s\n", err.text);
	(void)close(ends[0]);
	return false;
}

/* The original is killed with all its tasks when its number has come: it has no end that we want to
 * wait for. */
static double original_end(const struct fidelity_case *at, const struct child *child)
{
	const double number = read_number(at, child->fd);
	int status = 0;
	(void)kill(-child->pid, SIGKILL);
	(void)spawn_wait(child->pid, /* deadline_ns= */ 0, &status);
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
	const struct measured *measured = run_metric_find(run, at->metric);
	if (run->outcome != RUN_COMPLETE)
		(void)fprintf(stderr, "fidelity: %s: %s\n", at->name, run->reason);
	return measured && value_is_known(measured->value) ? measured->value.number : (double)NAN;
}

/* One after the other. NAN when a number could not be had. */
static double measure_one(const struct fidelity_case *at, bool takes_ours)
{
	struct child child;
	if (!start(takes_ours ? at->ours : at->original, takes_ours ? 3 : STDOUT_FILENO, &child))
		return NAN;
	return takes_ours ? our_end(at, &child) : original_end(at, &child);
}

/* At the same time, the original on CPU 0 or 1 and ours on the other one. */
static void measure_pair(struct fidelity_case *at, bool swapped, double *ret_original,
			 double *ret_ours)
{
	struct child original;
	struct child ours;
	at->original[CPU_WORD] = swapped ? "1" : "0";
	at->ours[CPU_WORD] = swapped ? "0" : "1";
	*ret_original = NAN;
	*ret_ours = NAN;
	if (!start(at->original, STDOUT_FILENO, &original))
		return;
	const bool started = start(at->ours, /* to= */ 3, &ours);
	if (started)
		*ret_ours = our_end(at, &ours);
	*ret_original = original_end(at, &original);
}

/* The logarithms of one case's numbers, and one difference a block. */
struct numbers {
	double original[PAIRS_MAX];
	double ours[PAIRS_MAX];
	double difference[PAIRS_MAX / 2];
	size_t n; /* Numbers a side, even; half of them blocks. */
};

/* Two pairs side by side, with the places changed between them. */
static void run_side_by_side(struct bench *bench, struct fidelity_case *at, double *original,
			     double *ours)
{
	const bool swapped = random_below(&bench->random, 2) == 1;
	measure_pair(at, swapped, &original[0], &ours[0]);
	measure_pair(at, !swapped, &original[1], &ours[1]);
}

/* Two and two in random order. */
static void run_in_turn(struct bench *bench, const struct fidelity_case *at, double *original,
			double *ours)
{
	size_t left[2] = { 2, 2 };
	while (left[0] + left[1] > 0) {
		const bool takes_ours = random_below(&bench->random, left[0] + left[1]) >= left[0];
		(takes_ours ? ours : original)[--left[takes_ours]] = measure_one(at, takes_ours);
	}
}

/* Runs one block of 2 + 2; false when a number could not be had. */
static bool run_block(struct bench *bench, struct fidelity_case *at, struct numbers *numbers)
{
	double *const original = numbers->original + numbers->n;
	double *const ours = numbers->ours + numbers->n;
	if (at->one_task)
		run_side_by_side(bench, at, original, ours);
	else
		run_in_turn(bench, at, original, ours);
	for (size_t i = 0; i < 2; i++) {
		if (!(original[i] > 0 && ours[i] > 0))
			return false;
		original[i] = log(original[i]);
		ours[i] = log(ours[i]);
	}
	numbers->difference[numbers->n / 2] = (ours[0] + ours[1] - original[0] - original[1]) / 2;
	numbers->n += 2;
	return true;
}

/* Half the width of the 95 % interval of the mean difference. */
static double half_width(const struct numbers *numbers)
{
	const size_t n = numbers->n / 2;
	const struct summary summary = summary_make(numbers->difference, n);
	return qt(0.975, (double)(n - 1), /* lower_tail= */ 1, /* log_p= */ 0) * summary.deviation /
	       sqrt((double)n);
}

static void measure(struct bench *bench, struct fidelity_case *at)
{
	struct numbers numbers = { 0 };
	double half = INFINITY;
	while (numbers.n < bench->pairs_max && (numbers.n < PAIRS_MIN || half >= WIDTH_WANTED)) {
		if (!run_block(bench, at, &numbers)) {
			(void)printf("%-34s not measured: a run gave no number\n", at->name);
			return;
		}
		half = numbers.n >= 4 ? half_width(&numbers) : (double)INFINITY;
	}
	const double middle = summary_make(numbers.difference, numbers.n / 2).mean;
	const double low = exp(middle - half);
	const double high = exp(middle + half);
	const char *word = low >= 0.95 && high <= 1.05 ? "inside 0.95-1.05"
			   : half >= WIDTH_WANTED      ? "not decided"
						       : "OUTSIDE 0.95-1.05";
	const struct summary base = summary_make(numbers.original, numbers.n);
	const struct summary head = summary_make(numbers.ours, numbers.n);
	(void)printf(
		"%-34s %5zu pairs  ratio %.3f  95 %% interval %.3f-%.3f  sd %4.1f %% / %4.1f %%  %s\n",
		at->name, numbers.n, exp(middle), low, high, 100 * base.deviation,
		100 * head.deviation, word);
	(void)fflush(stdout); /* A long series is watched while it grows. */
}

static void hackbench_case(struct bench *bench, bool threads, bool pipes)
{
	const char *mode = threads ? "mode=thread" : "mode=process";
	const char *ipc = pipes ? "ipc=pipe" : "ipc=socket";
	struct fidelity_case at = {
		.name = mem_format("hackbench %s %s", mode + 5, ipc + 4),
		.original = { "hackbench", threads ? "-T" : "-P", "-g", "4", "-l", "500",
			      pipes ? "-p" : NULL },
		.ours = { bench->probe, "--workload", "hackbench", "--set", "groups=4", "--set",
			  "loops=500", "--set", mode, "--set", ipc, "--fd", "3",
			  "--no-environment" },
		.marker = "Time:",
		.lines = 1,
		.metric = "hackbench.time_sec",
		.per = 1,
	};
	measure(bench, &at);
	free(at.name);
}

static void will_it_scale_case(struct bench *bench, const char *test, bool threads)
{
	AUTO(text)
	char *name = mem_format("will-it-scale %s %s", test, threads ? "thread" : "process");
	if (!bench->original_directory) {
		(void)printf("%-34s not measured: ASSAY_WILL_IT_SCALE is not set\n", name);
		return;
	}
	AUTO(text)
	char *program = mem_format("%s/%s_%s", bench->original_directory, test,
				   threads ? "threads" : "processes");
	const char *mode = threads ? "mode=thread" : "mode=process";
	struct fidelity_case at = {
		.name = name,
		.original = { "taskset", "-c", "0", "setarch", "-R", "stdbuf", "-oL", program, "-t",
			      "1", "-n" },
		.ours = { "taskset",    "-c",         "1",
			  "setarch",    "-R",         bench->probe,
			  "--workload", test,         "--set",
			  "nr_task=1",  "--set",      "warmup=1",
			  "--set",      "duration=1", "--set",
			  mode,         "--set",      "pin=none",
			  "--fd",       "3",          "--no-environment" },
		.marker = "total:",
		.lines = 2,
		.metric =
			threads ? "will-it-scale.per_thread_ops" : "will-it-scale.per_process_ops",
		.one_task = true,
		.per = 1,
	};
	measure(bench, &at);
}

static const char *option_of(int argc, char **argv, const char *name)
{
	for (int i = 2; i + 1 < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return argv[i + 1];
	return NULL;
}

/* True for a test that the list "brk1,futex1" names; NULL names all. */
static bool is_among(const char *test, const char *list)
{
	if (!list)
		return true;
	AUTO(text) char *padded = mem_format(",%s,", list);
	AUTO(text) char *wanted = mem_format(",%s,", test);
	return strstr(padded, wanted) != NULL;
}

int main(int argc, char **argv)
{
	static const char *const tests[] = { "brk1",        "context_switch1", "futex1",
					     "getppid1",    "malloc1",         "mmap1",
					     "page_fault1", "page_fault2",     "page_fault3",
					     "pipe1",       "read1",           "sched_yield",
					     "signal1" };
	if (argc < 2) {
		(void)fputs("usage: fidelity PROBE [--only NAME,...] [--pairs N] [--seed N]\n",
			    stderr);
		return 129;
	}
	const char *only = option_of(argc, argv, "--only");
	const char *pairs = option_of(argc, argv, "--pairs");
	const char *seed = option_of(argc, argv, "--seed");
	uint64_t seed_number = random_seed_from_system();
	struct bench bench = { .probe = argv[1],
			       .original_directory = getenv("ASSAY_WILL_IT_SCALE"),
			       .pairs_max = PAIRS_MAX };
	if ((pairs && !text_parse_u64(pairs, &bench.pairs_max)) ||
	    (seed && !text_parse_u64(seed, &seed_number)) || bench.pairs_max > PAIRS_MAX)
		return 129;
	random_seed(&bench.random, seed_number);
	(void)printf("fidelity: ratio ours / original, random blocks of 2 + 2, seed %" PRIu64 "\n",
		     seed_number);
	for (unsigned i = 0; i < 4; i++)
		if (is_among("hackbench", only))
			hackbench_case(&bench, i & 1, i & 2);
	for (size_t i = 0; i < 2 * ARRAY_SIZE(tests); i++)
		if (is_among(tests[i / 2], only))
			will_it_scale_case(&bench, tests[i / 2], i & 1);
	return 0;
}
