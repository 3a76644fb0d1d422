/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What on a machine will make results noisy or wrong: checks over the facts of an environment, so that the doctor and
 * the runs speak of the same values. A fact that is missing never makes a finding.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct run;

enum doctor_severity {               /* Worst first. */
		       DOCTOR_WRONG, /* Results will not be what the machine can do. */
		       DOCTOR_NOISY, /* Results will scatter: more runs are needed, small changes are not seen. */
		       DOCTOR_NOTE, /* Worth knowing; some workloads depend on it. */
		       DOCTOR_SEVERITY_COUNT,
};

struct doctor_finding {
	const char *name; /* "governor"; static. */
	enum doctor_severity severity;
	char *what;      /* One line: what was found. Owned. */
	const char *why; /* One line: what it does to results. Static. */
	char *mend;      /* The command that mends it, or who must. Owned. */
};

struct doctor_patient {
	const struct run *run; /* Holds the facts, sorted. */
	bool is_live; /* The facts are of this machine, now; else process facts say nothing about it. */
	const char
		*leftovers;   /* Files that a crashed run left changed; NULL when there are none. */
	bool has_shares;      /* The two numbers below hold. */
	double steal_percent; /* Of the CPU time of the last moment: taken by the hypervisor ... */
	double busy_percent;  /* ... and used by anybody. */
};

struct doctor_findings {
	struct doctor_finding *items; /* Owned; worst first. */
	size_t n;
};

void doctor_examine(const struct doctor_patient *patient, struct doctor_findings *ret_findings);
void doctor_findings_done(struct doctor_findings *findings);

const char *doctor_severity_text(enum doctor_severity severity); /* "wrong", "noisy", "note". */
