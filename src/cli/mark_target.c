/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Targets of marks by name. See mark_target.h. */
#include "cli/mark_target.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct names { /* Sorted or in order of appearance; unique. */
	char **list;
	size_t n, capacity;
};

static void auto_release_names(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->list[i]);
	free(names->list);
}

static bool has_name(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->list[i], name) == 0)
			return true;
	return false;
}

static int find_subjects(struct store *store, int64_t campaign, struct names *subjects,
			 struct error *err)
{
	struct run_row *rows = NULL;
	size_t n = 0;
	const int failed =
		store_run_list(store, &(struct run_query) { .campaign = campaign }, &rows, &n, err);
	if (failed)
		return failed;
	for (size_t i = 0; i < n; i++) {
		if (has_name(subjects, rows[i].subject))
			continue;
		subjects->list = mem_grow(subjects->list, &subjects->capacity, subjects->n + 1,
					  sizeof(*subjects->list));
		subjects->list[subjects->n++] = mem_text(rows[i].subject);
	}
	run_rows_free(rows, n);
	return 0;
}

/* Names of subjects may hold two dots as well: every place where they stand is tried. */
static bool split_subjects(const char *text, const struct names *subjects, struct mark_row *row)
{
	for (const char *dots = strstr(text, ".."); dots; dots = strstr(dots + 1, "..")) {
		AUTO(text) char *base = mem_text_n(text, (size_t)(dots - text));
		if (!has_name(subjects, base) || !has_name(subjects, dots + 2))
			continue;
		row->base = KEEP(base);
		row->head = mem_text(dots + 2);
		return true;
	}
	return false;
}

/* The subject that is on both sides of "..", NULL when none is. */
static const char *same_twice(const char *text, const struct names *subjects)
{
	for (size_t i = 0; i < subjects->n; i++) {
		AUTO(text) char *twice = mem_format("%s..%s", subjects->list[i], subjects->list[i]);
		if (strcmp(text, twice) == 0)
			return subjects->list[i];
	}
	return NULL;
}

static int refuse_subjects(const char *campaign, const char *text, const struct names *subjects,
			   struct error *err)
{
	struct text list AUTO(text_buffer) = { 0 };
	for (size_t i = 0; i < subjects->n; i++)
		text_add(&list, "%s'%s'", i ? ", " : "", subjects->list[i]);
	return error_set(err, EINVAL,
			 "'%s' must be BASE..HEAD, two subjects of campaign '%s'; it has %s", text,
			 campaign, list.length ? text_string(&list) : "no runs yet");
}

/* CAMPAIGN/BASE..HEAD */
static int find_comparison(struct store *store, const char *word, const char *slash,
			   struct mark_row *row, struct error *err)
{
	AUTO(text) char *name = mem_text_n(word, (size_t)(slash - word));
	struct campaign_row campaign = { 0 };
	AUTO(names) struct names subjects = { 0 };
	int failed = store_campaign_find(store, name, &campaign, err);
	if (failed)
		return failed == -ENOENT
			       ? error_set(err, EINVAL, "no campaign is called '%s'", name)
			       : failed;
	row->campaign = campaign.id;
	campaign_row_done(&campaign);
	failed = find_subjects(store, row->campaign, &subjects, err);
	const char *twice = failed ? NULL : same_twice(slash + 1, &subjects);
	if (twice)
		failed =
			error_set(err, EINVAL,
				  "'%s' names the subject '%s' twice, and nothing is compared with "
				  "itself: BASE..HEAD are two subjects",
				  slash + 1, twice);
	if (!failed && !split_subjects(slash + 1, &subjects, row))
		failed = refuse_subjects(name, slash + 1, &subjects, err);
	if (!failed)
		row->metric = mem_text("");
	return failed;
}

static int find_metric(struct store *store, const char *word, struct mark_row *row,
		       struct error *err)
{
	AUTO(names) struct names metrics = { 0 };
	const int failed = store_metric_names(store, &metrics.list, &metrics.n, err);
	if (failed)
		return failed;
	for (size_t i = 0; i < metrics.n; i++) {
		if (fnmatch(word, metrics.list[i], /* flags= */ 0) != 0)
			continue;
		row->metric = mem_text(word);
		return 0;
	}
	const char *near = text_nearest(word, (const char *const *)metrics.list, metrics.n);
	return error_set(err, EINVAL,
			 "'%s' is neither a metric that the store has seen nor a campaign%s%s%s",
			 word, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

int mark_target_find(struct store *store, const char *word, struct mark_row *row, struct error *err)
{
	struct campaign_row campaign = { 0 };
	const char *slash = strrchr(word, '/');
	if (!*word)
		return error_set(err, EINVAL, "mark what? '' names nothing");
	int failed = store_campaign_find(store, word, &campaign, err);
	if (!failed) {
		row->campaign = campaign.id;
		row->metric = mem_text("");
		campaign_row_done(&campaign);
		return 0;
	}
	if (failed != -ENOENT)
		return failed;
	if (slash && strstr(slash, ".."))
		return find_comparison(store, word, slash, row, err);
	return find_metric(store, word, row, err);
}

int mark_target_has_point(struct store *store, const struct mark_row *row, bool *ret_has,
			  struct error *err)
{
	struct run_row *rows = NULL;
	size_t n = 0;
	bool has = false;
	const struct run_query query = { .campaign = row->campaign };
	const int failed = store_run_list(store, &query, &rows, &n, err);
	if (failed)
		return failed;
	for (size_t i = 0; i < n && !has; i++)
		has = text_matches(rows[i].point, row->point);
	run_rows_free(rows, n);
	*ret_has = has;
	return 0;
}

char *mark_target_text(const struct mark_row *row)
{
	if (row->metric[0])
		return mem_text(row->metric);
	const char *campaign = row->campaign_name ? row->campaign_name : "?";
	return row->base ? mem_format("%s/%s..%s", campaign, row->base, row->head)
			 : mem_text(campaign);
}
