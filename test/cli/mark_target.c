/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a word that is marked means. */
#include "cli/mark_target.h"

#include "base/macros.h"
#include "filled.h"

#include <errno.h>

static void fill(struct filled *filled)
{
	filled_open(filled);
	(void)filled_campaign(filled, "one",
			      (const char *const[]) { "base", "head", "v1..2", NULL },
			      (const double[]) { 1, 2, 3 }, 2);
	(void)fixture_campaign(filled->store, "empty", 1);
	(void)filled_campaign(filled, "hackbench.time_sec", (const char *const[]) { "base", NULL },
			      (const double[]) { 1 }, 1);
}

static void a_word_is_a_campaign_two_subjects_or_a_metric(void **state)
{
	static const struct {
		const char *word;
		const char *metric, *base, *head;
		bool has_campaign;
	} cases[] = {
		{ "proc-vmstat.pgfault", "proc-vmstat.pgfault", NULL, NULL, false },
		{ "proc-*", "proc-*", NULL, NULL, false },
		{ "one", "", NULL, NULL, true },
		{ "empty", "", NULL, NULL, true },
		{ "one/base..head", "", "base", "head", true },
		{ "one/base..v1..2", "", "base", "v1..2", true },
		{ "one/v1..2..head", "", "v1..2", "head", true },
		{ "hackbench.time_sec", "", NULL, NULL, true }, /* A campaign of this name. */
	};
	struct filled filled;

	fill(&filled);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct mark_row *row = mem_array(1, sizeof(*row));
		struct error err = { 0 };

		if (mark_target_find(filled.store, cases[i].word, row, &err) < 0)
			fail_msg("%s: %s", cases[i].word, err.text);
		CHECK_TEXT(row->metric, cases[i].metric);
		CHECK((row->campaign != 0) == cases[i].has_campaign);
		CHECK((row->base != NULL) == (cases[i].base != NULL));
		if (cases[i].base) {
			CHECK_TEXT(row->base, cases[i].base);
			CHECK_TEXT(row->head, cases[i].head);
		}
		mark_rows_free(row, 1);
	}
	filled_done(&filled);
}

static void what_is_not_there_is_told_with_what_is(void **state)
{
	static const struct {
		const char *word, *sentence;
	} cases[] = {
		{ "proc-vmstat.pgfalut", "did you mean 'proc-vmstat.pgfault'?" },
		{ "proc-vmstat", "is neither a metric that the store has seen nor a campaign" },
		{ "one/base..nobody", "it has 'base', 'head', 'v1..2'" },
		{ "empty/base..head", "it has no runs yet" },
		{ "one/base..base", "names the subject 'base' twice" },
		{ "one/v1..2..v1..2", "names the subject 'v1..2' twice" },
		{ "nosuch/base..head", "no campaign is called 'nosuch'" },
		{ "", "names nothing" },
	};
	struct filled filled;

	fill(&filled);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct mark_row *row = mem_array(1, sizeof(*row));
		struct error err = { 0 };

		CHECK_INT(mark_target_find(filled.store, cases[i].word, row, &err), -EINVAL);
		CHECK_HOLDS(err.text, cases[i].sentence);
		mark_rows_free(row, 1);
	}
	filled_done(&filled);
}

static void a_pattern_of_points_fits_what_was_measured(void **state)
{
	char seen[] = "hackbench/*";
	char unseen[] = "hackbnech/*";
	struct filled filled;
	bool has = false;

	fill(&filled);
	CHECK_INT(mark_target_has_point(filled.store, &(struct mark_row) { .point = seen }, &has,
					NULL),
		  0);
	CHECK(has);
	CHECK_INT(mark_target_has_point(filled.store, &(struct mark_row) { .point = unseen }, &has,
					NULL),
		  0);
	CHECK(!has);
	/* The second campaign, "empty", has not measured it. */
	has = true;
	CHECK_INT(mark_target_has_point(filled.store,
					&(struct mark_row) { .campaign = 2, .point = seen }, &has,
					NULL),
		  0);
	CHECK(!has);
	filled_done(&filled);
}

static void a_target_is_written_as_it_is_read(void **state)
{
	char empty[] = "";
	char metric[] = "proc-*";
	char one[] = "one";
	char base[] = "base";
	char head[] = "head";
	const struct {
		struct mark_row row;
		const char *text;
	} cases[] = {
		{ { .metric = metric }, "proc-*" },
		{ { .metric = empty, .campaign_name = one }, "one" },
		{ { .metric = empty, .campaign_name = one, .base = base, .head = head },
		  "one/base..head" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = mark_target_text(&cases[i].row);

		CHECK_TEXT(text, cases[i].text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_is_a_campaign_two_subjects_or_a_metric),
		cmocka_unit_test(what_is_not_there_is_told_with_what_is),
		cmocka_unit_test(a_pattern_of_points_fits_what_was_measured),
		cmocka_unit_test(a_target_is_written_as_it_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
