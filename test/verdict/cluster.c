/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One cause, one number. */
#include "verdict/cluster.h"

#include "check.h"
#include "verdict/match.h"

static struct metric named(const char *name)
{
	return (struct metric) { name, "1", "", METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE };
}

/* Numbers that follow one hidden number a run, up or down; the head has `shift` more. */
static void follow(struct match *match, const char *name, const double *hidden,
		   const double scale_noise_shift[3], struct random *random)
{
	const struct metric metric = named(name);
	for (size_t i = 0; i < match->n; i++) {
		const double *with = scale_noise_shift;
		const double base = 1000 + with[0] * hidden[i] + with[1] * random_normal(random);
		const double head = 1000 + with[2] + with[0] * hidden[match->n + i] +
				    with[1] * random_normal(random);
		run_metric_add(match->base.runs[i], &metric, value_known(base));
		run_metric_add(match->head.runs[i], &metric, value_known(head));
	}
}

/* Two causes: three rows follow the first, one of them downwards, two follow the second; one moved
 * alone, one did not move. */
static void two_causes(struct match *match, size_t n, bool blocked, double drift)
{
	struct random random;
	random_seed(&random, 42);
	match_begin(match, n, blocked);
	double first[2 * MATCH_RUNS_MAX];
	double second[2 * MATCH_RUNS_MAX];
	double none[2 * MATCH_RUNS_MAX] = { 0 };
	for (size_t i = 0; i < 2 * n; i++) {
		first[i] = random_normal(&random);
		second[i] = random_normal(&random);
		none[i] = drift * (double)(i % n / 2);
	}
	follow(match, "a.first", first, (const double[]) { 10, 0.5, 200 }, &random);
	follow(match, "a.less", first, (const double[]) { 10, 1.0, 100 }, &random);
	follow(match, "a.down", first, (const double[]) { -10, 1.0, 90 }, &random);
	follow(match, "b.first", second, (const double[]) { 10, 1.0, 150 }, &random);
	follow(match, "b.less", second, (const double[]) { 10, 1.0, 80 }, &random);
	follow(match, "c.alone", none, (const double[]) { 1, 10.0, 90 }, &random);
	follow(match, "d.alone", none, (const double[]) { 1, 10.0, 85 }, &random);
	follow(match, "e.still", first, (const double[]) { 10, 1.0, 0 }, &random);
	match_judge(match);
}

static size_t cluster_of(const struct match *match, const char *name)
{
	return match_row(match, name)->cluster;
}

static void rows_that_follow_one_cause_share_a_number(void **state)
{
	struct match match;
	two_causes(&match, 12, false, 0.0);
	const size_t a = cluster_of(&match, "a.first");
	const size_t b = cluster_of(&match, "b.first");
	CHECK(a && b && a != b);
	CHECK_INT(cluster_of(&match, "a.less"), a);
	CHECK_INT(cluster_of(&match, "a.down"), a);
	CHECK_INT(cluster_of(&match, "b.less"), b);
	CHECK_INT(match_row(&match, "a.less")->n_cluster, 3);
	CHECK_INT(match_row(&match, "b.less")->n_cluster, 2);
	match_done(&match);
}

static void that_all_moved_is_no_agreement(void **state)
{
	struct match match;
	two_causes(&match, 12, false, 0.0);
	CHECK(cluster_of(&match, "c.alone") != cluster_of(&match, "d.alone"));
	CHECK_INT(match_row(&match, "c.alone")->n_cluster, 1);
	match_done(&match);
}

static void drift_of_the_blocks_is_no_agreement(void **state)
{
	struct match match;
	two_causes(&match, 12, true, 100.0);
	CHECK(cluster_of(&match, "c.alone"));
	CHECK(cluster_of(&match, "c.alone") != cluster_of(&match, "d.alone"));
	CHECK_INT(cluster_of(&match, "a.less"), cluster_of(&match, "a.first"));
	match_done(&match);
}

static void what_did_not_move_is_in_no_cluster(void **state)
{
	struct match match;
	two_causes(&match, 12, false, 0.0);
	CHECK_INT(match_finding(&match, "e.still")->verdict, VERDICT_UNMOVED);
	CHECK_INT(cluster_of(&match, "e.still"), 0);
	CHECK_INT(match_row(&match, "e.still")->n_cluster, 0);
	match_done(&match);
}

static void the_most_surprising_row_leads(void **state)
{
	struct match match;
	two_causes(&match, 12, false, 0.0);
	/* Numbers are given in the order of the rows. */
	size_t most = 0;
	for (size_t i = 0; i < match.comparison->n_rows; i++) {
		const size_t cluster = match.comparison->rows[i].cluster;
		CHECK(cluster <= most + 1);
		if (cluster > most)
			most = cluster;
	}
	CHECK_INT(most, 4);
	match_done(&match);
}

static void two_runs_a_side_agree_about_nothing(void **state)
{
	struct match match;
	two_causes(&match, 2, false, 0.0);
	for (size_t i = 0; i < match.comparison->n_rows; i++)
		CHECK(match.comparison->rows[i].n_cluster <= 1);
	match_done(&match);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_that_follow_one_cause_share_a_number),
		cmocka_unit_test(that_all_moved_is_no_agreement),
		cmocka_unit_test(drift_of_the_blocks_is_no_agreement),
		cmocka_unit_test(what_did_not_move_is_in_no_cluster),
		cmocka_unit_test(the_most_surprising_row_leads),
		cmocka_unit_test(two_runs_a_side_agree_about_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
