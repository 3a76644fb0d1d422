/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads and their lists of values as files write them. Wrong ones are in the folder wrong/. */
#include "check.h"
#include "experiment/experiment.h"
#include "experiment/fake_catalogue.h"

static struct experiment *parse(const char *yaml)
{
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	if (experiment_parse(yaml, strlen(yaml), "x.yaml", &fake_catalogue, &experiment, &err) < 0)
		fail_msg("%s", err.text);
	return experiment;
}

static void dimensions_keep_their_order_and_their_words(void **state)
{
	AUTO(experiment)
	struct experiment *experiment = parse("workloads:\n"
					      "  - page_fault1:\n"
					      "      t: [1, 50%, 2*cpus]\n"
					      "      mode: thread\n"
					      "subjects: {base: }\n");
	CHECK_INT(experiment->n_selected, 1);
	const struct selected *selected = &experiment->selected[0];
	CHECK_TEXT(selected->workload, "page_fault1");
	CHECK_INT(selected->n_values, 2);
	CHECK_TEXT(selected->values[0].name, "nr_task");
	CHECK_INT(selected->values[0].n_texts, 3);
	CHECK_TEXT(selected->values[0].texts[0], "1");
	CHECK_TEXT(selected->values[0].texts[1], "50%");
	CHECK_TEXT(selected->values[0].texts[2], "2*cpus");
	CHECK_TEXT(selected->values[1].name, "mode");
	CHECK_INT(selected->values[1].n_texts, 1);
}

static void a_workload_is_written_in_several_ways(void **state)
{
	static const char *const ways[] = {
		"workload: hackbench\nsubjects: {base: }\n",
		"workload: {hackbench: }\nsubjects: {base: }\n",
		"workload:\n  hackbench:\nsubjects: {base: }\n",
		"workload:\n  hackbench: {}\nsubjects: {base: }\n",
		"workloads: [hackbench]\nsubjects: {base: }\n",
		"workloads:\n- hackbench:\nsubjects: {base: }\n",
		"subjects: {base: }\nworkloads:\n  - 'hackbench'\n",
	};
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		AUTO(experiment) struct experiment *experiment = parse(ways[i]);
		CHECK_INT(experiment->n_selected, 1);
		CHECK_TEXT(experiment->selected[0].workload, "hackbench");
		CHECK_INT(experiment->selected[0].n_values, 0);
	}
}

static void one_workload_may_stand_twice_with_other_values(void **state)
{
	AUTO(experiment)
	struct experiment *experiment =
		parse("workloads:\n"
		      "  - will-it-scale/page_fault1: {mode: thread, nr_task: 2}\n"
		      "  - page_fault1: {mode: process, nr_task: 4}\n"
		      "subjects: {base: }\n");
	CHECK_INT(experiment->n_selected, 2);
	CHECK_TEXT(experiment->selected[0].workload, "page_fault1");
	CHECK_TEXT(experiment->selected[1].values[1].texts[0], "4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dimensions_keep_their_order_and_their_words),
		cmocka_unit_test(a_workload_is_written_in_several_ways),
		cmocka_unit_test(one_workload_may_stand_twice_with_other_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
