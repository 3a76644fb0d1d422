/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts on a machine that raises false alarms. */
#include "check.h"
#include "verdict/guard.h"
#include "verdict/sample.h"

static const struct metric time_sec = { "hackbench.time_sec", "s",          "",
					METRIC_SCORE,         BETTER_LOWER, ROLE_SCORE };

struct guarded {
	struct sample base, head;
	struct compared_side sides[2];
	struct comparison *comparison;
};

static void judge(struct guarded *guarded, const struct measured_alarms *alarms)
{
	const struct verdict_options options = { .alarms = alarms };
	struct error err = { 0 };
	guarded->base = sample_make("base", 10);
	guarded->head = sample_make("head", 10);
	sample_spread(&guarded->base, &time_sec, 10, 0.1);
	sample_spread(&guarded->head, &time_sec, 20, 0.1);
	guarded->sides[0] = sample_side(&guarded->base);
	guarded->sides[1] = sample_side(&guarded->head);
	if (comparison_make(guarded->sides, 2, &options, &guarded->comparison, &err) < 0)
		fail_msg("%s", err.text);
}

static void end(struct guarded *guarded)
{
	comparison_free(guarded->comparison);
	sample_done(&guarded->base);
	sample_done(&guarded->head);
}

static const struct guard_note *note_of(const struct guarded *guarded)
{
	for (size_t i = 0; i < guarded->comparison->n_notes; i++)
		if (strcmp(guarded->comparison->notes[i].guard, "alarms") == 0)
			return &guarded->comparison->notes[i];
	return NULL;
}

static void a_rate_that_is_surely_too_high_withholds_every_verdict(void **state)
{
	const struct measured_alarms alarms = {
		.n_comparisons = 60, .n_alarms = 9, .alpha = 0.01, .low = 0.07, .high = 0.27
	};
	struct guarded guarded;
	judge(&guarded, &alarms);
	const struct finding *finding = &guarded.comparison->rows[0].findings[1];
	CHECK_INT(finding->verdict, VERDICT_WITHHELD);
	CHECK_INT(finding->unguarded, VERDICT_WORSE);
	CHECK_TEXT(finding->guard, "alarms");
	CHECK_HOLDS(finding->reason, "9 of 60 comparisons");
	CHECK_HOLDS(finding->reason, "interval 7 to 27 %");
	CHECK_INT(comparison_exit_code(guarded.comparison), 125);
	end(&guarded);
}

static void a_rate_that_may_be_the_promised_one_only_warns(void **state)
{
	const struct measured_alarms alarms = {
		.n_comparisons = 150, .n_alarms = 3, .alpha = 0.01, .low = 0.004, .high = 0.057
	};
	struct guarded guarded;
	judge(&guarded, &alarms);
	CHECK_INT(guarded.comparison->rows[0].findings[1].verdict, VERDICT_WORSE);
	const struct guard_note *note = note_of(&guarded);
	CHECK(note && !note->withholds);
	CHECK_HOLDS(note->text, "3 of 150");
	end(&guarded);
}

static void few_comparisons_or_a_kept_promise_say_nothing(void **state)
{
	static const struct measured_alarms quiet[] = {
		{ .n_comparisons = 20, .n_alarms = 1, .alpha = 0.01, .low = 0.001, .high = 0.25 },
		{ .n_comparisons = 400, .n_alarms = 4, .alpha = 0.01, .low = 0.003, .high = 0.025 },
		{ .n_comparisons = 0, .alpha = 0.01 },
	};
	for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++) {
		struct guarded guarded;
		judge(&guarded, &quiet[i]);
		CHECK(!note_of(&guarded));
		CHECK_INT(guarded.comparison->rows[0].findings[1].verdict, VERDICT_WORSE);
		end(&guarded);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_that_is_surely_too_high_withholds_every_verdict),
		cmocka_unit_test(a_rate_that_may_be_the_promised_one_only_warns),
		cmocka_unit_test(few_comparisons_or_a_kept_promise_say_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
