/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See page_pass.h. */
#include "workload/page_pass.h"

#include "base/auto.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>

static int map(struct page_pass *pass)
{
	void *block = mmap(NULL, pass->bytes, PROT_READ | PROT_WRITE, pass->flags, pass->fd, 0);
	if (block == MAP_FAILED)
		return -errno;
	pass->block = block;
	pass->next = 0;
	return 0;
}

static int unmap(struct page_pass *pass)
{
	char *block = KEEP(pass->block);
	return block && munmap(block, pass->bytes) < 0 ? -errno : 0;
}

int page_pass_renew(struct page_pass *pass)
{
	const int failed = unmap(pass);
	return failed ? failed : map(pass);
}

int64_t page_pass_touch(struct page_pass *pass, size_t most)
{
	const size_t step = pass->page_bytes;
	const size_t start = pass->next;
	const size_t left = (pass->bytes - start) / step;
	const size_t pages = left < most ? left : most;
	volatile char *const block = pass->block;
	for (size_t at = start; at < start + pages * step; at += step)
		block[at] = 0;
	pass->next = start + pages * step;
	if (pages == left) {
		const int failed = page_pass_renew(pass);
		if (failed)
			return failed;
	}
	return (int64_t)pages;
}

static int flush_page(char *page, size_t bytes, char expected)
{
	volatile char *const byte = page;
	*byte = 1;
	if (madvise(page, bytes, MADV_DONTNEED) < 0)
		return -errno;
	return *byte == expected ? 0 : -EIO;
}

int64_t page_pass_flush(struct page_pass *pass, size_t n, char expected)
{
	for (size_t i = 0; i < n; i++) {
		assert(pass->block); /* Mapped by enter, and anew by each renewal. */
		int failed = flush_page(pass->block + pass->next, pass->page_bytes, expected);
		pass->next += pass->page_bytes;
		if (!failed && pass->next >= pass->bytes)
			failed = page_pass_renew(pass);
		if (failed)
			return failed;
	}
	return (int64_t)n;
}

void page_pass_leave(struct worker_self *self)
{
	struct page_pass *pass = self->state;
	(void)unmap(pass); /* Only this test's own mapping. */
	if (pass->fd >= 0)
		(void)close(pass->fd); /* It has no name any more; closing removes it. */
	free(pass);
	self->state = NULL;
}

int page_pass_enter(struct worker_self *self, size_t bytes, int flags, struct error *err)
{
	const bool of_file = !(flags & MAP_ANONYMOUS);
	const int fd = of_file ? work_file(self->work, bytes, err) : -1;
	if (of_file && fd < 0)
		return fd;
	struct page_pass *pass = mem_zero(sizeof(*pass));
	pass->fd = fd;
	pass->flags = flags;
	pass->bytes = bytes;
	pass->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	self->state = pass;
	const int failed = map(pass);
	if (failed) {
		page_pass_leave(self);
		return error_errno(err, -failed, "cannot map %zu MiB%s", bytes >> 20,
				   of_file ? " of a file" : "");
	}
	return 0;
}
