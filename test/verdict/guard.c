/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of guards, and what their notes do to a verdict. */
#include "verdict/guard.h"

#include "base/text.h"
#include "check.h"
#include "verdict/sample.h"

static const struct metric time_sec = { "hackbench.time_sec", "s",          "",
					METRIC_SCORE,         BETTER_LOWER, ROLE_SCORE };
static const struct metric faults = { "m.faults",     "1",         "",
				      METRIC_COUNTER, BETTER_NONE, ROLE_EVIDENCE };
static const struct guard moody = { .name = "moody" };

struct guarded {
	struct sample base, head;
	struct compared_side sides[2];
	struct comparison *comparison;
};

static void begin(struct guarded *guarded)
{
	guarded->base = sample_make("base", 4);
	guarded->head = sample_make("head", 4);
	static const double base[] = { 4, 2, 3, 1 };
	static const double head[] = { 8, 6, 7, 5 };
	sample_metric(&guarded->base, &time_sec, base);
	sample_metric(&guarded->head, &time_sec, head);
	sample_metric(&guarded->base, &faults, head);
	sample_state(&guarded->head, &faults, value_missing(MISSING_DENIED));
	sample_fact(&guarded->base, "cpu.turbo", "on");
	sample_fact(&guarded->head, "kernel.release", "6.1.0");
	guarded->sides[0] = sample_side(&guarded->base);
	guarded->sides[1] = sample_side(&guarded->head);
}

static void judge(struct guarded *guarded)
{
	const struct verdict_options options = { 0 };
	struct error err = { 0 };
	if (comparison_make(guarded->sides, 2, &options, &guarded->comparison, &err) < 0)
		fail_msg("%s", err.text);
	guard_forget(guarded->comparison);
}

static void end(struct guarded *guarded)
{
	comparison_free(guarded->comparison);
	sample_done(&guarded->base);
	sample_done(&guarded->head);
}

static void the_table_is_sorted_and_every_row_is_full(void **state)
{
	CHECK(guard_table_count > 0);
	for (size_t i = 0; i < guard_table_count; i++) {
		const struct guard *guard = guard_table[i];
		CHECK(guard->name[0] && guard->examine);
		CHECK(strlen(guard->explains) > 100);
		CHECK(text_ends_with(guard->asks, "?"));
		CHECK(i == 0 || strcmp(guard_table[i - 1]->name, guard->name) < 0);
		CHECK(guard_find(guard->name) == guard);
	}
	CHECK(!guard_find("no such guard"));
}

static void the_same_sentence_is_kept_once(void **state)
{
	struct guarded guarded;
	begin(&guarded);
	judge(&guarded);
	for (int i = 0; i < 3; i++)
		guard_warn(guarded.comparison, &moody, 1, NULL, "%d of %d", 2, 4);
	guard_warn(guarded.comparison, &moody, 0, NULL, "2 of 4");
	guard_warn(guarded.comparison, &moody, 1, time_sec.name, "2 of 4");
	guard_withhold(guarded.comparison, &moody, 1, NULL, "2 of 4");
	CHECK_INT(guarded.comparison->n_notes, 4);
	CHECK_TEXT(guarded.comparison->notes[0].guard, "moody");
	CHECK_TEXT(guarded.comparison->notes[0].text, "2 of 4");
	CHECK_INT(guarded.comparison->notes[0].side, 1);
	end(&guarded);
}

static void values_come_in_the_order_of_the_runs(void **state)
{
	static const struct run_place places[] = { { 1, 14 }, { 1, 12 }, { 1, 13 }, { 1, 11 } };
	struct guarded guarded;
	begin(&guarded);
	guarded.sides[0].places = places;
	sample_fail(&guarded.base, 2, RUN_TORN, "");
	judge(&guarded);
	double *values = NULL;
	CHECK_INT(guard_values(guarded.comparison, time_sec.name, 0, &values), 3);
	CHECK_NEAR(values[0], 1.0, 0.0);
	CHECK_NEAR(values[1], 2.0, 0.0);
	CHECK_NEAR(values[2], 4.0, 0.0);
	free(values);
	CHECK_INT(guard_values(guarded.comparison, time_sec.name, 1, &values), 4);
	CHECK_NEAR(values[0], 8.0, 0.0);
	free(values);
	CHECK_INT(guard_values(guarded.comparison, faults.name, 1, &values), 0);
	free(values);
	CHECK_INT(guard_values(guarded.comparison, "m.nobody", 0, &values), 0);
	free(values);
	end(&guarded);
}

static void means_and_facts_are_missing_when_no_run_has_them(void **state)
{
	struct guarded guarded;
	begin(&guarded);
	judge(&guarded);
	CHECK_NEAR(guard_mean(guarded.comparison, time_sec.name, 1), 6.5, 1e-12);
	CHECK(isnan(guard_mean(guarded.comparison, faults.name, 1)));
	CHECK(isnan(guard_mean(guarded.comparison, "m.nobody", 0)));
	CHECK_TEXT(guard_fact(guarded.comparison, "kernel.release", 1), "6.1.0");
	CHECK(!guard_fact(guarded.comparison, "kernel.release", 0));
	end(&guarded);
}

static void a_note_that_withholds_takes_the_verdict_and_says_why(void **state)
{
	struct guarded guarded;
	begin(&guarded);
	judge(&guarded);
	const struct row *row = comparison_primary(guarded.comparison);
	const struct finding *finding = &row->findings[1];
	const enum verdict before = finding->verdict;
	CHECK(before != VERDICT_WITHHELD);
	guard_warn(guarded.comparison, &moody, 1, NULL, "only a warning");
	guard_withhold(guarded.comparison, &moody, 1, "w.other", "of another score");
	guard_apply(guarded.comparison);
	CHECK_INT(finding->verdict, before);
	guard_withhold(guarded.comparison, &moody, 1, time_sec.name, "of this one");
	guard_withhold(guarded.comparison, &moody, 0, NULL, "of all");
	guard_apply(guarded.comparison);
	CHECK_INT(finding->verdict, VERDICT_WITHHELD);
	CHECK_INT(finding->unguarded, before);
	CHECK_TEXT(finding->guard, "moody");
	CHECK_TEXT(finding->reason, "of this one");
	CHECK_TEXT(guarded.comparison->notes[0].text, "of another score");
	CHECK_TEXT(guarded.comparison->notes[3].text, "only a warning");
	/* Evidence is never withheld: it has no verdict. */
	for (size_t i = 0; i < guarded.comparison->n_rows; i++)
		if (guarded.comparison->rows[i].metric.role != ROLE_SCORE)
			CHECK(guarded.comparison->rows[i].findings[1].verdict != VERDICT_WITHHELD);
	CHECK(!comparison_is_decided(guarded.comparison));
	CHECK_INT(comparison_exit_code(guarded.comparison), 125);
	end(&guarded);
}

static void what_was_forgotten_is_said_anew_with_each_verdict(void **state)
{
	struct guarded guarded;
	begin(&guarded);
	judge(&guarded);
	CHECK_INT(guarded.comparison->n_notes, 0);
	guard_all(guarded.comparison);
	const size_t n = guarded.comparison->n_notes;
	CHECK(n > 0);
	guard_all(guarded.comparison);
	CHECK_INT(guarded.comparison->n_notes, n);
	end(&guarded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_sorted_and_every_row_is_full),
		cmocka_unit_test(the_same_sentence_is_kept_once),
		cmocka_unit_test(values_come_in_the_order_of_the_runs),
		cmocka_unit_test(means_and_facts_are_missing_when_no_run_has_them),
		cmocka_unit_test(a_note_that_withholds_takes_the_verdict_and_says_why),
		cmocka_unit_test(what_was_forgotten_is_said_anew_with_each_verdict),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
