/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts of the machine around the processor: guest or not, clock, disks, power, counters. */
#include "check.h"
#include "probe/environment_tree.h"

#define DMI "sys/class/dmi/id/"
#define CLOCK "sys/devices/system/clocksource/clocksource0/"

static void check_fact(const struct environment_tree *tree, const char *name, const char *expected)
{
	struct run *run = environment_tree_facts(tree, environment_machine);
	CHECK_TEXT(environment_tree_text(run, name), expected);
	run_free(run);
}

static void a_guest_is_told_by_flag_firmware_and_clock(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	check_fact(&tree, "hypervisor", "missing: absent");
	environment_tree_file(&tree, "proc/cpuinfo", "processor\t: 0\nflags\t: fpu hypervisor\n");
	check_fact(&tree, "hypervisor", "unknown kind");
	environment_tree_file(&tree, CLOCK "available_clocksource", "tsc kvm-clock\n");
	check_fact(&tree, "hypervisor", "kvm");
	environment_tree_file(&tree, DMI "sys_vendor", "QEMU\n");
	environment_tree_file(&tree, DMI "product_name", "Standard PC\n");
	check_fact(&tree, "hypervisor", "qemu");
	check_fact(&tree, "machine.product", "Standard PC");
	environment_tree_remove(&tree);
}

static void a_bare_machine_of_a_cloud_is_no_guest(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, "proc/cpuinfo", "processor\t: 0\nflags\t: fpu avx\n");
	environment_tree_file(&tree, DMI "sys_vendor", "Amazon EC2\n");
	check_fact(&tree, "hypervisor", "none");
	/* Without the flag, on another architecture, the firmware decides. */
	environment_tree_file(&tree, "proc/cpuinfo", "processor\t: 0\nFeatures\t: fp\n");
	check_fact(&tree, "hypervisor", "nitro");
	environment_tree_remove(&tree);
}

static void disks_have_their_chosen_scheduler(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, "sys/block/sda/queue/scheduler", "none [mq-deadline]\n");
	environment_tree_file(&tree, "sys/block/sda/queue/rotational", "1\n");
	environment_tree_file(&tree, "sys/block/nvme0n1/queue/scheduler", "none\n");
	environment_tree_file(&tree, "sys/block/loop0/queue/scheduler", "none\n");
	environment_tree_file(&tree, "sys/block/zram0/queue/scheduler", "none\n");
	check_fact(&tree, "block.sda.scheduler", "mq-deadline");
	check_fact(&tree, "block.sda.rotational", "1");
	check_fact(&tree, "block.nvme0n1.scheduler", "none");
	check_fact(&tree, "block.nvme0n1.rotational", "missing: absent");
	check_fact(&tree, "block.loop0.scheduler", "no such fact");
	check_fact(&tree, "block.zram0.scheduler", "no such fact");
	environment_tree_remove(&tree);
}

static void power_comes_from_mains_or_battery(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	check_fact(&tree, "power.source", "missing: absent");
	environment_tree_file(&tree, "sys/class/power_supply/BAT0/type", "Battery\n");
	environment_tree_file(&tree, "sys/class/power_supply/AC/type", "Mains\n");
	environment_tree_file(&tree, "sys/class/power_supply/AC/online", "1\n");
	check_fact(&tree, "power.source", "mains");
	environment_tree_file(&tree, "sys/class/power_supply/AC/online", "0\n");
	check_fact(&tree, "power.source", "battery");
	environment_tree_remove(&tree);
}

static void counters_of_the_processor_are_found(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, "sys/bus/event_source/devices/software/type", "1\n");
	check_fact(&tree, "pmu.cpu", "missing: absent");
	environment_tree_file(&tree, "sys/bus/event_source/devices/cpu/type", "4\n");
	check_fact(&tree, "pmu.cpu", "cpu");
	environment_tree_remove(&tree);
}

static void irqbalance_is_told_by_its_folder(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	check_fact(&tree, "irqbalance", "not running");
	environment_tree_file(&tree, "run/irqbalance/socket", "");
	check_fact(&tree, "irqbalance", "running");
	environment_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guest_is_told_by_flag_firmware_and_clock),
		cmocka_unit_test(a_bare_machine_of_a_cloud_is_no_guest),
		cmocka_unit_test(disks_have_their_chosen_scheduler),
		cmocka_unit_test(power_comes_from_mains_or_battery),
		cmocka_unit_test(counters_of_the_processor_are_found),
		cmocka_unit_test(irqbalance_is_told_by_its_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
