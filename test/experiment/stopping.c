/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When an experiment has measured enough: presets, limits, contradictions. */
#include "base/clock.h"
#include "base/macros.h"
#include "check.h"
#include "experiment/build.h"
#include "experiment/check.h"

#include <errno.h>
#include <math.h>

static struct experiment *with_subjects(unsigned n)
{
	static const char *const names[] = { "base", "head", "other" };
	struct experiment *experiment = experiment_new();
	for (unsigned i = 0; i < n; i++)
		build_subject(experiment, names[i]);
	return experiment;
}

static void two_subjects_are_run_until_decided(void **state)
{
	AUTO(experiment) struct experiment *experiment = with_subjects(2);
	struct stopping stopping = experiment_stopping(experiment);
	CHECK(stopping.until_decided);
	CHECK_INT(stopping.runs_max, 20);
	CHECK_INT(stopping.time_max_ns, 0);
	experiment->max_runs = 40;
	CHECK_INT(experiment_stopping(experiment).runs_max, 40);
	experiment->max_runs = 0;
	experiment->until = UNTIL_RUNS;
	experiment->runs = 7;
	stopping = experiment_stopping(experiment);
	CHECK(!stopping.until_decided);
	CHECK_INT(stopping.runs_max, 7);
}

static void one_subject_alone_has_nothing_to_decide(void **state)
{
	AUTO(experiment) struct experiment *experiment = with_subjects(1);
	struct error err = { 0 };
	CHECK(!experiment_stopping(experiment).until_decided);
	CHECK_INT(experiment_stopping(experiment).runs_max, 10);
	CHECK_INT(check_until(experiment, &err), 0);
	experiment->until = UNTIL_DECIDED;
	CHECK_INT(check_until(experiment, &err), -EINVAL);
	CHECK_HOLDS(err.text, "'base' is alone");
	experiment->until = UNTIL_PRESET;
	experiment->max_runs = 20;
	CHECK_INT(check_until(experiment, &err), -EINVAL);
	build_subject(experiment, "head");
	CHECK_INT(check_until(experiment, &err), 0);
}

static void numbers_have_limits(void **state)
{
	CHECK_INT(check_runs(0, NULL), -EINVAL);
	CHECK_INT(check_runs(1, NULL), 0);
	CHECK_INT(check_runs(EXPERIMENT_RUNS_MAX, NULL), 0);
	CHECK_INT(check_runs(EXPERIMENT_RUNS_MAX + 1, NULL), -EINVAL);
	CHECK_INT(check_max_runs(7, NULL), -EINVAL);
	CHECK_INT(check_max_runs(8, NULL), 0);
	CHECK_INT(check_max_runs(EXPERIMENT_RUNS_MAX + 1, NULL), -EINVAL);
	CHECK_INT(check_max_time(0, NULL), 0);
	CHECK_INT(check_max_time(NS_PER_SEC - 1, NULL), -EINVAL);
	CHECK_INT(check_max_time(NS_PER_SEC, NULL), 0);
	CHECK_INT(check_effect(0, NULL), 0);
	CHECK_INT(check_effect(100.5, NULL), -EINVAL);
	CHECK_INT(check_effect((double)NAN, NULL), -EINVAL);
	CHECK_INT(check_alpha(0.5, NULL), 0);
	CHECK_INT(check_alpha(0.51, NULL), -EINVAL);
	CHECK_INT(check_alpha((double)NAN, NULL), -EINVAL);
	CHECK_INT(check_alpha(1e-6, NULL), 0);
	CHECK_INT(check_alpha(0.9e-6, NULL), -EINVAL);
	CHECK_INT(check_alpha(1e-300, NULL), -EINVAL);
	CHECK_INT(check_aa(50, NULL), 0);
	CHECK_INT(check_aa(51, NULL), -EINVAL);
	CHECK_INT(check_aa(-1, NULL), -EINVAL);
}

static void every_number_is_looked_at(void **state)
{
	for (unsigned i = 0; i < 6; i++) {
		AUTO(experiment) struct experiment *experiment = with_subjects(2);
		CHECK_INT(check_stopping(experiment, NULL), 0);
		switch (i) {
		case 0:
			experiment->runs = 0;
			break;
		case 1:
			experiment->max_runs = 3;
			break;
		case 2:
			experiment->max_time_ns = 1;
			break;
		case 3:
			experiment->effect_percent = -1;
			break;
		case 4:
			experiment->alpha = 2;
			break;
		default:
			experiment->aa_percent = 99;
			break;
		}
		CHECK_INT(check_stopping(experiment, NULL), -EINVAL);
	}
}

static void a_fixed_number_has_no_most(void **state)
{
	AUTO(experiment) struct experiment *experiment = with_subjects(2);
	struct error err = { 0 };
	experiment->until = UNTIL_RUNS;
	CHECK_INT(check_stopping(experiment, &err), 0);
	experiment->max_runs = 30;
	CHECK_INT(check_stopping(experiment, &err), -EINVAL);
	CHECK_HOLDS(err.text, "max-runs contradicts it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_subjects_are_run_until_decided),
		cmocka_unit_test(one_subject_alone_has_nothing_to_decide),
		cmocka_unit_test(numbers_have_limits),
		cmocka_unit_test(every_number_is_looked_at),
		cmocka_unit_test(a_fixed_number_has_no_most),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
