/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fidelity: does a built-in workload give the number that the original program gives?
 *
 * For each case the original and ours are run in random blocks of 2 + 2 (recorded seed), with the
 * same parameters, until the 95 % interval of the ratio ours/original (Welch on logarithms) is
 * narrower than +-3 % or the pairs are used up. The first series is the one that is printed.
 *
 *     fidelity PROBE [--only NAME,...] [--pairs N] [--seed N] [--cpu N]
 *
 * --cpu: the single-task cases run on that CPU, both programs without a binding of their own, so that
 * two series can be measured side by side.
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
#include "stats/welch.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAIRS_MAX 200
#define PAIRS_MIN 8
#define WIDTH_WANTED 0.03
#define WORDS_MAX 24
#define OUTPUT_BYTES (1U << 20)

struct bench {
	const char *probe;
	const char *original_directory; /* Of will-it-scale, or NULL. */
	const char *cpu;                /* Or NULL: both programs bind their task themselves. */
	uint64_t pairs_max;
	struct random random;
};

/* One case: two commands and how their outputs are read. */
struct fidelity_case {
	char *name;
	const char *original[WORDS_MAX];
	const char *ours[WORDS_MAX];
	const char *marker; /* In the original's output, in front of its number. */
	const char *metric; /* Ours. */
	double per;         /* The original's number is divided by this to mean what ours means. */
};

static int run_output(const char *const *argv, char **ret_output, size_t limit)
{
	struct error err = { 0 };
	int status = 0;
	const struct spawn spawn = { .argv = argv };
	if (spawn_output(&spawn, limit, ret_output, &status, &err)) {
		(void)fprintf(stderr, "fidelity: %s\n", err.text);
		return -1;
	}
	return status;
}

/* The number behind the last marker of the output; NAN when it is not there. */
static double original_number(const struct fidelity_case *at)
{
	AUTO(text) char *output = NULL;
	double number = NAN;
	if (run_output(at->original, &output, OUTPUT_BYTES) < 0 || !output)
		return NAN;
	for (const char *found = strstr(output, at->marker); found;
	     found = strstr(found + 1, at->marker))
		number = strtod(found + strlen(at->marker), /* end= */ NULL) / at->per;
	return number;
}

/* Ours: the record stream goes through a file descriptor of its own. */
static double our_number(const struct fidelity_case *at)
{
	struct error err = { 0 };
	int ends[2];
	pid_t pid;
	if (pipe(ends) < 0)
		return NAN;
	AUTO(fd) int read_end = ends[0];
	const struct spawn spawn = { .argv = at->ours,
				     .fds = { { .from = ends[1], .to = 3 } },
				     .n_fds = 1 };
	const int failed = spawn_start(&spawn, &pid, &err);
	(void)close(ends[1]);
	if (failed) {
		(void)fprintf(stderr, "fidelity: %s\n", err.text);
		return NAN;
	}
	AUTO(stream) struct stream *stream = stream_new();
	static char bytes[65536];
	ssize_t got;
	while ((got = read(read_end, bytes, sizeof(bytes))) > 0)
		if (stream_feed(stream, bytes, (size_t)got, &err))
			(void)fprintf(stderr, "fidelity: %s\n", err.text);
	int status = 0;
	(void)spawn_wait(pid, /* deadline_ns= */ 0, &status);
	AUTO(run) struct run *run = stream_finish(stream);
	const struct measured *measured = run_metric_find(run, at->metric);
	if (run->outcome != RUN_COMPLETE)
		(void)fprintf(stderr, "fidelity: %s: %s\n", at->name, run->reason);
	return measured && value_is_known(measured->value) ? measured->value.number : (double)NAN;
}

/* Runs one block of 2 + 2 in random order; false when a number could not be had. */
static bool run_block(struct bench *bench, const struct fidelity_case *at, double *original,
		      double *ours, size_t *n_original, size_t *n_ours)
{
	size_t left[2] = { 2, 2 };
	while (left[0] + left[1] > 0) {
		const bool takes_ours = random_below(&bench->random, left[0] + left[1]) >= left[0];
		const double number = takes_ours ? our_number(at) : original_number(at);
		if (!(number > 0))
			return false;
		if (takes_ours)
			ours[(*n_ours)++] = log(number);
		else
			original[(*n_original)++] = log(number);
		left[takes_ours]--;
	}
	return true;
}

static void measure(struct bench *bench, const struct fidelity_case *at)
{
	double original[PAIRS_MAX + 2];
	double ours[PAIRS_MAX + 2];
	size_t n_original = 0;
	size_t n_ours = 0;
	struct welch welch = { 0 };
	while (n_ours < bench->pairs_max) {
		if (!run_block(bench, at, original, ours, &n_original, &n_ours)) {
			(void)printf("%-34s not measured: a run gave no number\n", at->name);
			return;
		}
		const struct summary base = summary_make(original, n_original);
		const struct summary head = summary_make(ours, n_ours);
		welch = welch_compare(&base, &head, /* confidence= */ 0.95);
		const double half = (welch.high - welch.low) / 2;
		if (n_ours >= PAIRS_MIN && welch.known && half < WIDTH_WANTED)
			break;
	}
	const double low = exp(welch.low);
	const double high = exp(welch.high);
	const char *word = low >= 0.95 && high <= 1.05     ? "inside 0.95-1.05"
			   : high - low > 2 * WIDTH_WANTED ? "not decided"
							   : "OUTSIDE 0.95-1.05";
	const struct summary base = summary_make(original, n_original);
	const struct summary head = summary_make(ours, n_ours);
	(void)printf(
		"%-34s %5zu pairs  ratio %.3f  95 %% interval %.3f-%.3f  sd %4.1f %% / %4.1f %%  %s\n",
		at->name, n_ours, exp(welch.difference), low, high, 100 * base.deviation,
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
		.metric = "hackbench.time_sec",
		.per = 1,
	};
	measure(bench, &at);
	free(at.name);
}

/* The words of a command, behind `taskset -c CPU` when a CPU is given. */
static void put_words(const char **ret_argv, const char *cpu, const char *const *words, size_t n)
{
	const char *const prefix[] = { "taskset", "-c", cpu };
	size_t at = 0;
	for (size_t i = 0; cpu && i < ARRAY_SIZE(prefix); i++)
		ret_argv[at++] = prefix[i];
	for (size_t i = 0; i < n; i++)
		ret_argv[at++] = words[i];
	ret_argv[at] = NULL;
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
		.marker = "average:",
		.metric =
			threads ? "will-it-scale.per_thread_ops" : "will-it-scale.per_process_ops",
		.per = 1,
	};
	/* The original may hang when it cancels a thread inside malloc; its lines have come by then. */
	const char *const original[] = { "timeout", "-s",  "KILL",  "20",
					 "stdbuf",  "-oL", program, "-t",
					 "1",       "-s",  "1",     bench->cpu ? "-n" : NULL };
	const char *const ours[] = { bench->probe,
				     "--workload",
				     test,
				     "--set",
				     "nr_task=1",
				     "--set",
				     "warmup=1",
				     "--set",
				     "duration=1",
				     "--set",
				     mode,
				     "--set",
				     bench->cpu ? "pin=none" : "pin=core",
				     "--fd",
				     "3",
				     "--no-environment" };
	put_words(at.original, bench->cpu, original, ARRAY_SIZE(original));
	put_words(at.ours, bench->cpu, ours, ARRAY_SIZE(ours));
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
		(void)fputs(
			"usage: fidelity PROBE [--only NAME,...] [--pairs N] [--seed N] [--cpu N]\n",
			stderr);
		return 129;
	}
	const char *only = option_of(argc, argv, "--only");
	const char *pairs = option_of(argc, argv, "--pairs");
	const char *seed = option_of(argc, argv, "--seed");
	uint64_t seed_number = random_seed_from_system();
	struct bench bench = { .probe = argv[1],
			       .original_directory = getenv("ASSAY_WILL_IT_SCALE"),
			       .cpu = option_of(argc, argv, "--cpu"),
			       .pairs_max = PAIRS_MAX };
	if ((pairs && !text_parse_u64(pairs, &bench.pairs_max)) ||
	    (seed && !text_parse_u64(seed, &seed_number)) || bench.pairs_max > PAIRS_MAX)
		return 129;
	random_seed(&bench.random, seed_number);
	(void)printf("fidelity: ratio ours / original, random blocks of 2 + 2, seed %" PRIu64 "\n",
		     seed_number);
	for (unsigned i = 0; i < 4; i++)
		if (!bench.cpu && is_among("hackbench", only))
			hackbench_case(&bench, i & 1, i & 2);
	for (size_t i = 0; i < 2 * ARRAY_SIZE(tests); i++)
		if (is_among(tests[i / 2], only))
			will_it_scale_case(&bench, tests[i / 2], i & 1);
	return 0;
}
