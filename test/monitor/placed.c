/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of numa_maps and of stat. */
#include "monitor/placed.h"

#include "check.h"

#define NODES 10

static void add(void *user, uint32_t node, uint64_t bytes)
{
	uint64_t *nodes = user;
	CHECK(node < NODES);
	nodes[node] += bytes;
}

static bool read_line(const char *line, uint64_t nodes[static NODES])
{
	memset(nodes, 0, NODES * sizeof(*nodes));
	return placed_line(line, strlen(line), 4096, add, nodes);
}

static void pages_are_of_the_size_that_the_line_says(void **state)
{
	uint64_t nodes[NODES];
	CHECK(read_line("7f4a default heap anon=12 dirty=12 N0=5 N3=7 kernelpagesize_kB=4", nodes));
	CHECK_INT(nodes[0], 5 * 4096);
	CHECK_INT(nodes[3], 7 * 4096);
	CHECK_INT(nodes[1], 0);
	/* hugetlbfs counts its own pages. */
	CHECK(read_line("7f00 bind:8 file=/anon_hugepage\\040(deleted) huge anon=3 N8=3 "
			"kernelpagesize_kB=2048",
			nodes));
	CHECK_INT(nodes[8], 3 * 2048 * 1024);
	/* A transparent huge page stands as 512 small ones. */
	CHECK(read_line("7f00 default anon=512 N9=512 kernelpagesize_kB=4", nodes));
	CHECK_INT(nodes[9], 2 << 20);
	/* 64 KiB pages, and a kernel that does not say. */
	CHECK(read_line("7f00 default N1=2 kernelpagesize_kB=64", nodes));
	CHECK_INT(nodes[1], 2 * 65536);
	CHECK(read_line("7f00 default N1=2", nodes));
	CHECK_INT(nodes[1], 2 * 4096);
}

static void what_is_no_node_is_passed_over(void **state)
{
	uint64_t nodes[NODES];
	CHECK(read_line("", nodes));
	CHECK(read_line("7f00 default", nodes));
	CHECK(read_line("7f00 interleave:0-3 Nothing=3 N=4 Nx=1 N2 file=/N1=7 xN1=9 "
			"file=/kernelpagesize_kB=8",
			nodes));
	for (size_t i = 0; i < NODES; i++)
		CHECK_INT(nodes[i], 0);
}

static void numbers_that_cannot_be_make_the_line_senseless(void **state)
{
	static const char *const lines[] = {
		"7f00 default N1=",
		"7f00 default N1=x",
		"7f00 default N1=5x kernelpagesize_kB=4",
		"7f00 default N1=-5",
		"7f00 default N99999999=5",
		"7f00 default N1=18446744073709551615 kernelpagesize_kB=4",
		"7f00 default N1=99999999999999999999",
		"7f00 default N1=5 kernelpagesize_kB=0",
		"7f00 default N1=5 kernelpagesize_kB=",
		"7f00 default N1=5 kernelpagesize_kB=4x",
		"7f00 default N1=5 kernelpagesize_kB=99999999999",
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		uint64_t nodes[NODES];
		if (read_line(lines[i], nodes))
			fail_msg("'%s' was taken", lines[i]);
	}
}

#define BEHIND " 0 0 0 0 0 0 0 0 0 13 29 0 0 0 0 2 0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 6 0 0"

static void a_task_is_read_behind_its_name(void **state)
{
	struct placed_task task;
	CHECK(placed_stat("812 (numa01) R 77" BEHIND "\n", &task));
	CHECK_INT(task.parent, 77);
	CHECK_INT(task.ticks, 42);
	CHECK_INT(task.cpu, 6);
	CHECK(placed_stat("812 (a) R 1 ) 2 (x) S 77" BEHIND, &task));
	CHECK_INT(task.parent, 77);
	CHECK_INT(task.cpu, 6);
}

static void a_stat_that_is_cut_or_is_none_is_refused(void **state)
{
	static const char *const lines[] = {
		"",
		")",
		"812 (x)",
		"812 (x) ",
		"812 (x) R",
		"812 x R 77" BEHIND,
		"812 (x) R 77 0 0 0 0 0 0 0 0 0 13 29 0 0 0 0 2 0 100 0 0 0 0",
		"812 (x) R 77 0 0 0 0 0 0 0 0 0 -13 29 0 0 0 0 2 0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 6 0",
		"812 (x) R 99999999999" BEHIND,
		"812 (x) R 7 0 0 0 0 0 0 0 0 0 18446744073709551615 1 0 0 0 0 2 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 6",
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct placed_task task;
		if (placed_stat(lines[i], &task))
			fail_msg("'%s' was taken", lines[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_of_the_size_that_the_line_says),
		cmocka_unit_test(what_is_no_node_is_passed_over),
		cmocka_unit_test(numbers_that_cannot_be_make_the_line_senseless),
		cmocka_unit_test(a_task_is_read_behind_its_name),
		cmocka_unit_test(a_stat_that_is_cut_or_is_none_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
