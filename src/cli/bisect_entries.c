/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of a bisection as its evidence. See bisect_entries.h. */
#include "cli/bisect_entries.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REUSED_MAX 2000 /* More runs would only slow the decision down. */

static const char *const arms[] = { "seek", "verify", "aligned", "revert" };
static const char *const outcomes[] = { "value", "failed", "broken" };
static_assert(ARRAY_SIZE(arms) == BISECT_ARM_COUNT, "every arm has a word");
static_assert(ARRAY_SIZE(outcomes) == BISECT_ENTRY_COUNT, "every outcome has a word");

const char *bisect_arm_text(enum bisect_arm arm)
{
	assert(arm < BISECT_ARM_COUNT);
	return arms[arm];
}

static void entry_done(struct bisect_entry *entry)
{
	free(entry->layout);
	free(entry->layout_detail);
	free(entry->reason);
}

void bisect_entries_done(struct bisect_entries *entries)
{
	for (size_t i = 0; i < entries->n; i++)
		entry_done(&entries->items[i]);
	free(entries->items);
	*entries = (struct bisect_entries) { 0 };
}

void bisect_entries_add(struct bisect_entries *entries, struct bisect_entry entry)
{
	entries->items = mem_grow(entries->items, &entries->capacity, entries->n + 1,
				  sizeof(*entries->items));
	entries->items[entries->n++] = entry;
	if (entry.sequence >= entries->next_sequence)
		entries->next_sequence = entry.sequence + 1;
	if (entry.session > entries->last_session)
		entries->last_session = entry.session;
}

/* ---- facts ---- */

static void put(struct run *run, const char *name, const char *text)
{
	if (text && *text)
		run_fact_add(run, name, VALUE_KNOWN, MISSING_NOT, text);
}

static void put_number(struct run *run, const char *name, double number)
{
	char text[64];
	(void)snprintf(text, sizeof(text), "%.17g", number);
	put(run, name, text);
}

static const char *get(const struct run *run, const char *name)
{
	const struct fact *fact = run_fact_find(run, name);
	return fact && fact->state == VALUE_KNOWN ? fact->text : NULL;
}

static bool get_number(const struct run *run, const char *name, double *ret_number)
{
	const char *text = get(run, name);
	return text && text_parse_f64(text, ret_number);
}

static size_t get_word(const struct run *run, const char *name, const char *const *words, size_t n)
{
	const char *text = get(run, name);
	size_t i = 0;
	while (i < n && !(text && strcmp(text, words[i]) == 0))
		i++;
	return i;
}

void bisect_entries_put(const struct bisect_case *bisection, const struct bisect_entry *entry,
			struct run *run)
{
	const struct history *history = bisection->history;
	static const struct metric score = {
		BISECT_SCORE_METRIC, "1",          "the score that is bisected", METRIC_SCORE,
		BETTER_UNKNOWN,      ROLE_RESTATED
	};
	if (entry->outcome == BISECT_ENTRY_VALUE)
		run_metric_add(run, &score, value_known(entry->value));
	put(run, "bisect.arm", arms[entry->arm]);
	put(run, "bisect.result", outcomes[entry->outcome]);
	put(run, "bisect.commit", history->commits[entry->commit].id);
	put(run, "bisect.change", history->commits[entry->change].id);
	put(run, "bisect.reverted", entry->is_reverted ? "yes" : "no");
	put_number(run, "bisect.session", (double)entry->session);
	put_number(run, "bisect.build_sec", entry->build_sec);
	put_number(run, "bisect.run_sec", entry->run_sec);
	put(run, "bisect.product", entry->product);
	put(run, "bisect.program", entry->has_program ? "yes" : "no");
	put(run, "bisect.layout", entry->layout);
	put(run, "bisect.layout_detail", entry->layout_detail);
	put(run, "bisect.root", history->root);
	put(run, "bisect.build", bisection->build);
	put(run, "bisect.asked", bisection->score ? bisection->score : "exit code");
	run_sort(run);
}

bool bisect_entries_take(const struct bisect_case *bisection, const struct run *run,
			 struct bisect_entry *ret_entry)
{
	struct bisect_entry entry = { 0 };
	const struct measured *score = run_metric_find(run, BISECT_SCORE_METRIC);
	const char *commit = get(run, "bisect.commit");
	const char *change = get(run, "bisect.change");
	const char *product = get(run, "bisect.product");
	const char *reverted = get(run, "bisect.reverted");
	const char *program = get(run, "bisect.program");
	double session = 0;
	const size_t arm = get_word(run, "bisect.arm", arms, ARRAY_SIZE(arms));
	const size_t outcome = get_word(run, "bisect.result", outcomes, ARRAY_SIZE(outcomes));
	if (run->outcome == RUN_TORN || run->outcome == RUN_INTERRUPTED ||
	    arm == BISECT_ARM_COUNT || outcome == BISECT_ENTRY_COUNT || !commit || !change ||
	    !get_number(run, "bisect.session", &session))
		return false;
	entry.arm = (enum bisect_arm)arm;
	entry.outcome = (enum bisect_outcome)outcome;
	entry.commit = history_find(bisection->history, commit);
	entry.change = history_find(bisection->history, change);
	entry.session = (uint32_t)session;
	entry.is_reverted = reverted && strcmp(reverted, "yes") == 0;
	entry.has_program = program && strcmp(program, "yes") == 0;
	if (entry.commit == HISTORY_NONE || entry.change == HISTORY_NONE)
		return false;
	if (entry.outcome == BISECT_ENTRY_VALUE) {
		if (!score || !value_is_known(score->value))
			return false;
		entry.value = score->value.number;
	}
	(void)get_number(run, "bisect.build_sec", &entry.build_sec); /* 0 when absent. */
	(void)get_number(run, "bisect.run_sec", &entry.run_sec);
	if (product && strlen(product) == CHECKSUM_SHA256_HEX - 1)
		memcpy(entry.product, product, CHECKSUM_SHA256_HEX);
	entry.layout = mem_text(get(run, "bisect.layout"));
	entry.layout_detail = mem_text(get(run, "bisect.layout_detail"));
	entry.reason = mem_text(run->reason ? run->reason : "");
	*ret_entry = entry;
	return true;
}

/* ---- from the store ---- */

int bisect_entries_read(struct store *store, int64_t campaign, const struct bisect_case *bisection,
			struct bisect_entries *entries, struct error *err)
{
	const struct run_query query = { .campaign = campaign };
	struct run_row *rows = NULL;
	size_t n = 0;
	int failed = store_run_list(store, &query, &rows, &n, err);
	for (size_t i = 0; i < n && !failed; i++) {
		AUTO(run) struct run *run = NULL;
		struct bisect_entry entry;
		failed = store_run_get(store, rows[i].id, /* with_series= */ false, &run,
				       /* ret_row= */ NULL, err);
		if (failed || !bisect_entries_take(bisection, run, &entry))
			continue;
		entry.run = rows[i].id;
		entry.sequence = rows[i].sequence;
		bisect_entries_add(entries, entry);
	}
	run_rows_free(rows, n);
	return failed;
}

/* The same build and the same question. */
static bool is_alike(const struct bisect_case *bisection, const struct run *run)
{
	const char *asked = bisection->score ? bisection->score : "exit code";
	return text_equal(get(run, "bisect.root"), bisection->history->root) &&
	       text_equal(get(run, "bisect.build"), bisection->build) &&
	       text_equal(get(run, "bisect.asked"), asked);
}

static void reuse(struct bisect_case *bisection, const struct run_row *row,
		  const struct bisect_entry *entry, size_t *capacity)
{
	bisection->given = mem_grow(bisection->given, capacity, bisection->n_given + 1,
				    sizeof(*bisection->given));
	bisection->given[bisection->n_given++] = (struct bisect_given) {
		.commit = entry->commit,
		/* Sessions of other campaigns lie above those of this one. */
		.session =
			(uint32_t)(row->campaign % 1000000) * 1000 + 1000 + entry->session % 1000,
		.value = entry->value,
		.product = entry->product[0] ? mem_text(entry->product) : NULL,
		.run = mem_format("%s/%" PRIu64, row->campaign_name, row->sequence),
	};
}

int bisect_entries_reuse(struct store *store, const char *point, struct bisect_case *bisection,
			 struct error *err)
{
	const struct run_query query = { .point = point,
					 .machine = bisection->machine,
					 .limit = REUSED_MAX };
	struct run_row *rows = NULL;
	size_t n = 0;
	size_t capacity = bisection->n_given;
	int failed = store_run_list(store, &query, &rows, &n, err);
	for (size_t i = 0; i < n && !failed; i++) {
		AUTO(run) struct run *run = NULL;
		struct bisect_entry entry;
		if (history_find(bisection->history, rows[i].subject) == HISTORY_NONE)
			continue;
		failed = store_run_get(store, rows[i].id, /* with_series= */ false, &run,
				       /* ret_row= */ NULL, err);
		if (failed || !is_alike(bisection, run) ||
		    !bisect_entries_take(bisection, run, &entry))
			continue;
		if (entry.outcome == BISECT_ENTRY_VALUE &&
		    (entry.arm == BISECT_ARM_SEEK || entry.arm == BISECT_ARM_VERIFY))
			reuse(bisection, &rows[i], &entry, &capacity);
		entry_done(&entry);
	}
	run_rows_free(rows, n);
	return failed;
}
