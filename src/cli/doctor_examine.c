/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes through the doctor's checks and sorts what they found. See doctor.h and doctor_check.h. */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/doctor_check.h"
#include "record/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *doctor_fact(const struct doctor_patient *patient, const char *name)
{
	const struct fact *found = run_fact_find(patient->run, name);
	return found && found->state == VALUE_KNOWN ? found->text : NULL;
}

bool doctor_fact_is(const struct doctor_patient *patient, const char *name, const char *text)
{
	const char *have = doctor_fact(patient, name);
	return have && strcmp(have, text) == 0;
}

/* False when the fact is missing or not a number. */
bool doctor_fact_number(const struct doctor_patient *patient, const char *name,
			uint64_t *ret_number)
{
	const char *have = doctor_fact(patient, name);
	return have && text_parse_u64(have, ret_number);
}

bool doctor_is_guest(const struct doctor_patient *patient)
{
	const char *hypervisor = doctor_fact(patient, "hypervisor");
	return hypervisor && strcmp(hypervisor, "none") != 0;
}

bool doctor_is_root(const struct doctor_patient *patient)
{
	return doctor_fact_is(patient, "process.user", "root");
}

bool doctor_say(struct doctor_words *found, char *what, char *mend)
{
	assert(what && mend && !found->what && !found->mend);
	found->what = what;
	found->mend = mend;
	return true;
}

static void look(const struct doctor_patient *patient, const struct doctor_check *check,
		 struct doctor_findings *findings)
{
	struct doctor_words found = { 0 };
	if (!check->look(patient, &found))
		return;
	assert(found.what && found.mend);
	findings->items[findings->n++] = (struct doctor_finding) {
		.name = check->name,
		.severity = check->severity,
		.what = found.what,
		.why = check->why,
		.mend = found.mend,
	};
}

void doctor_examine(const struct doctor_patient *patient, struct doctor_findings *ret_findings)
{
	const struct {
		const struct doctor_check *checks;
		size_t count;
	} tables[] = { { doctor_system_checks, doctor_system_checks_count },
		       { doctor_machine_checks, doctor_machine_checks_count } };
	struct doctor_findings findings = {
		.items = mem_array(doctor_system_checks_count + doctor_machine_checks_count,
				   sizeof(findings.items[0])),
	};
	for (enum doctor_severity severity = 0; severity < DOCTOR_SEVERITY_COUNT; severity++)
		for (size_t t = 0; t < ARRAY_SIZE(tables); t++)
			for (size_t i = 0; i < tables[t].count; i++)
				if (tables[t].checks[i].severity == severity)
					look(patient, &tables[t].checks[i], &findings);
	*ret_findings = findings;
}

void doctor_findings_done(struct doctor_findings *findings)
{
	for (size_t i = 0; i < findings->n; i++) {
		free(findings->items[i].what);
		free(findings->items[i].mend);
	}
	free(findings->items);
	*findings = (struct doctor_findings) { 0 };
}

const char *doctor_severity_text(enum doctor_severity severity)
{
	static const char *const texts[] = { "wrong", "noisy", "note" };
	static_assert(ARRAY_SIZE(texts) == DOCTOR_SEVERITY_COUNT, "one text a severity");
	assert(severity < DOCTOR_SEVERITY_COUNT);
	return texts[severity];
}
