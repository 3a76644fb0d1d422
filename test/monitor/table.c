/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks every row of the monitors' table, on the machine's own files too. */
#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/text.h"
#include "check.h"
#include "monitor/monitor.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

#include <stdlib.h>
#include <unistd.h>

static void rows_are_sorted_and_unique(void **state)
{
	CHECK(monitor_table_count >= 11);
	for (size_t i = 1; i < monitor_table_count; i++)
		CHECK(strcmp(monitor_table[i - 1]->about.name, monitor_table[i]->about.name) < 0);
}

static void every_row_is_filled(void **state)
{
	for (size_t i = 0; i < monitor_table_count; i++) {
		const struct monitor *monitor = monitor_table[i];
		const struct plugin *about = &monitor->about;
		CHECK(about->name && *about->name);
		CHECK(about->what && *about->what && about->stands && *about->stands);
		CHECK(!strchr(about->what, '\n') && !strchr(about->stands, '\n'));
		CHECK(about->cost_ns > 0);
		CHECK(about->metrics != NULL);
		const bool samples = monitor->open && monitor->sample && monitor->close;
		const bool reports = monitor->report != NULL;
		CHECK(samples != reports);
	}
}

static void every_listed_metric_says_what_it_is(void **state)
{
	for (size_t i = 0; i < monitor_table_count; i++) {
		const struct plugin *about = &monitor_table[i]->about;
		for (const struct metric *metric = about->metrics; metric->name; metric++) {
			CHECK(text_starts_with(metric->name, about->name));
			CHECK(metric->unit && *metric->unit);
			CHECK(metric->what && *metric->what);
			CHECK(metric->kind != METRIC_SCORE && metric->kind < METRIC_KIND_COUNT);
			CHECK_INT(metric->role, ROLE_EVIDENCE);
		}
	}
}

static void a_monitor_is_found_by_its_name_only(void **state)
{
	CHECK(monitor_find("proc-vmstat") != NULL);
	CHECK_TEXT(monitor_find("numa-meminfo")->about.name, "numa-meminfo");
	CHECK(monitor_find("proc_vmstat") == NULL);
	CHECK(monitor_find("") == NULL);
}

static int compare_texts(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Metric names are keys of the store. */
static void check_names(const struct monitor *monitor, const struct monitor_setup *setup)
{
	uint32_t n;
	const struct metric_rule *rules = monitor_setup_rules(setup, &n);
	CHECK(n > 0);
	const char **names = mem_array(n, sizeof(*names));
	for (uint32_t i = 0; i < n; i++) {
		names[i] = rules[i].metric.name;
		CHECK(text_starts_with(names[i], monitor->about.name));
		CHECK(*rules[i].metric.unit);
		for (const char *byte = names[i]; *byte; byte++)
			CHECK(*byte > ' ' && *byte < 0x7f);
	}
	qsort(names, n, sizeof(*names), compare_texts);
	for (uint32_t i = 1; i < n; i++) {
		if (strcmp(names[i - 1], names[i]) == 0)
			fail_msg("two metrics are named '%s'", names[i]);
	}
	free(names);
}

/* Opens and samples one monitor: every channel is filled and nothing is malformed, since every line
 * was written by a kernel. */
static void check_below(const struct monitor *monitor, int root_fd)
{
	struct error reason = { 0 };
	void *opened;
	struct monitor_setup *setup = monitor_setup_new(root_fd, monitor->about.name, "x");
	if (monitor->open(setup, &opened, &reason) != MONITOR_OPEN) {
		printf("%s is unavailable here: %s\n", monitor->about.name, reason.text);
		CHECK(*reason.text);
		monitor_setup_free(setup);
		return;
	}
	check_names(monitor, setup);
	if (monitor->follow)
		monitor->follow(opened, /* has_threads= */ true);
	uint32_t n;
	const struct channel *channels = monitor_setup_channels(setup, &n);
	struct reading *readings = mem_array(n, sizeof(*readings));
	uint32_t n_known = 0;
	for (unsigned sample = 0; sample < 2; sample++) {
		for (uint32_t i = 0; i < n; i++)
			readings[i] = reading_missing(MISSING_UNSAMPLED);
		monitor->sample(opened, readings);
		for (uint32_t i = 0; i < n; i++) {
			n_known += readings[i].state == VALUE_KNOWN;
			if (readings[i].state == VALUE_MISSING &&
			    ((readings[i].why == MISSING_UNSAMPLED && !monitor->about.on_request) ||
			     readings[i].why == MISSING_MALFORMED))
				fail_msg("%s: channel '%s' is missing: %s", monitor->about.name,
					 channels[i].name, missing_text(readings[i].why));
		}
	}
	CHECK(n_known > 0);
	free(readings);
	monitor->close(opened);
	monitor_setup_free(setup);
}

static void every_monitor_fills_every_channel_on_this_machine(void **state)
{
	struct error err;
	const int root_fd = fs_root_open("/", &err);
	CHECK(root_fd >= 0);
	for (size_t i = 0; i < monitor_table_count; i++) {
		if (monitor_table[i]->open)
			check_below(monitor_table[i], root_fd);
	}
	CHECK(close(root_fd) == 0);
}

/* Monitors that open below the root; each is checked. */
static unsigned count_open(int root_fd)
{
	unsigned n = 0;
	for (size_t i = 0; i < monitor_table_count; i++) {
		struct error reason = { 0 };
		/* What follows tasks finds none in a recorded tree. */
		if (!monitor_table[i]->open || monitor_table[i]->follow)
			continue;
		struct watch *watch = watch_open(root_fd, monitor_table[i]->about.name, &reason);
		if (!watch)
			continue;
		watch_close(watch);
		check_below(monitor_table[i], root_fd);
		n++;
	}
	return n;
}

static void unpack(const char *archive, const char *folder)
{
	const char *const argv[] = { "tar", "-xzf", archive, "-C", folder, NULL };
	AUTO(text) char *output = NULL;
	int status;
	struct error err = { 0 };
	if (spawn_output(&(const struct spawn) { .argv = argv }, 1, &output, &status, &err) < 0)
		fail_msg("%s", err.text);
	CHECK_INT(status, 0);
}

static void every_recorded_tree_is_read_without_a_malformed_number(void **state)
{
	static const struct {
		const char *path;
		unsigned n_open;
	} cases[] = {
		{ "proc-sys/sysstat/root1", 8 },
		{ "proc-sys/sysstat/root2", 8 },
		{ "proc-sys/sysstat/root3", 8 },
		{ "proc-sys/node_exporter", 2 },
		{ "proc-sys/pcp/meminfo-root-001.tgz", 8 },
		{ "proc-sys/pcp/meminfo-root-004.tgz", 8 },
		{ "proc-sys/pcp/pressure-root-001.tgz", 1 },
		{ "proc-sys/pcp/sysfs-numa-001.tgz", 5 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char full[PATH_MAX];
		struct tree tree;
		if (!tree_case(cases[i].path, full))
			skip();
		tree_make(&tree);
		if (text_ends_with(full, ".tgz"))
			unpack(full, tree.path);
		else
			CHECK(tree_copy(&tree, full));
		const unsigned n_open = count_open(tree.fd);
		if (n_open != cases[i].n_open)
			fail_msg("%s: %u monitors open, not %u", full, n_open, cases[i].n_open);
		tree_done(&tree);
	}
}

static void in_an_empty_tree_every_monitor_is_unavailable_with_a_reason(void **state)
{
	struct tree tree;
	tree_make(&tree);
	for (size_t i = 0; i < monitor_table_count; i++) {
		const struct monitor *monitor = monitor_table[i];
		if (!monitor->open)
			continue;
		struct error reason = { 0 };
		void *opened = NULL;
		struct monitor_setup *setup = monitor_setup_new(tree.fd, monitor->about.name, "x");
		CHECK(monitor->open(setup, &opened, &reason) == MONITOR_UNAVAILABLE);
		CHECK(*reason.text);
		uint32_t n;
		(void)monitor_setup_channels(setup, &n);
		CHECK_INT(n, 0);
		monitor_setup_free(setup);
	}
	tree_done(&tree);
}

static void closing_nothing_is_allowed(void **state)
{
	for (size_t i = 0; i < monitor_table_count; i++) {
		if (monitor_table[i]->close)
			monitor_table[i]->close(NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_sorted_and_unique),
		cmocka_unit_test(every_row_is_filled),
		cmocka_unit_test(every_listed_metric_says_what_it_is),
		cmocka_unit_test(a_monitor_is_found_by_its_name_only),
		cmocka_unit_test(every_monitor_fills_every_channel_on_this_machine),
		cmocka_unit_test(every_recorded_tree_is_read_without_a_malformed_number),
		cmocka_unit_test(in_an_empty_tree_every_monitor_is_unavailable_with_a_reason),
		cmocka_unit_test(closing_nothing_is_allowed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
