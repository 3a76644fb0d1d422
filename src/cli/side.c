/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sides of a comparison by name. See side.h. */
#include "cli/side.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define IDS_MAX 10000

void side_done(struct side *side)
{
	run_rows_free(side->rows, side->n_rows);
	free(side->name);
	*side = (struct side) { 0 };
}

/* "a, b, c" of the subjects of a campaign. */
static void list_subjects(struct store *store, int64_t campaign, const char *prefix,
			  struct text *ret_list)
{
	struct run_row *rows = NULL;
	size_t n = 0;
	if (store_run_list(store, &(struct run_query) { .campaign = campaign }, &rows, &n,
			   /* err= */ NULL))
		return;
	for (size_t i = 0; i < n; i++) {
		bool seen = false;
		for (size_t j = 0; j < i && !seen; j++)
			seen = strcmp(rows[i].subject, rows[j].subject) == 0;
		if (!seen)
			text_add(ret_list, "%s'%s%s'", ret_list->length ? ", " : "", prefix,
				 rows[i].subject);
	}
	run_rows_free(rows, n);
}

static int query_side(struct store *store, const struct run_query *query, struct side *side,
		      struct error *err)
{
	run_rows_free(side->rows, side->n_rows); /* Of another name that was tried. */
	side->rows = NULL;
	side->n_rows = 0;
	return store_run_list(store, query, &side->rows, &side->n_rows, err);
}

static bool is_among(const int64_t *ids, size_t n, int64_t id)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static int find_runs(struct store *store, const char *list, struct side *side, struct error *err)
{
	AUTO(text) char *words = mem_text(list);
	int64_t ids[IDS_MAX];
	size_t n = 0;
	char *rest = NULL;
	for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
		if (n == IDS_MAX || !text_parse_i64(word, &ids[n]) || ids[n] < 1)
			return error_set(err, EINVAL, "'run:%s': '%s' is not a run number", list,
					 word);
		n += !is_among(ids, n, ids[n]); /* Named twice, it counts once. */
	}
	if (n == 0)
		return error_set(err, EINVAL, "'run:' needs run numbers, like run:3,4,5");
	const struct run_query query = { .ids = ids, .n_ids = n };
	const int failed = query_side(store, &query, side, err);
	if (!failed && side->n_rows != n)
		return error_set(err, EINVAL, "'run:%s': %zu of the %zu runs are not in the store",
				 list, n - side->n_rows, n);
	return failed;
}

static int find_fact(struct store *store, const char *text, struct side *side, struct error *err)
{
	const char *equals = strchr(text, '=');
	if (!equals || equals == text)
		return error_set(err, EINVAL,
				 "'@%s' must be @KEY=VALUE, like @kernel.release=6.1.0", text);
	AUTO(text) char *key = mem_text_n(text, (size_t)(equals - text));
	const struct run_query query = { .fact_key = key, .fact_value = equals + 1 };
	const int failed = query_side(store, &query, side, err);
	if (!failed && side->n_rows == 0)
		return error_set(err, EINVAL, "no run has %s = '%s'", key, equals + 1);
	return failed;
}

/* The campaign whose name is `name`, or the only one that begins so. 0 in *ret_id: there is none. */
static int find_campaign(struct store *store, const char *name, int64_t *ret_id, char **ret_name,
			 struct error *err)
{
	struct campaign_row *rows = NULL;
	size_t n = 0;
	int failed = store_campaign_list(store, /* limit= */ 0, &rows, &n, err);
	if (failed)
		return failed;
	struct text candidates = { 0 };
	size_t n_candidates = 0;
	*ret_id = 0;
	for (size_t i = 0; i < n; i++) {
		const bool exact = strcmp(rows[i].name, name) == 0;
		if (!exact && !text_starts_with(rows[i].name, name))
			continue;
		n_candidates = exact ? 1 : n_candidates + 1;
		*ret_id = rows[i].id;
		free(*ret_name);
		*ret_name = mem_text(rows[i].name);
		text_add(&candidates, "%s'%s'", candidates.length ? ", " : "", rows[i].name);
		if (exact)
			break;
	}
	if (n_candidates > 1)
		failed = error_set(err, EINVAL, "campaign '%s' is ambiguous: %s", name,
				   text_string(&candidates));
	text_done(&candidates);
	for (size_t i = 0; i < n; i++)
		campaign_row_done(&rows[i]);
	free(rows);
	return failed;
}

static int find_subject(struct store *store, int64_t campaign, const char *campaign_name,
			const char *subject, struct side *side, struct error *err)
{
	const struct run_query query = { .campaign = campaign, .subject = subject };
	const int failed = query_side(store, &query, side, err);
	side->whole = !failed;
	if (failed || side->n_rows > 0)
		return failed;
	struct text subjects = { 0 };
	list_subjects(store, campaign, "", &subjects);
	(void)error_set(err, EINVAL, "campaign '%s' has no subject '%s'; it has %s", campaign_name,
			subject, subjects.length ? text_string(&subjects) : "no runs yet");
	text_done(&subjects);
	return -EINVAL;
}

/* A campaign's name alone: good when it has one subject. */
static int find_lone_subject(struct store *store, int64_t campaign, const char *name,
			     struct side *side, struct error *err)
{
	const int failed =
		query_side(store, &(struct run_query) { .campaign = campaign }, side, err);
	if (failed)
		return failed;
	side->whole = true;
	for (size_t i = 1; i < side->n_rows; i++) {
		if (strcmp(side->rows[i].subject, side->rows[0].subject) == 0)
			continue;
		struct text subjects = { 0 };
		AUTO(text) char *prefix = mem_format("%s/", name);
		list_subjects(store, campaign, prefix, &subjects);
		(void)error_set(err, EINVAL, "'%s' is ambiguous: %s", name, text_string(&subjects));
		text_done(&subjects);
		return -EINVAL;
	}
	return side->n_rows ? 0 : error_set(err, EINVAL, "campaign '%s' has no runs yet", name);
}

/* CAMPAIGN/SUBJECT. */
static int find_by_path(struct store *store, const char *text, const char *slash, struct side *side,
			struct error *err)
{
	AUTO(text) char *wanted = mem_text_n(text, (size_t)(slash - text));
	AUTO(text) char *name = NULL;
	int64_t campaign = 0;
	const int failed = find_campaign(store, wanted, &campaign, &name, err);
	if (failed)
		return failed;
	if (!campaign)
		return error_set(err, EINVAL, "no campaign is called '%s'", wanted);
	return find_subject(store, campaign, name, slash + 1, side, err);
}

/* A word that is a subject of the newest campaign may be the name of another one as well: then
 * nobody can say which is meant. */
static int check_word(struct store *store, const struct campaign_row *newest, const char *word,
		      struct error *err)
{
	struct campaign_row same = { 0 };
	int failed = store_campaign_find(store, word, &same, err);
	if (failed == -ENOENT)
		return 0;
	if (!failed && same.id != newest->id) {
		AUTO(text) char *prefix = mem_format("%s/", word);
		struct text others = { 0 };
		list_subjects(store, same.id, prefix, &others);
		failed = error_set(
			err, EINVAL,
			"'%s' is ambiguous: the subject '%s/%s' of the newest campaign, or "
			"the campaign of this name, %s",
			word, newest->name, word,
			others.length ? text_string(&others) : "which has no runs yet");
		text_done(&others);
	}
	campaign_row_done(&same);
	return failed;
}

/* A word without a slash: a subject of the newest campaign, else a campaign. */
static int find_by_word(struct store *store, const struct campaign_row *newest, const char *word,
			struct side *side, struct error *err)
{
	int failed = find_subject(store, newest->id, newest->name, word, side, err);
	if (!failed)
		return check_word(store, newest, word, err);
	if (failed != -EINVAL)
		return failed;
	struct error other;
	AUTO(text) char *name = NULL;
	int64_t campaign = 0;
	failed = find_campaign(store, word, &campaign, &name, &other);
	if (failed) {
		*err = other;
		return failed;
	}
	return campaign ? find_lone_subject(store, campaign, name, side, err) : -EINVAL;
}

/* The slash between campaign and subject; the one in the name of a twin is none. */
static const char *find_slash(const char *text)
{
	const size_t tail = plan_is_twin(text) ? strlen(PLAN_TWIN_SUFFIX) : 0;
	return memrchr(text, '/', strlen(text) - tail);
}

static int find_by_name(struct store *store, const char *text, struct side *side, struct error *err)
{
	const char *slash = find_slash(text);
	if (slash)
		return find_by_path(store, text, slash, side, err);
	struct campaign_row newest = { 0 };
	int failed = store_campaign_find(store, /* name= */ NULL, &newest, err);
	if (failed == -ENOENT)
		return error_set(err, EINVAL, "the store has no campaign yet");
	if (failed)
		return failed;
	failed = find_by_word(store, &newest, text, side, err);
	campaign_row_done(&newest);
	return failed;
}

int side_find(struct store *store, const char *text, struct side *ret_side, struct error *err)
{
	struct side side = { .name = mem_text(text) };
	int failed;
	if (text_starts_with(text, "run:"))
		failed = find_runs(store, text + strlen("run:"), &side, err);
	else if (text[0] == '@')
		failed = find_fact(store, text + 1, &side, err);
	else
		failed = find_by_name(store, text, &side, err);
	if (failed) {
		side_done(&side);
		return failed;
	}
	*ret_side = side;
	return 0;
}
