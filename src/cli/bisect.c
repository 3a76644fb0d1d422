/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `assay bisect`: which commit brought a change, when each measurement is noisy. Everything that decides is
 * in the campaign's plan and runs; this file only asks what is next, has it measured, and prints.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/bisect_case.h"
#include "cli/bisect_course.h"
#include "cli/bisect_entries.h"
#include "cli/bisect_json.h"
#include "cli/bisect_measure.h"
#include "cli/bisect_score.h"
#include "cli/bisect_start.h"
#include "cli/bisect_text.h"
#include "cli/carry.h"
#include "cli/command.h"
#include "cli/paths.h"
#include "cli/say.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bisection { /* One that is in the store. */
	struct store *store;
	struct campaign_row row;
	struct bisect_case *about;
	struct bisect_entries entries;
};

static inline void auto_release_bisection(struct bisection *bisection)
{
	bisect_entries_done(&bisection->entries);
	bisect_case_free(bisection->about);
	campaign_row_done(&bisection->row);
	store_close(bisection->store);
}

/* ---- which one ---- */

/* The newest campaign that is a bisection, a new name; NULL when there is none. */
static int find_newest(struct store *store, bool unfinished, char **ret_name, struct error *err)
{
	struct campaign_row *rows = NULL;
	size_t n = 0;
	const int failed = store_campaign_list(store, /* limit= */ 0, &rows, &n, err);
	for (size_t i = 0; i < n; i++) {
		struct campaign_row row = { 0 };
		if (!*ret_name && !(unfinished && rows[i].finished) &&
		    store_campaign_find(store, rows[i].name, &row, /* err= */ NULL) == 0 &&
		    bisect_case_is(row.plan))
			*ret_name = mem_text(row.name);
		campaign_row_done(&row);
		campaign_row_done(&rows[i]);
	}
	free(rows);
	return failed;
}

/* Reads everything that is known of it. */
static int load(struct bisection *bisection, const char *name, struct error *err)
{
	int failed = store_campaign_find(bisection->store, name, &bisection->row, err);
	if (failed)
		return failed == -ENOENT ? -EINVAL : failed;
	failed = bisect_case_parse(bisection->row.plan, &bisection->about, err);
	if (failed)
		return error_at(err, "campaign '%s'", bisection->row.name);
	return bisect_entries_read(bisection->store, bisection->row.id, bisection->about,
				   &bisection->entries, err);
}

/* `word` is the command's first word, behind which a name may stand. */
static int find(const struct parsed *parsed, bool unfinished, struct bisection *bisection,
		struct error *err)
{
	AUTO(text) char *name = mem_text(parsed->words[1]);
	if (parsed->n_words > 2)
		return error_set(err, EINVAL, "bisect %s takes one bisection, not %zu",
				 parsed->words[0], parsed->n_words - 1);
	int failed = paths_store_open(parsed, /* create= */ false, &bisection->store, err);
	if (!failed && !name)
		failed = find_newest(bisection->store, unfinished, &name, err);
	if (failed)
		return failed;
	if (!name)
		return error_set(err, EINVAL, "the store has no bisection%s",
				 unfinished ? " that is not finished" : "");
	return load(bisection, name, err);
}

/* ---- carrying it out ---- */

static void begins(const char *what, void *user)
{
	const bool *quiet = user;
	if (!*quiet)
		say_note("assay: %s", what);
}

static void show_progress(const struct bisect_course *course)
{
	AUTO(text_buffer) struct text text = { 0 };
	bisect_text_progress(course, &text);
	(void)fputs(text_string(&text), stderr);
}

static int print_result(const struct bisection *bisection, const struct bisect_course *course,
			bool json)
{
	const int code = bisect_course_accuses(course) ? EXIT_NO_REGRESSION : EXIT_CANNOT_SAY;
	AUTO(text_buffer) struct text text = { 0 };
	if (json) {
		const int failed = say_json(bisect_json(course, bisection->row.name));
		return failed ? failed : code;
	}
	bisect_text_result(course, &text);
	(void)fputs(text_string(&text), stdout);
	return say_done(code);
}

/* Asks and measures until it is done. The course is made anew from all evidence each time: what is decided
 * here is what a replay will decide. */
static int go_on(struct bisection *bisection, struct bisect_measure *measure, bool quiet,
		 struct bisect_course **ret_course, struct error *err)
{
	for (;;) {
		AUTO(bisect_course)
		struct bisect_course *course =
			bisect_course_new(bisection->about, &bisection->entries);
		if (!quiet)
			show_progress(course);
		if (course->is_done) {
			*ret_course = KEEP(course);
			return store_campaign_finish(bisection->store, bisection->row.id, err);
		}
		const struct bisect_unit_wanted next = course->next;
		const int failed = bisect_measure_unit(measure, &next, &bisection->entries, err);
		if (failed)
			return failed;
	}
}

static int carry_out(struct bisection *bisection, const struct parsed *parsed, int *ret_code,
		     struct error *err)
{
	AUTO(text) char *state_directory = paths_state_directory();
	AUTO(bisect_course) struct bisect_course *course = NULL;
	bool quiet = options_has(parsed, "quiet");
	struct bisect_measure measure = {
		.bisection = bisection->about,
		.store = bisection->store,
		.campaign = bisection->row.id,
		.campaign_name = bisection->row.name,
		.place = carry_place_options(parsed, state_directory),
		.session = bisection->entries.last_session + 1,
		.begins = begins,
		.user = &quiet,
	};
	carry_take_signals();
	int failed = carry_recover(&measure.place, err);
	if (!failed)
		failed = bisect_measure_open(&measure, err);
	if (!failed)
		failed = go_on(bisection, &measure, quiet, &course, err);
	bisect_measure_close(&measure);
	if (failed == -EINTR) {
		say_note("assay: interrupted: %zu runs are kept; 'assay bisect resume %s' goes on",
			 bisection->entries.n, bisection->row.name);
		*ret_code = EXIT_CTRL_C;
		return 0;
	}
	if (!failed)
		*ret_code = print_result(bisection, course, options_has(parsed, "json"));
	return failed;
}

/* ---- the words ---- */

static int start(const struct parsed *parsed, int *ret_code, struct error *err)
{
	struct bisection bisection AUTO(bisection) = { 0 };
	AUTO(text) char *name = NULL;
	int failed = carry_check(parsed, err);
	if (!failed)
		failed = bisect_start_read(parsed, &bisection.about, err);
	if (!failed)
		failed = paths_store_open(parsed, /* create= */ true, &bisection.store, err);
	if (!failed)
		failed = bisect_start_reuse(parsed, bisection.store, bisection.about, err);
	if (!failed)
		failed = bisect_start_keep(parsed, bisection.store, bisection.about, &name, err);
	if (failed)
		return failed;
	/* From the store, as after an interruption: there is one way to begin. */
	bisect_case_free(KEEP(bisection.about));
	failed = load(&bisection, name, err);
	if (failed)
		return failed;
	if (bisection.about->n_given > 0)
		say_note("assay: %zu runs of the store are used", bisection.about->n_given);
	return carry_out(&bisection, parsed, ret_code, err);
}

static int resume(const struct parsed *parsed, int *ret_code, struct error *err)
{
	struct bisection bisection AUTO(bisection) = { 0 };
	int failed = carry_check(parsed, err);
	if (!failed)
		failed = find(parsed, /* unfinished= */ parsed->n_words < 2, &bisection, err);
	return failed ? failed : carry_out(&bisection, parsed, ret_code, err);
}

static int replay(const struct parsed *parsed, int *ret_code, struct error *err)
{
	struct bisection bisection AUTO(bisection) = { 0 };
	const int failed = find(parsed, /* unfinished= */ false, &bisection, err);
	if (failed)
		return failed;
	AUTO(bisect_course)
	struct bisect_course *course = bisect_course_new(bisection.about, &bisection.entries);
	*ret_code = print_result(&bisection, course, options_has(parsed, "json"));
	return 0;
}

static int print_log(const struct parsed *parsed, int *ret_code, struct error *err)
{
	struct bisection bisection AUTO(bisection) = { 0 };
	AUTO(text_buffer) struct text text = { 0 };
	const int failed = find(parsed, /* unfinished= */ false, &bisection, err);
	if (failed)
		return failed;
	AUTO(bisect_course)
	struct bisect_course *course = bisect_course_new(bisection.about, &bisection.entries);
	bisect_text_log(course, bisection.row.name, &text);
	(void)fputs(text_string(&text), stdout);
	*ret_code = say_done(EXIT_NO_REGRESSION);
	return 0;
}

static int run(const struct parsed *parsed)
{
	static const struct {
		const char *word;
		int (*run)(const struct parsed *parsed, int *ret_code, struct error *err);
	} words[] = { { "resume", resume }, { "replay", replay }, { "log", print_log } };
	struct error err = { 0 };
	int code = EXIT_SURROUNDINGS;
	int failed = 0;
	if (parsed->n_words == 0)
		return say_usage("bisect what? GOOD and BAD, or resume, replay or log");
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcmp(parsed->words[0], words[i].word) == 0) {
			failed = words[i].run(parsed, &code, &err);
			return failed ? say_error(failed, &err) : code;
		}
	failed = start(parsed, &code, &err);
	return failed ? say_error(failed, &err) : code;
}

static const struct option_row options[] = {
	{ .name = "repo",
	  .value = "DIR",
	  .words = "directory",
	  .what = "the git repository; nothing in it is changed (default: the current directory)" },
	{ .name = "build",
	  .value = "COMMAND",
	  .what = "how a commit is built, for the shell, in the top of its tree (default: make)" },
	{ .name = "command",
	  .value = "PROGRAM",
	  .what = "program and arguments that are measured, in the top of the built tree; '...' and \"...\" "
		  "keep blanks" },
	{ .name = "score",
	  .value = "NAME|regex:RE|json:POINTER",
	  .what = "what is bisected: command.time_sec, or a number in the program's output. Without it the "
		  "exit code decides, as for git bisect run: 0 good, 125 skip, 1 to 127 bad" },
	{ .name = "better",
	  .value = "higher|lower",
	  .what = "which way the score is good: only a change to the worse is looked for (default: any)" },
	{ .name = "paths",
	  .value = "PATH[,...]",
	  .what = "commits that touch one of these files, folders or patterns are likelier" },
	{ .name = "cost",
	  .value = "build=N,run=N",
	  .what = "what a build and a run cost, in any unit (default: as long as they take)" },
	{ .name = "confidence",
	  .value = "P",
	  .what = "how sure it must be of a commit before it is measured afresh (default 0.99)" },
	{ .name = "max-runs",
	  .value = "N",
	  .what = "the most runs of search and fresh measurement" },
	{ .name = "time-limit",
	  .value = "TIME",
	  .what = "a run that takes longer has failed: hung" },
	{ .name = "seed",
	  .value = "N",
	  .what = "seed of the order of interleaved runs (default: drawn, recorded)" },
	{ .name = "name",
	  .value = "NAME",
	  .what = "name of the bisection's campaign (default: bisect and time)" },
	{ .name = "afresh", .what = "use no run that is in the store already" },
	OPTIONS_CARRY,
	OPTION_JSON,
	OPTION_STORE,
	{ 0 },
};

const struct command_row command_bisect = {
	.name = "bisect",
	.words = "GOOD BAD | resume [NAME] | replay [NAME] | log [NAME]",
	.what = "find the commit that brought a change, with a probability",
	.options = options,
	.run = run,
};
