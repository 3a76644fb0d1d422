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
#define MASK_BYTES_MAX 8192

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

/* The first of the files of a CPU's topology that can be read, as text; NULL when none can. */
static char *read_first(int root_fd, unsigned cpu, const char *const *files, size_t n_files)
{
	AUTO(text) char *line = mem_zero(MASK_BYTES_MAX);
	for (size_t i = 0; i < n_files; i++) {
		AUTO(text)
		char *path = mem_format("sys/devices/system/cpu/cpu%u/topology/%s", cpu, files[i]);
		if (fs_read_line_at(root_fd, path, line, MASK_BYTES_MAX) > 0)
			return mem_text(line);
	}
	return NULL;
}

/* One number of a CPU's place, as text: "" where the kernel has no such level. */
static char *read_level(int root_fd, unsigned cpu, const char *file)
{
	char *level = read_first(root_fd, cpu, &file, 1);
	return level ? level : mem_text("");
}

/* A name of the CPU's socket, equal for all its CPUs; NULL when it cannot be known. Packages are
 * numbered anew in each book of a mainframe. */
static char *socket_name(int root_fd, unsigned cpu)
{
	static const char *const package[] = { "physical_package_id" };
	AUTO(text) char *number = read_first(root_fd, cpu, package, ARRAY_SIZE(package));
	if (!number)
		return NULL;
	AUTO(text) char *drawer = read_level(root_fd, cpu, "drawer_id");
	AUTO(text) char *book = read_level(root_fd, cpu, "book_id");
	return mem_format("%s/%s/%s", drawer, book, number);
}

/* The same of its core: the set of its threads, which is right also where a hypervisor hides the
 * numbers, else its numbers. */
static char *core_name(int root_fd, unsigned cpu)
{
	static const char *const threads[] = { "core_cpus_list", "thread_siblings_list",
					       "core_cpus", "thread_siblings" };
	static const char *const core[] = { "core_id" };
	char *set = read_first(root_fd, cpu, threads, ARRAY_SIZE(threads));
	if (set)
		return set;
	AUTO(text) char *number = read_first(root_fd, cpu, core, ARRAY_SIZE(core));
	AUTO(text) char *socket = socket_name(root_fd, cpu);
	AUTO(text) char *die = read_level(root_fd, cpu, "die_id");
	return number && socket ? mem_format("%s/%s/%s", socket, die, number) : NULL;
}

static int name_order(const void *left, const void *right)
{
	const char *const *one = left;
	const char *const *other = right;
	return strcmp(*one, *other);
}

/* Distinct names among the CPUs; at least 1. */
static uint64_t count_distinct(int root_fd, const struct numbers *cpus,
			       char *(*name_of)(int root_fd, unsigned cpu))
{
	char **names = mem_array(cpus->n, sizeof(*names));
	size_t n = 0;
	for (size_t i = 0; i < cpus->n; i++) {
		names[n] = name_of(root_fd, cpus->items[i]);
		n += names[n] != NULL;
	}
	qsort(names, n, sizeof(*names), name_order);
	uint64_t distinct = 1;
	for (size_t i = 1; i < n; i++)
		distinct += strcmp(names[i - 1], names[i]) != 0;
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return distinct;
}

/* A node of memory alone has an empty list, or a mask of zeros in older kernels. */
static bool node_has_cpus(int root_fd, unsigned node)
{
	static const char *const files[] = { "cpulist", "cpumap" };
	AUTO(text) char *line = mem_zero(MASK_BYTES_MAX);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		AUTO(text)
		char *path = mem_format("sys/devices/system/node/node%u/%s", node, files[i]);
		if (fs_read_line_at(root_fd, path, line, MASK_BYTES_MAX) >= 0)
			return i == 0 ? *line != '\0' : strspn(line, "0,") < strlen(line);
	}
	return false;
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
	machine.cores = count_distinct(root_fd, &cpus, core_name);
	machine.sockets = count_distinct(root_fd, &cpus, socket_name);
	machine.nodes = count_nodes(root_fd);
	machine.memory_mib = read_memory_mib(root_fd);
	assert(machine.cpus > 0 && machine.cores > 0 && machine.sockets > 0 && machine.nodes > 0);
	*ret_machine = machine;
}
