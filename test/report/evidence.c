/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of evidence: who leads, who follows, in which order, what is only counted. */
#include "report/evidence.h"

#include "check.h"
#include "report/scenario.h"

static const char *name_at(const struct scenario *scenario, const struct evidence *evidence,
			   size_t place)
{
	return scenario->comparison->rows[evidence->rows[place]].metric.name;
}

static void a_cluster_is_led_by_its_first_row_and_keeps_its_place(void **state)
{
	struct scenario scenario;
	scenario_guarded(&scenario);
	AUTO(evidence) struct evidence *evidence = evidence_make(scenario.comparison, 1);
	CHECK_INT(evidence->n_moved, 5);
	CHECK_INT(evidence->n_unmoved, 1);
	CHECK_INT(evidence->n_groups, 3);
	CHECK_INT(evidence->groups[0].n, 3);
	CHECK_TEXT(name_at(&scenario, evidence, 0), "softirqs.SCHED");
	CHECK_TEXT(name_at(&scenario, evidence, 1), "interrupts.LOC");
	CHECK_TEXT(name_at(&scenario, evidence, 2), "vmstat.procs.r");
	CHECK_TEXT(name_at(&scenario, evidence, evidence->groups[1].first), "proc-vmstat.pgfault");
	CHECK_TEXT(name_at(&scenario, evidence, evidence->groups[2].first), "meminfo.Percpu");
	scenario_done(&scenario);
}

/* Two heads: a moved on the second alone, b and c together on both, c most on the second. */
static void make_two_heads(struct scenario *scenario)
{
	static const char *const names[] = { "w.a", "w.b", "w.c" };
	static const double p[3][2] = { { 1.0, 0.001 }, { 1e-9, 0.01 }, { 1e-8, 1e-4 } };
	*scenario = (struct scenario) { .n_sides = 3 };
	for (size_t i = 0; i < 3; i++)
		scenario->samples[i] = sample_make("x", 5);
	scenario_begin(scenario);
	for (size_t i = 0; i < 3; i++) {
		const struct metric metric = scenario_counter(names[i], "1");
		struct row *row = scenario_row(scenario, &metric);
		for (size_t side = 0; side < 3; side++)
			scenario_cell(scenario, row, side, side ? 2 : 1, 0.1);
		for (size_t side = 1; side < 3; side++)
			(void)scenario_judge(scenario, row, side,
					     p[i][side - 1] < 0.05 ? VERDICT_MOVED_UP
								   : VERDICT_UNMOVED,
					     p[i][side - 1]);
		row->cluster = i ? 1 : 0;
		row->n_cluster = i ? 2 : 0;
	}
}

static void each_head_has_its_own_order_of_surprise(void **state)
{
	struct scenario scenario;
	make_two_heads(&scenario);
	AUTO(evidence) struct evidence *first = evidence_make(scenario.comparison, 1);
	CHECK_INT(first->n_groups, 1);
	CHECK_INT(first->n_unmoved, 1);
	CHECK_TEXT(name_at(&scenario, first, 0), "w.b");
	AUTO(evidence) struct evidence *second = evidence_make(scenario.comparison, 2);
	CHECK_INT(second->n_groups, 2);
	CHECK_TEXT(name_at(&scenario, second, 0), "w.c");
	CHECK_TEXT(name_at(&scenario, second, 1), "w.b");
	CHECK_TEXT(name_at(&scenario, second, 2), "w.a");
	AUTO(evidence) struct evidence *any = evidence_make(scenario.comparison, 0);
	CHECK_INT(any->n_moved, 3);
	CHECK_TEXT(name_at(&scenario, any, 0), "w.a"); /* The order of the rows. */
	scenario_done(&scenario);
}

static void silent_and_one_sided_rows_are_counted(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct metric metric = scenario_counter("slabinfo.gone", "1");
	struct row *row = scenario_row(&scenario, &metric);
	scenario_cell(&scenario, row, 1, 5, 1);
	AUTO(evidence) struct evidence *evidence = evidence_make(scenario.comparison, 1);
	CHECK_INT(evidence->n_moved, 5);
	CHECK_INT(evidence->n_groups, 5);
	CHECK_INT(evidence->n_unmoved, 2);
	CHECK_INT(evidence->n_one_sided, 1);
	CHECK_INT(evidence->n_not_judged, 1);
	scenario_done(&scenario);
}

static void no_evidence_is_no_group(void **state)
{
	struct scenario scenario = { .n_sides = 2 };
	scenario.samples[0] = sample_make("base", 2);
	scenario.samples[1] = sample_make("head", 2);
	scenario_begin(&scenario);
	AUTO(evidence) struct evidence *evidence = evidence_make(scenario.comparison, 1);
	CHECK_INT(evidence->n_groups + evidence->n_moved + evidence->n_unmoved, 0);
	scenario_done(&scenario);
	evidence_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cluster_is_led_by_its_first_row_and_keeps_its_place),
		cmocka_unit_test(each_head_has_its_own_order_of_surprise),
		cmocka_unit_test(silent_and_one_sided_rows_are_counted),
		cmocka_unit_test(no_evidence_is_no_group),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
