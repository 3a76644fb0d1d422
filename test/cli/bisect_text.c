/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bisection in words. */
#include "cli/bisect_text.h"

#include "check.h"
#include "cli/bisect_made.h"

static void the_progress_shows_plot_likeliest_and_rest(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(200, "command.time_sec");
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(text_buffer) struct text text = { 0 };
	AUTO(bisect_course) struct bisect_course *course = bisect_course_new(bisection, &entries);
	bisect_text_progress(course, &text);
	CHECK_HOLDS(text_string(&text), "good |");
	CHECK_HOLDS(text_string(&text), "| bad   199 commits");
	CHECK_HOLDS(text_string(&text), "next: ");
}

static void the_result_names_the_commit_and_all_that_was_asked(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(40, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 23, .is_revert_clean = true };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(text_buffer) struct text text = { 0 };
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	bisect_text_result(course, &text);
	static const char *const pieces[] = { "the change was brought by\n",
					      "change 23",
					      "confirmed",
					      "product: ",
					      "layout: ",
					      "executed: ",
					      "revert: ",
					      "runs to search",
					      "git bisect that repeats" };
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++)
		CHECK_HOLDS(text_string(&text), pieces[i]);
}

static void the_log_has_a_line_for_each_run(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(20, "command.time_sec");
	const struct bisect_truth truth = { .culprit = 11, .broken = 5 };
	struct bisect_entries entries AUTO(bisect_entries) = { 0 };
	AUTO(text_buffer) struct text text = { 0 };
	const struct bisect_unit_wanted broken = { .commit = 5, .change = 5 };
	bisect_entries_add(&entries, bisect_made_entry(&truth, &broken, 0));
	AUTO(bisect_course)
	struct bisect_course *course = bisect_made_carry(bisection, &truth, &entries);
	bisect_text_log(course, "mine", &text);
	size_t n = 0;
	for (const char *at = strstr(text_string(&text), "\nrun "); at;
	     at = strstr(at + 1, "\nrun "))
		n++;
	for (size_t i = 0; i < entries.n; i++)
		n -= entries.items[i].outcome == BISECT_ENTRY_VALUE;
	CHECK_INT(n, 0);
	CHECK_HOLDS(text_string(&text), "good 0000000000000000000000000000000000000001\n");
	CHECK_HOLDS(text_string(&text),
		    "\nskip 0000000000000000000000000000000000000006 # seek: it does not build");
	CHECK_HOLDS(text_string(&text), "# done\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_progress_shows_plot_likeliest_and_rest),
		cmocka_unit_test(the_result_names_the_commit_and_all_that_was_asked),
		cmocka_unit_test(the_log_has_a_line_for_each_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
