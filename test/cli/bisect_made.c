/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bisect_made.h. */
#include "cli/bisect_made.h"

#include "base/mem.h"
#include "check.h"

#include <stdio.h>

#define LEVEL 100.0
#define STEP 10.0
#define RUNS_MOST 600

struct bisect_case *bisect_made(size_t n, const char *score)
{
	struct bisect_case *bisection = bisect_case_new();
	struct history *history = mem_zero(sizeof(*history));
	struct error err = { 0 };
	history->commits = mem_array(n, sizeof(*history->commits));
	history->n = n;
	history->bad = (uint32_t)n - 1;
	history->root = mem_format("%040x", 1U);
	for (size_t i = 0; i < n; i++) {
		struct history_commit *commit = &history->commits[i];
		commit->id = mem_format("%040zx", i + 1);
		commit->tree = mem_format("%040zx", i + 1000);
		commit->subject = mem_format("change %zu", i);
		commit->is_candidate = i > 0;
		commit->paths = mem_array(1, sizeof(char *));
		commit->paths[0] = mem_text(i % 2 ? "src/a.c" : "b.c");
		commit->n_paths = 1;
		commit->parents = mem_array(1, sizeof(uint32_t));
		commit->n_parents = i > 0;
		commit->parents[0] = i > 0 ? (uint32_t)i - 1 : 0;
	}
	bisection->history = history;
	bisection->repository = mem_text("/somewhere/project");
	bisection->build = mem_text("make");
	bisection->command = mem_text("./bench");
	bisection->score = mem_text(score);
	bisection->better = score ? BETTER_LOWER : BETTER_UNKNOWN;
	bisection->confidence = 0.99;
	bisection->seed = 7;
	CHECK_INT(bisect_case_graph(bisection, &err), 0);
	return bisection;
}

/* Small, different each time, the same for ever. */
static double noise(uint64_t sequence)
{
	uint64_t bits = (sequence + 1) * 0x9e3779b97f4a7c15ULL;
	bits ^= bits >> 29;
	return (double)(bits % 1000) / 500.0;
}

struct bisect_entry bisect_made_entry(const struct bisect_truth *truth,
				      const struct bisect_unit_wanted *wanted, uint64_t sequence)
{
	struct bisect_entry entry = { .arm = wanted->arm,
				      .commit = wanted->commit,
				      .change = wanted->change,
				      .is_reverted = wanted->is_reverted,
				      .session = 1,
				      .run_sec = 1,
				      .sequence = sequence,
				      .run = (int64_t)sequence + 1,
				      .has_program = true };
	const bool slow = wanted->commit >= truth->culprit && !wanted->is_reverted;
	const double step = wanted->arm == BISECT_ARM_ALIGNED ? truth->aligned_step : STEP;
	entry.value = LEVEL + noise(sequence) + (slow ? step : 0);
	(void)snprintf(entry.product, sizeof(entry.product), "%064x",
		       truth->same && wanted->commit == truth->same ? wanted->commit - 1
								    : wanted->commit);
	if (truth->broken && wanted->commit == truth->broken) {
		entry.outcome = BISECT_ENTRY_BROKEN;
		entry.reason = mem_text("it does not build: exit code 2");
	} else if (wanted->is_reverted && !truth->is_revert_clean) {
		entry.outcome = BISECT_ENTRY_BROKEN;
		entry.reason = mem_text("its revert does not apply cleanly");
	}
	if (wanted->arm == BISECT_ARM_VERIFY && wanted->commit == wanted->change && truth->layout) {
		entry.layout = mem_text(truth->layout);
		entry.layout_detail = mem_text("as the test says");
	}
	return entry;
}

struct bisect_course *bisect_made_carry(const struct bisect_case *bisection,
					const struct bisect_truth *truth,
					struct bisect_entries *entries)
{
	for (unsigned i = 0; i < RUNS_MOST; i++) {
		struct bisect_course *course = bisect_course_new(bisection, entries);
		if (course->is_done)
			return course;
		struct bisect_entry entry =
			bisect_made_entry(truth, &course->next, entries->next_sequence);
		if (!bisection->score && entry.outcome == BISECT_ENTRY_VALUE)
			entry.value = entry.value > LEVEL + STEP / 2 ? 1 : 0;
		bisect_entries_add(entries, entry);
		bisect_course_free(course);
	}
	CHECK_FAIL("it is not done after %d runs", RUNS_MOST);
}
