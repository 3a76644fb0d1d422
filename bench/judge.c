/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge: how long does a verdict take? Two sides of 20 runs with 1,500 metrics each, made up in
 * memory, are compared; only comparison_make() is timed, in CPU time of this process, because reading
 * the runs is another matter and so is a busy machine. Prints the median and the range over the
 * rounds, against the floor of 50 ms. Exits 1 when the median is above it.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "base/random.h"
#include "stats/summary.h"
#include "verdict/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 20
#define METRICS 1500
#define ROUNDS 21
#define BUDGET_MS 50.0
#define BLOCK_RUNS 2 /* Of a side. */

struct bench_side {
	struct job *job;
	struct run *runs[RUNS];
	struct run_place places[RUNS];
};

static double cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void replace(char **text, const char *by)
{
	free(*text);
	*text = mem_text(by);
}

/* A score first, then counters: a tenth of them never moves, a fiftieth moved by 5 %. */
static void fill_run(struct run *run, struct random *random, bool is_head)
{
	for (size_t i = 0; i < METRICS; i++) {
		char name[64];
		const bool is_score = i == 0;
		(void)snprintf(name, sizeof(name),
			       is_score ? "hackbench.time_sec" : "monitor.%04zu", i);
		const struct metric metric = {
			.name = name,
			.unit = is_score ? "s" : "1",
			.what = "",
			.kind = is_score ? METRIC_SCORE : METRIC_COUNTER,
			.better = is_score ? BETTER_LOWER : BETTER_NONE,
			.role = is_score ? ROLE_SCORE : ROLE_EVIDENCE,
		};
		const double noise = i % 10 == 9 ? 0.0 : 0.02 * random_normal(random);
		const double moved = is_head && i % 50 == 1 ? 0.05 : 0.0;
		const double level = 1000.0 + (double)i;
		run_metric_add(run, &metric, value_known(level * (1.0 + noise + moved)));
	}
	run_sort(run);
}

static struct compared_side make_side(struct bench_side *side, const char *subject, bool is_head,
				      struct random *random)
{
	side->job = job_new();
	replace(&side->job->workload, "hackbench");
	replace(&side->job->subject, subject);
	replace(&side->job->place, "host");
	side->job->semantics = 1;
	for (size_t i = 0; i < RUNS; i++) {
		struct run *run = run_new();
		replace(&run->workload, "hackbench");
		replace(&run->isolation, "pid-namespace");
		replace(&run->reason, "");
		run->semantics = 1;
		run->outcome = RUN_COMPLETE;
		fill_run(run, random, is_head);
		side->runs[i] = run;
		side->places[i] = (struct run_place) {
			.block = i / BLOCK_RUNS + 1,
			.sequence = 2 * BLOCK_RUNS * (i / BLOCK_RUNS) + 2 * (i % BLOCK_RUNS) +
				    is_head + 1,
		};
	}
	return (struct compared_side) {
		.name = side->job->subject,
		.job = side->job,
		.runs = (const struct run *const *)side->runs,
		.n_runs = RUNS,
		.places = side->places,
	};
}

static void side_done(struct bench_side *side)
{
	for (size_t i = 0; i < RUNS; i++)
		run_free(side->runs[i]);
	job_free(side->job);
}

static size_t count_moved(const struct comparison *comparison)
{
	size_t n = 0;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const enum verdict verdict = comparison->rows[i].findings[1].verdict;
		n += verdict == VERDICT_MOVED_UP || verdict == VERDICT_MOVED_DOWN;
	}
	return n;
}

int main(void)
{
	struct random random;
	random_seed(&random, 1);
	struct bench_side base = { 0 };
	struct bench_side head = { 0 };
	const struct compared_side sides[] = {
		make_side(&base, "base", false, &random),
		make_side(&head, "head", true, &random),
	};
	const struct verdict_options options = { 0 };
	double rounds[ROUNDS];
	size_t n_moved = 0;
	for (size_t i = 0; i < ROUNDS; i++) {
		struct comparison *comparison = NULL;
		struct error err = { 0 };
		const double begin = cpu_ms();
		const int code = comparison_make(sides, 2, &options, &comparison, &err);
		rounds[i] = cpu_ms() - begin;
		if (code < 0) {
			(void)fprintf(stderr, "judge: %s\n", err.text);
			return 2;
		}
		n_moved = count_moved(comparison);
		comparison_free(comparison);
	}
	side_done(&base);
	side_done(&head);
	const struct summary summary = summary_make(rounds, ROUNDS);
	const bool holds = summary.median < BUDGET_MS;
	printf("2 x %d runs x %d metrics (%zu moved): %.1f ms of CPU, %.1f to %.1f over %d rounds; "
	       "budget %.0f ms: %s\n",
	       RUNS, METRICS, n_moved, summary.median, summary.minimum, summary.maximum, ROUNDS,
	       BUDGET_MS, holds ? "met" : "NOT MET");
	return holds ? 0 : 1;
}
