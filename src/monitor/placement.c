/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement: where the workload's memory lies and where its tasks run, by NUMA node. Memory is read
 * from /proc/PID/numa_maps, since move_pages(2) does not see the pages that await a hint fault, of
 * which a balanced process is full. A task is where its last CPU is, and weighs as much as the CPU
 * time that it has used since the sample before: one that sleeps is nowhere.
 *
 * A page is local as far as its process runs on its node: with 3/4 of the CPU time on node 0, 3/4 of
 * the pages of node 0 and 1/4 of those of node 1 are. Which thread uses which page nobody can see
 * here: one process whose threads are spread over N nodes has 1/N of local pages, however well they
 * are placed (proc-vmstat.numa_hint_faults_local tells that).
 *
 * Writing numa_maps costs the kernel some 12 ms of CPU time for each GiB in small pages. So that it
 * takes no more than 1 % of a CPU when it is read once a second, a sample that took long is followed
 * by a pause; the samples of the pause are missing.
 *
 * Shared pages count once for each process that maps them. Tasks come and go, so this opens files
 * in the measured window, and the kernel walks the page tables under mmap_lock to write numa_maps:
 * it is read on request only. Children of the workers are found where the kernel lists them
 * (CONFIG_PROC_CHILDREN).
 */
#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "monitor/cpus.h"
#include "monitor/monitor.h"
#include "monitor/nodes.h"
#include "monitor/placed.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROCESSES_MAX 16384U
#define SEEN_MAX 65536U /* Tasks that are remembered; a power of two. */
#define CHUNK_BYTES 65536U
#define ENTRIES_BYTES 32768U
#define STAT_BYTES 1024U
#define CHILDREN_BYTES 16384U
#define PATH_BYTES 64U
#define COST_FREE_NS (5 * NS_PER_MS) /* A sample that needs no pause. */
#define COST_TIMES 100
#define NOWHERE UINT32_MAX

struct seen {
	uint32_t task; /* 0: free. */
	uint64_t ticks;
};

struct place { /* Of one node, in one sample. */
	uint64_t bytes;
	uint64_t ticks;
	uint64_t own_bytes; /* Of the process that is being read. */
	uint64_t own_ticks;
};

struct placement {
	int root_fd;         /* Borrowed. */
	uint32_t *numbers;   /* Of the nodes, ascending. */
	uint32_t n_nodes;    /* Their places stand in the same order. */
	uint32_t *cpu_nodes; /* Index of each CPU's node, or NOWHERE. */
	uint64_t page_bytes;
	uint32_t *processes; /* Followed ones first, then the descendants of this sample. */
	uint32_t n_followed;
	uint32_t n_processes;
	struct seen *seen;
	uint32_t n_seen;
	struct place *places;
	char *chunk;
	char *children;
	_Alignas(struct dirent64) char entries[ENTRIES_BYTES];
	uint64_t rest_until_ns;
	/* Of one sample. */
	enum missing memory_missing; /* Why nothing is known of the memory. */
	uint64_t n_tasks;
	double local_bytes;
	double judged_bytes; /* Of processes that ran. */
	/* Channels; those of node i are first_channel + 2 * i and the next. */
	uint32_t local;
	uint32_t memory;
	uint32_t tasks;
	uint32_t first_channel;
};

/* ---- opening ---- */

struct marking {
	struct placement *state;
	uint32_t node;
};

static void mark_cpu(unsigned cpu, void *user)
{
	const struct marking *marking = user;
	if (cpu < CPUS_MAX)
		marking->state->cpu_nodes[cpu] = marking->node;
}

static void learn_cpus(struct placement *state)
{
	state->cpu_nodes = mem_array(CPUS_MAX, sizeof(*state->cpu_nodes));
	for (uint32_t cpu = 0; cpu < CPUS_MAX; cpu++)
		state->cpu_nodes[cpu] = NOWHERE;
	for (uint32_t node = 0; node < state->n_nodes; node++) {
		char path[PATH_BYTES];
		char list[4096];
		struct marking marking = { .state = state, .node = node };
		(void)snprintf(path, sizeof(path), "sys/devices/system/node/node%u/cpulist",
			       state->numbers[node]);
		if (fs_read_line_at(state->root_fd, path, list, sizeof(list)) > 0)
			(void)fs_list_each(list, mark_cpu, &marking); /* As far as it is one. */
	}
}

static uint32_t declare_node(struct monitor_setup *setup, uint32_t number, const char *of)
{
	char name[PATH_BYTES];
	(void)snprintf(name, sizeof(name), "node%u.%s", number, of);
	return monitor_plain(setup, name, "%", METRIC_GAUGE, 0);
}

static void declare(struct placement *state, struct monitor_setup *setup)
{
	state->local = monitor_plain(setup, "local", "%", METRIC_GAUGE, 0);
	state->memory = monitor_plain(setup, "memory", "MiB", METRIC_GAUGE, 0);
	state->tasks = monitor_plain(setup, "tasks", "1", METRIC_GAUGE, 0);
	monitor_rule(setup,
		     &(const struct metric_rule) {
			     .metric = { .name = "local_settled",
					 .unit = "s",
					 .what = "until `local` stayed within 5 % of its last",
					 .kind = METRIC_SETTLED,
					 .role = ROLE_EVIDENCE },
			     .scale = 1,
			     .parts = &state->local,
			     .n_parts = 1 });
	state->first_channel = state->tasks + 1;
	for (uint32_t i = 0; i < state->n_nodes; i++) {
		const uint32_t memory = declare_node(setup, state->numbers[i], "memory");
		const uint32_t cpu = declare_node(setup, state->numbers[i], "cpu");
		assert(memory == state->first_channel + 2 * i && cpu == memory + 1);
	}
}

static void placement_close(void *opaque)
{
	struct placement *state = opaque;
	if (!state)
		return;
	free(state->numbers);
	free(state->cpu_nodes);
	free(state->processes);
	free(state->seen);
	free(state->places);
	free(state->chunk);
	free(state->children);
	free(state);
}

static enum monitor_opened placement_open(struct monitor_setup *setup, void **ret_state,
					  struct error *reason)
{
	uint32_t *numbers = NULL;
	uint32_t n = 0;
	if (nodes_list(monitor_root(setup), &numbers, &n, reason) < 0)
		return MONITOR_UNAVAILABLE;
	if (n == 0) {
		free(numbers);
		(void)error_set(reason, ENOENT,
				"there is no node below "
				"'sys/devices/system/node'");
		return MONITOR_UNAVAILABLE;
	}
	const long page_bytes = sysconf(_SC_PAGESIZE);
	struct placement *state = mem_zero(sizeof(*state));
	state->root_fd = monitor_root(setup);
	state->numbers = numbers;
	state->n_nodes = n;
	state->page_bytes = page_bytes > 0 ? (uint64_t)page_bytes : 4096;
	state->processes = mem_array(PROCESSES_MAX, sizeof(*state->processes));
	state->seen = mem_array(SEEN_MAX, sizeof(*state->seen));
	state->places = mem_array(n, sizeof(*state->places));
	state->chunk = mem_zero(CHUNK_BYTES);
	state->children = mem_zero(CHILDREN_BYTES);
	learn_cpus(state);
	declare(state, setup);
	*ret_state = state;
	return MONITOR_OPEN;
}

/* ---- tasks ---- */

/* Calls for each entry of a folder whose name is a number. 0 or -errno. */
static int each_number(struct placement *state, const char *path,
		       void (*each)(struct placement *state, uint32_t number, uint32_t user),
		       uint32_t user)
{
	AUTO(fd) int fd = fs_open_at(state->root_fd, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	ssize_t got;
	while ((got = getdents64(fd, state->entries, sizeof(state->entries))) > 0) {
		for (ssize_t at = 0; at < got;) {
			const struct dirent64 *entry = (const void *)(state->entries + at);
			char *rest;
			const unsigned long number = strtoul(entry->d_name, &rest, 10);
			at += entry->d_reclen;
			if (number > 0 && number < UINT32_MAX && *rest == '\0')
				each(state, (uint32_t)number, user);
		}
	}
	return 0;
}

static bool read_stat(const struct placement *state, const char *path, struct placed_task *ret_task)
{
	char text[STAT_BYTES];
	return fs_read_at(state->root_fd, path, text, sizeof(text)) > 0 &&
	       placed_stat(text, ret_task);
}

/* CPU time since the last sample. A number that was given again begins anew. */
static uint64_t ticks_since(struct placement *state, uint32_t task, uint64_t ticks)
{
	if (state->n_seen > SEEN_MAX / 2) {
		/* All are forgotten: once, the time of a whole life is taken for that since. */
		memset(state->seen, 0, SEEN_MAX * sizeof(*state->seen));
		state->n_seen = 0;
	}
	uint32_t at = task & (SEEN_MAX - 1);
	while (state->seen[at].task && state->seen[at].task != task)
		at = (at + 1) & (SEEN_MAX - 1);
	struct seen *seen = &state->seen[at];
	const uint64_t before = seen->task && seen->ticks <= ticks ? seen->ticks : 0;
	state->n_seen += !seen->task;
	*seen = (struct seen) { .task = task, .ticks = ticks };
	return ticks - before;
}

static void add_children(struct placement *state, uint32_t process, uint32_t task)
{
	char path[PATH_BYTES];
	(void)snprintf(path, sizeof(path), "proc/%u/task/%u/children", process, task);
	if (fs_read_at(state->root_fd, path, state->children, CHILDREN_BYTES) <= 0)
		return;
	const char *at = state->children;
	char *rest;
	for (;;) {
		const unsigned long child = strtoul(at, &rest, 10);
		if (rest == at || child == 0 || child >= UINT32_MAX)
			return;
		if (state->n_processes < PROCESSES_MAX)
			state->processes[state->n_processes++] = (uint32_t)child;
		at = rest;
	}
}

static void take_task(struct placement *state, uint32_t task, uint32_t process)
{
	char path[PATH_BYTES];
	struct placed_task found;
	(void)snprintf(path, sizeof(path), "proc/%u/task/%u/stat", process, task);
	if (!read_stat(state, path, &found))
		return; /* It has ended. */
	state->n_tasks++;
	const uint64_t ticks = ticks_since(state, task, found.ticks);
	const uint32_t node = found.cpu < CPUS_MAX ? state->cpu_nodes[found.cpu] : NOWHERE;
	if (node != NOWHERE)
		state->places[node].own_ticks += ticks;
	add_children(state, process, task);
}

/* ---- memory ---- */

static void take_pages(void *user, uint32_t number, uint64_t bytes)
{
	struct placement *state = user;
	for (uint32_t i = 0; i < state->n_nodes; i++)
		if (state->numbers[i] == number &&
		    __builtin_add_overflow(state->places[i].own_bytes, bytes,
					   &state->places[i].own_bytes))
			state->memory_missing = MISSING_MALFORMED;
}

/* The whole lines of the chunk; gives how many bytes of a begun one are left over. */
static size_t take_lines(struct placement *state, size_t length)
{
	const char *at = state->chunk;
	const char *const end = at + length;
	const char *newline;
	while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
		if (!placed_line(at, (size_t)(newline - at), state->page_bytes, take_pages, state))
			state->memory_missing = MISSING_MALFORMED;
		at = newline + 1;
	}
	const size_t left = (size_t)(end - at);
	memmove(state->chunk, at, left);
	return left;
}

static void take_memory(struct placement *state, uint32_t process)
{
	char path[PATH_BYTES];
	(void)snprintf(path, sizeof(path), "proc/%u/numa_maps", process);
	AUTO(fd) int fd = fs_open_at(state->root_fd, path, O_RDONLY);
	size_t left = 0;
	ssize_t got = fd < 0 ? fd : 0;
	while (fd >= 0 && left < CHUNK_BYTES) {
		got = read(fd, state->chunk + left, CHUNK_BYTES - left);
		if (got < 0)
			got = -errno;
		if (got <= 0)
			break;
		left = take_lines(state, left + (size_t)got);
	}
	/* Who has ended, or is about to, has no memory. */
	if (got < 0 && got != -ENOENT && got != -ESRCH)
		state->memory_missing = missing_from_errno((int)-got);
	else if (left > 0)
		state->memory_missing = MISSING_MALFORMED;
}

/* ---- a sample ---- */

static void add_process(struct placement *state)
{
	uint64_t ticks = 0;
	double bytes = 0;
	double local = 0;
	for (uint32_t i = 0; i < state->n_nodes; i++)
		ticks += state->places[i].own_ticks;
	for (uint32_t i = 0; i < state->n_nodes; i++) {
		struct place *place = &state->places[i];
		bytes += (double)place->own_bytes;
		if (ticks > 0)
			local +=
				(double)place->own_bytes * (double)place->own_ticks / (double)ticks;
		place->bytes += place->own_bytes;
		place->ticks += place->own_ticks;
		place->own_bytes = 0;
		place->own_ticks = 0;
	}
	if (ticks == 0)
		return;
	state->judged_bytes += bytes;
	state->local_bytes += local;
}

static struct reading share(double part, double whole)
{
	return whole > 0 ? reading_level(100 * part / whole) : reading_missing(MISSING_ABSENT);
}

static void fill(const struct placement *state, struct reading *readings)
{
	double bytes = 0;
	double ticks = 0;
	const bool is_known = state->memory_missing == MISSING_NOT;
	const struct reading missing = reading_missing(state->memory_missing);
	for (uint32_t i = 0; i < state->n_nodes; i++) {
		bytes += (double)state->places[i].bytes;
		ticks += (double)state->places[i].ticks;
	}
	readings[state->tasks] = state->n_tasks > 0 ? reading_level((double)state->n_tasks)
						    : reading_missing(MISSING_ABSENT);
	readings[state->memory] = is_known ? bytes > 0 ? reading_level(bytes / (1 << 20))
						       : reading_missing(MISSING_ABSENT)
					   : missing;
	readings[state->local] =
		is_known ? share(state->local_bytes, state->judged_bytes) : missing;
	for (uint32_t i = 0; i < state->n_nodes; i++) {
		struct reading *pair = &readings[state->first_channel + 2 * i];
		pair[0] = is_known ? share((double)state->places[i].bytes, bytes) : missing;
		pair[1] = share((double)state->places[i].ticks, ticks);
	}
}

static void take_sample(struct placement *state, struct reading *readings)
{
	memset(state->places, 0, state->n_nodes * sizeof(*state->places));
	state->memory_missing = MISSING_NOT;
	state->n_tasks = 0;
	state->local_bytes = 0;
	state->judged_bytes = 0;
	state->n_processes = state->n_followed;
	/* The list grows while it is walked, by the children of each. */
	for (uint32_t i = 0; i < state->n_processes; i++) {
		char path[PATH_BYTES];
		(void)snprintf(path, sizeof(path), "proc/%u/task", state->processes[i]);
		if (each_number(state, path, take_task, state->processes[i]) < 0)
			continue; /* It has ended. */
		take_memory(state, state->processes[i]);
		add_process(state);
	}
	fill(state, readings);
}

static void placement_sample(void *opaque, struct reading *readings)
{
	struct placement *state = opaque;
	const uint64_t begin_ns = clock_thread_cpu_ns();
	if (clock_monotonic_ns() < state->rest_until_ns)
		return; /* Not sampled, which is what the readings say already. */
	take_sample(state, readings);
	const uint64_t cost_ns = clock_thread_cpu_ns() - begin_ns;
	if (cost_ns > COST_FREE_NS)
		state->rest_until_ns = clock_monotonic_ns() + COST_TIMES * cost_ns;
}

/* ---- whom ---- */

static void take_child_of(struct placement *state, uint32_t process, uint32_t parent)
{
	char path[PATH_BYTES];
	struct placed_task found;
	(void)snprintf(path, sizeof(path), "proc/%u/stat", process);
	if (read_stat(state, path, &found) && found.parent == parent &&
	    state->n_followed < PROCESSES_MAX)
		state->processes[state->n_followed++] = process;
}

static void placement_follow(void *opaque, bool has_threads)
{
	struct placement *state = opaque;
	char text[32];
	const ssize_t length = readlinkat(state->root_fd, "proc/self", text, sizeof(text) - 1);
	state->n_followed = 0;
	if (length <= 0)
		return;
	text[length] = '\0';
	const unsigned long self = strtoul(text, /* end= */ NULL, 10);
	if (self == 0 || self >= UINT32_MAX)
		return;
	if (has_threads)
		state->processes[state->n_followed++] = (uint32_t)self;
	else
		(void)each_number(state, "proc", take_child_of, (uint32_t)self);
}

static const struct metric metrics[] = {
	{ "placement.local", "%", "pages on the nodes that their processes ran on", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "placement.local_settled", "s", "until `local` stayed within 5 % of its last reading",
	  METRIC_SETTLED, BETTER_NONE, ROLE_EVIDENCE },
	{ "placement.memory", "MiB", "memory of the workload's processes", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "placement.tasks", "1", "tasks of the workload", METRIC_GAUGE, BETTER_NONE,
	  ROLE_EVIDENCE },
	{ "placement.node0.memory", "%", "the workload's memory that is on the node", METRIC_GAUGE,
	  BETTER_NONE, ROLE_EVIDENCE },
	{ "placement.node0.cpu", "%", "the workload's CPU time that was used on the node",
	  METRIC_GAUGE, BETTER_NONE, ROLE_EVIDENCE },
	{ 0 },
};

const struct monitor monitor_placement = {
	.about = {
		.name = "placement",
		.what = "where the workload's memory is and where its tasks run, by NUMA node",
		.stands = "did tasks and their memory come together, and when?",
		.metrics = metrics,
		.cost_ns = 12000000,
		.metrics_open = true,
		.on_request = true,
	},
	.open = placement_open,
	.sample = placement_sample,
	.close = placement_close,
	.follow = placement_follow,
};
