/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moving the end of the heap by brk(2) beside a C library that uses it too. */
#pragma once

#include "workload/workload.h"

/* prepare: leaves free heap below the end, forbids the C library to give it back, and brings the end
 * into the middle of what a page table covers, behind a used page, where calls cost the same in
 * every program. */
int heap_end_prepare(struct work *work, struct error *err);

/* enter: the heap's end as worker_self.state. -EOPNOTSUPP when the C library moved it meanwhile. */
int heap_end_enter(struct worker_self *self, struct error *err);
