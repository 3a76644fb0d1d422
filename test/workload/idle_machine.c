/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two readings of a machine of two CPUs, typed here, and what is made of them. */
#include "workload/idle_machine.h"

#include "base/text.h"
#include "check.h"
#include "monitor/tree.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <sys/stat.h>

#define SECOND 1000000000ULL

static char stat_text[IDLE_STAT_BYTES];

static void put_state(const struct tree *tree, unsigned cpu, unsigned state, const char *name,
		      const char *time, const char *usage)
{
	const char *const files[] = { "name", "time", "usage" };
	const char *const texts[] = { name, time, usage };
	for (size_t i = 0; i < 3; i++) {
		char path[96];
		(void)snprintf(path, sizeof(path),
			       "sys/devices/system/cpu/cpu%u/cpuidle/state%u/%s", cpu, state,
			       files[i]);
		tree_put(tree, path, texts[i]);
	}
}

static void put_stat(const struct tree *tree, const char *interrupts, const char *switches)
{
	AUTO(text_buffer) struct text text = { 0 };
	text_add(&text, "cpu  1 0 1 9\ncpu0 1 0 1 9\nintr %s 5 0 3\nctxt %s\nbtime 1\n", interrupts,
		 switches);
	tree_put(tree, "proc/stat", text_string(&text));
}

/* CPU 0 has POLL, C1 and C6, CPU 1 POLL and C1 only, so its deepest is C1. */
static void put_first(const struct tree *tree)
{
	tree_put(tree, "sys/devices/system/cpu/online", "0-1\n");
	put_state(tree, 0, 0, "POLL\n", "100\n", "10\n");
	put_state(tree, 0, 1, "C1\n", "1000\n", "20\n");
	put_state(tree, 0, 2, "C6\n", "5000000\n", "30\n");
	put_state(tree, 1, 0, "POLL\n", "0\n", "0\n");
	put_state(tree, 1, 1, "C1\n", "7000\n", "70\n");
	put_stat(tree, "1000", "18446744073709551000");
}

static void put_last(const struct tree *tree)
{
	put_state(tree, 0, 0, "POLL\n", "200100\n", "12\n");
	put_state(tree, 0, 1, "C1\n", "101000\n", "25\n");
	put_state(tree, 0, 2, "C6\n", "6600000\n", "43\n");
	put_state(tree, 1, 1, "C1\n", "1407000\n", "90\n");
	put_stat(tree, "1500", "18446744073709551100");
}

/* As if the second reading had been two seconds behind the first. */
static void apart(const struct idle_reading *first, struct idle_reading *last)
{
	last->at_ns = first->at_ns + 2 * SECOND;
	last->cpus_at_ns = first->cpus_at_ns + 2 * SECOND * last->n_cpus;
}

static void check_known(struct value value, double want)
{
	CHECK_INT(value.state, VALUE_KNOWN);
	CHECK_NEAR(value.number, want, 1e-9);
}

static void check_missing(struct value value, enum missing why)
{
	CHECK_INT(value.state, VALUE_MISSING);
	CHECK_TEXT(missing_text(value.why), missing_text(why));
}

static void residency_is_by_the_name_of_the_state(void **state)
{
	struct tree tree;
	struct idle_reading first;
	struct idle_reading last;
	tree_make(&tree);
	put_first(&tree);
	idle_read(tree.fd, stat_text, &first);
	put_last(&tree);
	idle_read(tree.fd, stat_text, &last);
	apart(&first, &last);
	CHECK_INT(last.n_cpus, 2);
	CHECK_INT(last.n_states, 3);
	CHECK_TEXT(last.states[0].name, "POLL");
	CHECK_TEXT(last.states[2].name, "C6");
	/* Of the four seconds of two CPUs. */
	check_known(idle_percent(&first, &last, 0), 5);
	check_known(idle_percent(&first, &last, 1), 37.5);
	check_known(idle_percent(&first, &last, 2), 40);
	check_known(idle_percent_deepest(&first, &last), 75);
	check_known(idle_wakeups(&first, &last), 20);
	check_known(idle_interrupts(&first, &last), 250);
	check_known(idle_switches(&first, &last), 50);
	tree_done(&tree);
}

static void a_machine_without_idle_states_has_none_and_not_zero(void **state)
{
	struct tree tree;
	struct idle_reading first;
	struct idle_reading last;
	tree_make(&tree);
	tree_put(&tree, "sys/devices/system/cpu/online", "0-1\n");
	put_stat(&tree, "10", "20");
	idle_read(tree.fd, stat_text, &first);
	idle_read(tree.fd, stat_text, &last);
	apart(&first, &last);
	CHECK_INT(last.n_states, 0);
	check_missing(idle_percent_deepest(&first, &last), MISSING_ABSENT);
	check_missing(idle_wakeups(&first, &last), MISSING_ABSENT);
	check_known(idle_interrupts(&first, &last), 0);
	tree_done(&tree);
}

static void a_cpu_that_went_makes_the_states_missing(void **state)
{
	struct tree tree;
	struct idle_reading first;
	struct idle_reading last;
	tree_make(&tree);
	put_first(&tree);
	idle_read(tree.fd, stat_text, &first);
	tree_put(&tree, "sys/devices/system/cpu/online", "0\n");
	idle_read(tree.fd, stat_text, &last);
	apart(&first, &last);
	check_missing(idle_wakeups(&first, &last), MISSING_OFFLINE);
	check_missing(idle_percent(&first, &last, 0), MISSING_OFFLINE);
	tree_done(&tree);
}

static void what_is_damaged_or_runs_backwards_is_missing(void **state)
{
	struct tree tree;
	struct idle_reading first;
	struct idle_reading last;
	tree_make(&tree);
	put_first(&tree);
	idle_read(tree.fd, stat_text, &first);
	put_state(&tree, 0, 2, "C6\n", "4000000\n", "31\n");
	put_stat(&tree, "999", "18446744073709551001");
	idle_read(tree.fd, stat_text, &last);
	apart(&first, &last);
	check_missing(idle_percent(&first, &last, 2), MISSING_BACKWARDS);
	check_missing(idle_interrupts(&first, &last), MISSING_BACKWARDS);
	check_known(idle_switches(&first, &last), 0.5);
	put_state(&tree, 0, 2, "C6\n", "what\n", "31\n");
	tree_put(&tree, "proc/stat", "cpu 1\nintr x\n");
	idle_read(tree.fd, stat_text, &last);
	apart(&first, &last);
	check_missing(idle_percent_deepest(&first, &last), MISSING_MALFORMED);
	check_missing(idle_interrupts(&first, &last), MISSING_MALFORMED);
	put_state(&tree, 0, 2, "C6\n", "18446744073709551615\n", "1\n");
	put_state(&tree, 1, 2, "C6\n", "18446744073709551615\n", "1\n");
	idle_read(tree.fd, stat_text, &last);
	check_missing(idle_percent_deepest(&last, &last), MISSING_MALFORMED);
	tree_done(&tree);
}

static void names_of_states_are_made_fit_for_metrics(void **state)
{
	struct tree tree;
	struct idle_reading reading;
	tree_make(&tree);
	tree_put(&tree, "sys/devices/system/cpu/online", "3\n");
	put_state(&tree, 3, 0, "ACPI FFH.0\n", "1\n", "1\n");
	idle_read(tree.fd, stat_text, &reading);
	CHECK_TEXT(reading.states[0].name, "ACPI_FFH_0");
	CHECK_INT(reading.stat_missing, MISSING_ABSENT);
	tree_done(&tree);
}

/* ---- energy ---- */

static void put_zone(const struct tree *tree, const char *folder, const char *name,
		     const char *energy)
{
	char path[96];
	(void)snprintf(path, sizeof(path), "sys/class/powercap/%s/name", folder);
	tree_put(tree, path, name);
	(void)snprintf(path, sizeof(path), "sys/class/powercap/%s/max_energy_range_uj", folder);
	tree_put(tree, path, "10000000\n");
	(void)snprintf(path, sizeof(path), "sys/class/powercap/%s/energy_uj", folder);
	tree_put(tree, path, energy);
}

static const struct idle_zone *zone_of(struct idle_power *power, const char *label)
{
	for (unsigned i = 0; i < power->n_zones; i++)
		if (text_equal(power->zones[i].label, label)) {
			/* As if the readings had been four seconds apart. */
			power->zones[i].end_ns = power->zones[i].begin_ns + 4 * SECOND;
			return &power->zones[i];
		}
	fail_msg("there is no zone '%s'", label);
	return NULL;
}

static void put_zones(const struct tree *tree)
{
	put_zone(tree, "intel-rapl:0", "package-0\n", "1000000\n");
	put_zone(tree, "intel-rapl:0:0", "core\n", "500000\n");
	put_zone(tree, "intel-rapl:0:1", "dram\n", "9000000\n");
	put_zone(tree, "intel-rapl:1", "psys\n", "0\n");
	/* The same package by another way. */
	put_zone(tree, "intel-rapl-mmio:0", "package-0\n", "1000000\n");
}

static void watts_are_of_packages_and_memory_and_follow_a_wrap(void **state)
{
	struct tree tree;
	struct idle_power power;
	tree_make(&tree);
	put_zones(&tree);
	idle_power_find(tree.fd, &power);
	CHECK_INT(power.n_zones, 4);
	idle_power_read(tree.fd, &power);
	put_zone(&tree, "intel-rapl:0", "package-0\n", "8000000\n");
	put_zone(&tree, "intel-rapl:0:0", "core\n", "4500000\n");
	put_zone(&tree, "intel-rapl:0:1", "dram\n", "9500000\n");
	put_zone(&tree, "intel-rapl:1", "psys\n", "9999999\n");
	idle_power_read(tree.fd, &power);
	/* Package and memory wrap: 8 to 10 and on to 3; 9.5 to 10 and on to 0.5. */
	put_zone(&tree, "intel-rapl:0", "package-0\n", "3000000\n");
	put_zone(&tree, "intel-rapl:0:1", "dram\n", "500000\n");
	idle_power_read(tree.fd, &power);
	check_known(idle_zone_watts(zone_of(&power, "package-0")), 12.0 / 4);
	check_known(idle_zone_watts(zone_of(&power, "package-0.dram")), 1.5 / 4);
	check_known(idle_zone_watts(zone_of(&power, "package-0.core")), 4.0 / 4);
	check_known(idle_watts(&power), 13.5 / 4);
	tree_done(&tree);
}

static void a_machine_without_rapl_has_no_watts(void **state)
{
	struct tree tree;
	struct idle_power power;
	tree_make(&tree);
	idle_power_find(tree.fd, &power);
	idle_power_read(tree.fd, &power);
	check_missing(idle_watts(&power), MISSING_ABSENT);
	/* Nor one of which only the whole platform is known. */
	put_zone(&tree, "intel-rapl:0", "psys\n", "0\n");
	idle_power_find(tree.fd, &power);
	idle_power_read(tree.fd, &power);
	check_missing(idle_watts(&power), MISSING_ABSENT);
	tree_done(&tree);
}

static void energy_that_cannot_be_had_says_why(void **state)
{
	struct tree tree;
	struct idle_power power;
	tree_make(&tree);
	put_zones(&tree);
	put_zone(&tree, "intel-rapl:0", "package-0\n", "many\n");
	idle_power_find(tree.fd, &power);
	idle_power_read(tree.fd, &power);
	check_missing(idle_watts(&power), MISSING_MALFORMED);
	/* Before its first and second reading nothing is known. */
	put_zones(&tree);
	idle_power_find(tree.fd, &power);
	check_missing(idle_watts(&power), MISSING_UNSAMPLED);
	/* A counter above its own range went back for another reason. */
	put_zone(&tree, "intel-rapl:0", "package-0\n", "20000000\n");
	idle_power_read(tree.fd, &power);
	put_zone(&tree, "intel-rapl:0", "package-0\n", "1\n");
	idle_power_read(tree.fd, &power);
	check_missing(idle_watts(&power), MISSING_BACKWARDS);
	tree_done(&tree);
}

/* Since 5.10 only root reads energy. */
static void energy_of_another_is_denied(void **state)
{
	struct tree tree;
	struct idle_power power;
	tree_make(&tree);
	put_zones(&tree);
	CHECK_INT(fchmodat(tree.fd, "sys/class/powercap/intel-rapl:0/energy_uj", 0, 0), 0);
	if (faccessat(tree.fd, "sys/class/powercap/intel-rapl:0/energy_uj", R_OK, 0) == 0) {
		print_message("root reads everything\n");
		tree_done(&tree);
		skip();
	}
	idle_power_find(tree.fd, &power);
	idle_power_read(tree.fd, &power);
	check_missing(idle_watts(&power), MISSING_DENIED);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(residency_is_by_the_name_of_the_state),
		cmocka_unit_test(a_machine_without_idle_states_has_none_and_not_zero),
		cmocka_unit_test(a_cpu_that_went_makes_the_states_missing),
		cmocka_unit_test(what_is_damaged_or_runs_backwards_is_missing),
		cmocka_unit_test(names_of_states_are_made_fit_for_metrics),
		cmocka_unit_test(watts_are_of_packages_and_memory_and_follow_a_wrap),
		cmocka_unit_test(a_machine_without_rapl_has_no_watts),
		cmocka_unit_test(energy_that_cannot_be_had_says_why),
		cmocka_unit_test(energy_of_another_is_denied),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
