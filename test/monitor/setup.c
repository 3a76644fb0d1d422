/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declaring channels and metrics. */
#include "check.h"
#include "monitor/monitor.h"

static struct monitor_setup *new_setup(void)
{
	return monitor_setup_new(7, "meminfo", "hackbench");
}

static void the_root_and_the_prefix_are_given_back(void **state)
{
	struct monitor_setup *setup = new_setup();
	CHECK_INT(monitor_root(setup), 7);
	CHECK_TEXT(monitor_workload(setup), "hackbench");
	monitor_setup_free(setup);
}

static void channels_are_numbered_in_order_and_their_names_copied(void **state)
{
	struct monitor_setup *setup = new_setup();
	char name[] = "MemFree";
	CHECK_INT(monitor_channel(setup, name, CHANNEL_GAUGE, 0), 0);
	name[0] = 'X';
	CHECK_INT(monitor_channel(setup, "ERR", CHANNEL_COUNTER, 32), 1);
	uint32_t n;
	const struct channel *channels = monitor_setup_channels(setup, &n);
	CHECK_INT(n, 2);
	CHECK_TEXT(channels[0].name, "MemFree");
	CHECK_INT(channels[0].width_bits, 0);
	CHECK_INT(channels[1].kind, CHANNEL_COUNTER);
	CHECK_INT(channels[1].width_bits, 32);
	monitor_setup_free(setup);
}

static void a_plain_metric_gets_the_monitor_in_front(void **state)
{
	struct monitor_setup *setup = new_setup();
	(void)monitor_plain(setup, "MemFree", "KiB", METRIC_GAUGE, 0);
	uint32_t n;
	const struct metric_rule *rules = monitor_setup_rules(setup, &n);
	CHECK_INT(n, 1);
	CHECK_TEXT(rules[0].metric.name, "meminfo.MemFree");
	CHECK_TEXT(rules[0].metric.unit, "KiB");
	CHECK_INT(rules[0].metric.role, ROLE_EVIDENCE);
	CHECK_INT(rules[0].metric.better, BETTER_NONE);
	CHECK_INT(rules[0].n_parts, 1);
	CHECK_INT(rules[0].parts[0], 0);
	monitor_setup_free(setup);
}

static void a_full_name_is_left_as_it_is_and_a_likeness_is_not(void **state)
{
	struct monitor_setup *setup = new_setup();
	(void)monitor_plain(setup, "meminfo.Slab", "KiB", METRIC_GAUGE, 0);
	(void)monitor_plain(setup, "meminfos", "KiB", METRIC_GAUGE, 0);
	uint32_t n;
	const struct metric_rule *rules = monitor_setup_rules(setup, &n);
	CHECK_TEXT(rules[0].metric.name, "meminfo.Slab");
	CHECK_TEXT(rules[1].metric.name, "meminfo.meminfos");
	monitor_setup_free(setup);
}

static void a_rule_is_copied_with_its_lists(void **state)
{
	struct monitor_setup *setup = new_setup();
	for (unsigned i = 0; i < 3; i++)
		(void)monitor_channel(setup, "ticks", CHANNEL_COUNTER, 64);
	uint32_t parts[] = { 1 };
	uint32_t whole[] = { 0, 1, 2 };
	monitor_rule(setup,
		     &(const struct metric_rule) {
			     .metric = { .name = "idle%", .unit = "%", .kind = METRIC_SHARE },
			     .parts = parts,
			     .n_parts = 1,
			     .whole = whole,
			     .n_whole = 3,
		     });
	parts[0] = 9;
	whole[2] = 9;
	uint32_t n;
	const struct metric_rule *rule = monitor_setup_rules(setup, &n);
	CHECK_INT(rule->parts[0], 1);
	CHECK_INT(rule->n_whole, 3);
	CHECK_INT(rule->whole[2], 2);
	CHECK_TEXT(rule->metric.what, "");
	monitor_setup_free(setup);
}

static void freeing_nothing_is_allowed(void **state)
{
	monitor_setup_free(NULL);
	monitor_setup_free(new_setup());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_root_and_the_prefix_are_given_back),
		cmocka_unit_test(channels_are_numbered_in_order_and_their_names_copied),
		cmocka_unit_test(a_plain_metric_gets_the_monitor_in_front),
		cmocka_unit_test(a_full_name_is_left_as_it_is_and_a_likeness_is_not),
		cmocka_unit_test(a_rule_is_copied_with_its_lists),
		cmocka_unit_test(freeing_nothing_is_allowed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
