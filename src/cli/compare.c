/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay compare`: sides that were measured, beside each other. */
#include "base/mem.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/judge.h"
#include "cli/leftovers.h"
#include "cli/paths.h"
#include "cli/say.h"
#include "cli/side.h"

#include <stdlib.h>

#define SIDES_MAX 64

static int explain(const struct guard *guard, const struct judged *judged, bool json)
{
	const struct comparison **comparisons = NULL;
	const size_t n = judge_comparisons(judged, &comparisons);
	const int code =
		json ? explain_json(guard, comparisons, n) : explain_print(guard, comparisons, n);
	free(comparisons);
	return code;
}

static int compare(struct store *store, const struct parsed *parsed, struct side *sides,
		   struct error *err, int *ret_code)
{
	struct judge_rules rules AUTO(rules) = { 0 };
	int failed = judge_options(parsed, &rules, err);
	for (size_t i = 0; i < parsed->n_words && !failed; i++)
		failed = side_find(store, parsed->words[i], &sides[i], err);
	if (failed)
		return failed;
	AUTO(judged) struct judged *judged = NULL;
	failed = judge_sides(store, sides, parsed->n_words, &rules, &judged, err);
	const struct guard *guard = NULL;
	bool json = false;
	if (!failed)
		failed = explain_asked(parsed, &guard, err);
	if (!failed && guard)
		failed = explain_wants_json(parsed, &json, err);
	if (!failed)
		*ret_code = guard ? explain(guard, judged, json)
				  : judge_print(judged, parsed, /* question= */ NULL);
	return failed;
}

static int run(const struct parsed *parsed)
{
	struct error err = { 0 };
	const struct guard *guard = NULL;
	bool json = false;
	int failed = explain_asked(parsed, &guard, &err);
	if (!failed && guard)
		failed = explain_wants_json(parsed, &json, &err);
	if (failed)
		return say_error(failed, &err);
	if (guard && parsed->n_words == 0)
		return json ? explain_json(guard, /* comparisons= */ NULL, 0)
			    : explain_print(guard, /* comparisons= */ NULL, 0);
	if (parsed->n_words < 2 || parsed->n_words > SIDES_MAX)
		return say_usage(
			"compare what? BASE and at least one HEAD: 'assay compare base head'");
	leftovers_warn();
	AUTO(store) struct store *store = NULL;
	failed = paths_store_open(parsed, /* create= */ false, &store, &err);
	if (failed)
		return say_error(failed, &err);
	struct side sides[SIDES_MAX] = { 0 };
	int code = EXIT_SURROUNDINGS;
	failed = compare(store, parsed, sides, &err, &code);
	for (size_t i = 0; i < parsed->n_words; i++)
		side_done(&sides[i]);
	return failed ? say_error(failed, &err) : code;
}

static const struct option_row options[] = {
	OPTIONS_JUDGE, OPTIONS_METHOD, OPTION_EXPLAIN, OPTION_JSON, OPTION_STORE, { 0 },
};

const struct command_row command_compare = {
	.name = "compare",
	.words = "BASE HEAD...",
	.what = "put measured sides beside each other and judge the difference",
	.options = options,
	.run = run,
	.completes = "side",
};
