/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Candidates at the cursor. See complete.h. */
#include "cli/complete.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/paths.h"
#include "cli/ready.h"
#include "cli/rows.h"
#include "intake/format.h"
#include "report/report.h"
#include "store/marks.h"
#include "store/store.h"
#include "verdict/guard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct completing {
	const char *typed; /* What stands at the cursor so far. */
	const char *const *words;
	size_t n_words;
};

static void offer(const struct completing *at, const char *candidate)
{
	if (text_starts_with(candidate, at->typed))
		(void)puts(candidate);
}

static void offer_list(const struct completing *at, const char *list)
{
	AUTO(text) char *words = mem_text(list);
	char *rest = NULL;
	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		offer(at, word);
}

static void offer_plugins(const struct completing *at, const struct plugin *const *plugins,
			  size_t n)
{
	for (size_t i = 0; i < n; i++)
		offer(at, plugins[i]->name);
}

static void offer_workloads(const struct completing *at)
{
	offer_plugins(at, rows_catalogue()->workloads, rows_catalogue()->n_workloads);
}

/* What `run` takes. */
static void offer_experiments(const struct completing *at)
{
	struct ready_list ready AUTO(ready_list) = { 0 };
	offer_workloads(at);
	ready_list_read(&ready);
	for (size_t i = 0; i < ready.n; i++)
		offer(at, ready.items[i].name);
}

static void offer_monitors(const struct completing *at)
{
	offer_plugins(at, rows_catalogue()->monitors, rows_catalogue()->n_monitors);
}

static void offer_commands(const struct completing *at)
{
	for (size_t i = 0; i < command_row_count; i++)
		offer(at, command_rows[i]->name);
}

static void offer_topics(const struct completing *at)
{
	offer_commands(at);
	offer_workloads(at);
	offer_monitors(at);
}

static void offer_formats(const struct completing *at)
{
	for (size_t i = 0; i < report_format_count; i++)
		offer(at, report_formats[i]->name);
}

static void offer_intake_formats(const struct completing *at)
{
	for (size_t i = 0; i < intake_format_count; i++)
		offer(at, intake_formats[i]->name);
}

/* "groups=" or, behind it, its words, of the workload that the line names. */
static void offer_parameters(const struct completing *at)
{
	for (size_t w = 0; w < at->n_words; w++) {
		const struct plugin *workload =
			catalogue_workload_find(rows_catalogue(), at->words[w]);
		for (const struct parameter *parameter = workload ? workload->parameters : NULL;
		     parameter && parameter->name; parameter++) {
			AUTO(text) char *assigned = mem_format("%s=", parameter->name);
			if (!text_starts_with(at->typed, assigned) || !parameter->words) {
				offer(at, assigned);
				continue;
			}
			AUTO(text) char *words = mem_text(parameter->words);
			char *rest = NULL;
			for (char *word = strtok_r(words, " ", &rest); word;
			     word = strtok_r(NULL, " ", &rest)) {
				AUTO(text) char *whole = mem_format("%s%s", assigned, word);
				offer(at, whole);
			}
		}
	}
}

static struct store *open_store(void)
{
	const struct parsed none = { 0 };
	struct store *store = NULL;
	return paths_store_open(&none, /* create= */ false, &store, /* err= */ NULL) ? NULL : store;
}

static void offer_stored_campaigns(const struct completing *at, bool finished_too)
{
	AUTO(store) struct store *store = open_store();
	struct campaign_row *rows = NULL;
	size_t n = 0;
	if (!store || store_campaign_list(store, /* limit= */ 200, &rows, &n, /* err= */ NULL))
		return;
	for (size_t i = 0; i < n; i++) {
		if (finished_too || !rows[i].finished)
			offer(at, rows[i].name);
		campaign_row_done(&rows[i]);
	}
	free(rows);
}

static void offer_campaigns(const struct completing *at)
{
	offer_stored_campaigns(at, /* finished_too= */ true);
}

static void offer_unfinished(const struct completing *at)
{
	offer_stored_campaigns(at, /* finished_too= */ false);
}

static void offer_stored(const struct completing *at, bool subjects)
{
	AUTO(store) struct store *store = open_store();
	struct run_row *rows = NULL;
	size_t n = 0;
	if (!store || store_run_list(store, &(struct run_query) { .limit = 500 }, &rows, &n, NULL))
		return;
	for (size_t i = 0; i < n; i++) {
		char id[32];
		bool seen = false;
		for (size_t j = 0; subjects && j < i && !seen; j++)
			seen = strcmp(rows[i].subject, rows[j].subject) == 0;
		(void)snprintf(id, sizeof(id), "%" PRId64, rows[i].id);
		if (!seen)
			offer(at, subjects ? rows[i].subject : id);
	}
	run_rows_free(rows, n);
}

static void offer_subjects(const struct completing *at)
{
	offer_stored(at, /* subjects= */ true);
}

static void offer_runs(const struct completing *at)
{
	offer_stored(at, /* subjects= */ false);
}

static void offer_sides(const struct completing *at)
{
	offer_subjects(at);
	offer_campaigns(at);
}

/* What a mark is of, then what it says. */
static void offer_marks(const struct completing *at)
{
	AUTO(store) struct store *store = open_store();
	char **names = NULL;
	size_t n = 0;
	if (at->n_words > 3) {
		offer_list(at, "expected invalid");
		return;
	}
	offer_list(at, "list remove");
	if (!store || store_metric_names(store, &names, &n, /* err= */ NULL))
		return;
	for (size_t i = 0; i < n; i++) {
		offer(at, names[i]);
		free(names[i]);
	}
	free(names);
	offer_campaigns(at);
}

static void offer_guards(const struct completing *at)
{
	for (size_t i = 0; i < guard_table_count; i++)
		offer(at, guard_table[i]->name);
}

static const struct kind { /* What a row's `words` or `completes` means. */
	const char *name;
	void (*offer)(const struct completing *at);
	const char *list; /* Or fixed words. */
} kinds[] = {
	{ .name = "better", .list = "higher lower" },
	{ .name = "campaign", .offer = offer_campaigns },
	{ .name = "effect", .list = "auto" },
	{ .name = "experiment", .offer = offer_experiments },
	{ .name = "format", .offer = offer_formats },
	{ .name = "guard", .offer = offer_guards },
	{ .name = "intake", .offer = offer_intake_formats },
	{ .name = "isolation", .list = "auto cgroup pid-namespace subreaper" },
	{ .name = "list", .list = "experiments metrics monitors workloads" },
	{ .name = "mark", .offer = offer_marks },
	{ .name = "method", .list = "mann-whitney permutation welch" },
	{ .name = "monitor", .offer = offer_monitors },
	{ .name = "parameter", .offer = offer_parameters },
	{ .name = "run", .offer = offer_runs },
	{ .name = "shell", .list = "bash fish zsh" },
	{ .name = "side", .offer = offer_sides },
	{ .name = "store", .list = "backup check gc merge" },
	{ .name = "subject", .offer = offer_subjects },
	{ .name = "topic", .offer = offer_topics },
	{ .name = "unfinished", .offer = offer_unfinished },
	{ .name = "until", .list = "decided" },
	{ .name = "workload", .offer = offer_workloads },
};

static void offer_kind(const struct completing *at, const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(kinds[i].name, name) != 0)
			continue;
		if (kinds[i].list)
			offer_list(at, kinds[i].list);
		else
			kinds[i].offer(at);
	}
}

static void offer_options(const struct completing *at, const struct command_row *command)
{
	for (const struct option_row *row = command->options; row->name; row++) {
		AUTO(text) char *dashed = mem_format("--%s", row->name);
		offer(at, dashed);
	}
	offer(at, "--help");
}

/* The option that the word before the cursor is, when it wants a value. */
static const struct option_row *wanting(const struct command_row *command, const char *before)
{
	for (const struct option_row *row = command->options; row->name; row++) {
		const char letter[] = { '-', row->letter, '\0' };
		if (!row->value)
			continue;
		if ((text_starts_with(before, "--") && strcmp(before + 2, row->name) == 0) ||
		    (row->letter && strcmp(before, letter) == 0))
			return row;
	}
	return NULL;
}

void complete_print(const char *const *words, size_t n_words, size_t cursor)
{
	const struct completing at = { .typed = cursor < n_words ? words[cursor] : "",
				       .words = words,
				       .n_words = n_words };
	if (cursor <= 1) {
		offer_commands(&at);
		return;
	}
	const struct command_row *command = n_words > 1 ? command_find(words[1]) : NULL;
	if (!command)
		return;
	const struct option_row *option =
		cursor - 1 < n_words ? wanting(command, words[cursor - 1]) : NULL;
	if (option)
		offer_kind(&at, option->words);
	else if (at.typed[0] == '-')
		offer_options(&at, command);
	else
		offer_kind(&at, command->completes);
}
