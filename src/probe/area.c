/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shared area is anonymous memory: a file would bring write-back into the counters. See area.h. */
#include "probe/area.h"

#include <assert.h>
#include <stddef.h>

#include <sys/mman.h>

static_assert(sizeof(struct slot) % AREA_LINE_BYTES == 0, "two slots never share a line pair");
static_assert(offsetof(struct area, slots) == AREA_LINE_BYTES, "the phase word stands alone");

static size_t area_bytes(unsigned n_slots)
{
	return sizeof(struct area) + n_slots * sizeof(struct slot);
}

struct area *area_new(unsigned n_slots)
{
	assert(n_slots > 0);
	void *area = mmap(NULL, area_bytes(n_slots), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	return area == MAP_FAILED ? NULL : area;
}

void area_free(struct area *area, unsigned n_slots)
{
	if (area)
		(void)munmap(area, area_bytes(n_slots));
}
