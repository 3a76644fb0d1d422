/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What moved among the monitors: groups, caps, and what is left out. */
#include "check.h"
#include "report/formats.h"
#include "report/scenario.h"

static char *render(const struct scenario *scenario, const struct report_options *options)
{
	struct text text = { 0 };
	const struct comparison *comparison = scenario->comparison;
	format_table.render(&comparison, 1, options, &text);
	return text_take(&text);
}

/* 25 counters that moved, 5 that did not, one with values on one side only. */
static void make_many(struct scenario *scenario)
{
	*scenario = (struct scenario) { .n_sides = 2 };
	scenario->samples[0] = sample_make("base", 6);
	scenario->samples[1] = sample_make("head", 6);
	scenario_begin(scenario);
	(void)scenario_pair(scenario, &scenario_time, (double[]) { 1, 1 },
			    (double[]) { 0.01, 0.01 }, VERDICT_UNDECIDED);
	for (size_t i = 0; i < 30; i++) {
		AUTO(text) char *name = mem_format("proc-vmstat.counter%02zu", i);
		const struct metric metric = scenario_counter(name, "1");
		(void)scenario_pair(scenario, &metric, (double[]) { 100, i < 25 ? 200 : 100 },
				    (double[]) { 1, 1 },
				    i < 25 ? VERDICT_MOVED_UP : VERDICT_UNMOVED);
	}
	const struct metric one_sided = scenario_counter("slabinfo.gone", "1");
	struct row *row = scenario_row(scenario, &one_sided);
	scenario_cell(scenario, row, 0, 5, 1);
	scenario_missing(scenario, row, 1, MISSING_ABSENT);
}

static void evidence_is_capped_and_the_rest_counted(void **state)
{
	struct scenario scenario;
	make_many(&scenario);
	const struct report_options presets = { 0 };
	AUTO(text) char *text = render(&scenario, &presets);
	CHECK_HOLDS(text, "25 moved (5 more not shown), 5 did not, 1 has values on one side only; "
			  "--all shows every");
	const struct report_options few = { .evidence_max = 3 };
	AUTO(text) char *shorter = render(&scenario, &few);
	CHECK_HOLDS(shorter, "25 moved (22 more not shown)");
	const struct report_options all = { .all = true };
	AUTO(text) char *whole = render(&scenario, &all);
	CHECK_HOLDS(whole, "25 moved, 5 did not, 1 has values on one side only\n");
	CHECK_HOLDS(whole, "missing: slabinfo.gone on head: ");
	scenario_done(&scenario);
}

static void what_moves_together_is_one_line_and_names(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct report_options options = { .width = 120 };
	AUTO(text) char *text = render(&scenario, &options);
	CHECK_HOLDS(text,
		    " softirqs.SCHED\n            + 2 more that move together: interrupts.LOC, "
		    "vmstat.procs.r\n");
	CHECK_HOLDS(text, "  5 moved in 3 groups, 1 did not; --all shows every row\n");
	CHECK_HOLDS(text, "proc-vmstat.pgfault marked expected by anna on 2026-11-30");
	const struct report_options all = { .all = true, .width = 120 };
	AUTO(text) char *whole = render(&scenario, &all);
	CHECK_HOLDS(whole, " + interrupts.LOC\n");
	CHECK_HOLDS(whole, " + vmstat.procs.r\n");
	CHECK(!strstr(whole, "more that move"));
	scenario_done(&scenario);
}

static void a_large_group_names_some_and_counts_the_others(void **state)
{
	struct scenario scenario;
	make_many(&scenario);
	for (size_t i = 1; i <= 20; i++) {
		scenario.comparison->rows[i].cluster = 1;
		scenario.comparison->rows[i].n_cluster = 20;
	}
	const struct report_options options = { .evidence_max = 2, .width = 250 };
	AUTO(text) char *text = render(&scenario, &options);
	CHECK_HOLDS(text, "+ 19 more that move together: proc-vmstat.counter01, ");
	CHECK_HOLDS(text, "proc-vmstat.counter06 and 13 others\n");
	CHECK(!strstr(text, "counter07"));
	CHECK_HOLDS(text, "25 moved in 6 groups (4 more groups with 4 metrics not shown)");
	scenario_done(&scenario);
}

static void p_stands_beside_what_moved(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	const struct report_options options = { 0 };
	AUTO(text) char *text = render(&scenario, &options);
	CHECK_HOLDS(text, " change adjusted  moved      metric (unit)\n");
	CHECK_HOLDS(text, "   6e-06  moved down softirqs.SCHED\n");
	CHECK_HOLDS(text, "   exact  moved up   meminfo.Percpu (KiB)\n");
	scenario_done(&scenario);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evidence_is_capped_and_the_rest_counted),
		cmocka_unit_test(what_moves_together_is_one_line_and_names),
		cmocka_unit_test(a_large_group_names_some_and_counts_the_others),
		cmocka_unit_test(p_stands_beside_what_moved),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
