/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A control group for the time of a run, under either hierarchy: keys are those of version 2
 * ("memory.max"); on version 1 the ones that have a twin there are translated.
 */
#pragma once

#include "base/error.h"
#include "place/change.h"
#include "record/job.h"

/* Adds directories and files for the job's cgroup settings; *ret_joins as in setting.h. */
int cgroup_collect(const struct job *job, int root_fd, struct changes *changes, char ***ret_joins,
		   struct error *err);
