/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked of a found commit. */
#include "cli/bisect_guards.h"

#include "check.h"
#include "cli/bisect_made.h"

static const struct bisect_guard *guard_of(const struct bisect_course *course,
					   enum bisect_guard_kind kind)
{
	CHECK_INT(course->n_found, 1);
	return &course->found[0].guards[kind];
}

static void an_effect_that_alignment_takes_away_is_layout(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(20, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 8,
					    .layout = "moved",
					    .is_revert_clean = true };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	CHECK(course->found[0].is_layout);
	CHECK_INT(guard_of(course, BISECT_GUARD_LAYOUT)->answer, BISECT_GUARD_OBJECTS);
	CHECK_HOLDS(guard_of(course, BISECT_GUARD_LAYOUT)->text, "layout");
	CHECK(!bisect_course_accuses(course));
}

static void an_effect_that_alignment_leaves_is_none(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(20, "command.time_sec");
	const struct bisect_truth truth = {
		.culprit = 8, .layout = "moved", .aligned_step = 10.0, .is_revert_clean = true
	};
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	CHECK(!course->found[0].is_layout);
	CHECK_INT(guard_of(course, BISECT_GUARD_LAYOUT)->answer, BISECT_GUARD_STANDS);
	CHECK(bisect_course_accuses(course));
}

static void changed_bodies_need_no_aligned_build(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(20, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 8,
					    .layout = "changed",
					    .is_revert_clean = true };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	for (size_t i = 0; i < entries.n; i++)
		CHECK(entries.items[i].arm != BISECT_ARM_ALIGNED);
	CHECK_INT(guard_of(course, BISECT_GUARD_LAYOUT)->answer, BISECT_GUARD_STANDS);
}

static void a_revert_that_does_not_apply_is_said_and_ends_there(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(20, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 8, .layout = "changed" };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	size_t n = 0;
	for (size_t i = 0; i < entries.n; i++)
		n += entries.items[i].arm == BISECT_ARM_REVERT;
	CHECK_INT(n, 1);
	CHECK_INT(guard_of(course, BISECT_GUARD_REVERT)->answer, BISECT_GUARD_NOT_CHECKED);
	CHECK_HOLDS(guard_of(course, BISECT_GUARD_REVERT)->text, "does not apply");
	CHECK(bisect_course_accuses(course)); /* Nothing was found against it. */
}

static void what_is_not_looked_at_is_said(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(20, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 19 };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	CHECK_INT(guard_of(course, BISECT_GUARD_EXECUTED)->answer, BISECT_GUARD_NOT_CHECKED);
	CHECK_INT(guard_of(course, BISECT_GUARD_LAYOUT)->answer, BISECT_GUARD_NOT_CHECKED);
	CHECK_HOLDS(guard_of(course, BISECT_GUARD_REVERT)->text, "bad end itself");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_effect_that_alignment_takes_away_is_layout),
		cmocka_unit_test(an_effect_that_alignment_leaves_is_none),
		cmocka_unit_test(changed_bodies_need_no_aligned_build),
		cmocka_unit_test(a_revert_that_does_not_apply_is_said_and_ends_there),
		cmocka_unit_test(what_is_not_looked_at_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
