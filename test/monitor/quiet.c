/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample allocates nothing and opens nothing. The linker sends every call of these functions in
 * our own code through the counters below (openat is openat64 with large files, as the build has
 * it).
 */
#include "base/fs.h"
#include "base/mem.h"
#include "check.h"
#include "monitor/monitor.h"
#include "monitor/tree.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/types.h>

/* Names that the linker gives: __wrap_ is called instead, __real_ is the function itself. */
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_openat64(int fd, const char *path, int flags, mode_t mode);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_openat64(int fd, const char *path, int flags, mode_t mode);

static unsigned n_opened;
static unsigned n_calls; /* A linker's hook can be given no argument. */

void *__wrap_malloc(size_t size)
{
	n_calls++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	n_calls++;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
	n_calls++;
	return __real_realloc(block, size);
}

int __wrap_openat64(int fd, const char *path, int flags, mode_t mode)
{
	n_opened++;
	return __real_openat64(fd, path, flags, mode);
}

static void the_counters_see_an_allocation_and_an_opening(void **state)
{
	struct tree tree;
	n_calls = 0;
	free(mem_zero(10));
	CHECK_INT(n_calls, 1);
	tree_make(&tree);
	n_opened = 0;
	CHECK(fs_open_at(tree.fd, "absent", O_RDONLY) < 0);
	CHECK_INT(n_opened, 1);
	tree_done(&tree);
}

/* One worker, 21, of a harness, 20. */
static void put_tasks(const struct tree *tree)
{
	static const char stat[] =
		"21 (w) R 20 0 0 0 0 0 0 0 0 0 3 4 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 "
		"0 0 0 0 0 0 17 1 0\n";
	CHECK_INT(symlinkat("20", tree->fd, "proc/self"), 0);
	tree_put(tree, "proc/21/stat", stat);
	tree_put(tree, "proc/21/task/21/stat", stat);
	tree_put(tree, "proc/21/numa_maps", "7f00 default anon=3 N0=2 N1=1 kernelpagesize_kB=4\n");
}

/* On the fixture's first instant, then on one in which a CPU has gone, lines have come and a
 * file is damaged. */
static void check_quiet(const struct monitor *monitor)
{
	struct tree tree;
	struct error reason = { 0 };
	void *opened;
	uint32_t n;
	tree_make(&tree);
	tree_load(&tree, "two-nodes/t0");
	struct monitor_setup *setup = monitor_setup_new(tree.fd, monitor->about.name, "x");
	CHECK(monitor->open(setup, &opened, &reason) == MONITOR_OPEN);
	(void)monitor_setup_channels(setup, &n);
	put_tasks(&tree);
	if (monitor->follow)
		monitor->follow(opened, /* has_threads= */ false);
	struct reading *readings = mem_array(n, sizeof(*readings));
	n_calls = 0;
	n_opened = 0;
	monitor->sample(opened, readings);
	CHECK_INT(n_calls, 0);
	CHECK(n_opened == 0 || monitor->about.on_request);
	tree_load(&tree, "two-nodes/t2");
	tree_put(&tree, "proc/vmstat", "damaged");
	n_calls = 0;
	n_opened = 0;
	monitor->sample(opened, readings);
	CHECK_INT(n_calls, 0);
	CHECK(n_opened == 0 || monitor->about.on_request);
	free(readings);
	monitor->close(opened);
	monitor_setup_free(setup);
	tree_done(&tree);
}

static void no_sample_allocates_or_opens(void **state)
{
	for (size_t i = 0; i < monitor_table_count; i++) {
		if (monitor_table[i]->open)
			check_quiet(monitor_table[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_counters_see_an_allocation_and_an_opening),
		cmocka_unit_test(no_sample_allocates_or_opens),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
