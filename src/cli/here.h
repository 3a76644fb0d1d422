/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this machine is, now: the same facts that every run records. */
#pragma once

#include "base/error.h"
#include "record/run.h"

/* A new run that holds the facts and nothing else, sorted. */
int here_environment(int root_fd, struct run **ret_run, struct error *err);

/* The type of the machine below `root` (NULL: "/"): a new string; NULL when it cannot be told. */
char *here_machine(const char *root);
