/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limit of open files of a process, for workloads that hold many. */
#pragma once

#include <stdint.h>

/* Raises the soft limit, and for root the hard one, so that the process and what it forks can hold
 * `held` files more than it has open now, and some for the harness. 0, -EMFILE with what was needed
 * and what is allowed, or the -errno of a limit that cannot be read. */
int open_files_allow(uint64_t held, uint64_t *ret_need, uint64_t *ret_limit);
