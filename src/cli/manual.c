/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program of the build: fills the placeholders of a manual page's template from the rows, so that the
 * manual cannot say other options, workloads or monitors than the program has.
 *
 *     manual TEMPLATE
 *
 * A line that is a placeholder alone is replaced: @OPTIONS <command>@, @SYNOPSIS <command>@, @COMMANDS@,
 * @WORKLOADS@, @MONITORS@, @GUARDS@. All other lines pass through.
 */
#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/rows.h"
#include "verdict/guard.h"

#include <stdbool.h>
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

/* One item of a list: its own words, then what the row says beside them in parentheses. */
static void print_item(const char *what, const char *beside)
{
	AUTO(text) char *line = mem_format("%s (%s)", *what ? what : "as its name says", beside);
	print_text(line);
}

static void print_parameters(const struct parameter *parameters)
{
	(void)puts(".Pp\nParameters:\n.Bl -tag -width nr_task -compact");
	for (; parameters->name; parameters++) {
		(void)printf(".It Cm %s", parameters->name);
		if (parameters->alias)
			(void)printf(" , %s", parameters->alias);
		(void)putchar('\n');
		AUTO(text)
		char *beside = mem_format("%s%s%s%s", parameters->words ? parameters->words : "",
					  parameters->words ? "; " : "",
					  parameters->preset ? "default " : "must be given",
					  parameters->preset ? parameters->preset : "");
		print_item(parameters->what, beside);
	}
	(void)puts(".El");
}

static void print_metrics(const struct plugin *plugin)
{
	static const char *const directions[BETTER_COUNT] = {
		[BETTER_NONE] = "",
		[BETTER_HIGHER] = ", higher is better",
		[BETTER_LOWER] = ", lower is better",
		[BETTER_UNKNOWN] = ", direction unknown",
	};
	(void)puts(".Pp\nMetrics:\n.Bl -tag -width Ds -compact");
	for (const struct metric *metric = plugin->metrics; metric && metric->name; metric++) {
		(void)printf(".It %s\n", metric->name);
		const bool is_number = text_equal(metric->unit, "1");
		AUTO(text)
		char *beside =
			mem_format("%s, %s%s%s", is_number ? "a number" : metric->unit,
				   metric_kind_text(metric->kind), directions[metric->better],
				   metric->role == ROLE_RESTATED ? ", not judged again" : "");
		print_item(metric->what ? metric->what : "", beside);
	}
	if (plugin->metrics_open)
		(void)printf(".It %s.*\nas the running kernel names them\n", plugin->name);
	(void)puts(".El");
}

static bool same_names(const struct plugin *one, const struct plugin *other)
{
	const struct parameter *left = one->parameters;
	const struct parameter *right = other->parameters;
	if (!left || !right)
		return left == right;
	while (left->name && right->name && strcmp(left->name, right->name) == 0 &&
	       text_equal(left->preset, right->preset)) {
		left++;
		right++;
	}
	return !left->name && !right->name &&
	       text_equal(one->metrics[0].name, other->metrics[0].name);
}

/* The tests of a suite share parameters and metrics: they are told at the first one. */
static const struct plugin *told_before(const struct plugin *const *plugins, size_t index)
{
	const struct plugin *plugin = plugins[index];
	for (size_t i = 0; plugin->suite && i < index; i++)
		if (text_equal(plugins[i]->suite, plugin->suite) && same_names(plugins[i], plugin))
			return plugins[i];
	return NULL;
}

static void print_plugin(const struct plugin *plugin, const struct plugin *told)
{
	(void)printf(".Ss %s\n", plugin->name);
	print_text(plugin->what);
	(void)puts(".Pp");
	print_text(plugin->stands);
	if (plugin->suite)
		(void)printf(".Pp\nOf the suite %s; also called\n.Ql %s/%s .\n", plugin->suite,
			     plugin->suite, plugin->name);
	if (plugin->semantics)
		(void)printf(".Pp\nSemantics version %u%s%s.\n", plugin->semantics,
			     plugin->semantics_by ? ", counted up by the word of " : "",
			     plugin->semantics_by ? plugin->semantics_by : "");
	if (plugin->needs & NEED_ROOT)
		(void)printf(".Pp\nNeeds root: %s.\n", plugin->needs_why);
	if (plugin->needs & NEED_NODES)
		(void)printf(".Pp\nNeeds two NUMA nodes: %s.\n", plugin->needs_why);
	if (plugin->on_request)
		(void)puts(
			".Pp\nRead on request: where it is named, or beside a workload that names it.");
	if (plugin->monitor)
		(void)printf(".Pp\nThe monitor\n.Cm %s\nis among all monitors of its runs.\n",
			     plugin->monitor);
	if (plugin->cost_ns)
		(void)printf(
			".Pp\nA sample costs about %.2g microseconds of CPU time with two CPUs.\n",
			(double)plugin->cost_ns / 1e3);
	if (told) {
		(void)printf(".Pp\nParameters and metrics are those of\n.Sx %s .\n", told->name);
		return;
	}
	if (plugin->parameters && plugin->parameters->name)
		print_parameters(plugin->parameters);
	if (plugin->metrics_open || (plugin->metrics && plugin->metrics->name))
		print_metrics(plugin);
}

static int print_plugins(const struct plugin *const *plugins, size_t n)
{
	for (size_t i = 0; i < n; i++)
		print_plugin(plugins[i], told_before(plugins, i));
	return 0;
}

static int print_guards(void)
{
	for (size_t i = 0; i < guard_table_count; i++) {
		(void)printf(".Ss %s\n.Em ", guard_table[i]->name);
		print_text(guard_table[i]->asks);
		(void)puts(".Pp");
		print_text(guard_table[i]->explains);
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
	const struct catalogue *catalogue = rows_built_in();
	const char *word;
	if ((word = placeholder(line, "OPTIONS")))
		return print_options(word);
	if ((word = placeholder(line, "SYNOPSIS")))
		return print_synopsis(word);
	if (placeholder(line, "COMMANDS"))
		return print_commands();
	if (placeholder(line, "WORKLOADS"))
		return print_plugins(catalogue->workloads, catalogue->n_workloads);
	if (placeholder(line, "GUARDS"))
		return print_guards();
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
