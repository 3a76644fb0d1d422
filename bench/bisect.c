/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bisect: how long does a step of a bisection take? Lines of 1,000 and of 10,000 commits are bisected
 * at one deviation; only bisect_add() is timed, in CPU time of this process: it finds all
 * probabilities anew and decides what to ask next. Prints the median and the longest step, against
 * the floor of 5 ms at 1,000 commits, and the ratio of the two sizes. Exits 1 above the floor.
 */
#include "bisect/bisect.h"

#include "base/macros.h"
#include "base/random.h"
#include "stats/summary.h"

#include <stdio.h>
#include <time.h>

#define STEPS 120
#define BUDGET_MS 5.0

static double cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static struct summary time_steps(size_t n_commits)
{
	AUTO(graph) struct graph *graph = graph_new_line(n_commits);
	struct bisect_options options = evidence_preset();
	AUTO(bisect) struct bisect *bisect = bisect_new(graph, &options);
	struct random random;
	random_seed(&random, 3131);
	double taken_ms[STEPS];
	size_t n = 0;
	while (n < STEPS && bisect_next(bisect)->phase < BISECT_CONFIRM) {
		struct bisect_unit unit = { .commit = bisect_next(bisect)->commits[0],
					    .purpose = BISECT_SEEK };
		unit.value =
			100.0 + random_normal(&random) + (unit.commit >= n_commits / 3 ? 1.0 : 0.0);
		const double before = cpu_ms();
		bisect_add(bisect, &unit);
		taken_ms[n++] = cpu_ms() - before;
	}
	return summary_make(taken_ms, n);
}

int main(void)
{
	const struct summary small = time_steps(1000);
	const struct summary large = time_steps(10000);
	printf("1,000 commits: %zu steps, median %.3f ms, longest %.3f ms (budget %.0f)\n", small.n,
	       small.median, small.maximum, BUDGET_MS);
	printf("10,000 commits: %zu steps, median %.3f ms, longest %.3f ms; %.1f times as long\n",
	       large.n, large.median, large.maximum, large.median / small.median);
	return small.median > BUDGET_MS;
}
