/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of an experiment file that say when enough has been measured. */
#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "check.h"
#include "experiment/experiment.h"
#include "experiment/fake_catalogue.h"

#include <errno.h>

static int parse(const char *lines, struct experiment **ret_experiment, struct error *err)
{
	AUTO(text)
	char *yaml = mem_format("workload: hackbench\nsubjects: {base: , head: }\n%s\n", lines);
	return experiment_parse(yaml, strlen(yaml), "x.yaml", &fake_catalogue, ret_experiment, err);
}

static struct experiment *right(const char *lines)
{
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	if (parse(lines, &experiment, &err) < 0)
		fail_msg("%s", err.text);
	return experiment;
}

static void the_rule_is_read(void **state)
{
	AUTO(experiment)
	struct experiment *experiment = right("until: decided\nmax-runs: 30\nmax-time: 10m\n"
					      "effect: 2.5\nalpha: 0.001\nwarm-up-block: yes\n"
					      "aa: 5%");
	CHECK_INT(experiment->until, UNTIL_DECIDED);
	CHECK_INT(experiment->max_runs, 30);
	CHECK_INT(experiment->max_time_ns, 600 * NS_PER_SEC);
	CHECK_NEAR(experiment->effect_percent, 2.5, 0);
	CHECK_NEAR(experiment->alpha, 0.001, 0);
	CHECK_NEAR(experiment->aa_percent, 5, 0);
	CHECK(experiment->warm_up_block);
}

static void what_is_not_said_is_the_preset(void **state)
{
	AUTO(experiment) struct experiment *experiment = right("effect: auto\nwarm-up-block: no");
	CHECK_INT(experiment->until, UNTIL_PRESET);
	CHECK_INT(experiment->max_runs, 0);
	CHECK_NEAR(experiment->effect_percent, 0, 0);
	CHECK(!experiment->warm_up_block);
	AUTO(experiment) struct experiment *fixed = right("runs: 6\nmax-time: 1h");
	CHECK_INT(fixed->until, UNTIL_RUNS);
}

static void what_is_wrong_is_told_where_it_stands(void **state)
{
	static const struct {
		const char *lines;
		const char *sentence;
	} rows[] = {
		{ "until: done", "x.yaml:3:8: unknown end 'done', known are decided" },
		{ "until: decide", "x.yaml:3:8: unknown end 'decide', did you mean 'decided'?" },
		{ "until: decided\nruns: 9", "x.yaml:4:7: 'runs' is a fixed number and 'until: "
					     "decided' is not" },
		{ "runs: 9\nmax-runs: 20", "x.yaml:4:11: runs is a fixed number, so max-runs "
					   "contradicts it" },
		{ "max-runs: 5", "x.yaml:3:11: max-runs is 5, it must be 8" },
		{ "max_runs: 9", "x.yaml:3:1: unknown key 'max_runs', did you mean 'max-runs'?" },
		{ "max-time: 0s", "x.yaml:3:11: the most time of a session must be 1s" },
		{ "max-time: 90", "x.yaml:3:11: '90' is no duration" },
		{ "effect: 0", "x.yaml:3:9: 'effect' wants a number above 0 (per cent), not '0'" },
		{ "effect: big", "x.yaml:3:9: 'effect' wants a number above 0 (per cent)" },
		{ "effect: 101%", "x.yaml:3:9: the effect must be auto" },
		{ "alpha: 1%", "x.yaml:3:8: 'alpha' wants a number above 0, not '1%'" },
		{ "alpha: 0.7", "x.yaml:3:8: alpha must be 1e-06 to 0.5, not 0.7" },
		{ "alpha: 1e-17", "x.yaml:3:8: alpha must be 1e-06 to 0.5, not 1e-17" },
		{ "warm-up-block: maybe", "x.yaml:3:16: 'warm-up-block' wants yes or no" },
		{ "aa: 60%", "x.yaml:3:5: the share of A/A runs must be 0 to 50 per cent" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct experiment *experiment = NULL;
		struct error err = { 0 };
		CHECK_INT(parse(rows[i].lines, &experiment, &err), -EINVAL);
		CHECK_HOLDS(err.text, rows[i].sentence);
	}
}

static void what_is_good_may_be_said_of_all_scores_or_of_one(void **state)
{
	AUTO(experiment) struct experiment *all = right("better: lower");
	CHECK_INT(all->n_better, 1);
	CHECK(!all->better[0].metric);
	CHECK(!all->better[0].higher);
	AUTO(experiment) struct experiment *some = right("better: {a.*: higher, b: lower}");
	CHECK_INT(some->n_better, 2);
	CHECK_TEXT(some->better[0].metric, "a.*");
	CHECK(some->better[0].higher);
	CHECK_TEXT(some->better[1].metric, "b");
	CHECK(!some->better[1].higher);
	struct experiment *none = NULL;
	struct error err = { 0 };
	CHECK_INT(parse("better: {a: lowre}", &none, &err), -EINVAL);
	CHECK_TEXT(err.text, "x.yaml:3:13: unknown direction 'lowre', did you mean 'lower'?");
}

static void one_subject_cannot_be_decided(void **state)
{
	static const char yaml[] = "workload: hackbench\nsubjects: {base: }\nuntil: decided\n";
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	CHECK_INT(
		experiment_parse(yaml, strlen(yaml), "x.yaml", &fake_catalogue, &experiment, &err),
		-EINVAL);
	CHECK_HOLDS(err.text, "x.yaml:3:8: subject 'base' is alone");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_is_read),
		cmocka_unit_test(what_is_not_said_is_the_preset),
		cmocka_unit_test(what_is_wrong_is_told_where_it_stands),
		cmocka_unit_test(what_is_good_may_be_said_of_all_scores_or_of_one),
		cmocka_unit_test(one_subject_cannot_be_decided),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
