/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of /proc/vmstat's names. */
#include "monitor/vmstat_kinds.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/macros.h"
#include "check.h"
#include "monitor/tree.h"

static void check_kind(const char *name, enum metric_kind want)
{
	bool is_listed;
	const enum metric_kind have = vmstat_kind(name, &is_listed);
	if (have != want || !is_listed)
		fail_msg("%s is a %s%s", name, metric_kind_text(have),
			 is_listed ? "" : " and not listed");
}

static void what_only_counts_up_is_a_counter(void **state)
{
	static const char *const names[] = {
		"nr_dirtied",
		"nr_written",
		"nr_vmscan_write",
		"nr_vmscan_immediate_reclaim",
		"nr_throttled_written",
		"nr_foll_pin_acquired",
		"nr_promoted",
		"nr_tlb_remote_flush",
		"numa_hit",
		"numa_task_migrated",
		"pgalloc_dma32",
		"pgpromote_success",
		"pgdemote_kswapd",
		"pswpin",
		"allocstall",
		"allocstall_normal",
		"workingset_refault",
		"workingset_refault_anon",
		"workingset_activate_file",
		"workingset_restore_anon",
		"workingset_nodereclaim",
		"compact_stall",
		"htlb_buddy_alloc_fail",
		"cma_alloc_success",
		"unevictable_pgs_culled",
		"thp_fault_alloc",
		"thp_deferred_split_page",
		"balloon_inflate",
		"swap_ra",
		"swap_ra_hit",
		"swpin_zero",
		"ksm_swpin_copy",
		"cow_ksm",
		"zswpin",
		"zswpwb",
		"direct_map_level2_splits",
		"direct_map_level3_collapses",
		"vma_lock_success",
		"vma_lock_retry",
		"kstack_4k",
		"kswapd_low_wmark_hit_quickly",
		"pageoutrun",
		"slabs_scanned",
		"oom_kill",
		"drop_pagecache",
		"zone_reclaim_failed",
		"zone_reclaim_success",
	};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		check_kind(names[i], METRIC_COUNTER);
}

static void what_goes_up_and_down_is_a_gauge(void **state)
{
	static const char *const names[] = {
		"nr_free_pages",
		"nr_dirty",
		"nr_dirty_threshold",
		"nr_dirty_background_threshold",
		"nr_writeback",
		"nr_unstable",
		"nr_mlock",
		"workingset_nodes",
		"nr_pages_scanned",
		"nr_anon_transparent_hugepages",
		"nr_zone_write_pending",
		"nr_swapcached",
		"nr_memmap_boot_pages",
		"nr_alloc_batch",
	};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		check_kind(names[i], METRIC_GAUGE);
}

static void a_name_that_nobody_listed_is_a_gauge_and_says_so(void **state)
{
	struct metric metric = { .name = "x" };
	bool is_listed;
	CHECK(vmstat_kind("nr_of_the_future", &is_listed) == METRIC_GAUGE);
	CHECK(!is_listed);
	vmstat_describe("nr_of_the_future", &metric);
	CHECK_INT(metric.kind, METRIC_GAUGE);
	CHECK_TEXT(metric.what, "kind not listed, taken as gauge");
	CHECK(vmstat_kind("", &is_listed) == METRIC_GAUGE);
	CHECK(!is_listed);
}

static void what_is_read_and_written_of_block_devices_is_in_kib(void **state)
{
	struct metric metric = { .name = "x" };
	vmstat_describe("pgpgin", &metric);
	CHECK_TEXT(metric.unit, "KiB");
	CHECK_INT(metric.kind, METRIC_COUNTER);
	vmstat_describe("pgfault", &metric);
	CHECK_TEXT(metric.unit, "1");
	CHECK_TEXT(metric.what, "");
}

/* Every name of a vmstat file must be listed. */
static void check_file(int root_fd, const char *path)
{
	AUTO(text) char *bytes = NULL;
	size_t length;
	struct error err = { 0 };
	if (fs_read_whole_at(root_fd, path, 1U << 20, &bytes, &length, &err) < 0)
		fail_msg("%s", err.text);
	unsigned n = 0;
	char *rest = bytes;
	for (char *line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n")) {
		char *blank = strchr(line, ' ');
		CHECK(blank != NULL);
		*blank = '\0';
		bool is_listed;
		(void)vmstat_kind(line, &is_listed);
		if (!is_listed)
			fail_msg("%s: '%s' is not listed", path, line);
		n++;
	}
	CHECK(n > 30);
}

static void every_name_of_this_kernel_is_listed(void **state)
{
	struct error err;
	AUTO(fd) int root_fd = fs_root_open("/", &err);
	check_file(root_fd, "proc/vmstat");
}

static void every_name_of_the_recorded_kernels_is_listed(void **state)
{
	char folder[PATH_MAX];
	struct error err;
	if (!tree_case("proc-sys", folder))
		skip();
	AUTO(fd) int root_fd = fs_root_open(folder, &err);
	check_file(root_fd, "node_exporter/vmstat");
	check_file(root_fd, "sysstat/root1/proc/vmstat");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_only_counts_up_is_a_counter),
		cmocka_unit_test(what_goes_up_and_down_is_a_gauge),
		cmocka_unit_test(a_name_that_nobody_listed_is_a_gauge_and_says_so),
		cmocka_unit_test(what_is_read_and_written_of_block_devices_is_in_kib),
		cmocka_unit_test(every_name_of_this_kernel_is_listed),
		cmocka_unit_test(every_name_of_the_recorded_kernels_is_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
