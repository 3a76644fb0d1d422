/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commits between two ends, by two calls of git log. See history.h. */
#include "revision/history.h"

#include "base/mem.h"
#include "base/text.h"
#include "revision/git.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In front of each commit in what git prints; no message or path can hold it. */
#define MARK '\001'

static void commit_done(struct history_commit *commit)
{
	for (size_t i = 0; i < commit->n_paths; i++)
		free(commit->paths[i]);
	free(commit->paths);
	free(commit->parents);
	free(commit->subject);
	free(commit->tree);
	free(commit->id);
}

void history_free(struct history *history)
{
	if (!history)
		return;
	for (size_t i = 0; i < history->n; i++)
		commit_done(&history->commits[i]);
	free(history->commits);
	free(history->root);
	free(history);
}

uint32_t history_find(const struct history *history, const char *id)
{
	/* Parents stand close in front of their children: from the end it is found soonest. */
	for (size_t i = history->n; i > 0; i--)
		if (strcmp(history->commits[i - 1].id, id) == 0)
			return (uint32_t)(i - 1);
	return HISTORY_NONE;
}

static void add_parents(const struct history *history, struct history_commit *commit, char *ids)
{
	size_t capacity = 0;
	char *rest = NULL;
	for (char *id = strtok_r(ids, " ", &rest); id; id = strtok_r(NULL, " ", &rest)) {
		const uint32_t parent = history_find(history, id);
		if (parent == HISTORY_NONE)
			continue;
		commit->parents = mem_grow(commit->parents, &capacity, commit->n_parents + 1,
					   sizeof(*commit->parents));
		commit->parents[commit->n_parents++] = parent;
	}
}

static void add_paths(struct history_commit *commit, char *lines)
{
	size_t capacity = 0;
	char *rest = NULL;
	for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		commit->paths = mem_grow(commit->paths, &capacity, commit->n_paths + 1,
					 sizeof(*commit->paths));
		text_make_printable(line, strlen(line));
		commit->paths[commit->n_paths++] = mem_text(line);
	}
}

/* One record: id, tree, parents, subject, a line each, then the paths. */
static bool add_commit(struct history *history, size_t *capacity, char *record, bool is_candidate)
{
	char *lines[4];
	char *at = record;
	for (size_t i = 0; i < 4; i++) {
		lines[i] = at;
		char *end = at ? strchr(at, '\n') : NULL;
		if (!end && i < 3)
			return false;
		if (end)
			*end = '\0';
		at = end ? end + 1 : NULL;
	}
	text_make_printable(lines[3], strlen(lines[3]));
	history->commits =
		mem_grow(history->commits, capacity, history->n + 1, sizeof(*history->commits));
	struct history_commit *commit = &history->commits[history->n];
	*commit = (struct history_commit) { .id = mem_text(lines[0]),
					    .tree = mem_text(lines[1]),
					    .subject = mem_text(lines[3]),
					    .is_candidate = is_candidate };
	add_parents(history, commit, lines[2]);
	if (is_candidate && at)
		add_paths(commit, at);
	history->n++;
	return true;
}

static int add_commits(struct history *history, size_t *capacity, char *output, bool is_candidate,
		       struct error *err)
{
	for (char *record = strchr(output, MARK); record;) {
		char *next = strchr(record + 1, MARK);
		if (next)
			*next = '\0';
		if (history->n >= HISTORY_COMMITS_MAX)
			return error_set(
				err, EINVAL,
				"more than %d commits lie between the ends: name ends that are "
				"closer",
				HISTORY_COMMITS_MAX);
		if (!add_commit(history, capacity, record + 1, is_candidate))
			return error_set(err, EIO, "git log answered in a form that is not known");
		record = next;
	}
	return 0;
}

/* Ids of the commits outside the range that candidates descend from, the good end first. A new
 * NULL-terminated array of strings. */
static int list_boundary(const char *repository, const char *range, const char *good,
			 char ***ret_ids, struct error *err)
{
	const char *const words[] = { "rev-list", "--boundary", range, NULL };
	AUTO(text) char *output = NULL;
	const int failed = git_run(repository, words, &output, err);
	if (failed)
		return failed;
	size_t n = 1;
	for (const char *at = output; *at; at++)
		n += *at == '\n';
	char **ids = mem_array(n + 2, sizeof(*ids));
	size_t kept = 0;
	ids[kept++] = mem_text(good);
	char *rest = NULL;
	for (char *line = strtok_r(output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (*line == '-' && strcmp(line + 1, good) != 0)
			ids[kept++] = mem_text(line + 1);
	*ret_ids = ids;
	return 0;
}

static void ids_free(char **ids)
{
	for (size_t i = 0; ids && ids[i]; i++)
		free(ids[i]);
	free(ids);
}

#define FORMAT "--format=%x01%H%n%T%n%P%n%s"

static int read_boundary(const char *repository, const char *range, const char *good,
			 struct history *history, size_t *capacity, struct error *err)
{
	char **ids = NULL;
	int failed = list_boundary(repository, range, good, &ids, err);
	for (size_t i = 0; !failed && ids[i]; i++) {
		const char *const words[] = { "log", "--no-walk", FORMAT, ids[i], NULL };
		AUTO(text) char *output = NULL;
		failed = git_run(repository, words, &output, err);
		if (!failed)
			failed = add_commits(history, capacity, output, /* is_candidate= */ false,
					     err);
	}
	ids_free(ids);
	return failed;
}

static int read_between(const char *repository, const char *range, struct history *history,
			size_t *capacity, struct error *err)
{
	const char *const words[] = { "log",         "--topo-order",
				      "--reverse",   "--diff-merges=first-parent",
				      "--name-only", "--no-renames",
				      FORMAT,        range,
				      NULL };
	AUTO(text) char *output = NULL;
	const int failed = git_run(repository, words, &output, err);
	if (failed)
		return failed;
	return add_commits(history, capacity, output, /* is_candidate= */ true, err);
}

/* Says which commit to name instead when the bad end does not descend from the good one. */
static int check_ends(const char *repository, const char *good, const char *bad, struct error *err)
{
	const char *const descends[] = { "merge-base", "--is-ancestor", good, bad, NULL };
	const char *const merge_base[] = { "merge-base", good, bad, NULL };
	bool yes = false;
	AUTO(text) char *base = NULL;
	if (strcmp(good, bad) == 0)
		return error_set(err, EINVAL, "GOOD and BAD are the same commit %.12s", good);
	int failed = git_ask(repository, descends, &yes, /* ret_output= */ NULL, err);
	if (failed || yes)
		return failed;
	failed = git_ask(repository, merge_base, &yes, &base, err);
	if (failed)
		return failed;
	if (!yes || !*base)
		return error_set(err, EINVAL, "%.12s and %.12s have no commit in common", good,
				 bad);
	if (strcmp(base, bad) == 0)
		return error_set(
			err, EINVAL,
			"BAD %.12s is older than GOOD %.12s: for a change to the better give "
			"the older one first",
			bad, good);
	return error_set(
		err, EINVAL,
		"BAD %.12s does not descend from GOOD %.12s; both descend from %.12s: give "
		"that as GOOD",
		bad, good, base);
}

static int find_root(const char *repository, const char *good, char **ret_root, struct error *err)
{
	const char *const words[] = { "rev-list", "--max-parents=0", "--first-parent", good, NULL };
	AUTO(text) char *output = NULL;
	const int failed = git_run(repository, words, &output, err);
	if (failed)
		return failed;
	*ret_root = mem_text_n(output, strcspn(output, "\n"));
	return 0;
}

int history_read(const char *repository, const char *good, const char *bad,
		 struct history **ret_history, struct error *err)
{
	AUTO(text) char *good_id = NULL;
	AUTO(text) char *bad_id = NULL;
	AUTO(history) struct history *history = mem_zero(sizeof(*history));
	const char *const inside[] = { "rev-parse", "--git-dir", NULL };
	size_t capacity = 0;
	int failed = git_run(repository, inside, /* ret_output= */ NULL, err);
	if (failed)
		return -EINVAL; /* The sentence is git's own: no repository, or another user's. */
	failed = git_commit(repository, good, &good_id, err);
	if (!failed)
		failed = git_commit(repository, bad, &bad_id, err);
	if (!failed)
		failed = check_ends(repository, good_id, bad_id, err);
	if (!failed)
		failed = find_root(repository, good_id, &history->root, err);
	if (failed)
		return failed;
	AUTO(text) char *range = mem_format("%s..%s", good_id, bad_id);
	failed = read_boundary(repository, range, good_id, history, &capacity, err);
	if (!failed)
		failed = read_between(repository, range, history, &capacity, err);
	if (failed)
		return failed;
	history->good = history_find(history, good_id);
	history->bad = history_find(history, bad_id);
	assert(history->good != HISTORY_NONE && history->bad != HISTORY_NONE);
	*ret_history = KEEP(history);
	return 0;
}
