/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a subject's settings to changes of this machine: sysctl, sysfs, governor, idle states and
 * control groups. (Environment variables, prefixes, binaries and instances are the probe's command
 * line: place/command.h.)
 */
#pragma once

#include "base/error.h"
#include "place/change.h"
#include "record/job.h"

/* Collects the changes that the job's settings ask for; nothing is changed yet. Directories of
 * control groups that the probe must join are appended to *ret_joins (a NULL-terminated array of
 * absolute paths, owned by the caller; NULL when there are none).
 * -EINVAL for a setting that makes no sense here, with what would. */
int settings_collect(const struct job *job, int root_fd, struct changes *changes, char ***ret_joins,
		     struct error *err);

void settings_joins_free(char **joins); /* NULL is allowed. */
