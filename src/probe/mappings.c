/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See mappings.h. */
#include "probe/mappings.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include <sys/mman.h>

#define MAPPINGS 136U /* With the dozen of the probe itself about as many as the originals have. */

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

int mappings_add(struct mappings *mappings, struct error *err)
{
	const size_t page = page_bytes();
	char *const first = mmap(NULL, MAPPINGS * page, PROT_NONE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (first == MAP_FAILED)
		return error_errno(err, errno, "cannot map %zu pages", (size_t)MAPPINGS);
	mappings->first = first;
	/* Neighbours of one kind would be joined to one mapping. */
	for (size_t i = 0; i < MAPPINGS; i += 2) {
		if (mprotect(first + i * page, page, PROT_READ) < 0) {
			const int code = errno;
			mappings_remove(mappings);
			return error_errno(err, code, "cannot protect a page");
		}
	}
	return 0;
}

void mappings_remove(struct mappings *mappings)
{
	if (mappings->first)
		(void)munmap(mappings->first,
			     MAPPINGS * page_bytes()); /* Of our own: cannot fail. */
	mappings->first = NULL;
}
