/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The course of a bisection, on made-up runs. */
#include "cli/bisect_course.h"

#include "base/mem.h"
#include "check.h"
#include "cli/bisect_made.h"

static void the_commit_that_brought_the_change_is_accused(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(40, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 23, .is_revert_clean = true };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	CHECK(bisect_course_accuses(course));
	CHECK_INT(course->n_found, 1);
	CHECK_INT(course->found[0].after, 23);
	CHECK_INT(course->found[0].before, 22);
	CHECK(course->found[0].change->is_confirmed);
	CHECK_NEAR(course->found[0].share, 1.0, 0.2);
	CHECK(course->is_logarithmic);
	CHECK(course->spread > 0.002 && course->spread < 0.012);
}

static void the_same_evidence_gives_the_same_course(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(30, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 9, .broken = 12, .is_revert_clean = true };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	struct bisect_entries again AUTO(bisect_entries) = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	/* Step by step: what was done is what a replay of the evidence so far would do. */
	for (size_t i = 0; i < entries.n; i++) {
		AUTO(bisect_course)
		struct bisect_course *then = bisect_course_new(bisection, &again);
		CHECK(!then->is_done);
		CHECK_INT(then->next.commit, entries.items[i].commit);
		CHECK_INT(then->next.arm, entries.items[i].arm);
		bisect_entries_add(&again,
				   bisect_made_entry(&truth, &then->next, again.next_sequence));
	}
	CHECK_INT(course->found[0].after, 9);
}

static void a_commit_with_its_parents_product_cannot_be_the_cause(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(20, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 11, .same = 12, .is_revert_clean = true };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	const struct bisect_unit_wanted wanted[] = { { .commit = 11, .change = 11 },
						     { .commit = 12, .change = 12 } };
	for (size_t i = 0; i < 2; i++)
		bisect_entries_add(&entries, bisect_made_entry(&truth, &wanted[i], i));
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	CHECK(course->is_excluded[12] && !course->is_excluded[11]);
	CHECK_INT(course->found[0].after, 11);
	/* Unless it touches what a running program may read. */
	free(bisection->history->commits[12].paths[0]);
	bisection->history->commits[12].paths[0] = mem_text("table.txt");
	AUTO(bisect_course) struct bisect_course *wary = bisect_course_new(bisection, &entries);
	CHECK(!wary->is_excluded[12]);
}

static void an_exit_code_finds_it_too(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(25, /* score= */ NULL);
	const struct bisect_truth truth = { .culprit = 17, .is_revert_clean = true };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	CHECK(bisect_course_accuses(course));
	CHECK_INT(course->found[0].after, 17);
}

static void two_runs_without_a_value_make_a_commit_broken(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(10, "command.time_sec");
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	for (uint64_t i = 0; i < BISECT_COURSE_FAILURES; i++) {
		AUTO(bisect_course)
		struct bisect_course *course = bisect_course_new(bisection, &entries);
		CHECK_INT(course->answer.n_broken, 0);
		bisect_entries_add(&entries, (struct bisect_entry) { .commit = 4,
								     .change = 4,
								     .outcome = BISECT_ENTRY_FAILED,
								     .sequence = i });
	}
	AUTO(bisect_course) struct bisect_course *course = bisect_course_new(bisection, &entries);
	CHECK_INT(course->answer.n_broken, 1);
}

static void halving_with_repeats_needs_more_when_the_noise_is_larger(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(64, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 30, .is_revert_clean = true };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	double runs = 0.0;
	double more = 0.0;
	double builds = 0.0;
	bisect_course_halving(course, &runs, &builds);
	CHECK_NEAR(builds, 8.0, 0.0); /* 63 commits: 6 steps and the ends. */
	course->spread *= 10.0;
	bisect_course_halving(course, &more, &builds);
	CHECK(more > runs && runs >= builds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_commit_that_brought_the_change_is_accused),
		cmocka_unit_test(the_same_evidence_gives_the_same_course),
		cmocka_unit_test(a_commit_with_its_parents_product_cannot_be_the_cause),
		cmocka_unit_test(an_exit_code_finds_it_too),
		cmocka_unit_test(two_runs_without_a_value_make_a_commit_broken),
		cmocka_unit_test(halving_with_repeats_needs_more_when_the_noise_is_larger),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
