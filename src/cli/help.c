/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Help from the rows. See help.h. */
#include "cli/help.h"

#include "base/text.h"
#include "cli/rows.h"
#include "cli/say.h"

#include <string.h>

void help_overview(FILE *to)
{
	(void)fputs("assay: did a change make this system faster or slower, and can it be "
		    "believed?\n\nusage: assay COMMAND [OPTION...] [WORD...]\n\n",
		    to);
	for (size_t i = 0; i < command_row_count; i++)
		(void)fprintf(to, "  %-11s %s\n", command_rows[i]->name, command_rows[i]->what);
	(void)fputs(
		"\n'assay COMMAND --help' tells more; 'assay help WORKLOAD' or MONITOR tells what "
		"it measures.\n",
		to);
}

static void print_option(const struct option_row *row)
{
	char left[64];
	char letter[8] = "    ";
	if (row->letter)
		(void)snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	(void)snprintf(left, sizeof(left), "%s--%s%s%s", letter, row->name, row->value ? " " : "",
		       row->value ? row->value : "");
	if (strlen(left) > 26)
		(void)printf("  %s\n  %-26s %s\n", left, "", row->what);
	else
		(void)printf("  %-26s %s\n", left, row->what);
}

void help_print(const struct command_row *command)
{
	(void)printf("usage: assay %s [OPTION...]%s%s\n\n%s\n\noptions:\n", command->name,
		     *command->words ? " " : "", command->words, command->what);
	for (const struct option_row *row = command->options; row->name; row++)
		print_option(row);
	print_option(
		&(struct option_row) { .name = "help", .letter = 'h', .what = "show this help" });
}

static void print_parameter(const struct parameter *parameter)
{
	char left[64];
	(void)snprintf(left, sizeof(left), "%s%s%s%s", parameter->name,
		       parameter->alias ? " (" : "", parameter->alias ? parameter->alias : "",
		       parameter->alias ? ")" : "");
	(void)printf("  %-16s %s", left, parameter->what);
	if (parameter->words)
		(void)printf(": %s", parameter->words);
	(void)printf(" (default %s)\n",
		     parameter->preset ? parameter->preset : "none: must be given");
}

static void print_metric(const struct metric *metric)
{
	static const char *const directions[BETTER_COUNT] = {
		[BETTER_NONE] = "no direction",
		[BETTER_HIGHER] = "higher is better",
		[BETTER_LOWER] = "lower is better",
		[BETTER_UNKNOWN] = "direction unknown",
	};
	const bool is_number = text_equal(metric->unit, "1");
	(void)printf("  %-42s %s, %s%s%s\n", metric->name, is_number ? "a number" : metric->unit,
		     directions[metric->better], *metric->what ? ": " : "", metric->what);
}

static void print_plugin(const struct plugin *plugin)
{
	(void)printf("%s: %s\n%s\n", plugin->name, plugin->what, plugin->stands);
	if (plugin->semantics)
		(void)printf("semantics version %u%s%s\n", plugin->semantics,
			     plugin->semantics_by ? ", counted up by " : "",
			     plugin->semantics_by ? plugin->semantics_by : "");
	if (plugin->needs & NEED_ROOT)
		(void)printf("needs root: %s\n", plugin->needs_why);
	if (plugin->needs & NEED_NODES)
		(void)printf("needs 2 NUMA nodes: %s\n", plugin->needs_why);
	if (plugin->on_request)
		(void)puts(
			"read on request: where it is named, or beside a workload that names it");
	if (plugin->monitor)
		(void)printf("monitor on request that comes with it: %s\n", plugin->monitor);
	if (plugin->parameters)
		(void)puts("\nparameters:");
	for (const struct parameter *at = plugin->parameters; at && at->name; at++)
		print_parameter(at);
	if (plugin->metrics && plugin->metrics->name)
		(void)puts("\nmetrics:");
	for (const struct metric *at = plugin->metrics; at && at->name; at++)
		print_metric(at);
	if (plugin->metrics_open)
		(void)puts("  ... and those that the running kernel names");
}

/* What an adapter says beyond its row. */
static void print_adapter(const struct adapter *adapter)
{
	(void)printf("\nadapter: %s\nprogram: %s, written for version %s", adapter->path,
		     adapter->program, adapter->seen);
	if (adapter->package)
		(void)printf(", in Debian's package %s", adapter->package);
	(void)printf("\nstarted as:");
	for (size_t i = 0; i < adapter->n_start; i++)
		(void)printf(strpbrk(adapter->start[i], " '\"") ? " '%s'" : " %s",
			     adapter->start[i]);
	(void)puts("\n\nwhere the scores are:");
	for (size_t i = 0; i < adapter->n_scores; i++) {
		const struct score *score = &adapter->scores[i];
		(void)printf("  %-42s %s %s%s%s%s\n", score->name, score_source_text(score->source),
			     score->expression ? score->expression : "",
			     score->pick == PICK_ONLY ? "" : ", ",
			     score->pick == PICK_ONLY ? "" : score_pick_text(score->pick),
			     score->optional ? ", may be absent" : "");
	}
}

static int help_on(const char *word)
{
	const struct adapter *adapter = adapters_find(rows_adapters(), word);
	const struct command_row *command = command_find(word);
	const struct plugin *workload = catalogue_workload_find(rows_catalogue(), word);
	const struct plugin *monitor = catalogue_monitor_find(rows_catalogue(), word);
	if (command)
		help_print(command);
	else if (workload || monitor)
		print_plugin(workload ? workload : monitor);
	else if (rows_broken(word))
		return say_usage("%s", rows_broken(word));
	else
		return say_usage("'%s' is no command, workload or monitor", word);
	if (adapter && !command)
		print_adapter(adapter);
	return say_done(EXIT_NO_REGRESSION);
}

static int run(const struct parsed *parsed)
{
	if (parsed->n_words > 1)
		return say_usage("help takes one word, not %zu", parsed->n_words);
	if (parsed->n_words == 1)
		return help_on(parsed->words[0]);
	help_overview(stdout);
	return say_done(EXIT_NO_REGRESSION);
}

static const struct option_row options[] = { OPTION_ADAPTER, { 0 } };

const struct command_row command_help = {
	.name = "help",
	.words = "[COMMAND|WORKLOAD|MONITOR]",
	.what = "tell what a command does, or what a workload or monitor measures",
	.options = options,
	.run = run,
	.completes = "topic",
};
