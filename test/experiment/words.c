/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Experiments said on the command line: what the pieces mean, and the sentence and column of wrong
 * ones. */
#include "check.h"
#include "experiment/experiment.h"
#include "experiment/fake_catalogue.h"

#include <errno.h>

static struct experiment *with_workload(const char *name)
{
	struct experiment *experiment = experiment_new();
	CHECK_INT(experiment_add_workload(experiment, name, &fake_catalogue, NULL), 0);
	return experiment;
}

static void a_parameter_adds_a_dimension_to_every_workload(void **state)
{
	AUTO(experiment) struct experiment *experiment = with_workload("hackbench");
	CHECK_INT(experiment_add_workload(experiment, "page_fault1", &fake_catalogue, NULL), 0);
	CHECK_INT(
		experiment_add_parameter(experiment, "mode=process,thread", &fake_catalogue, NULL),
		0);
	for (size_t i = 0; i < 2; i++) {
		CHECK_INT(experiment->selected[i].n_values, 1);
		CHECK_TEXT(experiment->selected[i].values[0].name, "mode");
		CHECK_INT(experiment->selected[i].values[0].n_texts, 2);
		CHECK_TEXT(experiment->selected[i].values[0].texts[1], "thread");
	}
}

static void an_alias_is_kept_under_the_full_name(void **state)
{
	AUTO(experiment) struct experiment *experiment = with_workload("page_fault1");
	CHECK_INT(experiment_add_parameter(experiment, "t=1,50%,2*cpus", &fake_catalogue, NULL), 0);
	CHECK_TEXT(experiment->selected[0].values[0].name, "nr_task");
	CHECK_TEXT(experiment->selected[0].values[0].texts[1], "50%");
}

static void a_comma_inside_a_value_is_escaped(void **state)
{
	AUTO(experiment) struct experiment *experiment = with_workload("command");
	CHECK_INT(experiment_add_parameter(experiment, "program=a\\,b c=d,\\x", &fake_catalogue,
					   NULL),
		  0);
	CHECK_INT(experiment->selected[0].values[0].n_texts, 2);
	CHECK_TEXT(experiment->selected[0].values[0].texts[0], "a,b c=d");
	CHECK_TEXT(experiment->selected[0].values[0].texts[1], "\\x");
}

static void subjects_are_a_name_and_settings(void **state)
{
	static const struct {
		const char *text;
		enum setting_kind kind;
		const char *key;
		const char *value;
	} rows[] = {
		{ "a:vm.numa_stat=0", SETTING_SYSCTL, "vm.numa_stat", "0" },
		{ "b:kernel.numa_balancing=1", SETTING_SYSCTL, "kernel.numa_balancing", "1" },
		{ "c:sysctl.vm.swappiness=0", SETTING_SYSCTL, "vm.swappiness", "0" },
		{ "d:sysfs.kernel/mm/ksm/run=1", SETTING_SYSFS, "kernel/mm/ksm/run", "1" },
		{ "e:env.FOO=a=b", SETTING_ENV, "FOO", "a=b" },
		{ "f:env.FOO=", SETTING_ENV, "FOO", "" },
		{ "g:param.groups=2*cpus", SETTING_PARAM, "groups", "2*cpus" },
		{ "h:cgroup.memory.max=1G", SETTING_CGROUP, "memory.max", "1G" },
		{ "i:prefix=taskset -c 0\\,1", SETTING_PREFIX, "", "taskset -c 0,1" },
		{ "j:binary=/usr/bin/true", SETTING_BINARY, "", "/usr/bin/true" },
		{ "k:idle=C1\\,C1E", SETTING_IDLE, "", "C1,C1E" },
		{ "l:governor=performance", SETTING_GOVERNOR, "", "performance" },
		{ "m:instances=node:bound", SETTING_INSTANCES, "", "node:bound" },
		{ "n:kernel=v6.12", SETTING_KERNEL, "", "v6.12" },
	};
	AUTO(experiment) struct experiment *experiment = experiment_new();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err = { 0 };
		if (experiment_add_subject(experiment, rows[i].text, &err) < 0)
			fail_msg("%s", err.text);
		const struct subject *subject = &experiment->subjects[i];
		CHECK_INT(subject->name[0], rows[i].text[0]);
		CHECK_INT(subject->n_settings, 1);
		CHECK_INT(subject->settings[0].kind, rows[i].kind);
		CHECK_TEXT(subject->settings[0].key, rows[i].key);
		CHECK_TEXT(subject->settings[0].value, rows[i].value);
	}
}

static void a_subject_has_several_settings_or_none(void **state)
{
	AUTO(experiment) struct experiment *experiment = with_workload("hackbench");
	CHECK_INT(experiment_add_subject(experiment, "base", NULL), 0);
	CHECK_INT(experiment_add_subject(experiment, "big:param.groups=8,env.FOO=bar", NULL), 0);
	CHECK_INT(experiment->subjects[0].n_settings, 0);
	CHECK_INT(experiment->subjects[1].n_settings, 2);
	CHECK_TEXT(experiment->subjects[1].settings[1].key, "FOO");
	CHECK_INT(experiment_check(experiment, &fake_catalogue, NULL), 0);
}

static void each_wrong_subject_gets_its_sentence_and_column(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} rows[] = {
		{ "", "subject '', column 1: the subject has no name" },
		{ ":vm.x=1", "subject ':vm.x=1', column 1: the subject has no name" },
		{ "a/b", "subject 'a/b', column 1: 'a/b' cannot name the subject: use letters, "
			 "digits and . _ - + and begin with a letter or digit" },
		{ "base", "subject 'base', column 1: two subjects are named 'base'" },
		{ "x:",
		  "subject 'x:', column 3: '' is no KIND.KEY=VALUE (a comma inside a value is "
		  "written '\\,')" },
		{ "x:vm.numa_stat", "subject 'x:vm.numa_stat', column 3: 'vm.numa_stat' is no "
				    "KIND.KEY=VALUE (a comma inside a value is written '\\,')" },
		{ "x:idle=C1,C1E", "subject 'x:idle=C1,C1E', column 11: 'C1E' is no KIND.KEY=VALUE "
				   "(a comma inside a value is written '\\,')" },
		{ "x:env.A=1,params.groups=4",
		  "subject 'x:env.A=1,params.groups=4', column 11: unknown setting 'params', did "
		  "you mean 'param'?" },
		{ "x:govenor=performance", "subject 'x:govenor=performance', column 3: unknown "
					   "setting 'govenor', did you mean 'governor'?" },
		{ "x:sysctl=1", "subject 'x:sysctl=1', column 3: 'sysctl' needs a key, write "
				"sysctl.KEY=VALUE" },
		{ "x:prefix.a=1",
		  "subject 'x:prefix.a=1', column 3: 'prefix' has no key, write prefix=VALUE" },
		{ "x:vm..x=1",
		  "subject 'x:vm..x=1', column 3: 'vm..x' is no sysctl key such as vm.swappiness" },
		{ "x:sysctl.vm=1", "subject 'x:sysctl.vm=1', column 10: 'vm' is no sysctl key such "
				   "as vm.swappiness" },
		{ "x:env.A=1,env.2=1", "subject 'x:env.A=1,env.2=1', column 15: '2' is no env key "
				       "such as MALLOC_ARENA_MAX" },
		{ "x:vm.swappiness=",
		  "subject 'x:vm.swappiness=', column 17: the sysctl setting has no value" },
		{ "x:instances=numa",
		  "subject 'x:instances=numa', column 13: 'numa' is no number of instances: write "
		  "node, socket or 1 to 1024, and :bound behind it to bind each" },
		{ "x:env.A=1,env.A=2",
		  "subject 'x:env.A=1,env.A=2', column 11: subject 'x' sets env.A twice" },
		{ "x:env.A=a\nb", "subject 'x:env.A=a?b', column 9: a line break or control "
				  "character in 'a?b'" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO(experiment) struct experiment *experiment = experiment_new();
		struct error err = { 0 };
		CHECK_INT(experiment_add_subject(experiment, "base", NULL), 0);
		CHECK_INT(experiment_add_subject(experiment, rows[i].text, &err), -EINVAL);
		CHECK_TEXT(err.text, rows[i].sentence);
		CHECK_INT(experiment->n_subjects, 1);
		CHECK_INT(experiment_add_subject(experiment, rows[i].text, NULL), -EINVAL);
	}
}

static void each_wrong_parameter_gets_its_sentence_and_column(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} rows[] = {
		{ "", "parameter '', column 1: write NAME=VALUE[,VALUE...]" },
		{ "mode", "parameter 'mode', column 5: write NAME=VALUE[,VALUE...]" },
		{ "=4", "parameter '=4', column 1: hackbench has no parameter '', it has groups, "
			"loops, ipc, mode" },
		{ "gruops=4",
		  "parameter 'gruops=4', column 1: hackbench has no parameter 'gruops', "
		  "did you mean 'groups'?" },
		{ "mode=process,thred", "parameter 'mode=process,thred', column 14: unknown mode "
					"'thred', did you mean 'thread'?" },
		{ "g=1,0", "parameter 'g=1,0', column 5: groups=0 is too small, the least is 1" },
		{ "g=1,2*cpu", "parameter 'g=1,2*cpu', column 7: groups=2*cpu: unknown name 'cpu', "
			       "did you mean 'cpus'?" },
		{ "g=", "parameter 'g=', column 3: 'groups' has no value here" },
		{ "g=1,,2", "parameter 'g=1,,2', column 5: 'groups' has no value here" },
		{ "g=1,2,1", "parameter 'g=1,2,1', column 7: the value '1' is listed twice" },
		{ "loops=1",
		  "parameter 'loops=1', column 1: the parameter 'loops' is given twice" },
		{ "l=1", "parameter 'l=1', column 1: the parameter 'loops' is given twice" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO(experiment) struct experiment *experiment = with_workload("hackbench");
		struct error err = { 0 };
		CHECK_INT(experiment_add_parameter(experiment, "l=7", &fake_catalogue, NULL), 0);
		CHECK_INT(experiment_add_parameter(experiment, rows[i].text, &fake_catalogue, &err),
			  -EINVAL);
		CHECK_TEXT(err.text, rows[i].sentence);
		CHECK_INT(experiment->selected[0].n_values, 1);
		CHECK_INT(experiment_add_parameter(experiment, rows[i].text, &fake_catalogue, NULL),
			  -EINVAL);
	}
}

static void a_parameter_that_one_workload_lacks_changes_none(void **state)
{
	AUTO(experiment) struct experiment *experiment = with_workload("hackbench");
	struct error err = { 0 };
	CHECK_INT(experiment_add_workload(experiment, "page_fault1", &fake_catalogue, NULL), 0);
	CHECK_INT(experiment_add_parameter(experiment, "groups=4", &fake_catalogue, &err), -EINVAL);
	CHECK_HOLDS(err.text, "page_fault1 has no parameter 'groups'");
	CHECK_INT(experiment->selected[0].n_values, 0);
}

static void workloads_must_be_known_and_new(void **state)
{
	AUTO(experiment) struct experiment *experiment = with_workload("hackbench");
	struct error err = { 0 };
	CHECK_INT(experiment_add_workload(experiment, "hackbnech", &fake_catalogue, &err), -EINVAL);
	CHECK_TEXT(err.text, "unknown workload 'hackbnech', did you mean 'hackbench'?");
	CHECK_INT(experiment_add_workload(experiment, "hackbench", &fake_catalogue, &err), -EINVAL);
	CHECK_TEXT(err.text, "workload 'hackbench' is named twice");
	CHECK_INT(experiment->n_selected, 1);
	AUTO(experiment) struct experiment *empty = experiment_new();
	CHECK_INT(experiment_add_parameter(empty, "groups=4", &fake_catalogue, &err), -EINVAL);
	CHECK_TEXT(err.text, "parameter 'groups=4' without a workload before it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_parameter_adds_a_dimension_to_every_workload),
		cmocka_unit_test(an_alias_is_kept_under_the_full_name),
		cmocka_unit_test(a_comma_inside_a_value_is_escaped),
		cmocka_unit_test(subjects_are_a_name_and_settings),
		cmocka_unit_test(a_subject_has_several_settings_or_none),
		cmocka_unit_test(each_wrong_subject_gets_its_sentence_and_column),
		cmocka_unit_test(each_wrong_parameter_gets_its_sentence_and_column),
		cmocka_unit_test(a_parameter_that_one_workload_lacks_changes_none),
		cmocka_unit_test(workloads_must_be_known_and_new),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
