/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The NUMA nodes and one keyed file of each. See nodes.h. */
#include "monitor/nodes.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES_PATH "sys/devices/system/node"

static void close_directory(DIR *directory)
{
	(void)closedir(directory); /* Only read from: nothing can be lost. */
}

DEFINE_AUTO(directory, DIR *, close_directory);

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t one = *(const uint32_t *)left;
	const uint32_t other = *(const uint32_t *)right;
	return (one > other) - (one < other);
}

int nodes_list(int root_fd, uint32_t **ret_numbers, uint32_t *ret_n, struct error *err)
{
	const int fd = fs_open_at(root_fd, NODES_PATH, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return error_errno(err, -fd, "cannot open '%s' (kernel without CONFIG_NUMA?)",
				   NODES_PATH);
	AUTO(directory) DIR *directory = fdopendir(fd);
	if (!directory) {
		const int code = errno;
		(void)close(fd); /* The failure to report is fdopendir's. */
		return error_errno(err, code, "cannot list '%s'", NODES_PATH);
	}
	uint32_t *numbers = mem_array(NODES_MAX, sizeof(*numbers));
	uint32_t n = 0;
	const struct dirent *entry;
	while (n < NODES_MAX && (entry = readdir(directory))) {
		uint64_t number;
		if (text_starts_with(entry->d_name, "node") &&
		    text_parse_u64(entry->d_name + 4, &number) && number < UINT32_MAX)
			numbers[n++] = (uint32_t)number;
	}
	qsort(numbers, n, sizeof(*numbers), compare_numbers);
	*ret_numbers = numbers;
	*ret_n = n;
	return 0;
}

/* Opens the file of one node and adds it; a node without the file is passed over. */
static void add_node(struct nodes *nodes, int root_fd, const struct nodes_plan *plan,
		     uint32_t number, uint32_t *n_channels)
{
	char path[96];
	char before[32];
	(void)snprintf(path, sizeof(path), NODES_PATH "/node%u/%s", number, plan->file);
	(void)snprintf(before, sizeof(before), "Node %u ", number);
	struct keyed file;
	if (keyed_open(&file, root_fd, path, plan->numbered ? before : "", plan->separator,
		       /* err= */ NULL) < 0)
		return;
	if (*n_channels + file.n_keys > CHANNELS_PER_MONITOR_MAX) {
		keyed_done(&file);
		*n_channels = CHANNELS_PER_MONITOR_MAX;
		return;
	}
	*n_channels += file.n_keys;
	numa_switch_mark(&file);
	nodes->nodes[nodes->n_nodes++] = (struct node) { .number = number, .file = file };
}

/* Whether a node before this one has the key. */
static bool is_known_before(const struct nodes *nodes, uint32_t node, const char *name,
			    uint32_t place)
{
	for (uint32_t i = 0; i < node; i++) {
		if (keyed_find(&nodes->nodes[i].file, name, place) >= 0)
			return true;
	}
	return false;
}

static void declare_total(const struct nodes *nodes, struct monitor_setup *setup,
			  const struct nodes_plan *plan, const struct key *key, uint32_t expected)
{
	uint32_t *parts = mem_array(nodes->n_nodes, sizeof(*parts));
	uint32_t n_parts = 0;
	for (uint32_t i = 0; i < nodes->n_nodes; i++) {
		const struct keyed *file = &nodes->nodes[i].file;
		const int place = keyed_find(file, key->name, expected);
		if (place >= 0)
			parts[n_parts++] = file->first_channel + (uint32_t)place;
	}
	struct metric metric = { .name = key->name, .what = "", .role = ROLE_EVIDENCE };
	plan->describe(key, &metric);
	monitor_rule(setup,
		     &(const struct metric_rule) {
			     .metric = metric, .scale = 1, .parts = parts, .n_parts = n_parts });
	free(parts);
}

static void declare(const struct nodes *nodes, struct monitor_setup *setup,
		    const struct nodes_plan *plan)
{
	for (uint32_t i = 0; i < nodes->n_nodes; i++) {
		char prefix[32];
		(void)snprintf(prefix, sizeof(prefix), "node%u.", nodes->nodes[i].number);
		keyed_declare(&nodes->nodes[i].file, setup, prefix, plan->describe);
	}
	for (uint32_t i = 0; nodes->n_nodes > 1 && i < nodes->n_nodes; i++) {
		const struct keyed *file = &nodes->nodes[i].file;
		for (uint32_t place = 0; place < file->n_keys; place++) {
			if (!is_known_before(nodes, i, file->keys[place].name, place))
				declare_total(nodes, setup, plan, &file->keys[place], place);
		}
	}
}

enum monitor_opened nodes_open(struct monitor_setup *setup, const struct nodes_plan *plan,
			       void **ret_state, struct error *reason)
{
	uint32_t *numbers = NULL;
	uint32_t n = 0;
	if (nodes_list(monitor_root(setup), &numbers, &n, reason) < 0)
		return MONITOR_UNAVAILABLE;
	struct nodes *nodes = mem_zero(sizeof(*nodes));
	nodes->nodes = mem_array(n, sizeof(*nodes->nodes));
	numa_switch_open(&nodes->numa_switch, monitor_root(setup));
	uint32_t n_channels = 0;
	for (uint32_t i = 0; i < n && n_channels < CHANNELS_PER_MONITOR_MAX; i++)
		add_node(nodes, monitor_root(setup), plan, numbers[i], &n_channels);
	free(numbers);
	if (nodes->n_nodes == 0) {
		nodes_close(nodes);
		(void)error_set(reason, ENOENT, "no node below '%s' has a file '%s'", NODES_PATH,
				plan->file);
		return MONITOR_UNAVAILABLE;
	}
	declare(nodes, setup, plan);
	*ret_state = nodes;
	return MONITOR_OPEN;
}

void nodes_sample(void *opaque, struct reading *readings)
{
	struct nodes *nodes = opaque;
	const bool is_off = numa_switch_is_off(&nodes->numa_switch);
	for (uint32_t i = 0; i < nodes->n_nodes; i++) {
		keyed_sample(&nodes->nodes[i].file, readings);
		if (is_off)
			numa_switch_withhold(&nodes->nodes[i].file, readings);
	}
}

void nodes_close(void *opaque)
{
	struct nodes *nodes = opaque;
	if (!nodes)
		return;
	for (uint32_t i = 0; i < nodes->n_nodes; i++)
		keyed_done(&nodes->nodes[i].file);
	free(nodes->nodes);
	numa_switch_done(&nodes->numa_switch);
	free(nodes);
}
