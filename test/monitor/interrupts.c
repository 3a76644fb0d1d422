/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interrupts. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static struct watch *start(struct tree *tree)
{
	tree_make(tree);
	tree_load(tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree->fd, "interrupts");
	watch_sample(watch);
	return watch;
}

static void stop(struct tree *tree, struct watch *watch)
{
	watch_close(watch);
	tree_done(tree);
}

static void names_are_those_of_lkp_tests(void **state)
{
	struct tree tree;
	struct watch *watch = start(&tree);
	CHECK(watch_metric(watch, "interrupts.5:IO-APIC.5-edge.ACPI:Ged") != NULL);
	CHECK(watch_metric(watch, "interrupts.24:PCI-MSIX-0000:00:02.0.1-edge.disk-q0,.disk-q1") !=
	      NULL);
	CHECK(watch_metric(watch, "interrupts.LOC:Local_timer_interrupts") != NULL);
	CHECK(watch_metric(watch, "interrupts.ERR") != NULL);
	CHECK_INT(watch_reading(watch, "CPU130.RES:Rescheduling_interrupts").count, 30);
	stop(&tree, watch);
}

static void a_line_is_the_sum_of_its_cpus_steps_over_a_wrap_too(void **state)
{
	struct tree tree;
	struct watch *watch = start(&tree);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "interrupts.24:PCI-MSIX-0000:00:02.0.1-edge.disk-q0,.disk-q1", 150);
	CHECK_VALUE(watch, "interrupts.LOC:Local_timer_interrupts", 200 + 500 + 300);
	CHECK_VALUE(watch, "interrupts.RES:Rescheduling_interrupts", 6);
	CHECK_VALUE(watch, "interrupts.ERR", 3);
	CHECK_VALUE(watch, "interrupts.5:IO-APIC.5-edge.ACPI:Ged", 0);
	stop(&tree, watch);
}

static void a_cpu_that_goes_counts_for_as_long_as_it_was_seen(void **state)
{
	struct tree tree;
	struct watch *watch = start(&tree);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t2");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "CPU1.LOC:Local_timer_interrupts").why, MISSING_OFFLINE);
	CHECK_VALUE(watch, "interrupts.LOC:Local_timer_interrupts", 1000 + 100 + 100);
	CHECK_VALUE(watch, "interrupts.RES:Rescheduling_interrupts", 6 + 1 + 1);
	CHECK(watch_metric(watch, "interrupts.CAL:Function_call_interrupts") == NULL);
	stop(&tree, watch);
}

static void an_endless_name_is_cut_and_strange_bytes_are_not_in_it(void **state)
{
	struct tree tree;
	char text[1200] = "  CPU0 CPU1\n 7: 1 2  chip\twith tab ";
	memset(text + strlen(text), 'x', 1000);
	(void)strcat(text, "\n");
	tree_make(&tree);
	tree_put(&tree, "proc/interrupts", text);
	struct watch *watch = watch_must(tree.fd, "interrupts");
	watch_sample(watch);
	CHECK_INT(watch_rules(watch), 1);
	CHECK_INT(watch_channels(watch), 2);
	stop(&tree, watch);
}

static uint64_t sum_of_counts(const char *file, uint32_t *ret_metrics)
{
	struct tree tree;
	char from[PATH_MAX];
	tree_make(&tree);
	(void)snprintf(from, sizeof(from), "proc-sys/%s", file);
	char full[PATH_MAX];
	CHECK(tree_case(from, full));
	tree_copy_file(&tree, full, "proc/interrupts");
	struct watch *watch = watch_must(tree.fd, "interrupts");
	watch_sample(watch);
	*ret_metrics = watch_rules(watch);
	const uint64_t sum = watch_sum(watch);
	stop(&tree, watch);
	return sum;
}

static void the_recorded_machines_are_read_to_the_last_count(void **state)
{
	char full[PATH_MAX];
	uint32_t n;
	if (!tree_case("proc-sys", full))
		skip();
	CHECK_INT(sum_of_counts("node_exporter/interrupts", &n), 791632788);
	CHECK_INT(n, 30);
	CHECK_INT(sum_of_counts("node_exporter/interrupts_aarch64", &n), 65467063241);
	CHECK_INT(n, 59);
	CHECK_INT(sum_of_counts("pcp/interrupts-8cpu-x86_64", &n), 111777824);
	CHECK_INT(n, 38);
	CHECK_INT(sum_of_counts("sysstat/root1/proc/interrupts", &n), 95572996);
	CHECK_INT(n, 43);
	CHECK_INT(sum_of_counts("sysstat/root3/proc/interrupts", &n), 82461054);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_those_of_lkp_tests),
		cmocka_unit_test(a_line_is_the_sum_of_its_cpus_steps_over_a_wrap_too),
		cmocka_unit_test(a_cpu_that_goes_counts_for_as_long_as_it_was_seen),
		cmocka_unit_test(an_endless_name_is_cut_and_strange_bytes_are_not_in_it),
		cmocka_unit_test(the_recorded_machines_are_read_to_the_last_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
