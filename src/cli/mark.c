/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay mark`: what people know of a metric or a comparison, shown in every report. */
#include "base/auto.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/mark_target.h"
#include "cli/mark_words.h"
#include "cli/paths.h"
#include "cli/say.h"
#include "store/marks.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TOLERANCE_PERCENT_MAX 1000.0

/* The login name of the person; under sudo of the one who called it. New string. */
static char *who(void)
{
	const char *caller = getuid() == 0 ? getenv("SUDO_USER") : NULL;
	const struct passwd *entry = caller && *caller ? NULL : getpwuid(getuid());
	if (caller && *caller)
		return mem_text(caller);
	return entry ? mem_text(entry->pw_name) : mem_format("uid %u", (unsigned)getuid());
}

static json_t *text_json(const char *text)
{
	return text ? json_string(text) : json_null();
}

static json_t *time_json(uint64_t wall_ns)
{
	return wall_ns ? json_real((double)wall_ns / 1e9) : json_null();
}

static json_t *row_json(const struct mark_row *row)
{
	AUTO(text) char *target = mark_target_text(row);
	const bool of_metric = row->metric[0] != '\0';
	return json_pack("{s:I, s:s, s:o, s:o, s:o, s:o, s:s, s:s, s:o, s:s, s:s, s:o, s:o, s:o}",
			 "id", (json_int_t)row->id, "target", target, "metric",
			 text_json(of_metric ? row->metric : NULL), "campaign",
			 text_json(row->campaign_name), "base", text_json(row->base), "head",
			 text_json(row->head), "point", row->point, "mark",
			 row->invalid ? "invalid" : "expected", "tolerance_percent",
			 isnan(row->tolerance_percent) ? json_null()
						       : json_real(row->tolerance_percent),
			 "why", row->why, "who", row->who, "made_s", time_json(row->made_wall_ns),
			 "withdrawn_s", time_json(row->withdrawn_wall_ns), "withdrawn_by",
			 text_json(row->withdrawn_by));
}

static void print_row(const struct mark_row *row)
{
	AUTO(text) char *target = mark_target_text(row);
	const time_t seconds = (time_t)(row->made_wall_ns / NS_PER_SEC);
	struct tm local;
	char day[32] = "-";
	char tolerance[48] = "";
	if (localtime_r(&seconds, &local))
		(void)strftime(day, sizeof(day), "%Y-%m-%d", &local);
	if (!isnan(row->tolerance_percent))
		(void)snprintf(tolerance, sizeof(tolerance), " within %g %%",
			       row->tolerance_percent);
	(void)printf("%4" PRId64 "  %s  %s%s", row->id, target,
		     row->invalid ? "invalid" : "expected", tolerance);
	if (row->point[0])
		(void)printf(" at %s", row->point);
	(void)printf("  (%s, %s)%s%s\n      %s\n", row->who, day,
		     row->withdrawn_by ? ", withdrawn by " : "",
		     row->withdrawn_by ? row->withdrawn_by : "", row->why);
}

static int list(struct store *store, const struct parsed *parsed, int *ret_code, struct error *err)
{
	struct mark_row *rows = NULL;
	size_t n = 0;
	const int failed = store_mark_list(store, options_has(parsed, "all"), &rows, &n, err);
	if (failed)
		return failed;
	if (options_has(parsed, "json")) {
		json_t *marks = json_array();
		for (size_t i = 0; i < n; i++)
			(void)json_array_append_new(marks, row_json(&rows[i]));
		*ret_code = say_json(marks);
	} else {
		for (size_t i = 0; i < n; i++)
			print_row(&rows[i]);
		if (n == 0)
			(void)puts("no marks");
		*ret_code = say_done(EXIT_NO_REGRESSION);
	}
	mark_rows_free(rows, n);
	return 0;
}

static int withdraw(struct store *store, const struct parsed *parsed, int *ret_code,
		    struct error *err)
{
	int64_t id = 0;
	AUTO(text) char *person = who();
	if (!text_parse_i64(parsed->words[1], &id) || id < 1)
		return error_set(err, EINVAL, "'%s' is not a mark's number", parsed->words[1]);
	const int failed = store_mark_withdraw(store, id, person, err);
	if (failed == -ENOENT || failed == -EALREADY)
		return -EINVAL; /* The sentence is there. */
	if (failed)
		return failed;
	if (!options_has(parsed, "json"))
		(void)printf("mark %" PRId64 " is withdrawn; 'assay mark list --all' still shows "
			     "it\n",
			     id);
	*ret_code = options_has(parsed, "json")
			    ? say_json(json_pack("{s:I}", "withdrawn", (json_int_t)id))
			    : say_done(EXIT_NO_REGRESSION);
	return 0;
}

/* The row from the command line, without its target. */
static int read_row(const struct parsed *parsed, struct mark_row *row, struct error *err)
{
	const char *why = options_value(parsed, "why");
	const char *point = options_value(parsed, "point");
	row->invalid = strcmp(parsed->words[1], "invalid") == 0;
	row->tolerance_percent = (double)NAN;
	int failed = mark_words_why(why, err);
	if (!failed && point)
		failed = mark_words_check("option '--point'", point, err);
	if (!failed)
		failed = mark_words_check("what is marked", parsed->words[0], err);
	if (failed)
		return failed;
	if (row->invalid && options_has(parsed, "tolerance"))
		return error_set(
			err, EINVAL,
			"option '--tolerance' belongs to what is expected: what is invalid "
			"is invalid at any change");
	row->why = mem_text(why);
	row->point = mem_text(point ? point : "");
	row->who = who();
	return options_decimal(parsed, "tolerance", TOLERANCE_PERCENT_MAX, &row->tolerance_percent,
			       err);
}

/* A pattern that fits nothing may be of what is yet to be measured: it is told, and kept. */
static int note_point(struct store *store, const struct mark_row *row, struct error *err)
{
	bool fits = false;
	if (!row->point[0])
		return 0;
	const int failed = mark_target_has_point(store, row, &fits, err);
	if (!failed && !fits)
		say_note("assay: no point that was measured fits '--point %s' yet: points are "
			 "written like 'hackbench/groups=4', and 'assay runs' lists them",
			 row->point);
	return failed;
}

static int add(struct store *store, const struct parsed *parsed, int *ret_code, struct error *err)
{
	struct mark_row *row = mem_array(1, sizeof(*row));
	int failed = read_row(parsed, row, err);
	if (!failed)
		failed = mark_target_find(store, parsed->words[0], row, err);
	if (!failed)
		failed = note_point(store, row, err);
	if (!failed)
		failed = store_mark_add(store, row, &row->id, err);
	if (!failed && options_has(parsed, "json")) {
		*ret_code = say_json(json_pack("{s:I}", "id", (json_int_t)row->id));
	} else if (!failed) {
		(void)printf("mark %" PRId64 ": %s is %s\n", row->id, parsed->words[0],
			     parsed->words[1]);
		*ret_code = say_done(EXIT_NO_REGRESSION);
	}
	mark_rows_free(row, 1);
	return failed;
}

static bool is_judgement(const char *word)
{
	return strcmp(word, "expected") == 0 || strcmp(word, "invalid") == 0;
}

static int act(const struct parsed *parsed,
	       int (*what)(struct store *store, const struct parsed *parsed, int *ret_code,
			   struct error *err))
{
	struct error err = { 0 };
	AUTO(store) struct store *store = NULL;
	int code = EXIT_SURROUNDINGS;
	int failed = paths_store_open(parsed, /* create= */ false, &store, &err);
	if (!failed)
		failed = what(store, parsed, &code, &err);
	return failed ? say_error(failed, &err) : code;
}

static bool wants_details(const struct parsed *parsed)
{
	return options_has(parsed, "why") || options_has(parsed, "tolerance") ||
	       options_has(parsed, "point");
}

static int run(const struct parsed *parsed)
{
	const char *const *words = parsed->words;
	const size_t n = parsed->n_words;
	if (n == 2 && is_judgement(words[1]))
		return options_has(parsed, "all") ? say_usage("option '--all' belongs to 'list'")
						  : act(parsed, add);
	if (wants_details(parsed))
		return say_usage("a mark is METRIC or COMPARISON, then expected or invalid: "
				 "'assay mark hackbench.time_sec expected --why ...'");
	if (n == 1 && strcmp(words[0], "list") == 0)
		return act(parsed, list);
	if (n == 2 && strcmp(words[0], "remove") == 0)
		return act(parsed, withdraw);
	return say_usage("mark what? METRIC or COMPARISON, then expected or invalid; or list; or "
			 "remove ID");
}

static const struct option_row options[] = {
	{ .name = "why", .value = "TEXT", .what = "the reason; a mark needs one" },
	{ .name = "tolerance",
	  .value = "PERCENT",
	  .what = "changes of the score up to this are expected, larger ones are not" },
	{ .name = "point",
	  .value = "PATTERN",
	  .what = "only at workloads and parameters that match" },
	{ .name = "all", .letter = 'a', .what = "list marks that were withdrawn as well" },
	OPTION_JSON,
	OPTION_STORE,
	{ 0 },
};

const struct command_row command_mark = {
	.name = "mark",
	.words = "METRIC|COMPARISON expected|invalid, list, remove ID",
	.what = "note what is known of a metric or a comparison, for every report",
	.options = options,
	.run = run,
	.completes = "mark",
};
