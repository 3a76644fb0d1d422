/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A patient made of a line of facts. See doctor_case.h. */
#include "cli/doctor_case.h"

#include "base/mem.h"
#include "check.h"
#include "record/run.h"

#include <stdlib.h>

static struct run *make_run(const char *facts)
{
	struct run *run = run_new();
	char *copy = mem_text(facts);
	for (char *at = copy; *at;) {
		char *end = strchr(at, ';');
		char *next = end ? end + 1 : at + strlen(at);
		if (end)
			*end = '\0';
		char *equals = strchr(at, '=');
		if (equals) {
			*equals = '\0';
			run_fact_add(run, at, VALUE_KNOWN, MISSING_NOT, equals + 1);
		} else {
			CHECK(strchr(at, '!') != NULL);
			*strchr(at, '!') = '\0';
			run_fact_add(run, at, VALUE_MISSING, MISSING_ABSENT, NULL);
		}
		at = next;
	}
	free(copy);
	run_sort(run);
	return run;
}

struct doctor_findings doctor_case_findings(const char *facts, const struct doctor_patient *patient)
{
	struct doctor_findings findings;
	struct doctor_patient whole = *patient;
	struct run *run = make_run(facts);
	whole.run = run;
	doctor_examine(&whole, &findings);
	run_free(run);
	return findings;
}

const struct doctor_finding *doctor_case_find(const struct doctor_findings *findings,
					      const char *check)
{
	for (size_t i = 0; i < findings->n; i++)
		if (strcmp(findings->items[i].name, check) == 0)
			return &findings->items[i];
	return NULL;
}

void doctor_case_check(const struct doctor_case *one, const struct doctor_patient *patient)
{
	struct doctor_findings findings = doctor_case_findings(one->facts, patient);
	const struct doctor_finding *found = doctor_case_find(&findings, one->check);
	if (!one->what && found)
		fail_msg("%s: with '%s' it says '%s'", one->check, one->facts, found->what);
	if (one->what && !found)
		fail_msg("%s: with '%s' it says nothing", one->check, one->facts);
	if (found) {
		CHECK_HOLDS(found->what, one->what);
		CHECK_HOLDS(found->mend, one->mend ? one->mend : "");
		CHECK(found->why[0] != '\0');
		CHECK(strchr(found->what, '\n') == NULL && strchr(found->mend, '\n') == NULL);
	}
	doctor_findings_done(&findings);
}
