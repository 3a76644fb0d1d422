/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's numbers read from small trees that each test makes. */
#include "experiment/machine.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "check.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>

#include <sys/stat.h>

struct tree { /* A folder that plays the root of a machine. */
	char path[64];
	int fd;
};

static int tree_new(void **state)
{
	struct tree *tree = mem_zero(sizeof(*tree));
	(void)snprintf(tree->path, sizeof(tree->path), "/tmp/assay-machine-XXXXXX");
	CHECK(mkdtemp(tree->path));
	tree->fd = open(tree->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(tree->fd >= 0);
	*state = tree;
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	if (type == FTW_D || type == FTW_DP)
		(void)chmod(path, 0700); /* Recorded trees keep their modes. */
	return remove(path);
}

static int tree_free(void **state)
{
	struct tree *tree = *state;
	(void)close(tree->fd); /* It was only read from. */
	CHECK_INT(nftw(tree->path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	free(tree);
	return 0;
}

static void put(const struct tree *tree, const char *path, const char *content)
{
	AUTO(text) char *whole = mem_format("%s/%s", tree->path, path);
	AUTO(text) char *folder = mem_text(whole);
	*strrchr(folder, '/') = '\0';
	struct error err = { 0 };
	CHECK_INT(fs_make_dirs(folder, 0755, &err), 0);
	AUTO(file) FILE *file = fopen(whole, "we");
	CHECK(file);
	CHECK(fprintf(file, "%s\n", content) > 0);
}

static void put_cpu(const struct tree *tree, unsigned cpu, int package, int die, int core)
{
	const struct {
		const char *name;
		int number;
	} files[] = { { "physical_package_id", package }, { "die_id", die }, { "core_id", core } };
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		AUTO(text)
		char *path =
			mem_format("sys/devices/system/cpu/cpu%u/topology/%s", cpu, files[i].name);
		AUTO(text) char *number = mem_format("%d", files[i].number);
		put(tree, path, number);
	}
}

static void cores_are_told_apart_by_package_die_and_number(void **state)
{
	const struct tree *tree = *state;
	struct machine machine;
	/* Two packages of two dies of two cores of two threads; numbers begin anew in each. */
	for (unsigned cpu = 0; cpu < 16; cpu++)
		put_cpu(tree, cpu, (int)(cpu / 8), (int)(cpu / 4 % 2), (int)(cpu / 2 % 2));
	put(tree, "sys/devices/system/cpu/online", "0-15");
	put(tree, "sys/devices/system/node/has_cpu", "0-3");
	put(tree, "proc/meminfo", "MemTotal:       16384000 kB\nMemFree: 1 kB");
	machine_read(tree->fd, &machine);
	CHECK_INT(machine.cpus, 16);
	CHECK_INT(machine.cores, 8);
	CHECK_INT(machine.sockets, 2);
	CHECK_INT(machine.nodes, 4);
	CHECK_INT(machine.memory_mib, 16000);
}

static void only_cpus_that_are_online_count(void **state)
{
	const struct tree *tree = *state;
	struct machine machine;
	for (unsigned cpu = 0; cpu < 8; cpu++)
		put_cpu(tree, cpu, (int)(cpu / 4), 0, (int)(cpu % 4 / 2));
	put(tree, "sys/devices/system/cpu/online", "0-2,7");
	machine_read(tree->fd, &machine);
	CHECK_INT(machine.cpus, 4);
	CHECK_INT(machine.cores, 3);
	CHECK_INT(machine.sockets, 2);
}

static void without_the_list_the_folders_are_counted(void **state)
{
	const struct tree *tree = *state;
	struct machine machine;
	for (unsigned cpu = 0; cpu < 4; cpu++)
		put_cpu(tree, cpu, 0, 0, (int)cpu);
	put(tree, "sys/devices/system/cpu/cpu2/online", "0");
	put(tree, "sys/devices/system/cpu/cpu3/online", "1");
	put(tree, "sys/devices/system/cpu/cpufreq/boost", "1");
	put(tree, "sys/devices/system/node/node0/cpulist", "0-1");
	put(tree, "sys/devices/system/node/node1/cpulist", "");
	put(tree, "sys/devices/system/node/node2/cpulist", "3");
	machine_read(tree->fd, &machine);
	CHECK_INT(machine.cpus, 3);
	CHECK_INT(machine.cores, 3);
	CHECK_INT(machine.sockets, 1);
	CHECK_INT(machine.nodes, 2);
}

static void what_cannot_be_read_counts_as_one(void **state)
{
	const struct tree *tree = *state;
	struct machine machine;
	machine_read(tree->fd, &machine);
	CHECK_INT(machine.cpus, 1);
	CHECK_INT(machine.cores, 1);
	CHECK_INT(machine.sockets, 1);
	CHECK_INT(machine.nodes, 1);
	CHECK_INT(machine.memory_mib, 0);
}

static void nonsense_is_not_counted(void **state)
{
	const struct tree *tree = *state;
	struct machine machine;
	put(tree, "sys/devices/system/cpu/online", "0-99999999999");
	put(tree, "sys/devices/system/node/has_cpu", "none");
	put(tree, "proc/meminfo", "MemTotal: lots");
	put_cpu(tree, 0, -1, 0, 0);
	put_cpu(tree, 1, -1, 0, 0);
	machine_read(tree->fd, &machine);
	CHECK_INT(machine.cpus, 2);
	CHECK_INT(machine.cores, 1);
	CHECK_INT(machine.sockets, 1);
	CHECK_INT(machine.nodes, 1);
	CHECK_INT(machine.memory_mib, 0);
}

static void threads_of_one_core_are_told_by_their_set(void **state)
{
	const struct tree *tree = *state;
	struct machine machine;
	/* A hypervisor that gives all of them the same numbers. */
	for (unsigned cpu = 0; cpu < 6; cpu++)
		put_cpu(tree, cpu, 0, 0, 0);
	put(tree, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,3");
	put(tree, "sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "0,3");
	put(tree, "sys/devices/system/cpu/cpu1/topology/thread_siblings", "12");
	put(tree, "sys/devices/system/cpu/cpu4/topology/thread_siblings", "12");
	put(tree, "sys/devices/system/cpu/cpu2/topology/core_cpus_list", "2");
	put(tree, "sys/devices/system/cpu/cpu5/topology/core_cpus_list", "5");
	machine_read(tree->fd, &machine);
	CHECK_INT(machine.cpus, 6);
	CHECK_INT(machine.cores, 4);
	CHECK_INT(machine.sockets, 1);
}

static void nodes_of_old_kernels_are_told_by_their_masks(void **state)
{
	const struct tree *tree = *state;
	struct machine machine;
	put(tree, "sys/devices/system/node/node0/cpumap", "00000000,0000003f");
	put(tree, "sys/devices/system/node/node1/cpumap", "00000001,00000000");
	put(tree, "sys/devices/system/node/node2/cpumap", "00000000,00000000");
	machine_read(tree->fd, &machine);
	CHECK_INT(machine.nodes, 2);
}

/* The tree below the one folder of a recorded machine. */
static void read_recorded(const struct tree *tree, const char *archive, struct machine *ret_machine)
{
	const char *cases = getenv("ASSAY_TEST_CASES");
	char path[512]; /* Not of the heap: skip() does not come back. */
	(void)snprintf(path, sizeof(path), "%s/proc-sys/%s", cases ? cases : "", archive);
	if (access(path, R_OK) < 0) {
		print_message("no recorded machine '%s'\n", path);
		skip();
	}
	/* Only what counts is taken out: these trees hold thousands of files. */
	AUTO(text)
	char *command = mem_format("tar -xf '%s' -C '%s' --strip-components=1 --wildcards "
				   "'*/cpu/online' '*/cpu[0-9]*/online' '*/thread_siblings' "
				   "'*/physical_package_id' '*/core_id' '*/node[0-9]*/cpumap' "
				   "'*/has_cpu' 2>/dev/null",
				   path, tree->path);
	/* tar complains of patterns that match nothing; what is missing shows below. */
	CHECK(system(command) >= 0);
	machine_read(tree->fd, ret_machine);
}

static void a_recorded_machine_of_eight_nodes_is_counted(void **state)
{
	struct machine machine;
	read_recorded(*state, "hwloc/16amd64-8n2c.tar.bz2", &machine);
	CHECK_INT(machine.cpus, 16);
	CHECK_INT(machine.cores, 16);
	CHECK_INT(machine.sockets, 8);
	CHECK_INT(machine.nodes, 8);
}

static void a_recorded_machine_with_offline_cpus_is_counted(void **state)
{
	struct machine machine;
	read_recorded(*state, "hwloc/16em64t-4s2c2t-offlines.tar.bz2", &machine);
	CHECK_INT(machine.cpus, 12);
	CHECK_INT(machine.cores, 7);
	CHECK_INT(machine.sockets, 4);
}

static void a_recorded_machine_with_threads_is_counted(void **state)
{
	struct machine machine;
	read_recorded(*state, "lscpu/x86_64-epyc_7451.tar.gz", &machine);
	CHECK_INT(machine.cpus, 96);
	CHECK_INT(machine.cores, 48);
	CHECK_INT(machine.sockets, 2);
	CHECK_INT(machine.nodes, 8);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, tree_new, tree_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(cores_are_told_apart_by_package_die_and_number),
		TREE_TEST(only_cpus_that_are_online_count),
		TREE_TEST(without_the_list_the_folders_are_counted),
		TREE_TEST(what_cannot_be_read_counts_as_one),
		TREE_TEST(nonsense_is_not_counted),
		TREE_TEST(threads_of_one_core_are_told_by_their_set),
		TREE_TEST(nodes_of_old_kernels_are_told_by_their_masks),
		TREE_TEST(a_recorded_machine_of_eight_nodes_is_counted),
		TREE_TEST(a_recorded_machine_with_offline_cpus_is_counted),
		TREE_TEST(a_recorded_machine_with_threads_is_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
