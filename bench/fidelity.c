/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fidelity: does a built-in workload give the number that the original program gives?
 *
 * For each case the original and ours are run in random blocks of 2 + 2 (recorded seed), with the
 * same parameters, until the 95 % interval of the ratio ours/original is narrower than +-3 % and lies
 * inside 0.95-1.05 or outside of it, or the pairs are used up. The first series is the one that is
 * printed. The interval is Student's over the
 * blocks: a block gives one number, the difference of its two sides' mean logarithms, so that a
 * machine whose speed wanders from minute to minute does not widen it.
 *
 *     fidelity PROBE [--only NAME,...] [--pairs N] [--seed N]
 *
 * NAME is a suite ("perf") or a part of a case's name ("brk1"). Where the originals are looked for stands
 * in fidelity_peer.c: in PATH, or where a variable says; what is not there is "not measured". How long it
 * will take is told beforehand and, on stderr, all the time.
 *
 * A will-it-scale program warms up for six seconds whatever one asks. Its warm-up seconds differ
 * from the measured ones in nothing but the word that is printed, so it is ended when it has printed
 * its second one, and ours measures the same second: one of warm-up, one in the window. Its cases have
 * one task: the two programs of a pair run at the same time, one on CPU 0 and one on CPU 1, and change
 * places in the next pair of the block, so that whatever else the machine does meets both. Both run
 * with the addresses fixed (setarch -R), as will-it-scale's own runner does: where the heap and the
 * mappings lie decides more than 50 % of brk1 in threads. All others want all CPUs and run alone.
 */
#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "fidelity_series.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES_MAX 512
#define REASON_BYTES 256
#define PAIRS_EXPECTED 40

struct bench {
	const char *probe;
	const char *only; /* NULL: all. */
	struct fidelity_case *cases;
	char **blocks; /* What the cases' words point into. */
	size_t n_cases, n_blocks;
};

/* ---- cases ---- */

/* True for a suite that the list "perf,brk1" names, or a name that holds one of its words; NULL names
 * all. */
static bool is_wanted(const char *list, const char *suite, const char *name)
{
	if (!list)
		return true;
	AUTO(text) char *copy = mem_text(list);
	char *rest = NULL;
	for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		if (text_equal(word, suite) || strstr(name, word))
			return true;
	return false;
}

/* Keeps a block until the end. */
static char *keep(struct bench *bench, char *block)
{
	bench->blocks[bench->n_blocks++] = block;
	return block;
}

/* Adds the words of a line; its last place stays NULL. */
static void add_words(struct bench *bench, const char **words, size_t *n, const char *line)
{
	char *rest = NULL;
	char *copy = keep(bench, mem_text(line));
	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		if (*n + 1 < FIDELITY_WORDS_MAX)
			words[(*n)++] = word;
}

/* "WORKLOAD NAME=VALUE ..." as options of the probe. */
static void add_ours(struct bench *bench, const char **words, size_t *n, const char *line)
{
	const char *said[FIDELITY_WORDS_MAX] = { NULL };
	size_t n_said = 0;
	add_words(bench, said, &n_said, line);
	words[(*n)++] = bench->probe;
	words[(*n)++] = "--workload";
	words[(*n)++] = said[0];
	for (size_t i = 1; i < n_said && *n + 5 < FIDELITY_WORDS_MAX; i++) {
		words[(*n)++] = "--set";
		words[(*n)++] = said[i];
	}
	words[(*n)++] = "--fd";
	words[(*n)++] = "3";
	words[(*n)++] = "--no-environment";
}

static void say_not_measured(const char *name, const char *reason)
{
	(void)printf("%-40s not measured: %s\n", name, reason);
}

/* Makes a case of a row, or says why there is none. */
static void add_case(struct bench *bench, const struct peer *peer, const char *program)
{
	char reason[REASON_BYTES];
	char *name = keep(bench, mem_format("%s %s", peer->source->suite, peer->name));
	if (!is_wanted(bench->only, peer->source->suite, name) || bench->n_cases == CASES_MAX)
		return;
	if (peer->absent) {
		say_not_measured(name, peer->absent);
		return;
	}
	AUTO(text) char *workload = mem_text_n(peer->ours, strcspn(peer->ours, " "));
	const struct workload *row = workload_find(workload);
	if (!row) {
		(void)snprintf(reason, sizeof(reason), "assay has no workload '%s'", workload);
		say_not_measured(name, reason);
		return;
	}
	char *path = peer_find(peer->source, program, reason, sizeof(reason));
	if (!path) {
		say_not_measured(name, reason);
		return;
	}
	struct fidelity_case *at = &bench->cases[bench->n_cases++];
	size_t n_original = 0;
	size_t n_ours = 0;
	*at = (struct fidelity_case) { .name = name, .peer = *peer };
	if (!at->peer.metric)
		at->peer.metric = row->about.metrics[0].name;
	if (peer->one_task) {
		add_words(bench, at->original, &n_original, "taskset -c 0 setarch -R stdbuf -oL");
		add_words(bench, at->ours, &n_ours, "taskset -c 1 setarch -R");
	}
	at->original[n_original++] = keep(bench, path);
	add_words(bench, at->original, &n_original, peer->original);
	add_ours(bench, at->ours, &n_ours, peer->ours);
}

/* Both programs of a test of will-it-scale. */
static void add_will_it_scale(struct bench *bench, const char *test, bool threads)
{
	AUTO(text) char *program = mem_format("%s_%s", test, threads ? "threads" : "processes");
	const struct peer peer = {
		.source = &peer_will_it_scale,
		.name = keep(bench, mem_format("%s %s", test, threads ? "thread" : "process")),
		.original = "-t 1 -n",
		.ours = keep(bench, mem_format("%s nr_task=1 warmup=1 duration=1 pin=none mode=%s",
					       test, threads ? "thread" : "process")),
		.metric =
			threads ? "will-it-scale.per_thread_ops" : "will-it-scale.per_process_ops",
		.marker = "total:",
		.lines = 2,
		.per = 1,
		.one_task = true,
		.seconds = 2.2,
	};
	add_case(bench, &peer, program);
}

static void make_cases(struct bench *bench)
{
	for (size_t i = 0; i < peer_count; i++)
		add_case(bench, &peers[i], peers[i].source->program);
	for (size_t i = 0; i < workload_table_count; i++) {
		const struct plugin *about = &workload_table[i]->about;
		if (!text_equal(about->suite, peer_will_it_scale.suite))
			continue;
		add_will_it_scale(bench, about->name, /* threads= */ false);
		add_will_it_scale(bench, about->name, /* threads= */ true);
	}
}

/* ---- the bench ---- */

static double seconds_behind(const struct bench *bench, size_t index, double pairs)
{
	double seconds = 0;
	for (size_t i = index; i < bench->n_cases; i++)
		seconds += bench->cases[i].peer.seconds * pairs;
	return seconds;
}

static void say_time(const struct bench *bench, uint64_t pairs_max)
{
	const double expected =
		pairs_max < PAIRS_EXPECTED ? (double)pairs_max : (double)PAIRS_EXPECTED;
	(void)printf("%zu case%s, about %.0f min when %.0f pairs are enough, at most %.0f min\n",
		     bench->n_cases, bench->n_cases == 1 ? "" : "s",
		     ceil(seconds_behind(bench, 0, expected) / 60), expected,
		     ceil(seconds_behind(bench, 0, (double)pairs_max) / 60));
	(void)fflush(stdout);
}

static const char *option_of(int argc, char **argv, const char *name)
{
	for (int i = 2; i + 1 < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return argv[i + 1];
	return NULL;
}

static void measure_all(const struct bench *bench, uint64_t pairs_max, struct random *random)
{
	say_time(bench, pairs_max);
	for (size_t i = 0; i < bench->n_cases; i++) {
		const struct fidelity_series series = {
			.pairs_max = pairs_max,
			.random = random,
			.seconds_left = seconds_behind(bench, i + 1, (double)pairs_max),
		};
		fidelity_measure(&series, &bench->cases[i]);
	}
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		(void)fputs("usage: fidelity PROBE [--only NAME,...] [--pairs N] [--seed N]\n",
			    stderr);
		return 129;
	}
	const char *pairs = option_of(argc, argv, "--pairs");
	const char *seed = option_of(argc, argv, "--seed");
	uint64_t pairs_max = FIDELITY_PAIRS_MAX;
	uint64_t seed_number = random_seed_from_system();
	if ((pairs && !text_parse_u64(pairs, &pairs_max)) ||
	    (seed && !text_parse_u64(seed, &seed_number)) || pairs_max < 2 ||
	    pairs_max > FIDELITY_PAIRS_MAX) {
		(void)fprintf(stderr, "fidelity: --pairs is 2 to %d, --seed a whole number\n",
			      FIDELITY_PAIRS_MAX);
		return 129;
	}
	struct bench bench = { .probe = argv[1],
			       .only = option_of(argc, argv, "--only"),
			       .cases = mem_array(CASES_MAX, sizeof(*bench.cases)),
			       .blocks = mem_array(16 * CASES_MAX, sizeof(char *)) };
	struct random random;
	random_seed(&random, seed_number);
	(void)printf("fidelity: ratio ours / original, random blocks of 2 + 2, seed %" PRIu64 "\n",
		     seed_number);
	make_cases(&bench);
	measure_all(&bench, pairs_max & ~1ULL, &random);
	for (size_t i = 0; i < bench.n_blocks; i++)
		free(bench.blocks[i]);
	free(bench.blocks);
	free(bench.cases);
	return 0;
}
