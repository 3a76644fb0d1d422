/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory and its nodes: sizes, distances, huge pages and the kernel's own ideas about them. */
#include "base/fs.h"
#include "base/text.h"
#include "probe/environment_fact.h"
#include "probe/environment_topology.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NODE_FOLDER "sys/devices/system/node"
#define THP_FOLDER "sys/kernel/mm/transparent_hugepage"

/* Number behind `key` in lines like "MemTotal:   123 kB" or "Node 0 MemTotal:   123 kB". */
static bool find_kib(const char *meminfo, const char *key, uint64_t *ret_kib)
{
	const char *at = strstr(meminfo, key);
	if (!at || (at > meminfo && at[-1] != '\n' && at[-1] != ' '))
		return false;
	at += strlen(key);
	at += strspn(at, " \t");
	return text_scan_u64(&at, at + strlen(at), ret_kib);
}

static void record_mib(struct environment *environment, const char *name, const char *path,
		       const char *key)
{
	char meminfo[2 * ENVIRONMENT_LINE_BYTES];
	uint64_t kib = 0;
	const ssize_t length = fs_read_at(environment->root_fd, path, meminfo, sizeof(meminfo));
	if (length < 0)
		environment_missing(environment, name, missing_from_errno((int)-length));
	else if (find_kib(meminfo, key, &kib))
		environment_number(environment, name, kib / 1024);
	else
		environment_missing(environment, name, MISSING_ABSENT);
}

/* The list of a node's CPUs; old kernels have only the mask. */
static void record_node_cpus(struct environment *environment, unsigned node)
{
	char name[64];
	char path[96];
	char mask[ENVIRONMENT_LINE_BYTES];
	struct environment_cpus cpus;
	(void)snprintf(name, sizeof(name), "node.%u.cpus", node);
	(void)snprintf(path, sizeof(path), NODE_FOLDER "/node%u/cpulist", node);
	if (fs_exists_at(environment->root_fd, path)) {
		environment_line(environment, name, path);
		return;
	}
	(void)snprintf(path, sizeof(path), NODE_FOLDER "/node%u/cpumap", node);
	const ssize_t length = fs_read_line_at(environment->root_fd, path, mask, sizeof(mask));
	if (length < 0) {
		environment_missing(environment, name, missing_from_errno((int)-length));
	} else if (environment_mask_parse(mask, &cpus) < 0) {
		environment_missing(environment, name, MISSING_MALFORMED);
	} else {
		AUTO(text_buffer) struct text list = { 0 };
		environment_cpus_show(&cpus, &list);
		environment_known(environment, name, text_string(&list));
	}
}

/* "10 20;20 10": all or nothing, a matrix with holes would be read wrongly. */
static void record_distances(struct environment *environment, const struct environment_nodes *nodes)
{
	AUTO(text_buffer) struct text matrix = { 0 };
	for (unsigned i = 0; i < nodes->count; i++) {
		char path[96];
		char row[ENVIRONMENT_LINE_BYTES];
		(void)snprintf(path, sizeof(path), NODE_FOLDER "/node%u/distance",
			       nodes->numbers[i]);
		const ssize_t length =
			fs_read_line_at(environment->root_fd, path, row, sizeof(row));
		if (length <= 0) {
			environment_missing(environment, "node.distances",
					    length < 0 ? missing_from_errno((int)-length)
						       : MISSING_MALFORMED);
			return;
		}
		text_add(&matrix, "%s%s", i == 0 ? "" : ";", row);
	}
	environment_known(environment, "node.distances", text_string(&matrix));
}

static void record_nodes(struct environment *environment)
{
	struct environment_nodes nodes;
	const enum missing why = environment_nodes_read(environment->root_fd, &nodes);
	if (why != MISSING_NOT) {
		environment_missing(environment, "node.count", why);
		environment_missing(environment, "node.distances", why);
		return;
	}
	environment_number(environment, "node.count", nodes.count);
	record_distances(environment, &nodes);
	for (unsigned i = 0; i < nodes.count; i++) {
		char name[64];
		char path[96];
		record_node_cpus(environment, nodes.numbers[i]);
		(void)snprintf(name, sizeof(name), "node.%u.memory_mib", nodes.numbers[i]);
		(void)snprintf(path, sizeof(path), NODE_FOLDER "/node%u/meminfo", nodes.numbers[i]);
		record_mib(environment, name, path, "MemTotal:");
	}
}

/* hugepages-2048kB → memory.hugepages.2048kB: pages reserved of that size. */
static void record_huge_size(const char *folder, void *user)
{
	struct environment *environment = user;
	char name[ENVIRONMENT_NAME_BYTES];
	char path[128];
	if (!text_starts_with(folder, "hugepages-") || strlen(folder) > 40)
		return;
	(void)snprintf(name, sizeof(name), "memory.hugepages.%.40s", folder + strlen("hugepages-"));
	(void)snprintf(path, sizeof(path), "sys/kernel/mm/hugepages/%.40s/nr_hugepages", folder);
	environment_line(environment, name, path);
}

/* Kernels since 6.8 choose for each size of a transparent huge page. */
static void record_thp_size(const char *folder, void *user)
{
	struct environment *environment = user;
	char name[ENVIRONMENT_NAME_BYTES];
	char path[128];
	if (!text_starts_with(folder, "hugepages-") || strlen(folder) > 40)
		return;
	(void)snprintf(name, sizeof(name), "thp.%.40s.enabled", folder + strlen("hugepages-"));
	(void)snprintf(path, sizeof(path), THP_FOLDER "/%.40s/enabled", folder);
	if (fs_exists_at(environment->root_fd, path)) /* Some sizes are for shared memory only. */
		environment_chosen(environment, name, path, "[]");
}

void environment_memory(struct environment *environment)
{
	record_mib(environment, "memory.total_mib", "proc/meminfo", "MemTotal:");
	record_mib(environment, "swap.total_mib", "proc/meminfo", "SwapTotal:");
	record_mib(environment, "free.memory_mib", "proc/meminfo", "MemAvailable:");
	record_mib(environment, "free.swap_mib", "proc/meminfo", "SwapFree:");
	record_nodes(environment);
	/* A kernel without these folders has no sizes to name. */
	(void)environment_folder_each(environment->root_fd, "sys/kernel/mm/hugepages",
				      record_huge_size, environment);
	(void)environment_folder_each(environment->root_fd, THP_FOLDER, record_thp_size,
				      environment);
	environment_chosen(environment, "thp.enabled", THP_FOLDER "/enabled", "[]");
	environment_chosen(environment, "thp.defrag", THP_FOLDER "/defrag", "[]");
	environment_chosen(environment, "thp.shmem_enabled", THP_FOLDER "/shmem_enabled", "[]");
	environment_line(environment, "thp.khugepaged_defrag", THP_FOLDER "/khugepaged/defrag");
	environment_line(environment, "memory.ksm", "sys/kernel/mm/ksm/run");
	environment_line(environment, "memory.zswap", "sys/module/zswap/parameters/enabled");
	environment_line(environment, "memory.lru_gen", "sys/kernel/mm/lru_gen/enabled");
	environment_line(environment, "memory.demotion", "sys/kernel/mm/numa/demotion_enabled");
}
