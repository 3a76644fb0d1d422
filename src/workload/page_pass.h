/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes over the pages of a mapping, for the workloads that touch each page once: the mapping is
 * made anew when its last page is done.
 */
#pragma once

#include "workload/workload.h"

struct page_pass { /* In worker_self.state. */
	int fd;    /* A file of the worker's own, of a hole; -1 for anonymous memory. */
	int flags; /* Of mmap. */
	size_t bytes;
	size_t page_bytes;
	char *block; /* NULL when it could not be mapped. */
	size_t next; /* Offset of the next page to touch. */
};

/* Maps `bytes` with the flags MAP_PRIVATE or MAP_SHARED, or'ed with MAP_ANONYMOUS, else of a file. */
int page_pass_enter(struct worker_self *self, size_t bytes, int flags, struct error *err);

/* Unmaps and maps again; 0 or -errno. */
int page_pass_renew(struct page_pass *pass);

/* The first byte of each of the next pages (at most `most`) is written with 0; behind the last page
 * the mapping is made anew. How many pages, or -errno. */
int64_t page_pass_touch(struct page_pass *pass, size_t most);

/* Each of the next `n` pages is written with 1, given back (MADV_DONTNEED) and read again, which must
 * give `expected`; behind the last page the mapping is made anew. n, or -errno. */
int64_t page_pass_flush(struct page_pass *pass, size_t n, char expected);

void page_pass_leave(struct worker_self *self);
