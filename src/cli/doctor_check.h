/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The doctor's checks as rows, and what a check may ask of its patient. For the doctor's own files.
 */
#pragma once

#include "cli/doctor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DOCTOR_GUEST "cannot be mended inside a guest"

struct doctor_words { /* What a check found; both are owned by whoever asked. */
	char *what;
	char *mend;
};

struct doctor_check {
	const char *name;
	enum doctor_severity severity;
	const char *why;
	/* True when there is something to say; both texts are set then. */
	bool (*look)(const struct doctor_patient *patient, struct doctor_words *found);
};

/* The rows, in order of weight within a severity. */
extern const struct doctor_check doctor_system_checks[];
extern const size_t doctor_system_checks_count;
extern const struct doctor_check doctor_machine_checks[];
extern const size_t doctor_machine_checks_count;

/* The text of a known fact, else NULL. */
const char *doctor_fact(const struct doctor_patient *patient, const char *name);
bool doctor_fact_is(const struct doctor_patient *patient, const char *name, const char *text);
/* False when the fact is missing or not a number; *ret_number stays then. */
bool doctor_fact_number(const struct doctor_patient *patient, const char *name,
			uint64_t *ret_number);
bool doctor_is_guest(const struct doctor_patient *patient);
bool doctor_is_root(const struct doctor_patient *patient);

/* Takes both texts; always true, so that a check can end in it. */
bool doctor_say(struct doctor_words *found, char *what, char *mend);
