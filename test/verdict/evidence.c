/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many metrics at once: strength borrowed from each other, and no false alarms from that. */
#include "verdict/evidence.h"

#include "base/mem.h"
#include "check.h"
#include "verdict/match.h"

#define METRICS 400
#define MOVED 10

static struct metric named(const char *name, enum metric_role role)
{
	return (struct metric) { name, "1", "", METRIC_COUNTER, BETTER_NONE, role };
}

static const double quiet[] = { 1000.0, 10.0, 0.0, 0.0 };
static const double moved[] = { 1000.0, 10.0, 60.0, 0.0 };

/* METRICS counters of equal noise; the first n_moved of them moved by six deviations. */
static void add_counters(struct match *match, size_t n_moved, const double still[4])
{
	struct random random;
	random_seed(&random, 20260202);
	for (size_t i = 0; i < METRICS; i++) {
		AUTO(text) char *name = mem_format("m.%03zu", i);
		const struct metric metric = named(name, ROLE_EVIDENCE);
		match_normal(match, &metric, &random, i < n_moved ? moved : still);
	}
}

static size_t count(const struct match *match, enum verdict verdict)
{
	size_t n = 0;
	for (size_t i = 0; i < match->comparison->n_rows; i++)
		n += match->comparison->rows[i].findings[1].verdict == verdict;
	return n;
}

static void three_runs_a_side_find_what_moved_among_many(void **state)
{
	struct match match;
	match_begin(&match, 3, false);
	add_counters(&match, MOVED, quiet);
	match_judge(&match);
	CHECK(count(&match, VERDICT_MOVED_UP) >= MOVED - 1);
	CHECK(count(&match, VERDICT_MOVED_UP) + count(&match, VERDICT_MOVED_DOWN) <= MOVED + 2);
	CHECK_INT(match.comparison->n_evidence_tested, METRICS);
	const struct finding *finding = match_finding(&match, "m.000");
	CHECK_TEXT(finding->method, "moderated t");
	CHECK_NEAR(finding->change, 6.0, 3.0);
	CHECK(finding->low < finding->change && finding->change < finding->high);
	match_done(&match);
}

static void the_same_runs_are_less_sure_alone(void **state)
{
	/* Nobody says there how much such a counter scatters. */
	static const double base[] = { 990, 1000, 1012 };
	static const double head[] = { 1030, 1042, 1052 };
	const struct metric metric = named("m.alone", ROLE_EVIDENCE);
	struct match match;
	match_begin(&match, 3, false);
	match_values(&match, &metric, base, head);
	match_judge(&match);
	CHECK_INT(match_finding(&match, "m.alone")->verdict, VERDICT_MOVED_UP);
	const double alone = match_finding(&match, "m.alone")->p;
	match_done(&match);
	match_begin(&match, 3, false);
	match_values(&match, &metric, base, head);
	add_counters(&match, 0, quiet);
	match_judge(&match);
	CHECK(match_finding(&match, "m.alone")->p < alone / 10.0);
	match_done(&match);
}

static void strict_asks_for_more(void **state)
{
	struct match match;
	match_begin(&match, 3, false);
	add_counters(&match, MOVED, quiet);
	match_judge(&match);
	const double plain = match_finding(&match, "m.000")->p_adjusted;
	match_done(&match);
	match_begin(&match, 3, false);
	add_counters(&match, MOVED, quiet);
	match.options.strict = true;
	match_judge(&match);
	/* 1 + 1/2 + ... + 1/400 is about 6.57. */
	const double strict = match_finding(&match, "m.000")->p_adjusted;
	CHECK_NEAR(strict / plain, 6.57, 0.01);
	match_done(&match);
}

static void known_noise_of_a_metric_is_its_own_prior(void **state)
{
	/* The counter is known to be ten times as loud as its neighbours. */
	static const struct known_noise noise[] = { { "m.000",
						      { true, 0.1, 40.0, (double)NAN, 5 } } };
	struct match match;
	match_begin(&match, 3, false);
	add_counters(&match, MOVED, quiet);
	match.options.noise = noise;
	match.options.n_noise = 1;
	match_judge(&match);
	CHECK_INT(match_finding(&match, "m.000")->verdict, VERDICT_UNMOVED);
	CHECK_INT(match_finding(&match, "m.001")->verdict, VERDICT_MOVED_UP);
	match_done(&match);
}

static void drift_moves_no_evidence_where_there_are_blocks(void **state)
{
	static const double drifting[] = { 1000.0, 10.0, 0.0, 40.0 };
	struct match match;
	match_begin(&match, 10, true);
	add_counters(&match, MOVED, drifting);
	match_judge(&match);
	CHECK(count(&match, VERDICT_MOVED_UP) >= MOVED);
	CHECK(count(&match, VERDICT_MOVED_UP) + count(&match, VERDICT_MOVED_DOWN) <= MOVED + 2);
	match_done(&match);
}

static void zeros_and_negative_readings_are_judged_on_their_own_scale(void **state)
{
	struct random random;
	random_seed(&random, 8);
	static const double about_zero[] = { 0.0, 1.0, 0.0, 0.0 };
	static const double above[] = { 0.0, 1.0, 9.0, 0.0 };
	struct match match;
	match_begin(&match, 6, false);
	const struct metric still = named("z.still", ROLE_EVIDENCE);
	const struct metric up = named("z.up", ROLE_EVIDENCE);
	match_normal(&match, &still, &random, about_zero);
	match_normal(&match, &up, &random, above);
	add_counters(&match, 0, quiet);
	match_judge(&match);
	CHECK_INT(match_finding(&match, "z.still")->verdict, VERDICT_UNMOVED);
	CHECK_INT(match_finding(&match, "z.up")->verdict, VERDICT_MOVED_UP);
	match_done(&match);
}

static void costs_are_measured_and_not_judged(void **state)
{
	const struct metric cost = named("assay.cost", ROLE_COST);
	struct random random;
	random_seed(&random, 9);
	struct match match;
	match_begin(&match, 5, false);
	match_normal(&match, &cost, &random, moved);
	match_judge(&match);
	const struct finding *finding = match_finding(&match, "assay.cost");
	CHECK(finding->tested);
	CHECK(finding->p < 0.01);
	CHECK_INT(finding->verdict, VERDICT_NOT_JUDGED);
	CHECK_INT(match.comparison->n_evidence_tested, 0);
	match_done(&match);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_runs_a_side_find_what_moved_among_many),
		cmocka_unit_test(the_same_runs_are_less_sure_alone),
		cmocka_unit_test(strict_asks_for_more),
		cmocka_unit_test(known_noise_of_a_metric_is_its_own_prior),
		cmocka_unit_test(drift_moves_no_evidence_where_there_are_blocks),
		cmocka_unit_test(zeros_and_negative_readings_are_judged_on_their_own_scale),
		cmocka_unit_test(costs_are_measured_and_not_judged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
