/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor's facts: made trees of several architectures, and recorded machines. */
#include "check.h"
#include "probe/environment_tree.h"

#define CPU "sys/devices/system/cpu/"

static void an_x86_processor_is_named(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(
		&tree, "proc/cpuinfo",
		"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
		"model name\t: Intel(R)  Xeon(R)\nstepping\t: 7\nmicrocode\t: 0x5003604\n"
		"flags\t\t: fpu vme avx2\n\nprocessor\t: 1\nvendor_id\t: Other\n");
	struct run *run = environment_tree_facts(&tree, environment_cpu);
	CHECK_TEXT(environment_tree_text(run, "cpu.vendor"), "GenuineIntel");
	CHECK_TEXT(environment_tree_text(run, "cpu.family"), "6");
	CHECK_TEXT(environment_tree_text(run, "cpu.model"), "85");
	CHECK_TEXT(environment_tree_text(run, "cpu.model_name"), "Intel(R) Xeon(R)");
	CHECK_TEXT(environment_tree_text(run, "cpu.stepping"), "7");
	CHECK_TEXT(environment_tree_text(run, "cpu.microcode"), "0x5003604");
	CHECK_TEXT(environment_tree_text(run, "cpu.hypervisor_flag"), "no");
	CHECK_TEXT(environment_tree_text(run, "cpu.count"), "missing: absent");
	run_free(run);
	environment_tree_file(&tree, "proc/cpuinfo", "flags\t: fpu hypervisor\n");
	run = environment_tree_facts(&tree, environment_cpu);
	CHECK_TEXT(environment_tree_text(run, "cpu.hypervisor_flag"), "yes");
	CHECK_TEXT(environment_tree_text(run, "cpu.vendor"), "missing: absent");
	run_free(run);
	environment_tree_file(&tree, "proc/cpuinfo", "flags\t: fpu hypervisorless\n");
	run = environment_tree_facts(&tree, environment_cpu);
	CHECK_TEXT(environment_tree_text(run, "cpu.hypervisor_flag"), "no");
	run_free(run);
	environment_tree_remove(&tree);
}

static void an_arm_processor_is_named_by_its_own_words(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, "proc/cpuinfo",
			      "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
			      "CPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n");
	struct run *run = environment_tree_facts(&tree, environment_cpu);
	CHECK_TEXT(environment_tree_text(run, "cpu.vendor"), "0x41");
	CHECK_TEXT(environment_tree_text(run, "cpu.family"), "8");
	CHECK_TEXT(environment_tree_text(run, "cpu.model"), "0xd0c");
	CHECK_TEXT(environment_tree_text(run, "cpu.stepping"), "1");
	CHECK_TEXT(environment_tree_text(run, "cpu.hypervisor_flag"), "missing: absent");
	run_free(run);
	environment_tree_remove(&tree);
}

static void settings_of_all_cpus_are_one_value_or_mixed(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, CPU "online", "0-1\n");
	environment_tree_file(&tree, CPU "cpu0/cpufreq/scaling_governor", "performance\n");
	environment_tree_file(&tree, CPU "cpu1/cpufreq/scaling_governor", "powersave\n");
	environment_tree_file(&tree, CPU "cpu0/cpufreq/scaling_driver", "intel_pstate\n");
	environment_tree_file(&tree, CPU "cpu1/cpufreq/scaling_driver", "intel_pstate\n");
	environment_tree_file(&tree, CPU "cpu0/cpuidle/state0/name", "POLL\n");
	environment_tree_file(&tree, CPU "cpu0/cpuidle/state0/disable", "0\n");
	environment_tree_file(&tree, CPU "cpu0/cpuidle/state1/name", "C1\n");
	environment_tree_file(&tree, CPU "cpu0/cpuidle/state2/name", "C6\n");
	environment_tree_file(&tree, CPU "cpu0/cpuidle/state2/disable", "1\n");
	environment_tree_file(&tree, CPU "cpuidle/current_governor_ro", "menu\n");
	environment_tree_file(&tree, CPU "vulnerabilities/meltdown", "Mitigation: PTI\n");
	struct run *run = environment_tree_facts(&tree, environment_cpu);
	CHECK_TEXT(environment_tree_text(run, "cpu.online"), "0-1");
	CHECK_TEXT(environment_tree_text(run, "cpu.governor"), "mixed: performance, powersave");
	CHECK_TEXT(environment_tree_text(run, "cpu.frequency_driver"), "intel_pstate");
	CHECK_TEXT(environment_tree_text(run, "cpu.idle_states"), "POLL C1");
	CHECK_TEXT(environment_tree_text(run, "cpu.idle_governor"), "menu");
	CHECK_TEXT(environment_tree_text(run, "vulnerability.meltdown"), "Mitigation: PTI");
	CHECK_TEXT(environment_tree_text(run, "cpu.turbo"), "missing: absent");
	run_free(run);
	environment_tree_remove(&tree);
}

static void turbo_is_one_word_for_both_drivers(void **state)
{
	static const struct {
		const char *path, *value, *turbo;
	} cases[] = {
		{ CPU "intel_pstate/no_turbo", "0\n", "on" },
		{ CPU "intel_pstate/no_turbo", "1\n", "off" },
		{ CPU "cpufreq/boost", "1\n", "on" },
		{ CPU "cpufreq/boost", "0\n", "off" },
	};
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct environment_tree tree = environment_tree_make();
		environment_tree_file(&tree, cases[i].path, cases[i].value);
		struct run *run = environment_tree_facts(&tree, environment_cpu);
		CHECK_TEXT(environment_tree_text(run, "cpu.turbo"), cases[i].turbo);
		run_free(run);
		environment_tree_remove(&tree);
	}
}

static void caches_have_a_size_and_a_number(void **state)
{
	struct environment_tree tree =
		environment_tree_unpack("proc-sys/lscpu/x86_64-64cpu-linux6.2.tar.gz");
	(void)state;
	if (tree.fd < 0)
		skip();
	/* lscpu prints the product: 192, 128, 5120 and 12288 KiB. */
	struct run *run = environment_tree_facts(&tree, environment_cpu);
	CHECK_TEXT(environment_tree_text(run, "cpu.cache.L1d"), "48K");
	CHECK_TEXT(environment_tree_text(run, "cpu.cache.L1d.instances"), "4");
	CHECK_TEXT(environment_tree_text(run, "cpu.cache.L1i"), "32K");
	CHECK_TEXT(environment_tree_text(run, "cpu.cache.L2"), "1280K");
	CHECK_TEXT(environment_tree_text(run, "cpu.cache.L2.instances"), "4");
	CHECK_TEXT(environment_tree_text(run, "cpu.cache.L3"), "12288K");
	CHECK_TEXT(environment_tree_text(run, "cpu.cache.L3.instances"), "1");
	CHECK_TEXT(environment_tree_text(run, "cpu.model"), "140");
	CHECK_TEXT(environment_tree_text(run, "cpu.microcode"), "0xa6");
	CHECK_TEXT(environment_tree_text(run, "cpu.smt.control"), "on");
	run_free(run);
	environment_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_x86_processor_is_named),
		cmocka_unit_test(an_arm_processor_is_named_by_its_own_words),
		cmocka_unit_test(settings_of_all_cpus_are_one_value_or_mixed),
		cmocka_unit_test(turbo_is_one_word_for_both_drivers),
		cmocka_unit_test(caches_have_a_size_and_a_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
