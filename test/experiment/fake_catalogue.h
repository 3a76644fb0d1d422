/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small catalogue for the tests of this room: four workloads that have every type of parameter,
 * and three monitors. Names are like the real ones, limits are not.
 */
#pragma once

#include "base/macros.h"
#include "record/catalogue.h"

static const struct parameter fake_loop_parameters[] = {
	{ .name = "mode",
	  .what = "processes or threads",
	  .type = PARAMETER_WORD,
	  .preset = "process",
	  .words = "process thread" },
	{ .name = "nr_task",
	  .alias = "t",
	  .what = "number of workers",
	  .type = PARAMETER_NUMBER,
	  .preset = "1",
	  .min = 1,
	  .max = 4096,
	  .percent_of_cpus = true },
	{ .name = "duration",
	  .alias = "s",
	  .what = "seconds of the window",
	  .type = PARAMETER_SECONDS,
	  .preset = "5",
	  .min = 1,
	  .max = 3600 },
	{ .name = "warmup",
	  .what = "seconds before the window",
	  .type = PARAMETER_SECONDS,
	  .preset = "1",
	  .min = 0,
	  .max = 60 },
	{ 0 },
};

static const struct parameter fake_hackbench_parameters[] = {
	{ .name = "groups",
	  .alias = "g",
	  .what = "groups of tasks",
	  .type = PARAMETER_NUMBER,
	  .preset = "10",
	  .min = 1,
	  .max = 1000 },
	{ .name = "loops",
	  .alias = "l",
	  .what = "messages",
	  .type = PARAMETER_NUMBER,
	  .preset = "cpus*50",
	  .min = 1,
	  .max = 1000000 },
	{ .name = "ipc",
	  .what = "channels",
	  .type = PARAMETER_WORD,
	  .preset = "socket",
	  .words = "socket pipe inet" },
	{ .name = "mode",
	  .what = "processes or threads",
	  .type = PARAMETER_WORD,
	  .preset = "process",
	  .words = "process thread" },
	{ 0 },
};

static const struct parameter fake_command_parameters[] = {
	{ .name = "program", .what = "program and arguments", .type = PARAMETER_TEXT },
	{ 0 },
};

static const struct plugin fake_command = { .name = "command",
					    .what = "another program",
					    .parameters = fake_command_parameters,
					    .semantics = 1 };
static const struct plugin fake_getppid1 = {
	.name = "getppid1", .suite = "will-it-scale", .what = "without parameters", .semantics = 2
};
static const struct plugin fake_hackbench = { .name = "hackbench",
					      .what = "messages",
					      .parameters = fake_hackbench_parameters,
					      .semantics = 3 };
static const struct plugin fake_page_fault1 = { .name = "page_fault1",
						.suite = "will-it-scale",
						.what = "page faults",
						.parameters = fake_loop_parameters,
						.semantics = 1 };

static const struct plugin fake_meminfo = { .name = "meminfo", .what = "memory" };
static const struct plugin fake_proc_vmstat = { .name = "proc-vmstat", .what = "counters" };
static const struct plugin fake_vmstat = { .name = "vmstat", .what = "activity" };

static const struct plugin *const fake_workloads[] = { &fake_command, &fake_getppid1,
						       &fake_hackbench, &fake_page_fault1 };
static const struct plugin *const fake_monitors[] = { &fake_meminfo, &fake_proc_vmstat,
						      &fake_vmstat };

static const struct catalogue fake_catalogue = {
	.workloads = fake_workloads,
	.n_workloads = ARRAY_SIZE(fake_workloads),
	.monitors = fake_monitors,
	.n_monitors = ARRAY_SIZE(fake_monitors),
};
