/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay resume`: a campaign that was interrupted goes on where it stopped. */
#include "base/mem.h"
#include "campaign/campaign.h"
#include "cli/carry.h"
#include "cli/command.h"
#include "cli/judge.h"
#include "cli/paths.h"
#include "cli/say.h"

#include <errno.h>

static int resume(struct store *store, const struct campaign_row *row, const struct parsed *parsed,
		  int *ret_code, struct error *err)
{
	AUTO(plan) struct plan *plan = NULL;
	AUTO(text) char *state_directory = paths_state_directory();
	const struct place_options place = carry_place_options(parsed, state_directory);
	int failed = plan_from_json(row->plan, &plan, err);
	if (failed)
		return error_at(err, "campaign '%s'", row->name);
	failed = carry_recover(&place, err);
	if (!failed)
		*ret_code = carry_campaign(store, row->id, plan, parsed, &place);
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
	struct campaign_row row = { 0 };
	failed = store_campaign_find(store, parsed->words[0], &row, &err);
	if (failed == -ENOENT)
		return say_error(-EINVAL, &err);
	int code = EXIT_SURROUNDINGS;
	if (!failed)
		failed = resume(store, &row, parsed, &code, &err);
	campaign_row_done(&row);
	return failed ? say_error(failed, &err) : code;
}

static const struct option_row options[] = {
	OPTIONS_CARRY, OPTIONS_JUDGE, OPTION_JSON, OPTION_STORE, { 0 },
};

const struct command_row command_resume = {
	.name = "resume",
	.words = "[CAMPAIGN]",
	.what = "go on with a campaign that was interrupted (default: the newest)",
	.options = options,
	.run = run,
	.completes = "campaign",
};
