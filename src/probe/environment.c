/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment of a run: asks each part in turn. See environment.h for the names. */
#include "probe/environment.h"

#include "base/macros.h"
#include "probe/environment_fact.h"

#include <assert.h>

int environment_record(int root_fd, struct wire *wire)
{
	static void (*const parts[])(struct environment *) = {
		environment_kernel,  environment_config, environment_cpu,
		environment_memory,  environment_sysctl, environment_cgroup,
		environment_machine, environment_moment, environment_process,
	};
	assert(root_fd >= 0 && wire);
	struct environment environment = { .root_fd = root_fd, .wire = wire };
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		parts[i](&environment);
	return environment.failure;
}
