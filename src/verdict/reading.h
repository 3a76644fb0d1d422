/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the monitors and the workload itself read, by name, for the guards: "mpstat.cpu.all.idle%"
 * and, whose prefix is the workload's, "*.time.user_time".
 */
#pragma once

#include "verdict/comparison.h"

#include <stddef.h>

/* The row of that name, or whose name ends in what stands behind the '*'; NULL when absent. */
const struct row *reading_row(const struct comparison *comparison, const char *name);

/* Mean over the complete runs of a side; NaN when it was not read there. */
double reading_mean(const struct comparison *comparison, const char *name, size_t side);

/* CPUs that a run of the side could use, by its environment: online ones, bound by affinity, cpuset
 * and quota of the control group; NaN when not recorded. */
double reading_cpus(const struct comparison *comparison, size_t side);

/* CPUs of the whole machine that are online; NaN when not recorded. */
double reading_cpus_online(const struct comparison *comparison, size_t side);

/* The readings, in this order, of a run that tell how many CPUs others than the run kept busy. */
#define READING_OTHERS                                                                             \
	"*.time.percent_of_cpu_this_job_got", "mpstat.cpu.all.idle%", "mpstat.cpu.all.iowait%",    \
		"mpstat.cpu.all.steal%", "mpstat.cpu.all.irq%", "mpstat.cpu.all.soft%"

/* Their number of CPUs on a machine of `cpus`; NaN when one of the readings is. Interrupts are
 * nobody's: the network's may well be the workload's own. */
double reading_others(const double *readings, double cpus);
