/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carrying a campaign out at a terminal. See carry.h. */
#include "cli/carry.h"

#include "base/fs.h"
#include "base/mem.h"
#include "campaign/campaign.h"
#include "cli/command.h"
#include "cli/judge.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/rows.h"
#include "cli/say.h"
#include "cli/single.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t interrupted; /* Set by the signal handler, read by the place. */

static void take_signal(int signal_number)
{
	(void)signal_number;
	interrupted = 1;
}

void carry_take_signals(void)
{
	/* No SA_RESTART: waits end early. A second Ctrl-C is taken the same way: settings must be
	 * restored first. */
	struct sigaction action = { .sa_handler = take_signal };
	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGINT, &action, /* old= */ NULL);
	(void)sigaction(SIGTERM, &action, /* old= */ NULL);
	(void)sigaction(SIGHUP, &action, /* old= */ NULL);
}

struct place_options carry_place_options(const struct parsed *parsed, char *state_directory)
{
	return (struct place_options) {
		.state_directory = state_directory,
		.root = options_value(parsed, "root"),
		.isolation = options_value(parsed, "isolation"),
		.interrupted = &interrupted,
	};
}

int carry_check(const struct parsed *parsed, struct error *err)
{
	static const char *const ways[] = { "auto", "cgroup", "pid-namespace", "subreaper" };
	const char *isolation = options_value(parsed, "isolation");
	const char *root = options_value(parsed, "root");
	bool known = !isolation;
	for (size_t i = 0; i < ARRAY_SIZE(ways) && !known; i++)
		known = strcmp(ways[i], isolation) == 0;
	if (!known)
		return error_set(err, EINVAL,
				 "unknown isolation '%s': auto, pid-namespace, cgroup or subreaper",
				 isolation);
	if (root) {
		AUTO(fd) int root_fd = fs_root_open(root, err);
		if (root_fd < 0)
			return -EINVAL;
	}
	return judge_check(parsed, err);
}

int carry_recover(const struct place_options *options, struct error *err)
{
	unsigned restored = 0;
	const int failed = place_recover(options, &restored, err);
	if (restored > 0)
		say_note("assay: %u setting%s that a crashed run had left applied %s restored",
			 restored, restored == 1 ? "" : "s", restored == 1 ? "was" : "were");
	return failed;
}

/* The subjects of the plan as sides, from the store. */
static int find_sides(struct store *store, int64_t campaign, const struct plan *plan,
		      struct side *sides, struct error *err)
{
	for (size_t s = 0; s < plan->n_judged; s++) {
		const char *subject = plan->jobs[s]->subject;
		const struct run_query query = { .campaign = campaign, .subject = subject };
		sides[s].name = mem_text(subject);
		sides[s].whole = true;
		const int failed =
			store_run_list(store, &query, &sides[s].rows, &sides[s].n_rows, err);
		if (failed)
			return failed;
	}
	return 0;
}

static int print_result(struct store *store, int64_t campaign, const struct plan *plan,
			const struct parsed *parsed, int *ret_code, struct error *err)
{
	const size_t n_sides = plan->n_judged; /* A twin is no head. */
	struct side *sides = mem_array(n_sides, sizeof(*sides));
	struct judge_rules rules AUTO(rules) = { 0 };
	AUTO(judged) struct judged *judged = NULL;
	int failed = judge_options(parsed, &rules, err);
	if (!failed)
		failed = find_sides(store, campaign, plan, sides, err);
	if (!failed && n_sides == 1) {
		if (plan->question && !options_has(parsed, "json"))
			(void)printf("question: %s\n\n", plan->question);
		*ret_code = single_print(store, &sides[0], options_has(parsed, "json"), err);
	} else if (!failed) {
		failed = judge_sides(store, sides, n_sides, &rules, &judged, err);
		if (!failed)
			*ret_code = judge_print(judged, parsed, plan->question);
	}
	for (size_t s = 0; s < n_sides; s++)
		side_done(&sides[s]);
	free(sides);
	return failed;
}

static const char *campaign_name(struct store *store, int64_t campaign, struct campaign_row *row)
{
	struct campaign_row *rows = NULL;
	size_t n = 0;
	*row = (struct campaign_row) { 0 };
	if (store_campaign_list(store, /* limit= */ 0, &rows, &n, /* err= */ NULL))
		return "";
	for (size_t i = 0; i < n; i++) {
		if (rows[i].id == campaign)
			*row = rows[i];
		else
			campaign_row_done(&rows[i]);
	}
	free(rows);
	return row->name ? row->name : "";
}

static int say_interrupted(struct store *store, int64_t campaign)
{
	struct campaign_row row;
	const char *name = campaign_name(store, campaign, &row);
	say_note("assay: interrupted: %" PRIu64 " of %" PRIu64
		 " runs are kept; 'assay resume %s' goes on",
		 row.runs_done, row.runs_planned, name);
	campaign_row_done(&row);
	return EXIT_CTRL_C;
}

/* What the plan did not need, and what the time did not allow. */
static void say_end(struct store *store, int64_t campaign, enum campaign_end end)
{
	struct campaign_row row;
	const char *name = campaign_name(store, campaign, &row);
	if (end == CAMPAIGN_OUT_OF_TIME)
		say_note("assay: the time is spent: %" PRIu64 " of %" PRIu64
			 " runs are kept; 'assay resume %s' goes on",
			 row.runs_done, row.runs_planned, name);
	else if (row.finished && row.runs_done < row.runs_planned)
		say_note("assay: decided after %" PRIu64 " of %" PRIu64 " planned runs, %" PRIu64
			 " were not needed",
			 row.runs_done, row.runs_planned, row.runs_planned - row.runs_done);
	campaign_row_done(&row);
}

struct carried { /* All borrowed. */
	struct store *store;
	int64_t campaign;
	const struct plan *plan;
	const struct place_options *place;
};

static int carry(const struct carried *carried, const struct parsed *parsed,
		 enum campaign_end *ret_end, struct error *err)
{
	struct judge_rules rules AUTO(rules) = { 0 };
	AUTO(known) struct known *known = known_new(carried->store);
	struct judge_knowing knowing = { .store = carried->store, .rules = &rules, .known = known };
	struct progress progress;
	const bool quiet = options_has(parsed, "quiet");
	const struct campaign_options options = { .place = *carried->place,
						  .progress = progress_update,
						  .user = &progress,
						  .catalogue = rows_catalogue(),
						  .adapters = rows_adapters(),
						  .know = judge_know,
						  .know_user = &knowing,
						  .estimates = !quiet };
	int failed = judge_options(parsed, &rules, err);
	if (failed)
		return failed;
	/* The plan has its own, by which it must end however its result is looked at. */
	rules.verdict.alpha = 0.0;
	rules.verdict.margin_percent = 0.0;
	progress_start(&progress, quiet);
	failed = campaign_carry(carried->store, carried->campaign, carried->plan, &options, ret_end,
				err);
	progress_end(&progress);
	return failed;
}

int carry_campaign(struct store *store, int64_t campaign, const struct plan *plan,
		   const struct parsed *parsed, const struct place_options *place)
{
	struct error err = { 0 };
	enum campaign_end end = CAMPAIGN_INTERRUPTED;
	carry_take_signals();
	const struct carried carried = { store, campaign, plan, place };
	int failed = carry(&carried, parsed, &end, &err);
	if (failed && !(failed == -EINTR && interrupted))
		return say_error(failed, &err);
	if (failed || end == CAMPAIGN_INTERRUPTED)
		return say_interrupted(store, campaign);
	/* That something is left to do is no progress. */
	if (!options_has(parsed, "quiet") || end == CAMPAIGN_OUT_OF_TIME)
		say_end(store, campaign, end);
	return carry_print(store, campaign, plan, parsed);
}

int carry_print(struct store *store, int64_t campaign, const struct plan *plan,
		const struct parsed *parsed)
{
	struct error err = { 0 };
	int code = EXIT_SURROUNDINGS;
	const int failed = print_result(store, campaign, plan, parsed, &code, &err);
	return failed ? say_error(failed, &err) : code;
}
