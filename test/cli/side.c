/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every way to name a side, and what is said of names that fit nothing or several. */
#include "cli/side.h"

#include "filled.h"

#include <errno.h>

/* Three campaigns, oldest first: "old" (base, head), "older-one" (solo), "new" (base, patched). */
static void fill(struct filled *filled)
{
	filled_open(filled);
	(void)filled_campaign(filled, "old", (const char *const[]) { "base", "head", NULL },
			      (const double[]) { 1, 2 }, 2);
	(void)filled_campaign(filled, "older-one", (const char *const[]) { "solo", NULL },
			      (const double[]) { 3 }, 3);
	(void)filled_campaign(filled, "new", (const char *const[]) { "base", "patched", NULL },
			      (const double[]) { 4, 5 }, 2);
}

/* The number of runs behind the side, all of the campaign and subject. */
static void check_found(struct filled *filled, const char *text, size_t n, const char *campaign,
			const char *subject)
{
	struct side side;
	struct error err = { 0 };

	if (side_find(filled->store, text, &side, &err))
		fail_msg("'%s' was not found: %s", text, err.text);
	CHECK_TEXT(side.name, text);
	CHECK_INT(side.n_rows, n);
	for (size_t i = 0; i < n; i++) {
		CHECK_TEXT(side.rows[i].campaign_name, campaign);
		CHECK_TEXT(side.rows[i].subject, subject);
	}
	side_done(&side);
}

static void check_refused(struct filled *filled, const char *text, const char *sentence)
{
	struct side side;
	struct error err = { 0 };

	if (side_find(filled->store, text, &side, &err) != -EINVAL)
		fail_msg("'%s' was not refused", text);
	CHECK_TEXT(err.text, sentence);
}

static void check_whole(struct filled *filled, const char *text, bool whole)
{
	struct side side;

	CHECK_INT(side_find(filled->store, text, &side, NULL), 0);
	CHECK_INT(side.whole, whole);
	side_done(&side);
}

static void a_subject_is_whole_and_a_choice_of_runs_is_not(void **state)
{
	struct filled filled;

	fill(&filled);
	check_whole(&filled, "base", true);
	check_whole(&filled, "new/base", true);
	check_whole(&filled, "run:1,2", false);
	check_whole(&filled, "@kernel.release=6.1.0-test", false);
	filled_done(&filled);
}

static void the_slash_of_a_twin_parts_no_names(void **state)
{
	struct filled filled;

	filled_open(&filled);
	const int64_t campaign = fixture_campaign(filled.store, "watched", 1);

	(void)filled_put(&filled, campaign, 0, "base (A/A)", "4", 1);
	check_found(&filled, "base (A/A)", 1, "watched", "base (A/A)");
	check_found(&filled, "watched/base (A/A)", 1, "watched", "base (A/A)");
	filled_done(&filled);
}

static void a_subject_is_of_the_newest_campaign(void **state)
{
	struct filled filled;

	fill(&filled);
	check_found(&filled, "base", 2, "new", "base");
	check_found(&filled, "patched", 2, "new", "patched");
	check_refused(&filled, "head",
		      "campaign 'new' has no subject 'head'; it has 'base', 'patched'");
	filled_done(&filled);
}

static void a_campaign_and_a_subject_are_found_together(void **state)
{
	struct filled filled;

	fill(&filled);
	check_found(&filled, "old/head", 2, "old", "head");
	check_found(&filled, "new/base", 2, "new", "base");
	check_refused(&filled, "old/patched",
		      "campaign 'old' has no subject 'patched'; it has 'base', 'head'");
	check_refused(&filled, "nosuch/base", "no campaign is called 'nosuch'");
	filled_done(&filled);
}

static void a_campaign_may_be_shortened_while_only_one_begins_so(void **state)
{
	struct filled filled;

	fill(&filled);
	check_found(&filled, "n/base", 2, "new", "base");
	check_found(&filled, "olde/solo", 3, "older-one", "solo");
	check_found(&filled, "old/base", 2, "old", "base"); /* The whole name of one wins. */
	check_refused(&filled, "ol/base", "campaign 'ol' is ambiguous: 'older-one', 'old'");
	filled_done(&filled);
}

static void a_campaign_alone_is_a_side_when_it_has_one_subject(void **state)
{
	struct filled filled;

	fill(&filled);
	check_found(&filled, "older-one", 3, "older-one", "solo");
	check_found(&filled, "older", 3, "older-one", "solo");
	check_refused(&filled, "old", "'old' is ambiguous: 'old/base', 'old/head'");
	check_refused(&filled, "ol", "campaign 'ol' is ambiguous: 'older-one', 'old'");
	filled_done(&filled);
}

static void a_campaign_without_runs_is_told(void **state)
{
	struct filled filled;

	fill(&filled);
	(void)fixture_campaign(filled.store, "empty", 4);
	check_refused(&filled, "empty", "campaign 'empty' has no runs yet");
	check_refused(&filled, "empty/base",
		      "campaign 'empty' has no subject 'base'; it has no runs yet");
	filled_done(&filled);
}

static void a_word_that_is_subject_and_campaign_is_ambiguous(void **state)
{
	struct filled filled;

	fill(&filled);
	(void)filled_campaign(&filled, "newest", (const char *const[]) { "old", "empty", NULL },
			      (const double[]) { 1, 2 }, 1);
	check_refused(&filled, "old",
		      "'old' is ambiguous: the subject 'newest/old' of the newest campaign, or "
		      "the campaign of this name, 'old/base', 'old/head'");
	check_found(&filled, "newest/old", 1, "newest", "old");
	check_found(&filled, "empty", 1, "newest", "empty");
	filled_done(&filled);
}

static void a_campaign_named_like_its_own_subject_is_not_ambiguous(void **state)
{
	struct filled filled;

	fill(&filled);
	(void)filled_campaign(&filled, "same", (const char *const[]) { "same", NULL },
			      (const double[]) { 1 }, 2);
	check_found(&filled, "same", 2, "same", "same");
	filled_done(&filled);
}

static void runs_are_found_by_their_numbers(void **state)
{
	struct filled filled;
	struct side side;
	struct error err = { 0 };

	fill(&filled);
	CHECK_INT(side_find(filled.store, "run:1,6,8", &side, &err), 0);
	CHECK_INT(side.n_rows, 3);
	CHECK_INT(side.rows[0].id, 1);
	CHECK_TEXT(side.rows[1].subject, "solo");
	CHECK_INT(side.rows[2].id, 8);
	side_done(&side);
	check_refused(&filled, "run:1,99", "'run:1,99': 1 of the 2 runs are not in the store");
	check_refused(&filled, "run:1,x", "'run:1,x': 'x' is not a run number");
	check_refused(&filled, "run:0", "'run:0': '0' is not a run number");
	check_refused(&filled, "run:", "'run:' needs run numbers, like run:3,4,5");
	filled_done(&filled);
}

static void a_run_that_is_named_twice_counts_once(void **state)
{
	struct filled filled;
	struct side side;
	struct error err = { 0 };

	fill(&filled);
	CHECK_INT(side_find(filled.store, "run:2,2,1", &side, &err), 0);
	CHECK_INT(side.n_rows, 2);
	side_done(&side);
	filled_done(&filled);
}

static void runs_are_found_by_what_they_recorded(void **state)
{
	struct filled filled;
	struct side side;
	struct error err = { 0 };

	fill(&filled);
	CHECK_INT(side_find(filled.store, "@kernel.release=6.1.0-test", &side, &err), 0);
	CHECK_INT(side.n_rows, 11);
	side_done(&side);
	CHECK_INT(side_find(filled.store, "@groups=4", &side, &err), 0);
	CHECK_INT(side.n_rows, 11);
	side_done(&side);
	check_refused(&filled, "@kernel.release=5.0", "no run has kernel.release = '5.0'");
	check_refused(&filled, "@kernel.release",
		      "'@kernel.release' must be @KEY=VALUE, like @kernel.release=6.1.0");
	check_refused(&filled, "@=x", "'@=x' must be @KEY=VALUE, like @kernel.release=6.1.0");
	filled_done(&filled);
}

static void an_empty_store_has_no_side(void **state)
{
	struct filled filled;

	filled_open(&filled);
	check_refused(&filled, "base", "the store has no campaign yet");
	check_refused(&filled, "x/base", "no campaign is called 'x'");
	filled_done(&filled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_subject_is_whole_and_a_choice_of_runs_is_not),
		cmocka_unit_test(the_slash_of_a_twin_parts_no_names),
		cmocka_unit_test(a_subject_is_of_the_newest_campaign),
		cmocka_unit_test(a_campaign_and_a_subject_are_found_together),
		cmocka_unit_test(a_campaign_may_be_shortened_while_only_one_begins_so),
		cmocka_unit_test(a_campaign_alone_is_a_side_when_it_has_one_subject),
		cmocka_unit_test(a_campaign_without_runs_is_told),
		cmocka_unit_test(a_word_that_is_subject_and_campaign_is_ambiguous),
		cmocka_unit_test(a_campaign_named_like_its_own_subject_is_not_ambiguous),
		cmocka_unit_test(runs_are_found_by_their_numbers),
		cmocka_unit_test(a_run_that_is_named_twice_counts_once),
		cmocka_unit_test(runs_are_found_by_what_they_recorded),
		cmocka_unit_test(an_empty_store_has_no_side),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
