/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run could leave behind on this machine: names in a directory, mounts, shared memory, semaphores and
 * message queues (System V's and POSIX's), loop, RAID and RAM devices, children. Taken before a run and compared
 * after it: what is new then and stays was left; what other programs make meanwhile goes.
 */
#pragma once

#include "base/text.h"

#include <stdint.h>

struct traces; /* What there was. */

/* The names in `directory` are looked at, which the test has made for the run. */
struct traces *traces_take(const char *directory);
void traces_free(struct traces *traces);

/* Waits at most so long until nothing is left, and the caller has no child (it must be a
 * subreaper, so that orphans are its children). Adds a line for each thing that stays; nothing when all is as it
 * was. */
void traces_compare(const struct traces *before, uint64_t patience_ns, struct text *ret_left);
