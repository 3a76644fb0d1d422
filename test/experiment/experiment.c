/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The check of an experiment that was put together by code: nothing passes that a file could not
 * say. */
#include "experiment/experiment.h"

#include "base/macros.h"
#include "base/mem.h"
#include "check.h"
#include "experiment/build.h"
#include "experiment/fake_catalogue.h"

#include <errno.h>

/* hackbench with groups 1 and 2, base and head: right. */
static struct experiment *right(void)
{
	struct experiment *experiment = experiment_new();
	struct values *groups = build_values(build_selected(experiment, "hackbench"), "groups");
	build_text(groups, "1");
	build_text(groups, "2");
	build_subject(experiment, "base");
	build_setting(build_subject(experiment, "head"), SETTING_PARAM, "ipc", "pipe");
	return experiment;
}

static void no_name(struct experiment *experiment)
{
	build_string(&experiment->name, "a b");
}

static void two_lines(struct experiment *experiment)
{
	build_string(&experiment->question, "a\nb");
}

static void no_runs(struct experiment *experiment)
{
	experiment->runs = 0;
}

static void large_seed(struct experiment *experiment)
{
	experiment->seed = UINT64_MAX;
}

static void short_interval(struct experiment *experiment)
{
	experiment->interval_ns = 1;
}

static void short_limit(struct experiment *experiment)
{
	experiment->time_limit_ns = 1;
}

static void far_place(struct experiment *experiment)
{
	build_string(&experiment->place, "moon");
}

static void no_workload(struct experiment *experiment)
{
	build_drop_selected(experiment);
}

static void unknown_workload(struct experiment *experiment)
{
	build_selected(experiment, "hackbnech");
}

static void unknown_parameter(struct experiment *experiment)
{
	build_text(build_values(&experiment->selected[0], "lops"), "1");
}

static void wrong_value(struct experiment *experiment)
{
	build_text(&experiment->selected[0].values[0], "3*");
}

static void no_value(struct experiment *experiment)
{
	build_values(&experiment->selected[0], "loops");
}

static void needed_value(struct experiment *experiment)
{
	build_selected(experiment, "command");
}

static void no_subject(struct experiment *experiment)
{
	while (experiment->n_subjects > 0)
		build_drop_subject(experiment);
}

static void same_subject(struct experiment *experiment)
{
	build_subject(experiment, "base");
}

static void wrong_subject(struct experiment *experiment)
{
	build_subject(experiment, "a/b");
}

static void same_setting(struct experiment *experiment)
{
	build_setting(&experiment->subjects[0], SETTING_ENV, "A", "1");
	build_setting(&experiment->subjects[0], SETTING_ENV, "A", "2");
}

static void wrong_key(struct experiment *experiment)
{
	build_setting(&experiment->subjects[0], SETTING_ENV, "1", "1");
}

static void no_setting_value(struct experiment *experiment)
{
	build_setting(&experiment->subjects[0], SETTING_PREFIX, "", "");
}

static void param_in_matrix(struct experiment *experiment)
{
	build_setting(&experiment->subjects[0], SETTING_PARAM, "g", "3");
}

static void unknown_monitor(struct experiment *experiment)
{
	build_monitor(experiment, "vmstta");
}

static void same_monitor(struct experiment *experiment)
{
	build_monitor(experiment, "vmstat");
	build_monitor(experiment, "vmstat");
}

static void none_of_two(struct experiment *experiment)
{
	build_monitor(experiment, "vmstat");
	build_monitor(experiment, "none");
}

static void many_runs(struct experiment *experiment)
{
	experiment->until = UNTIL_RUNS;
	experiment->runs = 30000;
}

static void many_points(struct experiment *experiment)
{
	struct values *loops = build_values(&experiment->selected[0], "loops");
	for (unsigned i = 1; i <= 5001; i++) {
		AUTO(text) char *text = mem_format("%u", i);
		build_text(loops, text);
	}
}

static void many_subjects(struct experiment *experiment)
{
	for (unsigned i = 0; i < EXPERIMENT_SUBJECTS_MAX; i++) {
		AUTO(text) char *name = mem_format("s%u", i);
		build_subject(experiment, name);
	}
}

static const struct {
	void (*spoil)(struct experiment *experiment);
	const char *sentence;
} rows[] = {
	{ no_name, "'a b' cannot name the experiment" },
	{ two_lines, "the question is one line" },
	{ no_runs, "runs is 0, it must be 1 to 100000" },
	{ large_seed, "seed is 18446744073709551615, the largest is 9007199254740991" },
	{ short_interval, "the interval must be 10ms to 1h" },
	{ short_limit, "the time limit of a run must be 1s to 168h" },
	{ far_place, "unknown place 'moon', known are host" },
	{ no_workload, "no workload is named" },
	{ unknown_workload, "unknown workload 'hackbnech', did you mean 'hackbench'?" },
	{ unknown_parameter, "hackbench has no parameter 'lops', did you mean 'loops'?" },
	{ wrong_value, "groups=3*: a number or a name is wanted at the end" },
	{ no_value, "'loops' has no value" },
	{ needed_value, "command needs a value for 'program'" },
	{ no_subject, "no subject is named" },
	{ same_subject, "two subjects are named 'base'" },
	{ wrong_subject, "'a/b' cannot name the subject" },
	{ same_setting, "subject 'base' sets env.A twice" },
	{ wrong_key, "'1' is no env key" },
	{ no_setting_value, "the prefix setting has no value" },
	{ param_in_matrix, "the matrix lists 2 values of 'groups' for hackbench" },
	{ unknown_monitor, "unknown monitor 'vmstta', did you mean 'vmstat'?" },
	{ same_monitor, "monitor 'vmstat' is named twice" },
	{ none_of_two, "unknown monitor 'none'" },
	{ many_runs, "2 points, 2 subjects and 30000 runs of each make 120000 runs" },
	{ many_points, "the matrix has more than 10000 points" },
	{ many_subjects, "66 subjects, the most is 64" },
};

static void each_spoilt_experiment_is_refused_with_its_reason(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO(experiment) struct experiment *experiment = right();
		struct error err = { 0 };
		CHECK_INT(experiment_check(experiment, &fake_catalogue, NULL), 0);
		rows[i].spoil(experiment);
		CHECK_INT(experiment_check(experiment, &fake_catalogue, &err), -EINVAL);
		CHECK_HOLDS(err.text, rows[i].sentence);
	}
}

static void a_new_experiment_has_the_documented_defaults(void **state)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();
	CHECK_TEXT(experiment->place, "host");
	CHECK_INT(experiment->runs, 10);
	CHECK_INT(experiment->interval_ns, 1000000000);
	CHECK_INT(experiment->time_limit_ns, 0);
	CHECK_INT(experiment->n_monitors, 0);
	experiment_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_spoilt_experiment_is_refused_with_its_reason),
		cmocka_unit_test(a_new_experiment_has_the_documented_defaults),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
