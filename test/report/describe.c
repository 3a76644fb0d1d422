/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for machine, parameters, settings and runs. */
#include "report/describe.h"

#include "check.h"
#include "report/scenario.h"

static void the_machine_is_one_line(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	AUTO(text) char *machine = describe_machine(&scenario.sides[0]);
	CHECK_TEXT(machine, "Example CPU 3000 @ 2.40GHz, 2 CPUs, 7.8 GiB, Linux 6.1.0-18-amd64");
	scenario_done(&scenario);
}

static void what_is_unknown_of_the_machine_is_called_unknown(void **state)
{
	struct sample sample = sample_make("base", 1);
	sample_fact(&sample, "node.count", "4");
	sample_fact(&sample, "hypervisor", "KVM");
	run_fact_add(sample.runs[0], "cpu.count", VALUE_MISSING, MISSING_DENIED, NULL);
	const struct compared_side side = sample_side(&sample);
	AUTO(text) char *machine = describe_machine(&side);
	CHECK_TEXT(machine, "unknown CPU model, unknown number of CPUs on 4 nodes, Linux (unknown "
			    "release), under KVM");
	sample_done(&sample);
}

static void parameters_that_a_subject_sets_are_left_to_the_subject(void **state)
{
	struct scenario scenario;
	scenario_three(&scenario);
	AUTO(text) char *none = describe_parameters(scenario.comparison);
	CHECK_TEXT(none, "");
	AUTO(text) char *settings = describe_settings(scenario.sides[2].job);
	CHECK_TEXT(settings, "param groups=2");
	AUTO(text) char *no_settings = describe_settings(scenario.sides[0].job);
	CHECK_TEXT(no_settings, "no settings");
	scenario_done(&scenario);
}

static void an_evaluated_parameter_shows_both_forms(void **state)
{
	struct scenario scenario = { .n_sides = 2 };
	for (size_t i = 0; i < 2; i++) {
		scenario.samples[i] = sample_make("x", 2);
		sample_argument(&scenario.samples[i], "groups", "8");
		free(scenario.samples[i].job->arguments[0].text);
		scenario.samples[i].job->arguments[0].text = mem_text("4*cpus");
	}
	scenario_begin(&scenario);
	AUTO(text) char *parameters = describe_parameters(scenario.comparison);
	CHECK_TEXT(parameters, "groups=8 (4*cpus)");
	scenario_done(&scenario);
}

static void settings_without_a_key_have_no_key(void **state)
{
	struct sample sample = sample_make("base", 1);
	sample_setting(&sample, SETTING_GOVERNOR, "", "powersave");
	sample_setting(&sample, SETTING_ENV, "FOO", "bar");
	AUTO(text) char *settings = describe_settings(sample.job);
	CHECK_TEXT(settings, "governor=powersave, env FOO=bar");
	sample_done(&sample);
}

static void runs_that_failed_are_not_hidden(void **state)
{
	struct scenario scenario;
	scenario_doubtful(&scenario);
	AUTO(text) char *base = describe_runs(scenario.comparison, 0);
	AUTO(text) char *head = describe_runs(scenario.comparison, 1);
	CHECK_TEXT(base, "6 runs");
	CHECK_TEXT(head, "4 of 6 runs complete");
	scenario_done(&scenario);
}

static void the_cost_row_is_found_by_name(void **state)
{
	struct scenario scenario;
	scenario_plain(&scenario);
	const struct row *row = describe_cost_row(scenario.comparison);
	CHECK(row);
	CHECK_NEAR(row->cells[0].summary.mean, 0.07, 1e-12);
	scenario_done(&scenario);
	scenario_three(&scenario);
	CHECK(!describe_cost_row(scenario.comparison));
	scenario_done(&scenario);
}

static void directions_have_words(void **state)
{
	CHECK_TEXT(describe_direction(BETTER_HIGHER), "higher is better");
	CHECK_TEXT(describe_direction(BETTER_LOWER), "lower is better");
	CHECK_TEXT(describe_direction(BETTER_NONE), "no direction");
	CHECK_TEXT(describe_direction(BETTER_UNKNOWN), "direction unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_machine_is_one_line),
		cmocka_unit_test(what_is_unknown_of_the_machine_is_called_unknown),
		cmocka_unit_test(parameters_that_a_subject_sets_are_left_to_the_subject),
		cmocka_unit_test(an_evaluated_parameter_shows_both_forms),
		cmocka_unit_test(settings_without_a_key_have_no_key),
		cmocka_unit_test(runs_that_failed_are_not_hidden),
		cmocka_unit_test(the_cost_row_is_found_by_name),
		cmocka_unit_test(directions_have_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
