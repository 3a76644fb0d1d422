/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay stat`: the same judgement for anybody's numbers. */
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/stat_case.h"
#include "cli/stat_json.h"
#include "cli/stat_text.h"
#include "cli/told_direction.h"
#include "intake/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONG_VALUES 1000 /* A side; from here on a person wonders whether anything happens. */
#define SEED 1           /* Drawn relabellings are the same each time: so is the answer. */

struct request { /* What the command line asks for. */
	const char *paths[2];
	size_t n_paths;
	struct intake_options intake;
	struct intake_pair_options pair;
	struct stat_layout layout;
	struct verdict_options verdict;
	char *sides; /* Owned: "BASE\0HEAD". */
};

struct judgement {
	struct stat_case **cases;
	size_t n;
};

static void judgement_free(struct judgement *judgement)
{
	for (size_t i = 0; i < judgement->n; i++)
		stat_case_free(judgement->cases[i]);
	free(judgement->cases);
}

/* ---- the command line ---- */

static int find_format(const char *name, const struct intake_format **ret_format, struct error *err)
{
	if (!name)
		return 0;
	*ret_format = intake_format_find(name);
	if (*ret_format)
		return 0;
	AUTO(text_buffer) struct text names = { 0 };
	for (size_t i = 0; i < intake_format_count; i++)
		text_add(&names, "%s%s", i ? ", " : "", intake_formats[i]->name);
	return error_set(err, EINVAL, "unknown format '%s', known are %s", name,
			 text_string(&names));
}

static int find_better(const char *word, enum metric_better *ret_better, struct error *err)
{
	*ret_better = BETTER_UNKNOWN;
	if (!word)
		return 0;
	if (strcmp(word, "higher") == 0)
		*ret_better = BETTER_HIGHER;
	else if (strcmp(word, "lower") == 0)
		*ret_better = BETTER_LOWER;
	else
		return error_set(err, EINVAL, "option '--better' takes higher or lower, not '%s'",
				 word);
	return 0;
}

static int find_method(const char *word, enum verdict_method *ret_method, struct error *err)
{
	for (size_t i = 0; word && i < METHOD_COUNT; i++)
		if (strcmp(word, verdict_method_text((enum verdict_method)i)) == 0) {
			*ret_method = (enum verdict_method)i;
			return 0;
		}
	if (!word)
		return 0;
	return error_set(err, EINVAL,
			 "option '--test' takes permutation, welch or mann-whitney, not '%s'",
			 word);
}

static int split_sides(const char *word, struct request *request, struct error *err)
{
	if (!word)
		return 0;
	request->sides = mem_text(word);
	char *comma = strchr(request->sides, ',');
	if (!comma || comma == request->sides || !comma[1])
		return error_set(err, EINVAL, "option '--sides' takes BASE,HEAD, not '%s'", word);
	*comma = '\0';
	request->pair.base = request->sides;
	request->pair.head = comma + 1;
	return 0;
}

static int check_together(const struct request *request, struct error *err)
{
	if (request->layout.paired && request->layout.has_blocks)
		return error_set(err, EINVAL, "--paired and --blocks exclude each other");
	if ((request->layout.paired || request->layout.has_blocks) &&
	    request->verdict.method != METHOD_PERMUTATION)
		return error_set(
			err, EINVAL,
			"--test %s takes the sides as two heaps and cannot use %s; leave one "
			"of them out",
			verdict_method_text(request->verdict.method),
			request->layout.paired ? "--paired" : "--blocks");
	if (request->pair.base && request->n_paths > 1)
		return error_set(err, EINVAL,
				 "--sides names two series of one file; with two files each is a "
				 "side (--metric picks what is judged)");
	if (request->n_paths > 1 && strcmp(request->paths[0], "-") == 0 &&
	    strcmp(request->paths[1], "-") == 0)
		return error_set(err, EINVAL, "standard input can be one side only");
	return 0;
}

/* Two names of one option. */
static int take_margin(const struct parsed *parsed, double *ret_percent, struct error *err)
{
	double effect = 0.0;
	double margin = 0.0;
	int failed = options_decimal(parsed, "effect", 100, &effect, err);
	if (!failed)
		failed = options_decimal(parsed, "margin", 100, &margin, err);
	if (failed)
		return failed;
	if (effect > 0.0 && margin > 0.0 && (effect < margin || effect > margin))
		return error_set(err, EINVAL,
				 "'--effect %s' and '--margin %s' are one option under two names "
				 "and contradict each other",
				 options_value(parsed, "effect"), options_value(parsed, "margin"));
	if (effect > 0.0 || margin > 0.0)
		*ret_percent = effect > 0.0 ? effect : margin;
	return 0;
}

static int take_numbers(const struct parsed *parsed, struct request *request, struct error *err)
{
	struct verdict_options *verdict = &request->verdict;
	verdict->seed = SEED;
	int failed = options_alpha(parsed, "alpha", &verdict->alpha, err);
	if (!failed)
		failed = take_margin(parsed, &verdict->margin_percent, err);
	if (!failed)
		failed = find_method(options_value(parsed, "test"), &verdict->method, err);
	return failed;
}

static int take_request(const struct parsed *parsed, struct request *request, struct error *err)
{
	request->n_paths = parsed->n_words;
	for (size_t i = 0; i < parsed->n_words; i++)
		request->paths[i] = parsed->words[i];
	request->intake.blocks = options_value(parsed, "blocks");
	request->intake.builds = options_value(parsed, "builds");
	request->pair.metric = options_value(parsed, "metric");
	request->layout.paired = options_has(parsed, "paired");
	request->layout.one_file = parsed->n_words == 1;
	request->layout.has_blocks = request->intake.blocks != NULL;
	request->layout.has_builds = request->intake.builds != NULL;
	int failed = find_format(options_value(parsed, "from"), &request->intake.format, err);
	if (!failed)
		failed = find_better(options_value(parsed, "better"), &request->layout.better, err);
	if (!failed)
		failed = split_sides(options_value(parsed, "sides"), request, err);
	if (!failed)
		failed = take_numbers(parsed, request, err);
	return failed ? failed : check_together(request, err);
}

/* ---- the work ---- */

static int read_documents(const struct request *request, struct intake_document *documents[2],
			  struct error *err)
{
	for (size_t i = 0; i < request->n_paths; i++) {
		const int failed =
			intake_read(request->paths[i], &request->intake, &documents[i], err);
		if (failed)
			return failed;
		const bool is_table = documents[i]->format == &intake_csv;
		if (!is_table && (request->intake.blocks || request->intake.builds))
			return error_set(
				err, EINVAL,
				"--blocks and --builds name a column of a table, and %s is "
				"read as %s",
				documents[i]->path, documents[i]->format->name);
	}
	return 0;
}

/* The work grows with the product of the sides; nobody shall take it for a program that hangs. */
static void announce(const struct intake_pairs *pairs, enum verdict_method method)
{
	size_t most = 0;
	for (size_t i = 0; i < pairs->n; i++) {
		const size_t base = pairs->pairs[i].base->n;
		const size_t head = pairs->pairs[i].head->n;
		most = base > most ? base : most;
		most = head > most ? head : most;
	}
	if (most > LONG_VALUES && method != METHOD_WELCH && isatty(STDERR_FILENO))
		say_note("judging %zu values a side; this can take some seconds%s", most,
			 pairs->n > 1 ? " for each metric" : "");
}

static int judge(const struct request *request, const struct intake_pairs *pairs,
		 struct judgement *judgement, struct error *err)
{
	judgement->cases = mem_array(pairs->n, sizeof(struct stat_case *));
	struct comparison **comparisons = mem_array(pairs->n, sizeof(struct comparison *));
	int failed = 0;
	for (size_t i = 0; i < pairs->n && !failed; i++) {
		struct stat_case *one = NULL;
		failed = stat_case_make(pairs, i, &request->layout, &one, err);
		if (failed)
			continue;
		judgement->cases[judgement->n++] = one;
		failed = stat_case_judge(one, &request->verdict, err);
		comparisons[i] = one->comparison;
	}
	if (!failed && pairs->n > 1)
		comparison_share_budget(comparisons, pairs->n);
	free(comparisons);
	return failed;
}

static bool has_changed(enum verdict verdict)
{
	return verdict == VERDICT_BETTER || verdict == VERDICT_WORSE || verdict == VERDICT_CHANGED;
}

static bool has_note(const struct comparison *comparison, const char *guard)
{
	for (size_t i = 0; i < comparison->n_notes; i++)
		if (strcmp(comparison->notes[i].guard, guard) == 0)
			return true;
	return false;
}

/* What the numbers cannot say themselves. The guard of the order speaks of it from 4 values on. */
static void warn(const struct request *request, struct intake_document *const documents[2],
		 const struct intake_pairs *pairs, const struct stat_case *one)
{
	struct comparison *comparison = one->comparison;
	for (size_t d = 0; d < request->n_paths; d++)
		for (size_t i = 0; i < documents[d]->n_remarks; i++)
			comparison_warn(comparison, "%s", documents[d]->remarks[i]);
	for (size_t i = 0; i < pairs->n_remarks; i++)
		comparison_warn(comparison, "%s", pairs->remarks[i]);
	if (!one->places[0] && !has_note(comparison, "order"))
		comparison_warn(comparison,
				"the order in which these values were measured is not known: a "
				"machine that drifted between the sides would look like a change");
	if (has_changed(stat_case_row(one)->findings[1].verdict) && !request->layout.has_builds)
		comparison_warn(
			comparison,
			"nothing says that builds or boots are replicated: with one build a "
			"side, what differs may be these two builds and not their source; "
			"build both anew, measure again, and name the build of each run in a "
			"column (--builds)");
}

/* ---- printing ---- */

static int print_json(const struct judgement *judgement)
{
	if (judgement->n == 1)
		return say_json(stat_json(judgement->cases[0]));
	json_t *array = json_array();
	for (size_t i = 0; i < judgement->n; i++)
		(void)json_array_append_new(array, stat_json(judgement->cases[i]));
	return say_json(array);
}

static void print_text(const struct judgement *judgement)
{
	struct text out = { 0 };
	stat_text(judgement->cases, judgement->n, say_width(), &out);
	(void)fwrite(text_string(&out), 1, out.length, stdout); /* say_done sees its failure. */
	text_done(&out);
}

/* The worst score decides. */
static int exit_code(const struct judgement *judgement)
{
	int code = EXIT_NO_REGRESSION;
	for (size_t i = 0; i < judgement->n; i++) {
		const int one = comparison_exit_code(judgement->cases[i]->comparison);
		if (one == EXIT_REGRESSION)
			return EXIT_REGRESSION;
		code = one > code ? one : code;
	}
	return code;
}

/* What the file does not say, the name may. */
static void tell_directions(struct intake_pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++) {
		const struct metric *told = told_direction(pairs->pairs[i].name);
		if (pairs->pairs[i].better == BETTER_UNKNOWN && told)
			pairs->pairs[i].better = told->better;
	}
}

static int work(const struct request *request, const struct parsed *parsed,
		struct intake_document *documents[2], int *ret_code, struct error *err)
{
	AUTO(intake_pairs) struct intake_pairs *pairs = NULL;
	int failed = read_documents(request, documents, err);
	if (!failed)
		failed = intake_pair_up(documents[0], documents[1], &request->pair, &pairs, err);
	if (failed)
		return failed;
	tell_directions(pairs);
	struct judgement judgement = { 0 };
	announce(pairs, request->verdict.method);
	failed = judge(request, pairs, &judgement, err);
	if (!failed) {
		for (size_t i = 0; i < judgement.n; i++)
			warn(request, documents, pairs, judgement.cases[i]);
		int printed = 0;
		if (options_has(parsed, "json"))
			printed = print_json(&judgement);
		else
			print_text(&judgement);
		*ret_code = printed ? printed : say_done(exit_code(&judgement));
	}
	judgement_free(&judgement);
	return failed;
}

static int run(const struct parsed *parsed)
{
	struct error err = { 0 };
	if (parsed->n_words < 1 || parsed->n_words > 2)
		return say_usage("stat what? a file with both sides, or BASE and HEAD; '-' is "
				 "standard input");
	struct request request = { 0 };
	struct intake_document *documents[2] = { NULL, NULL };
	int code = EXIT_SURROUNDINGS;
	int failed = take_request(parsed, &request, &err);
	if (!failed)
		failed = work(&request, parsed, documents, &code, &err);
	intake_free(documents[0]);
	intake_free(documents[1]);
	free(request.sides);
	return failed ? say_error(failed, &err) : code;
}

static const struct option_row options[] = {
	{ .name = "from",
	  .value = "FORMAT",
	  .words = "intake",
	  .what = "csv, json, numbers, benchstat, hyperfine or google-benchmark (default: found "
		  "from the content)" },
	{ .name = "better",
	  .value = "WORD",
	  .words = "better",
	  .what = "higher or lower: which direction is better (default: as the format says)" },
	{ .name = "metric",
	  .value = "PATTERN",
	  .what = "only columns or benchmarks that match, by name or unit" },
	{ .name = "sides",
	  .value = "BASE,HEAD",
	  .what = "the two columns, arrays or commands of one file to put beside each other" },
	{ .name = "paired", .what = "each row is a pair: one run of each side, in drawn order" },
	{ .name = "blocks",
	  .value = "COLUMN",
	  .what = "rows with the same word in it are a block, in drawn order" },
	{ .name = "builds",
	  .value = "COLUMN",
	  .what = "rows with the same word in it are runs of one build or boot: averaged" },
	{ .name = "alpha",
	  .value = "P",
	  .what = "false-alarm rate over all that is judged (default 0.01)" },
	{ .name = "margin",
	  .value = "PERCENT",
	  .what = "a change whose interval lies inside is the verdict same (default 1)" },
	{ .name = "effect", .value = "PERCENT", .what = "the same as --margin" },
	{ .name = "test", .value = "TEST", .what = "permutation (default), welch or mann-whitney" },
	OPTION_JSON,
	{ 0 },
};

const struct command_row command_stat = {
	.name = "stat",
	.words = "BASE [HEAD]",
	.what = "judge anybody's numbers: files of results, or standard input",
	.options = options,
	.run = run,
	.completes = "file",
};
