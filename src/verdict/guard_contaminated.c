/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Did something else than the workload have a share in what was measured? */
#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "stats/summary.h"
#include "stats/welch.h"
#include "verdict/guard.h"
#include "verdict/order.h"
#include "verdict/reading.h"
#include "verdict/session.h"

#include <inttypes.h>
#include <math.h>

extern const struct guard guard_contaminated;

#define APART_P 0.001 /* Of Welch's test that a condition differs between the sides. */
#define READINGS_MAX 6
#define READING_NAMES_MAX (READINGS_MAX + 1)

DEFINE_AUTO(numbers, double *, free);

/* A condition of the machine, one number a run, made of readings. */
struct condition {
	const char *what; /* "other tasks used". */
	const char *unit;
	const char *readings[READING_NAMES_MAX];
	double (*make)(const double *readings, double cpus);
	/* Mean of a side from which on it is told, and difference from which on it counts: a fixed
	 * part and one for each CPU of the machine. */
	double much, much_per_cpu;
	double apart, apart_per_cpu;
	bool relative; /* `apart` is per cent of the base's mean. */
};

static double make_sum(const double *readings, double cpus)
{
	return readings[0] + readings[1];
}

static double make_plain(const double *readings, double cpus)
{
	return readings[0];
}

static double make_others(const double *readings, double cpus)
{
	return reading_others(readings, cpus);
}

/* Microseconds of waiting in seconds of the window. */
static double make_share(const double *readings, double cpus)
{
	return 100.0 * readings[0] / 1e6 / readings[1];
}

static const struct condition conditions[] = {
	{ .what = "other tasks kept CPUs busy",
	  .unit = "CPUs",
	  .readings = { READING_OTHERS },
	  .make = make_others,
	  .much = 0.1,
	  .much_per_cpu = 0.02,
	  .apart = 0.05,
	  .apart_per_cpu = 0.01 },
	{ .what = "the hypervisor gave CPU time to others",
	  .unit = "%",
	  .readings = { "mpstat.cpu.all.steal%" },
	  .make = make_plain,
	  .much = 2.0,
	  .apart = 1.0 },
	{ .what = "tasks waited for memory",
	  .unit = "% of the time",
	  .readings = { "pressure.memory.some.total_us", "*.time.elapsed_time" },
	  .make = make_share,
	  .much = 1.0,
	  .apart = 1.0 },
	{ .what = "the machine swapped",
	  .unit = "KiB/s",
	  .readings = { "vmstat.swap.si", "vmstat.swap.so" },
	  .make = make_sum,
	  .much = 64.0,
	  .apart = 64.0 },
	{ .what = "the CPUs ran at",
	  .unit = "MHz",
	  .readings = { "turbostat.Bzy_MHz" },
	  .make = make_plain,
	  .much = (double)INFINITY,
	  .apart = 1.0,
	  .relative = true },
};

/* The condition in each run of a side that has all readings. */
static size_t values_of(const struct comparison *comparison, const struct condition *condition,
			size_t side, double **ret_values)
{
	const struct row *rows[READINGS_MAX];
	size_t n_rows = 0;
	for (; condition->readings[n_rows]; n_rows++)
		rows[n_rows] = reading_row(comparison, condition->readings[n_rows]);
	const size_t n_runs = comparison->orders[side].n;
	const double cpus = reading_cpus_online(comparison, side);
	double *values = mem_array(n_runs, sizeof(*values));
	size_t n = 0;
	for (size_t run = 0; run < n_runs; run++) {
		double readings[READINGS_MAX] = { 0 };
		for (size_t i = 0; i < n_rows; i++)
			readings[i] = rows[i] ? rows[i]->cells[side].values[run] : (double)NAN;
		const double value = condition->make(readings, cpus);
		if (isfinite(value))
			values[n++] = value;
	}
	*ret_values = values;
	return n;
}

struct told { /* A condition on both sides. */
	struct summary sides[2];
	double cpus;
	bool much, apart;
};

static struct told look(const struct comparison *comparison, const struct condition *condition,
			size_t head)
{
	struct told told = { .cpus = reading_cpus_online(comparison, 0) };
	for (size_t s = 0; s < 2; s++) {
		AUTO(numbers) double *values = NULL;
		const size_t n = values_of(comparison, condition, s ? head : 0, &values);
		told.sides[s] = summary_make(values, n);
	}
	const double cpus = isfinite(told.cpus) ? told.cpus : 1.0;
	const double much = condition->much + condition->much_per_cpu * cpus;
	double least = condition->apart + condition->apart_per_cpu * cpus;
	if (condition->relative)
		least *= fabs(told.sides[0].mean) / 100.0;
	const struct welch welch = welch_compare(&told.sides[0], &told.sides[1], 1.0 - APART_P);
	told.much = told.sides[0].mean >= much || told.sides[1].mean >= much;
	told.apart = welch.known && welch.p <= APART_P && fabs(welch.difference) >= least;
	return told;
}

static void tell(struct comparison *comparison, const struct condition *condition, size_t head,
		 bool mixed)
{
	const struct told told = look(comparison, condition, head);
	const char *base = comparison->sides[0].name;
	const char *other = comparison->sides[head].name;
	const double from = told.sides[0].mean;
	const double to = told.sides[1].mean;
	if (told.apart && !mixed)
		guard_withhold(comparison, &guard_contaminated, head, NULL,
			       "%s: %.3g %s with %s and %.3g with %s, and the sides were not "
			       "interleaved, so that may be all of the change",
			       condition->what, from, condition->unit, base, to, other);
	else if (told.apart)
		guard_warn(comparison, &guard_contaminated, head, NULL,
			   "%s: %.3g %s with %s and %.3g with %s, though the sides were "
			   "interleaved: the subject causes it",
			   condition->what, from, condition->unit, base, to, other);
	else if (told.much)
		guard_warn(comparison, &guard_contaminated, head, NULL,
			   "%s: %.3g %s with %s and %.3g with %s", condition->what, from,
			   condition->unit, base, to, other);
}

/* ---- what must not happen at all ---- */

static double sum_of(const struct comparison *comparison, const char *name, size_t side)
{
	const struct row *row = reading_row(comparison, name);
	return row && row->cells[side].summary.n
		       ? row->cells[side].summary.mean * (double)row->cells[side].summary.n
		       : 0.0;
}

static void look_for_kills(struct comparison *comparison, size_t head)
{
	const double kills[2] = { sum_of(comparison, "proc-vmstat.oom_kill", 0),
				  sum_of(comparison, "proc-vmstat.oom_kill", head) };
	const bool one_side = (kills[0] > 0.0) != (kills[1] > 0.0);
	if (one_side)
		guard_withhold(
			comparison, &guard_contaminated, head, NULL,
			"memory ran out and the kernel killed %.0f process%s during the runs "
			"of %s, and none during those of the other side",
			kills[0] + kills[1], kills[0] + kills[1] > 1.0 ? "es" : "",
			comparison->sides[kills[0] > 0.0 ? 0 : head].name);
	else if (kills[0] > 0.0)
		guard_warn(comparison, &guard_contaminated, head, NULL,
			   "memory ran out and the kernel killed processes during the runs of both "
			   "sides (%.0f and %.0f)",
			   kills[0], kills[1]);
}

static bool count_of(const struct run *run, const char *name, uint64_t *ret_count)
{
	const struct fact *fact = run_fact_find(run, name);
	return fact && fact->state == VALUE_KNOWN && text_parse_u64(fact->text, ret_count);
}

/* The counts stand since boot and are read when a run begins: what came until the next one began
 * counts for this run. A count that fell is another boot. */
static void look_for_throttling(struct comparison *comparison, size_t head,
				const struct session *session, const char *fact, const char *what)
{
	uint64_t events[2] = { 0, 0 };
	for (size_t i = 0; session->ordered && i + 1 < session->n; i++) {
		uint64_t before;
		uint64_t after;
		if (count_of(session->runs[i].run, fact, &before) &&
		    count_of(session->runs[i + 1].run, fact, &after) && after > before)
			events[session->runs[i].side != 0] += after - before;
	}
	if (events[0] + events[1] == 0)
		return;
	const char *format_end = session->mixed ? "" : ", and the sides were not interleaved";
	const bool one_side = events[0] == 0 || events[1] == 0;
	if (one_side && !session->mixed)
		guard_withhold(comparison, &guard_contaminated, head, NULL,
			       "%s was throttled %" PRIu64 " times with %s and %" PRIu64
			       " times with %s%s",
			       what, events[0], comparison->sides[0].name, events[1],
			       comparison->sides[head].name, format_end);
	else
		guard_warn(comparison, &guard_contaminated, head, NULL,
			   "%s was throttled %" PRIu64 " times with %s and %" PRIu64
			   " times with %s%s",
			   what, events[0], comparison->sides[0].name, events[1],
			   comparison->sides[head].name, format_end);
}

static void examine(struct comparison *comparison)
{
	for (size_t head = 1; head < comparison->n_sides; head++) {
		AUTO(session) struct session session = session_make(comparison, head);
		for (size_t i = 0; i < ARRAY_SIZE(conditions); i++)
			tell(comparison, &conditions[i], head, session.mixed);
		look_for_kills(comparison, head);
		look_for_throttling(comparison, head, &session, "throttle.core", "a core");
		look_for_throttling(comparison, head, &session, "throttle.package",
				    "the processor");
	}
}

static void show(const struct comparison *comparison, size_t head, struct text *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(conditions); i++) {
		const struct told told = look(comparison, &conditions[i], head);
		if (told.sides[0].n == 0 || told.sides[1].n == 0)
			text_add(text, "%s: not read\n", conditions[i].what);
		else
			text_add(text, "%s: %.3g %s with %s and %.3g with %s\n", conditions[i].what,
				 told.sides[0].mean, conditions[i].unit, comparison->sides[0].name,
				 told.sides[1].mean, comparison->sides[head].name);
	}
}

const struct guard guard_contaminated = {
	.name = "contaminated",
	.asks = "did other load, the hypervisor, heat or lack of memory have a share in it?",
	.explains =
		"The guard looks at what the machine did beside the workload: CPU time that is neither "
		"the workload's own nor idle, stolen or of interrupts (told from 0.1 CPUs and 2 % of the "
		"machine on), time stolen by the hypervisor (from 2 % on), waiting for memory (1 % of "
		"the time), swapping (64 KiB/s), processes killed for want of memory, thermal throttling "
		"between the first run and the last, and the frequency of the CPUs where a monitor read "
		"it. What reached both sides alike widens the interval and is told. What differs between "
		"the sides (Welch's test at 0.1 %, and by about half of the limits above) withholds the "
		"verdict when the sides were not interleaved, because it may be all of the change; where "
		"they were, chance did not do it, so the subject did, and the guard says so. Processes "
		"killed on one side only always withhold. To cure it, stop what else runs (the busiest "
		"services, timers, other guests), give the workload CPUs of its own, let it cool.",
	.examine = examine,
	.show = show,
};
