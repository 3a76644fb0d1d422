/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables with a column for each CPU. */
#include "monitor/columns.h"

#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "monitor/tree.h"

#include <stdlib.h>

struct fixture {
	struct tree tree;
	struct columns columns;
	struct monitor_setup *setup;
	struct reading *readings;
};

static void name_line(const char *label, const char *words, char *name, size_t size)
{
	(void)snprintf(name, size, "%s%s%s", label, *words ? "=" : "", words);
}

static void start(struct fixture *fixture, const char *present, const char *text)
{
	struct error err = { 0 };
	tree_make(&fixture->tree);
	if (present)
		tree_put(&fixture->tree, "sys/devices/system/cpu/present", present);
	tree_put(&fixture->tree, "f", text);
	fixture->setup = monitor_setup_new(fixture->tree.fd, "table", "x");
	CHECK(columns_open(&fixture->columns, fixture->setup, "f", name_line, &err) ==
	      MONITOR_OPEN);
	uint32_t n;
	(void)monitor_setup_channels(fixture->setup, &n);
	fixture->readings = mem_array(n, sizeof(*fixture->readings));
	columns_sample(&fixture->columns, fixture->readings);
}

static void again(struct fixture *fixture, const char *text)
{
	tree_put(&fixture->tree, "f", text);
	columns_sample(&fixture->columns, fixture->readings);
}

static void stop(struct fixture *fixture)
{
	columns_done(&fixture->columns);
	monitor_setup_free(fixture->setup);
	free(fixture->readings);
	tree_done(&fixture->tree);
}

static struct reading reading_of(const struct fixture *fixture, const char *channel)
{
	uint32_t n;
	const struct channel *channels = monitor_setup_channels(fixture->setup, &n);
	for (uint32_t i = 0; i < n; i++) {
		if (strcmp(channels[i].name, channel) == 0)
			return fixture->readings[i];
	}
	fail_msg("there is no channel '%s'", channel);
	return reading_missing(MISSING_ABSENT);
}

static void check_count(const struct fixture *fixture, const char *channel, uint64_t want)
{
	const struct reading reading = reading_of(fixture, channel);
	if (reading.state != VALUE_KNOWN)
		fail_msg("%s is missing: %s", channel, missing_text(reading.why));
	CHECK_INT(reading.count, want);
}

static void check_missing(const struct fixture *fixture, const char *channel, enum missing want)
{
	const struct reading reading = reading_of(fixture, channel);
	CHECK_INT(reading.state, VALUE_MISSING);
	CHECK_TEXT(missing_text(reading.why), missing_text(want));
}

static void each_cpu_of_a_line_is_a_channel_and_the_line_a_metric(void **state)
{
	struct fixture fixture;
	start(&fixture, NULL,
	      "      CPU0   CPU1\n A:  1 2\n  B:    3    4   some words \nERR: 7\n");
	check_count(&fixture, "CPU0.A", 1);
	check_count(&fixture, "CPU1.A", 2);
	check_count(&fixture, "CPU1.B=some words", 4);
	check_count(&fixture, "ERR", 7);
	uint32_t n;
	const struct metric_rule *rules = monitor_setup_rules(fixture.setup, &n);
	CHECK_INT(n, 3);
	CHECK_TEXT(rules[0].metric.name, "table.A");
	CHECK_INT(rules[0].n_parts, 2);
	CHECK_TEXT(rules[2].metric.name, "table.ERR");
	CHECK_INT(rules[2].n_parts, 1);
	const struct channel *channels = monitor_setup_channels(fixture.setup, &n);
	CHECK_INT(n, 5);
	CHECK_INT(channels[0].width_bits, 32);
	stop(&fixture);
}

static void a_cpu_that_goes_takes_no_other_cpus_counts(void **state)
{
	struct fixture fixture;
	start(&fixture, NULL, " CPU0 CPU1 CPU2\nA: 1 2 3\n");
	again(&fixture, " CPU0 CPU2\nA: 10 30\n");
	check_count(&fixture, "CPU0.A", 10);
	check_missing(&fixture, "CPU1.A", MISSING_OFFLINE);
	check_count(&fixture, "CPU2.A", 30);
	again(&fixture, " CPU0 CPU1 CPU2\nA: 11 22 33\n");
	check_count(&fixture, "CPU1.A", 22);
	check_count(&fixture, "CPU2.A", 33);
	stop(&fixture);
}

static void a_plugged_cpu_that_is_offline_at_first_has_its_channel(void **state)
{
	struct fixture fixture;
	start(&fixture, "0-1,128\n", " CPU0 CPU128\nA: 1 3\n");
	check_missing(&fixture, "CPU1.A", MISSING_OFFLINE);
	check_count(&fixture, "CPU128.A", 3);
	again(&fixture, " CPU0 CPU1 CPU128\nA: 1 2 3\n");
	check_count(&fixture, "CPU1.A", 2);
	check_count(&fixture, "CPU128.A", 3);
	stop(&fixture);
}

static void a_column_of_a_cpu_that_is_not_plugged_in_is_passed_over(void **state)
{
	struct fixture fixture;
	start(&fixture, "0,2\n", " CPU0 CPU1 CPU2 CPU3\nA: 1 2 3 4\n");
	check_count(&fixture, "CPU0.A", 1);
	check_count(&fixture, "CPU2.A", 3);
	uint32_t n;
	(void)monitor_setup_channels(fixture.setup, &n);
	CHECK_INT(n, 2);
	stop(&fixture);
}

static void lines_that_come_are_ignored_and_lines_that_go_are_absent(void **state)
{
	struct fixture fixture;
	start(&fixture, NULL, " CPU0 CPU1\nA: 1 2\nB: 3 4\nC: 5 6\n");
	again(&fixture, " CPU0 CPU1\nnew: 9 9\nC: 50 60\nA: 10 20\n");
	check_count(&fixture, "CPU0.A", 10);
	check_missing(&fixture, "CPU0.B", MISSING_ABSENT);
	check_count(&fixture, "CPU1.C", 60);
	stop(&fixture);
}

static void damaged_counts_are_malformed_and_their_line_mates_before_them_are_not(void **state)
{
	struct fixture fixture;
	start(&fixture, NULL, " CPU0 CPU1\nA: 1 2\nB: 3 4\nC: 5 6 words\n");
	again(&fixture, " CPU0 CPU1\nA: 1 x\nB: 4294967296 4\nC: 7");
	check_count(&fixture, "CPU0.A", 1);
	check_missing(&fixture, "CPU1.A", MISSING_MALFORMED);
	check_missing(&fixture, "CPU0.B", MISSING_MALFORMED);
	check_count(&fixture, "CPU1.B", 4);
	check_count(&fixture, "CPU0.C=words", 7);
	check_missing(&fixture, "CPU1.C=words", MISSING_MALFORMED);
	again(&fixture, "garbage\nA: 1 2\n");
	check_missing(&fixture, "CPU0.A", MISSING_MALFORMED);
	stop(&fixture);
}

static void one_cpu_has_err_without_a_column(void **state)
{
	struct fixture fixture;
	start(&fixture, "0\n", " CPU0\nA: 1\nERR: 2\n");
	check_count(&fixture, "CPU0.A", 1);
	check_count(&fixture, "ERR", 2);
	stop(&fixture);
}

static void what_is_no_table_is_refused(void **state)
{
	static const char *const texts[] = { "\n",
					     "A: 1 2\n",
					     " CPU0 CPU1\n",
					     " CPU0\nno label\n",
					     " CPUx\nA: 1\n",
					     "CPU99999\nA: 1\n" };
	struct tree tree;
	tree_make(&tree);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct columns columns;
		struct error err = { 0 };
		struct monitor_setup *setup = monitor_setup_new(tree.fd, "table", "x");
		tree_put(&tree, "f", texts[i]);
		CHECK(columns_open(&columns, setup, "f", name_line, &err) == MONITOR_UNAVAILABLE);
		CHECK_HOLDS(err.text, "no table");
		monitor_setup_free(setup);
	}
	tree_done(&tree);
}

#define WIDE_CPUS 128U
#define WIDE_LINES (COLUMNS_CHANNELS_MAX / WIDE_CPUS + 1)

/* A machine so wide that its lines have totals only; `count` is every count, CPU `gone` has no
 * column. */
static char *wide(uint32_t count, uint32_t gone)
{
	struct text text = { 0 };
	for (uint32_t cpu = 0; cpu < WIDE_CPUS; cpu++) {
		if (cpu != gone)
			text_add(&text, " CPU%u", cpu);
	}
	text_add(&text, "\n");
	for (uint32_t line = 0; line < WIDE_LINES; line++) {
		text_add(&text, "%u:", line);
		for (uint32_t cpu = 0; cpu < WIDE_CPUS; cpu++) {
			if (cpu != gone)
				text_add(&text, " %u", count);
		}
		text_add(&text, "\n");
	}
	text_add(&text, "ERR: %u\n", count);
	return text_take(&text);
}

static void again_wide(struct fixture *fixture, uint32_t count, uint32_t gone)
{
	char *text = wide(count, gone);
	again(fixture, text);
	free(text);
}

static void a_very_wide_table_has_running_totals_that_survive_wraps_and_hotplug(void **state)
{
	struct fixture fixture;
	char *text = wide(UINT32_MAX - 4, UINT32_MAX);
	start(&fixture, NULL, text);
	free(text);
	uint32_t n;
	const struct channel *channels = monitor_setup_channels(fixture.setup, &n);
	CHECK_INT(n, WIDE_LINES + 1);
	CHECK_INT(channels[0].width_bits, 64);
	CHECK_INT(channels[n - 1].width_bits, 32);
	check_count(&fixture, "7", 0);
	again_wide(&fixture, 5, UINT32_MAX);
	check_count(&fixture, "7", WIDE_CPUS * 10);
	again_wide(&fixture, 6, /* gone= */ 3);
	check_count(&fixture, "7", WIDE_CPUS * 10 + (WIDE_CPUS - 1));
	again_wide(&fixture, 6, UINT32_MAX);
	check_count(&fixture, "7", WIDE_CPUS * 10 + WIDE_CPUS);
	again_wide(&fixture, 2, UINT32_MAX);
	check_count(&fixture, "7", WIDE_CPUS * 11);
	check_count(&fixture, "ERR", 2);
	stop(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cpu_of_a_line_is_a_channel_and_the_line_a_metric),
		cmocka_unit_test(a_cpu_that_goes_takes_no_other_cpus_counts),
		cmocka_unit_test(a_plugged_cpu_that_is_offline_at_first_has_its_channel),
		cmocka_unit_test(a_column_of_a_cpu_that_is_not_plugged_in_is_passed_over),
		cmocka_unit_test(lines_that_come_are_ignored_and_lines_that_go_are_absent),
		cmocka_unit_test(
			damaged_counts_are_malformed_and_their_line_mates_before_them_are_not),
		cmocka_unit_test(one_cpu_has_err_without_a_column),
		cmocka_unit_test(what_is_no_table_is_refused),
		cmocka_unit_test(
			a_very_wide_table_has_running_totals_that_survive_wraps_and_hotplug),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
