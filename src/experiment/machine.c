/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of a machine, read below a root. See machine.h. */
#include "experiment/machine.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <string.h>

#define LIST_BYTES_MAX 65536

struct core { /* Where a CPU sits; equal for the threads of one core. */
	int64_t package;
	int64_t die;
	int64_t number;
};

struct numbers { /* A growing list of CPU or node numbers. */
	unsigned *items;
	size_t n;
	size_t capacity;
};

static inline void auto_release_numbers(struct numbers *numbers)
{
	free(numbers->items);
}

static void numbers_add(unsigned number, void *user)
{
	struct numbers *numbers = user;
	numbers->items = mem_grow(numbers->items, &numbers->capacity, numbers->n + 1,
				  sizeof(*numbers->items));
	numbers->items[numbers->n++] = number;
}

/* A list file as the kernel prints it; false when it is absent, empty or makes no sense. */
static bool numbers_of_list(int root_fd, const char *path, struct numbers *numbers)
{
	AUTO(text) char *list = mem_zero(LIST_BYTES_MAX);
	numbers->n = 0;
	if (fs_read_line_at(root_fd, path, list, LIST_BYTES_MAX) <= 0)
		return false;
	return fs_list_each(list, numbers_add, numbers) > 0;
}

/* The numbers of the entries "<prefix>N" of a directory. */
static void numbers_of_directory(int root_fd, const char *path, const char *prefix,
				 struct numbers *numbers)
{
	numbers->n = 0;
	const int fd = fs_open_at(root_fd, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return;
	DIR *directory = fdopendir(fd);
	if (!directory) {
		(void)close(fd); /* It was only read from. */
		return;
	}
	const struct dirent *entry;
	while ((entry = readdir(directory))) {
		uint64_t number;
		if (text_starts_with(entry->d_name, prefix) &&
		    text_parse_u64(entry->d_name + strlen(prefix), &number) && number < 1U << 20)
			numbers_add((unsigned)number, numbers);
	}
	(void)closedir(directory); /* It was only read from. */
}

static bool read_number(int root_fd, const char *path, int64_t *ret_number)
{
	char line[32];
	return fs_read_line_at(root_fd, path, line, sizeof(line)) > 0 &&
	       text_parse_i64(line, ret_number);
}

static bool cpu_is_online(int root_fd, unsigned cpu)
{
	AUTO(text) char *path = mem_format("sys/devices/system/cpu/cpu%u/online", cpu);
	int64_t online = 1; /* CPUs that cannot go offline have no such file. */
	(void)read_number(root_fd, path, &online); /* As said above. */
	return online != 0;
}

static void read_online_cpus(int root_fd, struct numbers *cpus)
{
	if (numbers_of_list(root_fd, "sys/devices/system/cpu/online", cpus))
		return;
	numbers_of_directory(root_fd, "sys/devices/system/cpu", "cpu", cpus);
	size_t kept = 0;
	for (size_t i = 0; i < cpus->n; i++)
		if (cpu_is_online(root_fd, cpus->items[i]))
			cpus->items[kept++] = cpus->items[i];
	cpus->n = kept;
}

static bool topology_number(int root_fd, unsigned cpu, const char *name, int64_t *ret_number)
{
	AUTO(text)
	char *path = mem_format("sys/devices/system/cpu/cpu%u/topology/%s", cpu, name);
	return read_number(root_fd, path, ret_number);
}

static bool read_core(int root_fd, unsigned cpu, struct core *ret_core)
{
	struct core core = { 0 };
	if (!topology_number(root_fd, cpu, "physical_package_id", &core.package) ||
	    !topology_number(root_fd, cpu, "core_id", &core.number))
		return false;
	/* Kernels before 5.2 have no dies. */
	(void)topology_number(root_fd, cpu, "die_id", &core.die);
	*ret_core = core;
	return true;
}

static int order(int64_t one, int64_t other)
{
	return (one > other) - (one < other);
}

static int core_order(const void *left, const void *right)
{
	const struct core *one = left;
	const struct core *other = right;
	int by = order(one->package, other->package);
	if (by == 0)
		by = order(one->die, other->die);
	return by != 0 ? by : order(one->number, other->number);
}

static void count_cores(int root_fd, const struct numbers *cpus, struct machine *machine)
{
	AUTO(text) char *block = mem_array(cpus->n, sizeof(struct core));
	struct core *cores = (struct core *)(void *)block;
	size_t n = 0;
	for (size_t i = 0; i < cpus->n; i++)
		n += read_core(root_fd, cpus->items[i], &cores[n]);
	if (n == 0)
		return;
	qsort(cores, n, sizeof(*cores), core_order);
	machine->cores = 1;
	machine->sockets = 1;
	for (size_t i = 1; i < n; i++) {
		machine->cores += core_order(&cores[i - 1], &cores[i]) != 0;
		machine->sockets += cores[i - 1].package != cores[i].package;
	}
}

static bool node_has_cpus(int root_fd, unsigned node)
{
	AUTO(text) char *path = mem_format("sys/devices/system/node/node%u/cpulist", node);
	struct numbers cpus AUTO(numbers) = { 0 };
	return numbers_of_list(root_fd, path, &cpus);
}

static uint64_t count_nodes(int root_fd)
{
	struct numbers nodes AUTO(numbers) = { 0 };
	if (numbers_of_list(root_fd, "sys/devices/system/node/has_cpu", &nodes))
		return nodes.n;
	numbers_of_directory(root_fd, "sys/devices/system/node", "node", &nodes);
	uint64_t with_cpus = 0;
	for (size_t i = 0; i < nodes.n; i++)
		with_cpus += node_has_cpus(root_fd, nodes.items[i]);
	return with_cpus ? with_cpus : 1;
}

static uint64_t read_memory_mib(int root_fd)
{
	char bytes[4096];
	if (fs_read_at(root_fd, "proc/meminfo", bytes, sizeof(bytes)) <= 0)
		return 0;
	const char *at = strstr(bytes, "MemTotal:");
	if (!at)
		return 0;
	at += strlen("MemTotal:");
	at += strspn(at, " \t");
	uint64_t kib = 0;
	return text_scan_u64(&at, at + strlen(at), &kib) ? kib / 1024 : 0;
}

void machine_read(int root_fd, struct machine *ret_machine)
{
	struct numbers cpus AUTO(numbers) = { 0 };
	struct machine machine = { .cpus = 1, .cores = 1, .sockets = 1, .nodes = 1 };
	read_online_cpus(root_fd, &cpus);
	if (cpus.n > 0)
		machine.cpus = cpus.n;
	count_cores(root_fd, &cpus, &machine);
	machine.nodes = count_nodes(root_fd);
	machine.memory_mib = read_memory_mib(root_fd);
	assert(machine.cpus > 0 && machine.cores > 0 && machine.sockets > 0 && machine.nodes > 0);
	*ret_machine = machine;
}
