/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job: one workload with one set of parameters on one subject. Experiments make jobs, places
 * carry them out, the store keeps them beside their runs. Plain data; every string is owned by the
 * job.
 */
#pragma once

#include "base/auto.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of a subject's settings. Names in files and on the command line are
 * job_setting_kind_text(). */
enum setting_kind {
	SETTING_SYSCTL,    /* key "vm.numa_stat" → /proc/sys/vm/numa_stat */
	SETTING_SYSFS,     /* key "kernel/mm/transparent_hugepage/enabled" below /sys */
	SETTING_ENV,       /* environment variable of the workload */
	SETTING_PARAM,     /* a parameter of the workload */
	SETTING_CGROUP,    /* key "memory.max", "cpu.max" of a cgroup made for the run */
	SETTING_PREFIX,    /* command words put in front of the probe: "numactl --membind=0" (key is
			      empty) */
	SETTING_BINARY,    /* another program for the workload `command` (key is empty) */
	SETTING_KERNEL,    /* a kernel to boot; only at place vm (key is empty) */
	SETTING_IDLE,      /* enabled idle states: "C1,C1E" or "all" (key is empty) */
	SETTING_GOVERNOR,  /* cpufreq governor on every CPU (key is empty) */
	SETTING_INSTANCES, /* copies side by side: "node", "socket", or a number; value may end in
			      ":bound" (key is empty) */
	SETTING_KIND_COUNT,
};

struct setting {
	enum setting_kind kind;
	char *key; /* "" for the kinds without one. */
	char *value;
};

struct argument {
	char *name;  /* Full parameter name, never the alias. */
	char *value; /* As the probe gets it: numbers are evaluated. */
	char *text;  /* As it was written ("50%"); equal to value when nothing was evaluated. */
};

struct job {
	char *workload; /* Plug-in name. */
	uint32_t semantics;
	struct argument
		*arguments; /* All parameters of the workload, presets filled in, sorted by name. */
	size_t n_arguments;
	char *subject; /* Subject's name: "base". */
	struct setting *settings;
	size_t n_settings;
	char **monitors; /* Names. */
	size_t n_monitors;
	uint64_t interval_ns;   /* Between samples; 0 = two samples, at the edges of the window. */
	uint64_t time_limit_ns; /* A run that takes longer is failed: hung. */
	char *place;            /* "host". */
	char *point; /* What job_point() answers when the plan has set it: subjects that differ by a
			parameter share a point. NULL: made from workload and arguments. */
};

struct job *job_new(void);
void job_free(struct job *job); /* NULL is allowed. */
struct job *job_copy(const struct job *job);

/* The value of an argument, or NULL. */
const char *job_argument(const struct job *job, const char *name);

/* "hackbench/groups=4/ipc=pipe/...": workload and parameters (as written) that differ from the
 * presets are up to the caller; this gives all, or a copy of job->point when that is set. It is the
 * key that groups runs which may be compared. New string. */
char *job_point(const struct job *job);

const char *setting_kind_text(enum setting_kind kind); /* "sysctl", ... */
/* SETTING_KIND_COUNT when there is no such kind. */
enum setting_kind setting_kind_find(const char *word);

DEFINE_AUTO(job, struct job *, job_free);
