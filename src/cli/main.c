/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assay: which command, its options, its exit code. The only place where the program ends. */
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/rows.h"
#include "cli/say.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int unknown_command(const char *name)
{
	const char **names = mem_array(command_row_count, sizeof(*names));
	for (size_t i = 0; i < command_row_count; i++)
		names[i] = command_rows[i]->name;
	const char *near = text_nearest(name, names, command_row_count);
	free(names);
	if (near)
		return say_usage("unknown command '%s', did you mean '%s'?", name, near);
	return say_usage("unknown command '%s'; 'assay help' lists the commands", name);
}

/* The command's own options and --help. New array. */
static struct option_row *with_help(const struct option_row *own)
{
	size_t n = 0;
	while (own[n].name)
		n++;
	struct option_row *rows = mem_array(n + 2, sizeof(*rows));
	memcpy(rows, own, n * sizeof(*rows));
	rows[n] = (struct option_row) { .name = "help", .letter = 'h', .what = "show this help" };
	return rows;
}

/* Before the command takes hold of the catalogue. */
static int add_adapters(const struct parsed *parsed, struct error *err)
{
	int failed = 0;
	for (size_t i = 0; i < parsed->n_options && !failed; i++)
		if (strcmp(parsed->options[i].row->name, "adapter") == 0)
			failed = rows_adapter_add(parsed->options[i].value, err);
	return failed;
}

static int run_command(const struct command_row *command, int argc, char **argv)
{
	struct error err = { 0 };
	struct option_row *rows = with_help(command->options);
	AUTO(parsed) struct parsed *parsed = NULL;
	int code;
	if (options_parse(rows, argc, argv, &parsed, &err)) {
		code = say_usage("%s (see 'assay %s --help')", err.text, command->name);
	} else if (options_has(parsed, "help")) {
		help_print(command);
		code = say_done(EXIT_NO_REGRESSION);
	} else if (add_adapters(parsed, &err)) {
		code = say_usage("%s", err.text);
	} else {
		code = command->run(parsed);
	}
	options_free(KEEP(parsed));
	free(rows);
	return code;
}

int main(int argc, char **argv)
{
	/* A limit of file size is a failing write, which the store reports, not a death. */
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN); /* A closed pipe is an error of write, told by say_done. */
	if (argc < 2) {
		help_overview(stderr);
		return EXIT_USAGE;
	}
	const char *name = argv[1];
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = "help";
	else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
		name = "version";
	const struct command_row *command = command_find(name);
	return command ? run_command(command, argc - 1, argv + 1) : unknown_command(name);
}
