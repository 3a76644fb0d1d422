/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mappings that nobody uses, so that the workers' address space looks like that of an ordinary
 * program. A static program has a dozen; one that loads its libraries has some dozens, those of
 * will-it-scale have about 150. The kernel keeps mappings in a tree (a maple tree since Linux 6.1)
 * whose depth is paid for at each mmap, munmap, brk and page fault: with a dozen, brk1 was seen 1.6
 * and mmap1 1.5 times as fast as in a program with its libraries.
 */
#pragma once

#include "base/error.h"

struct mappings {
	void *first; /* NULL: none. */
};

/* Adds them above whatever is mapped later. -errno with the reason. */
int mappings_add(struct mappings *mappings, struct error *err);
void mappings_remove(struct mappings *mappings); /* Also of none. */
