/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of /proc/vmstat's names, of kernels 3.10 to 7.x. Names of events (mm/vmstat.c,
 * FOR_ALL_ZONES and vm_event_item) only ever count up, so their families are told by how they
 * begin. Of the names that begin with nr_ most are levels and some count, so each one is listed;
 * one that is not listed is taken as a level and says so.
 */
#include "monitor/vmstat_kinds.h"

#include "base/macros.h"
#include "base/text.h"

#include <string.h>

/* Families: every name that begins so counts. */
static const char *const counting_families[] = {
	"allocstall",
	"balloon_",
	"cma_",
	"compact_",
	"cow_ksm",
	"direct_map_",
	"drop_",
	"htlb_",
	"ksm_",
	"kstack_",
	"kswapd_",
	"numa_",
	"nr_dirtied",
	"nr_foll_pin_",
	"nr_promote",
	"nr_throttled_written",
	"nr_tlb_",
	"nr_vmscan_",
	"nr_written",
	"oom_kill",
	"pageoutrun",
	"pg",
	"pswp",
	"slabs_scanned",
	"swap_ra",
	"swpin_",
	"swpout_",
	"thp_",
	"unevictable_pgs_",
	"vma_lock_",
	"workingset_activate",
	"workingset_nodereclaim",
	"workingset_refault",
	"workingset_restore",
	"zone_reclaim_",
	"zswp",
};

/* Levels, by their full names; sorted. nr_pages_scanned is one: the kernel sets it back to 0 at
 * each page that is freed. workingset_nodes is the number of shadow nodes that there are. */
static const char *const levels[] = {
	"nr_active_anon",
	"nr_active_file",
	"nr_alloc_batch",
	"nr_anon_pages",
	"nr_anon_transparent_hugepages",
	"nr_balloon_pages",
	"nr_bounce",
	"nr_dirty",
	"nr_dirty_background_threshold",
	"nr_dirty_threshold",
	"nr_file_hugepages",
	"nr_file_pages",
	"nr_file_pmdmapped",
	"nr_free_cma",
	"nr_free_pages",
	"nr_free_pages_blocks",
	"nr_gpu_active",
	"nr_gpu_reclaim",
	"nr_hugetlb",
	"nr_inactive_anon",
	"nr_inactive_file",
	"nr_indirectly_reclaimable",
	"nr_iommu_pages",
	"nr_isolated_anon",
	"nr_isolated_file",
	"nr_kernel_file_pages",
	"nr_kernel_misc_reclaimable",
	"nr_kernel_stack",
	"nr_mapped",
	"nr_memmap",
	"nr_memmap_boot_pages",
	"nr_memmap_pages",
	"nr_mlock",
	"nr_overhead",
	"nr_page_table_pages",
	"nr_pages_scanned",
	"nr_sec_page_table_pages",
	"nr_shadow_call_stack",
	"nr_shmem",
	"nr_shmem_hugepages",
	"nr_shmem_pmdmapped",
	"nr_slab_reclaimable",
	"nr_slab_unreclaimable",
	"nr_swapcached",
	"nr_unaccepted",
	"nr_unevictable",
	"nr_unstable",
	"nr_vmalloc",
	"nr_writeback",
	"nr_writeback_temp",
	"nr_zone_active_anon",
	"nr_zone_active_file",
	"nr_zone_inactive_anon",
	"nr_zone_inactive_file",
	"nr_zone_unevictable",
	"nr_zone_write_pending",
	"nr_zspages",
	"workingset_nodes",
};

static const struct {
	const char *name;
	const char *unit;
	const char *what;
} special[] = {
	{ "pgpgin", "KiB", "read from block devices" },
	{ "pgpgout", "KiB", "written to block devices" },
	{ "numa_hint_faults", "1", "faults taken by NUMA balancing" },
	{ "numa_hint_faults_local", "1",
	  "hint faults on memory of the task's own node: more is good" },
	{ "nr_pages_scanned", "1", "set back by the kernel at each freed page" },
};

enum metric_kind vmstat_kind(const char *name, bool *ret_listed)
{
	*ret_listed = true;
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		if (strcmp(levels[i], name) == 0)
			return METRIC_GAUGE;
	}
	for (size_t i = 0; i < ARRAY_SIZE(counting_families); i++) {
		if (text_starts_with(name, counting_families[i]))
			return METRIC_COUNTER;
	}
	*ret_listed = false;
	return METRIC_GAUGE;
}

void vmstat_describe(const char *name, struct metric *metric)
{
	bool is_listed;
	metric->kind = vmstat_kind(name, &is_listed);
	metric->unit = "1";
	metric->what = is_listed ? "" : "kind not listed, taken as gauge";
	for (size_t i = 0; i < ARRAY_SIZE(special); i++) {
		if (strcmp(special[i].name, name) == 0) {
			metric->unit = special[i].unit;
			metric->what = special[i].what;
		}
	}
}
