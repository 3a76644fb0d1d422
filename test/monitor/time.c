/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time: what the workload used. */
#include "check.h"
#include "monitor/monitor.h"

struct heard {
	const char *name;
	struct value value;
	char unit[8];
	unsigned n;
	unsigned n_evidence;
};

static void hear(void *sink, const struct metric *metric, struct value value)
{
	struct heard *heard = sink;
	heard->n++;
	heard->n_evidence += metric->role == ROLE_EVIDENCE && *metric->what;
	if (strcmp(metric->name, heard->name) == 0) {
		heard->value = value;
		(void)snprintf(heard->unit, sizeof(heard->unit), "%s", metric->unit);
	}
}

static const struct usage usage = {
	.elapsed_ns = 2000000000,
	.user_ns = 3000000000,
	.system_ns = 500000000,
	.minor_faults = 11,
	.major_faults = 12,
	.voluntary_switches = 13,
	.involuntary_switches = 14,
	.blocks_in = 15,
	.blocks_out = 16,
	.max_resident_kib = 17000,
};

static void check_item(const char *name, double want, const char *unit)
{
	struct heard heard = { .name = name, .value = value_missing(MISSING_ABSENT) };
	monitor_find("time")->report(&usage, "hackbench", hear, &heard);
	CHECK_INT(heard.value.state, VALUE_KNOWN);
	CHECK_NEAR(heard.value.number, want, 1e-9);
	CHECK_TEXT(heard.unit, unit);
	CHECK_INT(heard.n, 11);
	CHECK_INT(heard.n_evidence, 11);
}

static void each_item_has_lkps_name_behind_the_workloads(void **state)
{
	check_item("hackbench.time.elapsed_time", 2, "s");
	check_item("hackbench.time.user_time", 3, "s");
	check_item("hackbench.time.system_time", 0.5, "s");
	check_item("hackbench.time.percent_of_cpu_this_job_got", 175, "%");
	check_item("hackbench.time.maximum_resident_set_size", 17000, "KiB");
	check_item("hackbench.time.major_page_faults", 12, "1");
	check_item("hackbench.time.minor_page_faults", 11, "1");
	check_item("hackbench.time.voluntary_context_switches", 13, "1");
	check_item("hackbench.time.involuntary_context_switches", 14, "1");
	check_item("hackbench.time.file_system_inputs", 15, "1");
	check_item("hackbench.time.file_system_outputs", 16, "1");
}

static void a_window_without_length_has_no_share_of_a_cpu(void **state)
{
	const struct usage none = { 0 };
	struct heard heard = { .name = "x.time.percent_of_cpu_this_job_got",
			       .value = value_known(1) };
	monitor_find("time")->report(&none, "x", hear, &heard);
	CHECK_INT(heard.value.state, VALUE_MISSING);
	CHECK_INT(heard.value.why, MISSING_UNSAMPLED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_item_has_lkps_name_behind_the_workloads),
		cmocka_unit_test(a_window_without_length_has_no_share_of_a_cpu),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
