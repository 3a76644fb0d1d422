/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay rm`: removes runs, or a campaign with all its runs. */
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/paths.h"
#include "cli/say.h"
#include "store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A run number, or -EINVAL. "run:7" is allowed, as `compare` writes it. */
static int parse_id(const char *word, int64_t *ret_id, struct error *err)
{
	const char *digits = text_starts_with(word, "run:") ? word + 4 : word;
	if (!text_parse_i64(digits, ret_id) || *ret_id < 1)
		return error_set(err, EINVAL, "'%s' is not a run number ('assay runs' lists them)",
				 word);
	return 0;
}

static bool is_among(const int64_t *ids, size_t n, int64_t id)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static int find_campaign(struct store *store, const char *name, int64_t *ret_id, struct error *err)
{
	struct campaign_row row = { 0 };
	const int failed = store_campaign_find(store, name, &row, err);
	*ret_id = row.id;
	campaign_row_done(&row);
	return failed == -ENOENT ? -EINVAL : failed;
}

/* Every run that is named must be there before one is removed. */
static int check_present(struct store *store, const struct run_query *query, struct error *err)
{
	struct run_row *rows = NULL;
	size_t n = 0;
	const int failed = store_run_list(store, query, &rows, &n, err);
	if (failed)
		return failed;
	run_rows_free(rows, n);
	if (n < query->n_ids)
		return error_set(err, EINVAL,
				 "%zu of the runs named are not in the store; none was removed",
				 query->n_ids - n);
	return 0;
}

static int remove_named(struct store *store, const struct parsed *parsed, uint64_t *ret_removed,
			struct error *err)
{
	const char *campaign = options_value(parsed, "campaign");
	struct run_query query = { 0 };
	int64_t *ids = mem_array(parsed->n_words + 1, sizeof(*ids));
	int failed = 0;
	for (size_t i = 0; i < parsed->n_words && !failed; i++) {
		failed = parse_id(parsed->words[i], &ids[query.n_ids], err);
		if (!failed)
			query.n_ids += !is_among(ids, query.n_ids, ids[query.n_ids]);
	}
	query.ids = parsed->n_words ? ids : NULL;
	if (!failed && campaign)
		failed = find_campaign(store, campaign, &query.campaign, err);
	if (!failed && query.ids)
		failed = check_present(store, &query, err);
	if (!failed)
		failed = store_run_remove(store, &query, ret_removed, err);
	free(ids);
	return failed;
}

static int run(const struct parsed *parsed)
{
	struct error err = { 0 };
	if (parsed->n_words == 0 && !options_has(parsed, "campaign"))
		return say_usage("remove what? run numbers, or --campaign NAME");
	AUTO(store) struct store *store = NULL;
	uint64_t removed = 0;
	int failed = paths_store_open(parsed, /* create= */ false, &store, &err);
	if (!failed)
		failed = remove_named(store, parsed, &removed, &err);
	if (failed)
		return say_error(failed, &err);
	if (options_has(parsed, "json"))
		return say_json(json_pack("{s:I}", "removed", (json_int_t)removed));
	(void)printf("%" PRIu64 " run%s removed\n", removed, removed == 1 ? "" : "s");
	return say_done(EXIT_NO_REGRESSION);
}

static const struct option_row options[] = {
	{ .name = "campaign",
	  .letter = 'c',
	  .value = "NAME",
	  .words = "campaign",
	  .what = "the whole campaign, or only the named runs if they belong to it" },
	OPTION_JSON,
	OPTION_STORE,
	{ 0 },
};

const struct command_row command_rm = {
	.name = "rm",
	.words = "RUN...",
	.what = "remove runs from the store",
	.options = options,
	.run = run,
	.completes = "run",
};
