/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The union of the metrics, the three states of a value, and the order of rows. */
#include "verdict/rows.h"

#include "base/macros.h"
#include "base/random.h"
#include "check.h"
#include "verdict/order.h"
#include "verdict/sample.h"

static struct metric named(const char *name, enum metric_role role)
{
	return (struct metric) { name, "1", "", METRIC_COUNTER, BETTER_NONE, role };
}

static const struct row *find_row(const struct comparison *comparison, const char *name)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (strcmp(comparison->rows[i].metric.name, name) == 0)
			return &comparison->rows[i];
	return NULL;
}

static void rows_of(struct comparison *comparison, struct compared_side *sides,
		    struct side_count *counts, struct sample *one, struct sample *other)
{
	sides[0] = sample_side(one);
	sides[1] = sample_side(other);
	*comparison = (struct comparison) { .sides = sides, .n_sides = 2, .counts = counts };
	order_make(comparison);
	rows_collect(comparison);
}

static void the_union_has_each_metric_once_in_order(void **state)
{
	struct sample base = sample_make("base", 2);
	struct sample head = sample_make("head", 2);
	const struct metric a = named("a.first", ROLE_EVIDENCE);
	const struct metric b = named("b.only_base", ROLE_EVIDENCE);
	const struct metric c = named("c.only_head", ROLE_EVIDENCE);
	const struct metric d = named("d.last", ROLE_EVIDENCE);
	sample_spread(&base, &a, 1, 0.1);
	sample_spread(&base, &b, 2, 0.1);
	sample_spread(&base, &d, 3, 0.1);
	sample_spread(&head, &d, 4, 0.1);
	sample_spread(&head, &c, 5, 0.1);
	sample_spread(&head, &a, 6, 0.1);
	struct comparison comparison;
	struct compared_side sides[2];
	struct side_count counts[2] = { 0 };
	rows_of(&comparison, sides, counts, &base, &head);
	CHECK_INT(comparison.n_rows, 4);
	CHECK_TEXT(comparison.rows[0].metric.name, "a.first");
	CHECK_TEXT(comparison.rows[1].metric.name, "b.only_base");
	CHECK_TEXT(comparison.rows[2].metric.name, "c.only_head");
	CHECK_TEXT(comparison.rows[3].metric.name, "d.last");
	const struct row *row = find_row(&comparison, "c.only_head");
	CHECK(row != NULL);
	CHECK_INT(row->cells[0].summary.n, 0);
	CHECK_INT(row->cells[0].n_missing, 2);
	CHECK_INT(row->cells[0].why, MISSING_ABSENT);
	CHECK_INT(row->cells[1].summary.n, 2);
	CHECK_NEAR(row->cells[1].summary.mean, 5.0, 1e-12);
	order_free(comparison.orders, 2);
	rows_free(comparison.rows, comparison.n_rows, 2);
	sample_done(&base);
	sample_done(&head);
}

static void missing_and_not_applicable_are_never_zero(void **state)
{
	struct sample base = sample_make("base", 4);
	struct sample head = sample_make("head", 1);
	const struct metric metric = named("m", ROLE_EVIDENCE);
	run_metric_add(base.runs[0], &metric, value_known(0.0));
	run_metric_add(base.runs[1], &metric, value_missing(MISSING_SWITCHED_OFF));
	run_metric_add(base.runs[2], &metric, value_missing(MISSING_DENIED));
	run_metric_add(base.runs[3], &metric, value_not_applicable());
	struct comparison comparison;
	struct compared_side sides[2];
	struct side_count counts[2] = { 0 };
	rows_of(&comparison, sides, counts, &base, &head);
	const struct cell *cell = &comparison.rows[0].cells[0];
	CHECK_INT(cell->summary.n, 1);
	CHECK_NEAR(cell->summary.mean, 0.0, 0.0);
	CHECK_INT(cell->n_missing, 2);
	CHECK_INT(cell->n_not_applicable, 1);
	CHECK_INT(cell->why, MISSING_SWITCHED_OFF);
	order_free(comparison.orders, 2);
	rows_free(comparison.rows, comparison.n_rows, 2);
	sample_done(&base);
	sample_done(&head);
}

static void runs_that_are_not_complete_give_no_values(void **state)
{
	struct sample base = sample_make("base", 3);
	struct sample head = sample_make("head", 3);
	const struct metric metric = named("m", ROLE_SCORE);
	const struct metric extra = named("only.in.failed", ROLE_SCORE);
	const double numbers[] = { 1, 2, 1000 };
	sample_metric(&base, &metric, numbers);
	sample_metric(&head, &metric, numbers);
	run_metric_add(base.runs[2], &extra, value_known(1));
	sample_fail(&base, 2, RUN_FAILED, "killed");
	struct comparison comparison;
	struct compared_side sides[2];
	struct side_count counts[2] = { 0 };
	rows_of(&comparison, sides, counts, &base, &head);
	CHECK_INT(comparison.n_rows, 1);
	CHECK_INT(comparison.rows[0].cells[0].summary.n, 2);
	CHECK_NEAR(comparison.rows[0].cells[0].summary.maximum, 2.0, 0.0);
	CHECK_INT(comparison.rows[0].cells[1].summary.n, 3);
	order_free(comparison.orders, 2);
	rows_free(comparison.rows, comparison.n_rows, 2);
	sample_done(&base);
	sample_done(&head);
}

static void a_metric_of_two_units_is_marked(void **state)
{
	struct sample base = sample_make("base", 2);
	struct sample head = sample_make("head", 2);
	const struct metric one = { "m", "KiB", "", METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE };
	const struct metric other = { "m", "MiB", "", METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE };
	sample_spread(&base, &one, 2048, 1);
	sample_spread(&head, &other, 2, 1);
	struct comparison comparison;
	struct compared_side sides[2];
	struct side_count counts[2] = { 0 };
	rows_of(&comparison, sides, counts, &base, &head);
	CHECK(comparison.rows[0].mixed);
	order_free(comparison.orders, 2);
	rows_free(comparison.rows, comparison.n_rows, 2);
	sample_done(&base);
	sample_done(&head);
}

static void scores_follow_the_workloads_own_order(void **state)
{
	struct sample base = sample_make("base", 1);
	struct sample head = sample_make("head", 1);
	const struct metric table[] = {
		named("w.zebra", ROLE_SCORE),
		named("w.restated", ROLE_RESTATED),
		named("w.apple", ROLE_SCORE),
		{ .name = NULL },
	};
	const struct metric unknown = named("w.aaa_not_in_the_table", ROLE_SCORE);
	const struct metric evidence = named("a.evidence", ROLE_EVIDENCE);
	const struct metric cost = named("assay.cost.x", ROLE_COST);
	const struct metric *const all[] = { &table[0], &table[1], &table[2],
					     &unknown,  &evidence, &cost };
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		sample_spread(&base, all[i], 1, 0);
		sample_spread(&head, all[i], 1, 0);
	}
	const struct plugin plugin = { .name = "w", .metrics = table };
	struct comparison comparison;
	struct compared_side sides[2];
	struct side_count counts[2] = { 0 };
	rows_of(&comparison, sides, counts, &base, &head);
	rows_order(&comparison, &plugin);
	/* Ordering again without the table must keep the order. */
	rows_order(&comparison, NULL);
	const char *const want[] = { "w.zebra",    "w.apple",    "w.aaa_not_in_the_table",
				     "w.restated", "a.evidence", "assay.cost.x" };
	CHECK_INT(comparison.n_rows, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		CHECK_TEXT(comparison.rows[i].metric.name, want[i]);
	order_free(comparison.orders, 2);
	rows_free(comparison.rows, comparison.n_rows, 2);
	sample_done(&base);
	sample_done(&head);
}

/* The twin: for every name that any complete run has, ask every run by name. */
static void random_runs_agree_with_asking_by_name(void **state)
{
	struct random random;
	random_seed(&random, 7);
	for (int round = 0; round < 50; round++) {
		struct sample samples[2] = { sample_make("base", 4), sample_make("head", 3) };
		for (size_t s = 0; s < 2; s++)
			for (size_t i = 0; i < samples[s].n_runs; i++)
				for (unsigned m = 0; m < 30; m++) {
					AUTO(text) char *name = mem_format("m%02u", m);
					const struct metric metric = named(name, ROLE_EVIDENCE);
					if (random_below(&random, 3))
						run_metric_add(samples[s].runs[i], &metric,
							       value_known(random_unit(&random)));
				}
		struct comparison comparison;
		struct compared_side sides[2];
		struct side_count counts[2] = { 0 };
		rows_of(&comparison, sides, counts, &samples[0], &samples[1]);
		for (size_t row = 0; row < comparison.n_rows; row++)
			for (size_t s = 0; s < 2; s++) {
				double sum = 0;
				size_t n = 0;
				for (size_t i = 0; i < samples[s].n_runs; i++) {
					const struct measured *measured =
						run_metric_find(samples[s].runs[i],
								comparison.rows[row].metric.name);
					if (measured) {
						sum += measured->value.number;
						n++;
					}
				}
				const struct cell *cell = &comparison.rows[row].cells[s];
				CHECK_INT(cell->summary.n, n);
				CHECK_INT(cell->n_missing, samples[s].n_runs - n);
				if (n)
					CHECK_NEAR(cell->summary.mean, sum / (double)n, 1e-12);
			}
		order_free(comparison.orders, 2);
		rows_free(comparison.rows, comparison.n_rows, 2);
		sample_done(&samples[0]);
		sample_done(&samples[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_union_has_each_metric_once_in_order),
		cmocka_unit_test(missing_and_not_applicable_are_never_zero),
		cmocka_unit_test(runs_that_are_not_complete_give_no_values),
		cmocka_unit_test(a_metric_of_two_units_is_marked),
		cmocka_unit_test(scores_follow_the_workloads_own_order),
		cmocka_unit_test(random_runs_agree_with_asking_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
