/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where one process's memory is and where its tasks run, out of /proc/PID/numa_maps and
 * /proc/PID/task/TID/stat: the parsers of the monitor `placement`, which know nothing of files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called for each "N3=512" of a line: pages of the node, in bytes. */
typedef void placed_pages(void *user, uint32_t node, uint64_t bytes);

/* One line of numa_maps, without its newline. Pages are of the line's kernelpagesize_kB (so that one
 * huge page of hugetlbfs counts as what it is; transparent ones are counted in small pages by the
 * kernel); of kernels that do not say it, of page_bytes. False when the line makes no sense; what
 * it said before that was told. */
bool placed_line(const char *line, size_t length, uint64_t page_bytes, placed_pages *each,
		 void *user);

/* What a stat line says of a task. */
struct placed_task {
	uint32_t parent; /* Process. */
	uint64_t ticks;  /* CPU time that it has used, user and system. */
	uint32_t cpu;    /* That it ran on last. */
};

/* `text` is terminated. False when it is no such line. */
bool placed_stat(const char *text, struct placed_task *ret_task);
