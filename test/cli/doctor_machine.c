/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The doctor's checks of the machine: what makes each speak, and what must not. */
#include "check.h"
#include "cli/doctor_case.h"

static const struct doctor_patient recorded = { 0 };
static const struct doctor_patient live = { .is_live = true };

static const struct doctor_case cases[] = {
	{ "governor", "cpu.governor=powersave", "is powersave", "echo performance | sudo tee" },
	{ "governor", "cpu.governor=mixed: performance, powersave", "mixed", NULL },
	{ "governor", "cpu.governor=performance", NULL, NULL },
	{ "turbo", "cpu.turbo=on;cpu.frequency_driver=intel_cpufreq", "turbo is on",
	  "intel_pstate/no_turbo" },
	{ "turbo", "cpu.turbo=on;cpu.frequency_driver=acpi-cpufreq", "turbo is on",
	  "cpufreq/boost" },
	{ "turbo", "cpu.turbo=off", NULL, NULL },
	{ "idle-states", "cpu.idle_states=POLL C1 C1E C6", "C6", "idle-set" },
	{ "idle-states", "cpu.idle_states=POLL C1_ACPI C2_ACPI", "C2_ACPI", NULL },
	{ "idle-states", "cpu.idle_states=POLL C10", "C10", NULL },
	{ "idle-states", "cpu.idle_states=POLL C1 C1E", NULL, NULL },
	{ "idle-states", "cpu.idle_states=POLL haltpoll", NULL, NULL },
	{ "siblings", "cpu.threads_per_core=2;cpu.smt.control=on", "2 hardware threads",
	  "smt/control" },
	{ "siblings", "cpu.threads_per_core=2;cpu.smt.control=notsupported;hypervisor=kvm",
	  "2 hardware", "cannot be mended inside a guest" },
	{ "siblings", "cpu.threads_per_core=4;hypervisor=none", "4 hardware", "nosmt" },
	{ "siblings", "cpu.threads_per_core=1", NULL, NULL },
	{ "throttling", "throttle.core=3;throttle.package=4", "7 times", NULL },
	{ "throttling", "throttle.core=0;throttle.package!", NULL, NULL },
	{ "clock", "clock.source=hpet;clock.available=tsc hpet acpi_pm", "clock is hpet",
	  "echo tsc" },
	{ "clock", "clock.source=acpi_pm;clock.available=acpi_pm", "acpi_pm", "dmesg" },
	{ "clock", "clock.source=tsc", NULL, NULL },
	{ "clock", "clock.source=arch_sys_counter", NULL, NULL },
	{ "guest", "hypervisor=kvm", "guest (kvm)", "cannot be mended inside a guest" },
	{ "guest", "hypervisor=none", NULL, NULL },
	{ "battery", "power.source=battery", "battery", "mains" },
	{ "battery", "power.source=mains", NULL, NULL },
	{ "few-cpus", "cpu.count=2", "only 2 CPUs", NULL },
	{ "few-cpus", "cpu.count=4", NULL, NULL },
	{ "load", "load.1=2.00;cpu.count=8", "load was 2.00 on 8 CPUs", "top" },
	{ "load", "load.1=0.40;cpu.count=8", NULL, NULL },
};

static void each_check_speaks_when_it_must_and_only_then(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		doctor_case_check(&cases[i], &recorded);
}

static void missing_counters_are_told_of_this_machine_only(void **state)
{
	const struct doctor_case here = { "pmu", "pmu.cpu!;hypervisor=kvm",
					  "no hardware performance counters", "virtual PMU" };
	const struct doctor_case there = { "pmu", "pmu.cpu!;hypervisor=kvm", NULL, NULL };
	const struct doctor_case present = { "pmu", "pmu.cpu=cpu", NULL, NULL };
	(void)state;
	doctor_case_check(&here, &live);
	doctor_case_check(&there, &recorded);
	doctor_case_check(&present, &live);
}

static void stolen_and_used_time_is_measured(void **state)
{
	const struct doctor_patient stolen = { .is_live = true,
					       .has_shares = true,
					       .steal_percent = 2.5 };
	const struct doctor_patient busy = { .is_live = true,
					     .has_shares = true,
					     .busy_percent = 40 };
	const struct doctor_patient quiet = { .is_live = true,
					      .has_shares = true,
					      .steal_percent = 0.9 };
	const struct doctor_case speaks = { "steal", "", "takes 2.5 %",
					    "cannot be mended inside a guest" };
	const struct doctor_case is_used = { "load", "", "40 %", "top" };
	/* What was measured now counts for more than an old load. */
	const struct doctor_case is_idle = { "load", "load.1=9;cpu.count=2", NULL, NULL };
	const struct doctor_case is_given = { "steal", "", NULL, NULL };
	(void)state;
	doctor_case_check(&speaks, &stolen);
	doctor_case_check(&is_used, &busy);
	doctor_case_check(&is_idle, &quiet);
	doctor_case_check(&is_given, &quiet);
	doctor_case_check(&is_given, &recorded);
}

static void settings_of_a_crashed_run_are_wrong(void **state)
{
	const struct doctor_patient left = { .is_live = true, .leftovers = "/proc/sys/vm/knob" };
	const struct doctor_case speaks = { "leftovers", "", "/proc/sys/vm/knob", "assay run" };
	const struct doctor_case silent = { "leftovers", "", NULL, NULL };
	(void)state;
	doctor_case_check(&speaks, &left);
	doctor_case_check(&silent, &live);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_check_speaks_when_it_must_and_only_then),
		cmocka_unit_test(missing_counters_are_told_of_this_machine_only),
		cmocka_unit_test(settings_of_a_crashed_run_are_wrong),
		cmocka_unit_test(stolen_and_used_time_is_measured),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
