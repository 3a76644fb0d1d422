/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The score of a run. See bisect_score.h. */
#include "cli/bisect_score.h"

#include "base/mem.h"
#include "base/text.h"
#include "cli/rows.h"
#include "intake/adapter.h"
#include "intake/extract.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CODE_SKIP 125
#define CODE_STOPS 128

static void fail(struct bisect_entry *entry, enum bisect_outcome outcome, char *reason)
{
	assert(!entry->reason);
	entry->outcome = outcome;
	entry->reason = reason;
}

/* The row of a score of the workload `command`, with or without its prefix; NULL when it is none. */
static const struct metric *find_metric(const char *score)
{
	const struct plugin *plugin = catalogue_workload_find(rows_catalogue(), "command");
	const size_t prefix = strlen("command.");
	assert(plugin);
	for (const struct metric *metric = plugin->metrics; metric && metric->name; metric++)
		if (strcmp(metric->name, score) == 0 ||
		    (text_starts_with(metric->name, "command.") &&
		     strcmp(metric->name + prefix, score) == 0))
			return metric;
	return NULL;
}

/* The exit code that the workload tells of: 0, a code, or -1 for a signal or another failure. */
static int exit_code(const struct run *run)
{
	static const char words[] = "exit code ";
	uint64_t code = 0;
	if (run->outcome == RUN_COMPLETE)
		return 0;
	const char *at = strstr(run->reason, words);
	if (!at)
		return -1;
	at += strlen(words);
	return text_scan_u64(&at, at + strlen(at), &code) && code < 256 ? (int)code : -1;
}

static int take_exit_code(const struct run *run, struct bisect_entry *entry, struct error *err)
{
	const int code = exit_code(run);
	if (code < 0 || code >= CODE_STOPS)
		return error_set(
			err, EINVAL,
			"the command ended with '%s': that says neither good nor bad (exit 0 is "
			"good, 1 to 127 bad, 125 skips the commit)",
			run->reason);
	if (code == CODE_SKIP)
		fail(entry, BISECT_ENTRY_BROKEN, mem_text("the command ended with 125: skip it"));
	else
		entry->value = code == 0 ? 0.0 : 1.0;
	return 0;
}

/* ---- a number in the output ---- */

/* What --score says beyond a name is said in the words of `assay run`: intake/ reads it. */
static bool is_in_output(const char *score)
{
	return strchr(score, ':') != NULL;
}

/* Exactly one score: a bisection is about one number. */
static int parse_score(const char *score, struct adapter **ret_adapter, struct error *err)
{
	AUTO(adapter) struct adapter *adapter = NULL;
	const int failed = adapter_from_words(score, &adapter, err);
	if (failed)
		return failed;
	if (adapter->n_scores != 1)
		return error_set(err, EINVAL, "a bisection has one score, not the %zu of '%s'",
				 adapter->n_scores, score);
	*ret_adapter = KEEP(adapter);
	return 0;
}

enum metric_better bisect_score_better(const char *score)
{
	AUTO(adapter) struct adapter *adapter = NULL;
	const struct metric *metric = score ? find_metric(score) : NULL;
	if (score && is_in_output(score) && parse_score(score, &adapter, /* err= */ NULL) == 0) {
		assert(adapter);
		return adapter->scores[0].better;
	}
	return metric ? metric->better : BETTER_UNKNOWN;
}

static int read_output(const char *score, const struct run *run, double *ret_value,
		       struct error *err)
{
	AUTO(adapter) struct adapter *adapter = NULL;
	AUTO(extraction) struct extraction extraction = { 0 };
	const int failed = parse_score(score, &adapter, err);
	if (failed)
		return failed;
	assert(adapter);
	extract_scores(adapter->scores, adapter->n_scores, run->log, value_missing(MISSING_ABSENT),
		       &extraction);
	if (extraction.wrong || extraction.n != 1)
		return error_set(err, ENODATA, "%s",
				 extraction.wrong ? extraction.wrong
						  : "the output does not hold one score");
	*ret_value = extraction.items[0].number;
	return 0;
}

static int read_score(const char *score, const struct run *run, double *ret_value,
		      struct error *err)
{
	if (is_in_output(score))
		return read_output(score, run, ret_value, err);
	const struct metric *metric = find_metric(score);
	const struct measured *measured = metric ? run_metric_find(run, metric->name) : NULL;
	if (!measured || !value_is_known(measured->value))
		return error_set(err, ENODATA, "the run has no '%s'", score);
	*ret_value = measured->value.number;
	return 0;
}

int bisect_score_check(const char *score, struct error *err)
{
	AUTO(adapter) struct adapter *adapter = NULL;
	if (is_in_output(score))
		return parse_score(score, &adapter, err);
	if (find_metric(score))
		return 0;
	return error_set(err, EINVAL,
			 "there is no score '%s': write command.time_sec, regex:RE or json:POINTER",
			 score);
}

int bisect_score_take(const struct bisect_case *bisection, const struct run *run,
		      struct bisect_entry *entry, struct error *err)
{
	struct error why = { 0 };
	double value = 0.0;
	if (!bisection->score)
		return take_exit_code(run, entry, err);
	if (run->outcome != RUN_COMPLETE)
		fail(entry, BISECT_ENTRY_FAILED, mem_text(run->reason));
	else if (read_score(bisection->score, run, &value, &why))
		fail(entry, BISECT_ENTRY_FAILED, mem_text(why.text));
	else
		entry->value = value;
	return 0;
}
