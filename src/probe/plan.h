/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one run is to be, as the command line said it and after it was checked. Read by everything in
 * this room, changed by nobody.
 */
#pragma once

#include "monitor/monitor.h"
#include "probe/instances.h"
#include "probe/isolation.h"
#include "workload/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plan {
	struct work *const *works; /* Copies of one workload, side by side. All here is borrowed. */
	unsigned n_works;
	const struct instances *instances; /* Where they live; NULL: there is one and it is free. */
	const struct monitor *const *monitors;
	size_t n_monitors;
	uint64_t interval_ns;   /* Between samples; 0 = only at the edges of the window. */
	uint64_t time_limit_ns; /* For the whole run; 0 = none. */
	int wire_fd;            /* Where the record stream goes. */
	int root_fd; /* What monitors and environment read; this machine or a recorded tree. */
	bool with_environment;
	enum isolation_choice isolation;
};
