/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay resume`: a campaign that was interrupted goes on where it stopped. */
#include "base/mem.h"
#include "campaign/campaign.h"
#include "cli/bisect_case.h"
#include "cli/carry.h"
#include "cli/command.h"
#include "cli/durations.h"
#include "cli/judge.h"
#include "cli/paths.h"
#include "cli/say.h"

#include <errno.h>
#include <stdlib.h>

static int resume(struct store *store, const struct campaign_row *row, const struct parsed *parsed,
		  int *ret_code, struct error *err)
{
	AUTO(plan) struct plan *plan = NULL;
	AUTO(text) char *state_directory = paths_state_directory();
	const struct place_options place = carry_place_options(parsed, state_directory);
	if (bisect_case_is(row->plan))
		return error_set(
			err, EINVAL,
			"campaign '%s' is a bisection: 'assay bisect resume %s' goes on with it",
			row->name, row->name);
	int failed = plan_from_json(row->plan, &plan, err);
	if (failed)
		return error_at(err, "campaign '%s'", row->name);
	failed = carry_recover(&place, err);
	if (!failed && row->finished) /* What it came to then holds, whatever was learnt since. */
		*ret_code = carry_print(store, row->id, plan, parsed);
	if (failed || row->finished)
		return failed;
	durations_here(store, options_value(parsed, "root"), plan);
	*ret_code = carry_campaign(store, row->id, plan, parsed, &place);
	return failed;
}

/* The name of the newest campaign that has runs left, NULL when there is none. New string. */
static int find_unfinished(struct store *store, char **ret_name, struct error *err)
{
	struct campaign_row *rows = NULL;
	size_t n = 0;
	char *name = NULL;
	const int failed = store_campaign_list(store, /* limit= */ 0, &rows, &n, err);
	if (failed)
		return failed;
	for (size_t i = 0; i < n; i++) {
		if (!name && !rows[i].finished)
			name = mem_text(rows[i].name);
		campaign_row_done(&rows[i]);
	}
	free(rows);
	*ret_name = name;
	return 0;
}

static int resume_newest(struct store *store, const struct parsed *parsed, int *ret_code,
			 struct error *err)
{
	struct campaign_row row = { 0 };
	AUTO(text) char *name = NULL;
	int failed = find_unfinished(store, &name, err);
	if (!failed)
		failed = store_campaign_find(store, name, &row, err);
	if (failed)
		return failed == -ENOENT ? -EINVAL : failed;
	if (name) {
		failed = resume(store, &row, parsed, ret_code, err);
	} else {
		say_note("assay: nothing is left to run; the newest campaign is '%s'", row.name);
		*ret_code = EXIT_NO_REGRESSION;
	}
	campaign_row_done(&row);
	return failed;
}

static int resume_named(struct store *store, const struct parsed *parsed, int *ret_code,
			struct error *err)
{
	struct campaign_row row = { 0 };
	int failed = store_campaign_find(store, parsed->words[0], &row, err);
	if (failed)
		return failed == -ENOENT ? -EINVAL : failed;
	if (row.finished)
		say_note("assay: nothing was left to run of campaign '%s'", row.name);
	failed = resume(store, &row, parsed, ret_code, err);
	campaign_row_done(&row);
	return failed;
}

static int run(const struct parsed *parsed)
{
	struct error err = { 0 };
	if (parsed->n_words > 1)
		return say_usage("resume takes one campaign, not %zu", parsed->n_words);
	AUTO(store) struct store *store = NULL;
	int failed = carry_check(parsed, &err);
	if (!failed)
		failed = paths_store_open(parsed, /* create= */ false, &store, &err);
	if (failed)
		return say_error(failed, &err);
	int code = EXIT_SURROUNDINGS;
	failed = parsed->n_words ? resume_named(store, parsed, &code, &err)
				 : resume_newest(store, parsed, &code, &err);
	return failed ? say_error(failed, &err) : code;
}

static const struct option_row options[] = {
	OPTION_ADAPTER, OPTIONS_CARRY, OPTIONS_JUDGE, OPTION_JSON, OPTION_STORE, { 0 },
};

const struct command_row command_resume = {
	.name = "resume",
	.words = "[CAMPAIGN]",
	.what = "go on with a campaign that was interrupted (default: the newest that has runs left)",
	.options = options,
	.run = run,
	.completes = "unfinished",
};
