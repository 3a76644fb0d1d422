/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Subjects and their settings as files write them. Wrong ones are in the folder wrong/. */
#include "check.h"
#include "experiment/experiment.h"
#include "experiment/fake_catalogue.h"

static const char every_kind[] = "workload: hackbench\n"
				 "subjects:\n"
				 "  zebra:\n"
				 "  head:\n"
				 "    sysfs: {kernel/mm/transparent_hugepage/enabled: always}\n"
				 "    sysctl: {vm.numa_stat: 0, kernel.numa_balancing: '1'}\n"
				 "    env: {FOO: bar, EMPTY: ''}\n"
				 "    param: {groups: 8}\n"
				 "    cgroup: {memory.max: 1G}\n"
				 "    prefix: taskset -c 0\n"
				 "    binary: /usr/bin/true\n"
				 "    idle: C1,C1E\n"
				 "    governor: performance\n"
				 "    instances: node:bound\n"
				 "    kernel: v6.12\n"
				 "  apple: {idle: [C1, C6]}\n";

static const struct {
	enum setting_kind kind;
	const char *key;
	const char *value;
} settings[] = {
	{ SETTING_SYSFS, "kernel/mm/transparent_hugepage/enabled", "always" },
	{ SETTING_SYSCTL, "vm.numa_stat", "0" },
	{ SETTING_SYSCTL, "kernel.numa_balancing", "1" },
	{ SETTING_ENV, "FOO", "bar" },
	{ SETTING_ENV, "EMPTY", "" },
	{ SETTING_PARAM, "groups", "8" },
	{ SETTING_CGROUP, "memory.max", "1G" },
	{ SETTING_PREFIX, "", "taskset -c 0" },
	{ SETTING_BINARY, "", "/usr/bin/true" },
	{ SETTING_IDLE, "", "C1,C1E" },
	{ SETTING_GOVERNOR, "", "performance" },
	{ SETTING_INSTANCES, "", "node:bound" },
	{ SETTING_KERNEL, "", "v6.12" },
};

static struct experiment *parse(const char *yaml)
{
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	if (experiment_parse(yaml, strlen(yaml), "x.yaml", &fake_catalogue, &experiment, &err) < 0)
		fail_msg("%s", err.text);
	return experiment;
}

static void every_kind_of_setting_is_kept_in_order(void **state)
{
	AUTO(experiment) struct experiment *experiment = parse(every_kind);
	const struct subject *head = &experiment->subjects[1];
	CHECK_INT(head->n_settings, ARRAY_SIZE(settings));
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		CHECK_INT(head->settings[i].kind, settings[i].kind);
		CHECK_TEXT(head->settings[i].key, settings[i].key);
		CHECK_TEXT(head->settings[i].value, settings[i].value);
	}
}

static void subjects_keep_the_order_of_the_file(void **state)
{
	AUTO(experiment) struct experiment *experiment = parse(every_kind);
	CHECK_INT(experiment->n_subjects, 3);
	CHECK_TEXT(experiment->subjects[0].name, "zebra");
	CHECK_INT(experiment->subjects[0].n_settings, 0);
	CHECK_TEXT(experiment->subjects[1].name, "head");
	CHECK_TEXT(experiment->subjects[2].name, "apple");
}

static void idle_states_may_be_a_list(void **state)
{
	AUTO(experiment) struct experiment *experiment = parse(every_kind);
	CHECK_INT(experiment->subjects[2].n_settings, 1);
	CHECK_INT(experiment->subjects[2].settings[0].kind, SETTING_IDLE);
	CHECK_TEXT(experiment->subjects[2].settings[0].value, "C1,C6");
}

static void subjects_may_stand_before_their_workloads(void **state)
{
	AUTO(experiment)
	struct experiment *experiment = parse("subjects: {base: , head: {param: {g: 4}}}\n"
					      "workload: hackbench\n");
	CHECK_TEXT(experiment->subjects[1].settings[0].key, "g");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_setting_is_kept_in_order),
		cmocka_unit_test(subjects_keep_the_order_of_the_file),
		cmocka_unit_test(idle_states_may_be_a_list),
		cmocka_unit_test(subjects_may_stand_before_their_workloads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
