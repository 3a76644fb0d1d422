/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few numbers of a machine that experiment files may calculate with, and the calculation: 50%,
 * 2*cpus, cores, nodes*4, (cpus+2)/2. Integer arithmetic: + - * / and brackets; N% only alone and
 * only where the parameter is a number of CPUs.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct machine {
	uint64_t cpus;  /* Online. */
	uint64_t cores; /* Distinct cores among the online CPUs. */
	uint64_t sockets;
	uint64_t nodes; /* NUMA nodes with CPUs; 1 where the kernel has none. */
	uint64_t memory_mib;
};

/* From /sys and /proc below the root. What cannot be read counts as 1 (memory: 0). */
void machine_read(int root_fd, struct machine *ret_machine);

/* Names allowed: cpus cores sockets nodes memory_mib. N% of the CPUs is rounded down, but a share of
 * more than nothing is at least one. -EINVAL with the column of the fault (0-based) in *ret_column
 * and the sentence in err. Division by zero, overflow and a negative result are errors; so is a
 * number beyond 2^63 - 1. */
int machine_evaluate(const struct machine *machine, const char *expression, bool percent_of_cpus,
		     uint64_t *ret_number, unsigned *ret_column, struct error *err);

/* The writing alone, for a time when the machine is not known yet; the same faults as above except
 * those of the numbers. *ret_fixed says that the value does not depend on the machine. */
int machine_expression_check(const char *expression, bool percent_of_cpus, bool *ret_fixed,
			     unsigned *ret_column, struct error *err);
