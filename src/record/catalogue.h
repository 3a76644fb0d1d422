/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What workloads and monitors say about themselves. Each plug-in is one file that ends in one
 * constant row; the row's descriptive half is a `struct plugin` from this header. Listing, help,
 * completion, manual sections and the check of experiment files all come from these rows. cli/
 * hands the catalogue to rooms that may not include workload/ or monitor/.
 */
#pragma once

#include "record/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum parameter_type {
	PARAMETER_NUMBER,  /* Unsigned; an experiment may write an expression of the machine: 50%,
			      2*cpus. */
	PARAMETER_WORD,    /* One of `words`. */
	PARAMETER_TEXT,    /* Free text. */
	PARAMETER_SECONDS, /* Decimal seconds: 0.5, 10. */
};

struct parameter {
	const char *name;  /* "groups"; NULL ends a table. */
	const char *alias; /* The original program's short option letter ("g"), or NULL. */
	const char *what;  /* One line. */
	enum parameter_type type;
	const char *preset; /* Default as text; an expression is allowed for numbers. NULL: must be
			       given. */
	const char *words;  /* PARAMETER_WORD: the choices, separated by one blank. */
	uint64_t min, max;  /* PARAMETER_NUMBER and _SECONDS: limits, both ends allowed. */
	bool percent_of_cpus; /* PARAMETER_NUMBER: "50%" means half of the online CPUs. */
};

enum need {
	NEED_NONE = 0,
	NEED_ROOT = 1 << 0,  /* Some or all of it needs root; `needs_why` says which part. */
	NEED_NODES = 1 << 1, /* At least two NUMA nodes. */
};

struct plugin {
	const char *name;   /* "hackbench", "page_fault1", "proc-vmstat". */
	const char *suite;  /* Prefix of the metric names when it is not the name ("will-it-scale");
			       else NULL. */
	const char *what;   /* One line: what it is. */
	const char *stands; /* One line: the kernel path it presses, or the question it answers. */
	const struct parameter *parameters; /* Ends with a NULL name; NULL when there are none. */
	const struct metric *metrics; /* Ends with a NULL name: a workload's scores in order, first
				       * one primary. A monitor lists those it can name beforehand;
				       * the others come from the kernel. */
	uint32_t semantics; /* Workloads: version of the meaning of its scores; runs of two versions
			       are never compared. */
	const char *semantics_by; /* Workloads: a parameter whose words give the scores meanings of
				   * their own; its first word is version `semantics`, the next one
				   * more. NULL: none does. */
	unsigned needs;           /* enum need bits. */
	const char *needs_why;
	bool claims_cpu; /* Workloads: every worker keeps a CPU busy as long as nothing is wrong. One
			  * that waits by its nature (for a partner, a timer, a device) claims nothing.
			  */
	uint64_t cost_ns; /* Monitors: order of the CPU time of one sample on two CPUs, nanoseconds.
			   */
	bool metrics_open; /* More metrics than `metrics` are named by the kernel that runs. */
	bool on_request;   /* Monitors: too dear to be one of all; read where it is named, or where
			      the workload's row names it in `monitor`. */
	const char
		*monitor; /* Workloads: the monitor on request that belongs beside it, or NULL. */
};

struct catalogue {
	const struct plugin *const *workloads; /* Sorted by name. */
	size_t n_workloads;
	const struct plugin *const *monitors; /* Sorted by name. */
	size_t n_monitors;
};

/* The metric prefix: suite, else name. */
const char *plugin_prefix(const struct plugin *plugin);

/* By name, by "suite/name"; NULL when absent. */
const struct plugin *catalogue_workload_find(const struct catalogue *catalogue, const char *name);
const struct plugin *catalogue_monitor_find(const struct catalogue *catalogue, const char *name);

/* The version of the meaning of the scores of a run; `word` is what the parameter semantics_by says
 * there, NULL where the row has none. */
uint32_t plugin_semantics(const struct plugin *plugin, const char *word);

/* By name or alias; NULL when absent. */
const struct parameter *plugin_parameter_find(const struct plugin *plugin, const char *name);

/* Whether "all monitors" of a run of this workload has this one. */
bool catalogue_is_beside(const struct plugin *workload, const struct plugin *monitor);

/* Nearest valid name for an error message, or NULL. */
const char *catalogue_workload_nearest(const struct catalogue *catalogue, const char *name);
const char *catalogue_monitor_nearest(const struct catalogue *catalogue, const char *name);
const char *plugin_parameter_nearest(const struct plugin *plugin, const char *name);
