/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks between the pieces of an experiment; each refusal of a whole is in experiment.c. */
#include "check.h"
#include "experiment/build.h"
#include "experiment/check.h"
#include "experiment/fake_catalogue.h"

#include <errno.h>

static void a_workload_may_be_named_with_its_suite(void **state)
{
	const struct plugin *plugin = NULL;
	CHECK_INT(check_workload("will-it-scale/page_fault1", &fake_catalogue, &plugin, NULL), 0);
	CHECK(plugin == &fake_page_fault1);
	struct error err = { 0 };
	CHECK_INT(check_workload("lmbench", &fake_catalogue, &plugin, &err), -EINVAL);
	CHECK_TEXT(err.text, "unknown workload 'lmbench', see 'assay list workloads'");
	CHECK(plugin == &fake_page_fault1);
}

static void a_parameter_is_found_by_its_alias(void **state)
{
	const struct parameter *parameter = NULL;
	CHECK_INT(check_parameter(&fake_hackbench, "g", &parameter, NULL), 0);
	CHECK_TEXT(parameter->name, "groups");
	struct error err = { 0 };
	CHECK_INT(check_parameter(&fake_getppid1, "g", &parameter, &err), -EINVAL);
	CHECK_TEXT(err.text, "getppid1 has no parameter 'g', it has none");
}

static void a_param_must_suit_every_workload(void **state)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();
	build_selected(experiment, "hackbench");
	build_selected(experiment, "page_fault1");
	struct subject *subject = build_subject(experiment, "head");
	build_setting(subject, SETTING_PARAM, "groups", "4");
	build_setting(subject, SETTING_PARAM, "mode", "thread");
	build_setting(subject, SETTING_PARAM, "depth", "1");
	struct error err = { 0 };
	CHECK_INT(check_param(experiment, subject, 0, &fake_catalogue, &err), -EINVAL);
	CHECK_TEXT(err.text, "subject 'head' sets the parameter 'groups', which hackbench has but "
			     "page_fault1 has not; give each workload an experiment of its own");
	CHECK_INT(check_param(experiment, subject, 1, &fake_catalogue, NULL), 0);
	CHECK_INT(check_param(experiment, subject, 2, &fake_catalogue, &err), -EINVAL);
	CHECK_HOLDS(err.text, "has no parameter 'depth'");
}

static void a_needed_parameter_may_come_from_every_subject(void **state)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();
	build_selected(experiment, "command");
	build_setting(build_subject(experiment, "base"), SETTING_PARAM, "program", "true");
	CHECK_INT(check_selected(experiment, 0, &fake_catalogue, NULL), 0);
	struct subject *head = build_subject(experiment, "head");
	CHECK_INT(check_selected(experiment, 0, &fake_catalogue, NULL), -EINVAL);
	build_setting(head, SETTING_PARAM, "program", "false");
	CHECK_INT(check_selected(experiment, 0, &fake_catalogue, NULL), 0);
}

static void sizes_cannot_overflow_their_own_count(void **state)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();
	build_subject(experiment, "base");
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h",
					     "i", "j", "k", "l", "m", "n", "o", "p" };
	struct selected *selected = build_selected(experiment, "hackbench");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct values *values = build_values(selected, names[i]);
		for (unsigned j = 0; j < 16; j++)
			build_text(values, "1");
	}
	/* 16^16 points are 2^64, which counts as nothing in 64 bits. */
	CHECK_INT(check_size(experiment, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_workload_may_be_named_with_its_suite),
		cmocka_unit_test(a_parameter_is_found_by_its_alias),
		cmocka_unit_test(a_param_must_suit_every_workload),
		cmocka_unit_test(a_needed_parameter_may_come_from_every_subject),
		cmocka_unit_test(sizes_cannot_overflow_their_own_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
