/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bisection as a document. See bisect_case.h. */
#include "cli/bisect_case.h"

#include "base/mem.h"
#include "base/text.h"
#include "revision/product.h"
#include "store/document.h"

#include <assert.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bisect_case *bisect_case_new(void)
{
	return mem_zero(sizeof(struct bisect_case));
}

void bisect_case_free(struct bisect_case *bisection)
{
	if (!bisection)
		return;
	for (size_t i = 0; i < bisection->n_given; i++) {
		free(bisection->given[i].product);
		free(bisection->given[i].run);
	}
	for (size_t i = 0; i < bisection->n_paths; i++)
		free(bisection->paths[i]);
	free(bisection->given);
	free(bisection->paths);
	free(bisection->repository);
	free(bisection->build);
	free(bisection->command);
	free(bisection->score);
	free(bisection->machine);
	graph_free(bisection->graph);
	history_free(bisection->history);
	free(bisection);
}

int bisect_case_graph(struct bisect_case *bisection, struct error *err)
{
	const struct history *history = bisection->history;
	assert(history && !bisection->graph);
	struct graph_commit *commits = mem_array(history->n, sizeof(*commits));
	for (size_t i = 0; i < history->n; i++)
		commits[i] = (struct graph_commit) { history->commits[i].parents,
						     history->commits[i].n_parents };
	bisection->graph = graph_new(commits, history->n, history->good, history->bad, err);
	free(commits);
	return bisection->graph ? 0 : -EINVAL;
}

bool bisect_case_touches(const struct bisect_case *bisection, uint32_t commit)
{
	const struct history_commit *of = &bisection->history->commits[commit];
	for (size_t i = 0; i < of->n_paths; i++)
		for (size_t j = 0; j < bisection->n_paths; j++) {
			const char *wanted = bisection->paths[j];
			const size_t length = strlen(wanted);
			const bool below = strncmp(of->paths[i], wanted, length) == 0 &&
					   (of->paths[i][length] == '/' || !of->paths[i][length] ||
					    (length > 0 && wanted[length - 1] == '/'));
			if (below || fnmatch(wanted, of->paths[i], 0) == 0)
				return true;
		}
	return false;
}

bool bisect_case_is_compiled(const struct bisect_case *bisection, uint32_t commit)
{
	const struct history_commit *of = &bisection->history->commits[commit];
	for (size_t i = 0; i < of->n_paths; i++)
		if (!product_is_compiled(of->paths[i]))
			return false;
	return of->n_paths > 0;
}

/* ---- to JSON ---- */

static json_t *texts_json(char *const *texts, size_t n)
{
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++)
		(void)json_array_append_new(list, document_string(texts[i]));
	return list;
}

static json_t *commit_json(const struct history_commit *commit)
{
	json_t *parents = json_array();
	for (size_t i = 0; i < commit->n_parents; i++)
		(void)json_array_append_new(parents, json_integer(commit->parents[i]));
	return json_pack("{s:s, s:s, s:o, s:o, s:b, s:o}", "id", commit->id, "tree", commit->tree,
			 "subject", document_string(commit->subject), "parents", parents,
			 "candidate", commit->is_candidate, "paths",
			 texts_json(commit->paths, commit->n_paths));
}

static json_t *history_json(const struct history *history)
{
	json_t *commits = json_array();
	for (size_t i = 0; i < history->n; i++)
		(void)json_array_append_new(commits, commit_json(&history->commits[i]));
	return json_pack("{s:s, s:I, s:I, s:o}", "root", history->root, "good",
			 (json_int_t)history->good, "bad", (json_int_t)history->bad, "commits",
			 commits);
}

static json_t *given_json(const struct bisect_case *bisection)
{
	json_t *list = json_array();
	for (size_t i = 0; i < bisection->n_given; i++) {
		const struct bisect_given *given = &bisection->given[i];
		(void)json_array_append_new(list, json_pack("{s:I, s:I, s:f, s:o, s:o}", "commit",
							    (json_int_t)given->commit, "session",
							    (json_int_t)given->session, "value",
							    given->value, "product",
							    document_string(given->product), "run",
							    document_string(given->run)));
	}
	return list;
}

char *bisect_case_text(const struct bisect_case *bisection)
{
	json_t *json = json_pack(
		"{s:s, s:i, s:o, s:o, s:o, s:o, s:i, s:o}", "assay", BISECT_CASE_FORMAT, "version",
		BISECT_CASE_VERSION, "repository", document_string(bisection->repository), "build",
		document_string(bisection->build), "command", document_string(bisection->command),
		"score", document_string(bisection->score), "better", (int)bisection->better,
		"machine", document_string(bisection->machine));
	json_t *rest = json_pack(
		"{s:o, s:f, s:f, s:f, s:I, s:I, s:I, s:o, s:o}", "paths",
		texts_json(bisection->paths, bisection->n_paths), "confidence",
		bisection->confidence, "cost_build", bisection->cost_build, "cost_run",
		bisection->cost_run, "max_runs", (json_int_t)bisection->max_runs, "seed",
		(json_int_t)bisection->seed, "time_limit_ns", (json_int_t)bisection->time_limit_ns,
		"history", history_json(bisection->history), "given", given_json(bisection));
	assert(json && rest);
	(void)json_object_update(json, rest);
	json_decref(rest);
	return document_dump(json);
}

bool bisect_case_is(const char *plan)
{
	return plan && text_starts_with(plan, "{\"assay\":\"" BISECT_CASE_FORMAT "\"");
}

/* ---- and back ---- */

/* Foreign: everything is looked at. False when it is not what it should be. */
static bool take_text(const json_t *object, const char *key, bool may_be_null, char **ret_text)
{
	const json_t *json = json_object_get(object, key);
	return json && document_string_back(json, ret_text) && (may_be_null || *ret_text);
}

static bool take_count(const json_t *object, const char *key, uint64_t most, uint64_t *ret_number)
{
	const json_t *json = json_object_get(object, key);
	if (!json_is_integer(json) || json_integer_value(json) < 0 ||
	    (uint64_t)json_integer_value(json) > most)
		return false;
	*ret_number = (uint64_t)json_integer_value(json);
	return true;
}

static bool take_number(const json_t *object, const char *key, double *ret_number)
{
	const json_t *json = json_object_get(object, key);
	*ret_number = json_number_value(json);
	return json_is_number(json) && isfinite(*ret_number);
}

static bool take_texts(const json_t *object, const char *key, char ***ret_texts, size_t *ret_n)
{
	const json_t *list = json_object_get(object, key);
	if (!json_is_array(list))
		return false;
	*ret_texts = mem_array(json_array_size(list) + 1, sizeof(char *));
	for (size_t i = 0; i < json_array_size(list); i++) {
		char *text = NULL;
		if (!document_string_back(json_array_get(list, i), &text) || !text)
			return false;
		(*ret_texts)[(*ret_n)++] = text;
	}
	return true;
}

static bool take_commit(const json_t *json, size_t index, struct history_commit *commit)
{
	const json_t *parents = json_object_get(json, "parents");
	commit->is_candidate = json_is_true(json_object_get(json, "candidate"));
	if (!take_text(json, "id", /* may_be_null= */ false, &commit->id) ||
	    !take_text(json, "tree", /* may_be_null= */ false, &commit->tree) ||
	    !take_text(json, "subject", /* may_be_null= */ false, &commit->subject) ||
	    !take_texts(json, "paths", &commit->paths, &commit->n_paths) || !json_is_array(parents))
		return false;
	commit->parents = mem_array(json_array_size(parents) + 1, sizeof(uint32_t));
	for (size_t i = 0; i < json_array_size(parents); i++) {
		const json_int_t parent = json_integer_value(json_array_get(parents, i));
		if (parent < 0 || (size_t)parent >= index)
			return false;
		commit->parents[commit->n_parents++] = (uint32_t)parent;
	}
	return true;
}

static bool take_history(const json_t *json, struct history *history)
{
	const json_t *commits = json_object_get(json, "commits");
	const size_t n = json_array_size(commits);
	uint64_t good = 0;
	uint64_t bad = 0;
	if (n < 2 || n > HISTORY_COMMITS_MAX || !take_count(json, "good", n - 1, &good) ||
	    !take_count(json, "bad", n - 1, &bad) ||
	    !take_text(json, "root", /* may_be_null= */ false, &history->root))
		return false;
	history->good = (uint32_t)good;
	history->bad = (uint32_t)bad;
	history->commits = mem_array(n, sizeof(*history->commits));
	for (size_t i = 0; i < n; i++) {
		history->n = i + 1;
		if (!take_commit(json_array_get(commits, i), i, &history->commits[i]))
			return false;
	}
	return true;
}

static bool take_given(const json_t *list, struct bisect_case *bisection)
{
	if (!json_is_array(list))
		return false;
	bisection->given = mem_array(json_array_size(list) + 1, sizeof(*bisection->given));
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *json = json_array_get(list, i);
		struct bisect_given *given = &bisection->given[bisection->n_given++];
		uint64_t commit = 0;
		uint64_t session = 0;
		if (!take_count(json, "commit", bisection->history->n - 1, &commit) ||
		    !take_count(json, "session", UINT32_MAX, &session) ||
		    !take_number(json, "value", &given->value) ||
		    !take_text(json, "product", /* may_be_null= */ true, &given->product) ||
		    !take_text(json, "run", /* may_be_null= */ true, &given->run))
			return false;
		given->commit = (uint32_t)commit;
		given->session = (uint32_t)session;
	}
	return true;
}

static bool take_question(const json_t *json, struct bisect_case *bisection)
{
	uint64_t better = 0;
	if (!take_text(json, "repository", /* may_be_null= */ false, &bisection->repository) ||
	    !take_text(json, "build", /* may_be_null= */ false, &bisection->build) ||
	    !take_text(json, "command", /* may_be_null= */ false, &bisection->command) ||
	    !take_text(json, "score", /* may_be_null= */ true, &bisection->score) ||
	    !take_text(json, "machine", /* may_be_null= */ true, &bisection->machine) ||
	    !take_texts(json, "paths", &bisection->paths, &bisection->n_paths) ||
	    !take_count(json, "better", BETTER_COUNT - 1, &better))
		return false;
	bisection->better = (enum metric_better)better;
	return take_number(json, "confidence", &bisection->confidence) &&
	       take_number(json, "cost_build", &bisection->cost_build) &&
	       take_number(json, "cost_run", &bisection->cost_run) &&
	       take_count(json, "max_runs", UINT32_MAX, &bisection->max_runs) &&
	       take_count(json, "seed", INT64_MAX, &bisection->seed) &&
	       take_count(json, "time_limit_ns", INT64_MAX, &bisection->time_limit_ns) &&
	       bisection->confidence > 0.5 && bisection->confidence < 1.0 &&
	       bisection->cost_build >= 0 && bisection->cost_run >= 0;
}

int bisect_case_parse(const char *text, struct bisect_case **ret_case, struct error *err)
{
	if (!bisect_case_is(text))
		return error_set(err, EINVAL, "it is no bisection");
	AUTO(json) json_t *json = json_loads(text, 0, /* error= */ NULL);
	uint64_t version = 0;
	if (!json || !take_count(json, "version", 1000, &version))
		return error_set(err, EBADMSG, "the plan of the bisection is damaged");
	if (version > BISECT_CASE_VERSION)
		return error_set(
			err, EBADMSG,
			"the bisection was begun by a newer assay (version %d of its plan)",
			(int)version);
	AUTO(bisect_case) struct bisect_case *bisection = bisect_case_new();
	bisection->history = mem_zero(sizeof(*bisection->history));
	if (!take_question(json, bisection) ||
	    !take_history(json_object_get(json, "history"), bisection->history) ||
	    !take_given(json_object_get(json, "given"), bisection))
		return error_set(err, EBADMSG, "the plan of the bisection is damaged");
	if (bisect_case_graph(bisection, err))
		return -EBADMSG;
	*ret_case = KEEP(bisection);
	return 0;
}
