/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the doctor goes through his checks: order, silence, and the reading of facts. */
#include "check.h"
#include "cli/doctor_case.h"
#include "cli/doctor_check.h"
#include "record/run.h"

static const struct doctor_patient live = { .is_live = true };

static void the_worst_comes_first(void **state)
{
	struct doctor_findings findings = doctor_case_findings(
		"cpu.count=1;hypervisor=kvm;thp.enabled=always;kernel.config.KASAN=y;cpu.governor=powersave",
		&live);
	(void)state;
	CHECK_INT(findings.n, 5);
	for (size_t i = 1; i < findings.n; i++)
		CHECK(findings.items[i - 1].severity <= findings.items[i].severity);
	CHECK_TEXT(findings.items[0].name, "debug-kernel");
	doctor_findings_done(&findings);
	CHECK_INT(findings.n, 0);
}

static void without_facts_nothing_is_found(void **state)
{
	struct doctor_findings none = doctor_case_findings("", &live);
	(void)state;
	CHECK_INT(none.n, 0);
	doctor_findings_done(&none);
}

static void every_name_stands_once_and_every_row_is_filled(void **state)
{
	const struct doctor_check *rows[128];
	size_t n = 0;
	(void)state;
	for (size_t i = 0; i < doctor_system_checks_count; i++)
		rows[n++] = &doctor_system_checks[i];
	for (size_t i = 0; i < doctor_machine_checks_count; i++)
		rows[n++] = &doctor_machine_checks[i];
	CHECK(n >= 25);
	for (size_t i = 0; i < n; i++) {
		CHECK(rows[i]->why && rows[i]->why[0] && !strchr(rows[i]->why, '\n'));
		CHECK(rows[i]->look != NULL && rows[i]->severity < DOCTOR_SEVERITY_COUNT);
		for (size_t k = 0; k < i; k++)
			CHECK(strcmp(rows[k]->name, rows[i]->name) != 0);
	}
}

static void facts_are_read_in_three_ways(void **state)
{
	struct run *run = run_new();
	const struct doctor_patient patient = { .run = run };
	uint64_t number = 7;
	(void)state;
	run_fact_add(run, "a", VALUE_KNOWN, MISSING_NOT, "12");
	run_fact_add(run, "b", VALUE_MISSING, MISSING_DENIED, NULL);
	run_fact_add(run, "c", VALUE_KNOWN, MISSING_NOT, "max");
	run_sort(run);
	CHECK_TEXT(doctor_fact(&patient, "a"), "12");
	CHECK(doctor_fact(&patient, "b") == NULL);
	CHECK(doctor_fact(&patient, "z") == NULL);
	CHECK(doctor_fact_is(&patient, "c", "max") && !doctor_fact_is(&patient, "b", ""));
	CHECK(!doctor_fact_number(&patient, "b", &number) &&
	      !doctor_fact_number(&patient, "c", &number));
	CHECK_INT(number, 7);
	CHECK(doctor_fact_number(&patient, "a", &number));
	CHECK_INT(number, 12);
	CHECK(!doctor_is_guest(&patient) && !doctor_is_root(&patient));
	run_free(run);
}

static void severities_have_words(void **state)
{
	(void)state;
	CHECK_TEXT(doctor_severity_text(DOCTOR_WRONG), "wrong");
	CHECK_TEXT(doctor_severity_text(DOCTOR_NOISY), "noisy");
	CHECK_TEXT(doctor_severity_text(DOCTOR_NOTE), "note");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_comes_first),
		cmocka_unit_test(without_facts_nothing_is_found),
		cmocka_unit_test(every_name_stands_once_and_every_row_is_filled),
		cmocka_unit_test(facts_are_read_in_three_ways),
		cmocka_unit_test(severities_have_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
