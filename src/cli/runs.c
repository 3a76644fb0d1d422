/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay runs`: what the store has. */
#include "base/auto.h"
#include "base/clock.h"
#include "cli/command.h"
#include "cli/leftovers.h"
#include "cli/paths.h"
#include "cli/say.h"
#include "store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LIMIT_PRESET 50

static void show_time(uint64_t wall_ns, char *buffer, size_t size)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_SEC);
	struct tm local;
	if (!localtime_r(&seconds, &local) || !strftime(buffer, size, "%Y-%m-%d %H:%M:%S", &local))
		(void)snprintf(buffer, size, "-");
}

static json_t *row_json(const struct run_row *row)
{
	return json_pack("{s:I, s:s, s:I, s:I, s:s, s:s, s:s, s:s, s:f}", "run",
			 (json_int_t)row->id, "campaign", row->campaign_name, "sequence",
			 (json_int_t)row->sequence, "block", (json_int_t)row->block, "subject",
			 row->subject, "point", row->point, "outcome",
			 run_outcome_text(row->outcome), "reason", row->reason ? row->reason : "",
			 "started_s", (double)row->started_wall_ns / 1e9);
}

static int print_rows(const struct run_row *rows, size_t n, bool json)
{
	if (json) {
		json_t *list = json_array();
		for (size_t i = 0; i < n; i++)
			(void)json_array_append_new(list, row_json(&rows[i]));
		return say_json(list);
	}
	(void)printf("%6s  %-19s  %-24s %-12s %-11s %s\n", "run", "started", "campaign", "subject",
		     "outcome", "workload and parameters");
	for (size_t i = 0; i < n; i++) {
		char started[32];
		show_time(rows[i].started_wall_ns, started, sizeof(started));
		(void)printf("%6" PRId64 "  %-19s  %-24s %-12s %-11s %s\n", rows[i].id, started,
			     rows[i].campaign_name, rows[i].subject,
			     run_outcome_text(rows[i].outcome), rows[i].point);
	}
	return say_done(EXIT_NO_REGRESSION);
}

/* Planned runs that a finished campaign could do without, as it was decided before. */
static uint64_t not_needed(const struct campaign_row *row)
{
	return row->finished && row->runs_done < row->runs_planned
		       ? row->runs_planned - row->runs_done
		       : 0;
}

static void print_campaign(const struct campaign_row *row, const char *created)
{
	(void)printf("%-32s %-19s %" PRIu64 " of %" PRIu64, row->name, created, row->runs_done,
		     row->runs_planned);
	if (not_needed(row))
		(void)printf(" (decided: %" PRIu64 " not needed)", not_needed(row));
	(void)puts(row->finished ? "" : " (unfinished: assay resume)");
}

static int print_campaigns(struct store *store, bool json, struct error *err, int *ret_code)
{
	struct campaign_row *rows = NULL;
	size_t n = 0;
	const int failed = store_campaign_list(store, /* limit= */ 0, &rows, &n, err);
	if (failed)
		return failed;
	json_t *list = json_array();
	if (!json)
		(void)printf("%-32s %-19s %s\n", "campaign", "created", "runs");
	for (size_t i = 0; i < n; i++) {
		char created[32];
		show_time(rows[i].created_wall_ns, created, sizeof(created));
		if (json)
			(void)json_array_append_new(
				list, json_pack("{s:s, s:f, s:b, s:I, s:I, s:I}", "campaign",
						rows[i].name, "created_s",
						(double)rows[i].created_wall_ns / 1e9, "finished",
						rows[i].finished, "runs_planned",
						(json_int_t)rows[i].runs_planned, "runs_done",
						(json_int_t)rows[i].runs_done, "runs_not_needed",
						(json_int_t)not_needed(&rows[i])));
		else
			print_campaign(&rows[i], created);
		campaign_row_done(&rows[i]);
	}
	free(rows);
	*ret_code = json ? say_json(list) : say_done(EXIT_NO_REGRESSION);
	if (!json)
		json_decref(list);
	return 0;
}

static int list(struct store *store, const struct parsed *parsed, struct error *err, int *ret_code)
{
	const char *campaign = options_value(parsed, "campaign");
	struct run_query query = { .subject = options_value(parsed, "subject"),
				   .workload = options_value(parsed, "workload"),
				   .limit = LIMIT_PRESET };
	uint64_t limit = query.limit;
	int failed = options_number(parsed, "limit", 0, 1U << 30, &limit, err);
	if (failed)
		return failed;
	query.limit = (size_t)limit;
	if (campaign) {
		struct campaign_row row = { 0 };
		failed = store_campaign_find(store, campaign, &row, err);
		query.campaign = row.id;
		campaign_row_done(&row);
		if (failed)
			return failed == -ENOENT ? -EINVAL : failed;
	}
	struct run_row *rows = NULL;
	size_t n = 0;
	failed = store_run_list(store, &query, &rows, &n, err);
	if (failed)
		return failed;
	*ret_code = print_rows(rows, n, options_has(parsed, "json"));
	run_rows_free(rows, n);
	return 0;
}

static int run(const struct parsed *parsed)
{
	struct error err = { 0 };
	int code = EXIT_SURROUNDINGS;
	if (parsed->n_words > 0)
		return say_usage("runs takes no words; narrow the list with --campaign, --subject "
				 "or --workload");
	leftovers_warn();
	AUTO(store) struct store *store = NULL;
	int failed = paths_store_open(parsed, /* create= */ false, &store, &err);
	if (!failed && options_has(parsed, "campaigns"))
		failed = print_campaigns(store, options_has(parsed, "json"), &err, &code);
	else if (!failed)
		failed = list(store, parsed, &err, &code);
	return failed ? say_error(failed, &err) : code;
}

static const struct option_row options[] = {
	{ .name = "campaigns", .what = "list the campaigns instead of the runs" },
	{ .name = "campaign",
	  .letter = 'c',
	  .value = "NAME",
	  .words = "campaign",
	  .what = "only runs of this campaign" },
	{ .name = "subject",
	  .value = "NAME",
	  .words = "subject",
	  .what = "only runs of this subject" },
	{ .name = "workload", .value = "NAME", .words = "workload", .what = "only this workload" },
	{ .name = "limit", .value = "N", .what = "the newest N (default 50; 0: all)" },
	OPTION_JSON,
	OPTION_STORE,
	{ 0 },
};

const struct command_row command_runs = {
	.name = "runs",
	.words = "",
	.what = "list the runs and campaigns of the store",
	.options = options,
	.run = run,
};
