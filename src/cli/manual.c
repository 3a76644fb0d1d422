/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program of the build: fills the placeholders of a manual page's template from the rows, so that the
 * manual cannot say other options, workloads or monitors than the program has.
 *
 *     manual TEMPLATE
 *
 * A line that is a placeholder alone is replaced: @OPTIONS <command>@, @SYNOPSIS <command>@, @COMMANDS@,
 * @WORKLOADS@, @MONITORS@. All other lines pass through.
 */
#include "base/auto.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/rows.h"

#include <stdio.h>
#include <string.h>

/* Text into mdoc: a leading dot or quote and backslashes would be taken for markup. */
static void print_text(const char *text)
{
	char before = '\0';
	if (*text == '.' || *text == '\'')
		(void)fputs("\\&", stdout);
	for (; *text; before = *text, text++) {
		if (*text == '\\')
			(void)fputs("\\e", stdout);
		else if (*text == ' ' && before == '.') /* A new sentence begins a new line. */
			(void)putchar('\n');
		else
			(void)putchar(*text);
	}
	(void)putchar('\n');
}

static void print_option(const struct option_row *row)
{
	(void)fputs(".It ", stdout);
	if (row->letter) {
		(void)printf("Fl %c", row->letter);
		if (row->value)
			(void)printf(" Ar %s", row->value);
		(void)fputs(" , ", stdout);
	}
	(void)printf("Fl Fl %s", row->name);
	if (row->value)
		(void)printf(" Ar %s", row->value);
	(void)putchar('\n');
	print_text(row->what);
}

static int print_options(const char *name)
{
	const struct command_row *command = command_find(name);
	if (!command)
		return 1;
	(void)puts(".Bl -tag -width Ds");
	for (const struct option_row *row = command->options; row->name; row++)
		print_option(row);
	print_option(
		&(struct option_row) { .name = "help", .letter = 'h', .what = "show the options" });
	(void)puts(".El");
	return 0;
}

static int print_synopsis(const char *name)
{
	const struct command_row *command = command_find(name);
	if (!command)
		return 1;
	(void)printf(".Nm assay %s\n.Op Ar option ...\n", name);
	if (*command->words)
		(void)printf(".Ar %s\n", command->words);
	return 0;
}

static int print_commands(void)
{
	(void)puts(".Bl -tag -width completion");
	for (size_t i = 0; i < command_row_count; i++) {
		(void)printf(".It Cm %s\n", command_rows[i]->name);
		print_text(command_rows[i]->what);
	}
	(void)puts(".El");
	return 0;
}

static void print_parameters(const struct parameter *parameters)
{
	(void)puts(".Pp\nParameters:\n.Bl -tag -width nr_task -compact");
	for (; parameters->name; parameters++) {
		(void)printf(".It Cm %s", parameters->name);
		if (parameters->alias)
			(void)printf(" , %s", parameters->alias);
		(void)putchar('\n');
		(void)printf("%s", parameters->what);
		if (parameters->words)
			(void)printf(": %s", parameters->words);
		(void)printf(" (default %s)\n",
			     parameters->preset ? parameters->preset : "none: must be given");
	}
	(void)puts(".El");
}

static void print_metrics(const struct plugin *plugin)
{
	(void)puts(".Pp\nMetrics:\n.Bl -tag -width Ds -compact");
	for (const struct metric *metric = plugin->metrics; metric && metric->name; metric++)
		(void)printf(".It %s\n%s; unit %s, %s, better: %s, %s\n", metric->name,
			     metric->what && *metric->what ? metric->what : "as its name says",
			     metric->unit, metric_kind_text(metric->kind),
			     metric_better_text(metric->better), metric_role_text(metric->role));
	if (plugin->metrics_open)
		(void)printf(".It %s.*\nas the running kernel names them\n", plugin->name);
	(void)puts(".El");
}

static int print_plugins(const struct plugin *const *plugins, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct plugin *plugin = plugins[i];
		(void)printf(".Ss %s\n", plugin->name);
		print_text(plugin->what);
		(void)puts(".Pp");
		print_text(plugin->stands);
		if (plugin->suite)
			(void)printf(".Pp\nOf the suite %s; also called %s/%s.\n", plugin->suite,
				     plugin->suite, plugin->name);
		if (plugin->semantics)
			(void)printf(".Pp\nSemantics version %u.\n", plugin->semantics);
		if (plugin->parameters && plugin->parameters->name)
			print_parameters(plugin->parameters);
		if (plugin->metrics_open || (plugin->metrics && plugin->metrics->name))
			print_metrics(plugin);
	}
	return 0;
}

/* The word between "@NAME " and the last '@', in place; NULL when the line is another. */
static char *placeholder(char *line, const char *name)
{
	const size_t length = strlen(name);
	char *end = strrchr(line, '@');
	if (line[0] != '@' || strncmp(line + 1, name, length) != 0 || end == line)
		return NULL;
	*end = '\0';
	return text_trim(line + 1 + length);
}

static int fill(char *line)
{
	const struct catalogue *catalogue = rows_catalogue();
	const char *word;
	if ((word = placeholder(line, "OPTIONS")))
		return print_options(word);
	if ((word = placeholder(line, "SYNOPSIS")))
		return print_synopsis(word);
	if (placeholder(line, "COMMANDS"))
		return print_commands();
	if (placeholder(line, "WORKLOADS"))
		return print_plugins(catalogue->workloads, catalogue->n_workloads);
	if (placeholder(line, "MONITORS"))
		return print_plugins(catalogue->monitors, catalogue->n_monitors);
	(void)fputs(line, stdout);
	return 0;
}

int main(int argc, char **argv)
{
	char line[1024];
	AUTO(file) FILE *template = argc == 2 ? fopen(argv[1], "re") : NULL;
	if (!template) {
		(void)fputs("usage: manual TEMPLATE\n", stderr);
		return 2;
	}
	while (fgets(line, sizeof(line), template)) {
		if (fill(line)) {
			(void)fprintf(stderr, "manual: %s: unknown command in '%s'\n", argv[1],
				      line);
			return 1;
		}
	}
	return fflush(stdout) ? 1 : 0;
}
