/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A patient made of a line of facts, and what the doctor says about him. */
#pragma once

#include "cli/doctor.h"

struct doctor_case {
	const char *check; /* Name of the check. */
	const char *
		facts; /* "cpu.governor=powersave;cpu.count=4"; "name!" is a fact that is absent. */
	const char *what; /* Piece of the finding; NULL when there must be none. */
	const char *mend; /* Piece of what mends it; NULL when nothing is looked at. */
};

/* Examines and checks one case; `patient` gives is_live and the shares. */
void doctor_case_check(const struct doctor_case *one, const struct doctor_patient *patient);

/* All findings of the facts. */
struct doctor_findings doctor_case_findings(const char *facts,
					    const struct doctor_patient *patient);

/* NULL when the check found nothing. */
const struct doctor_finding *doctor_case_find(const struct doctor_findings *findings,
					      const char *check);
