/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command of the program: one file, one row. The row says everything: parsing, help, completion
 * and the manual test use it.
 */
#pragma once

#include "cli/options.h"

#include <stddef.h>

enum exit_code { /* So that assay itself can be the script of `git bisect run`. */
		 EXIT_NO_REGRESSION = 0,
		 EXIT_REGRESSION = 1,
		 EXIT_CANNOT_SAY = 125,
		 EXIT_SURROUNDINGS = 128,
		 EXIT_USAGE = 129,
		 EXIT_CTRL_C = 130,
};

struct command_row {
	const char *name;
	const char *words; /* Usage of what is not an option: "BASE HEAD...", or "". */
	const char *what;  /* One line. */
	const struct option_row *options;        /* Without --help, which every command has. */
	int (*run)(const struct parsed *parsed); /* An exit code; has printed its own errors. */
	const char
		*completes; /* What completion offers for words: "workload", "side", ... or NULL. */
};

/* Sorted by name. */
extern const struct command_row *const command_rows[];
extern const size_t command_row_count;

const struct command_row *command_find(const char *name); /* NULL when absent. */

/* The rows, each at the bottom of its own file. */
extern const struct command_row command_bisect;
extern const struct command_row command_compare;
extern const struct command_row command_completion;
extern const struct command_row command_doctor;
extern const struct command_row command_help;
extern const struct command_row command_list;
extern const struct command_row command_mark;
extern const struct command_row command_resume;
extern const struct command_row command_rm;
extern const struct command_row command_run;
extern const struct command_row command_runs;
extern const struct command_row command_show;
extern const struct command_row command_stat;
extern const struct command_row command_store;
extern const struct command_row command_version;

/* Options that several commands have. */
#define OPTION_STORE                                                                               \
	{                                                                                          \
		.name = "store", .value = "DIR", .words = "directory",                             \
		.what = "the store to use (default: $ASSAY_STORE, else the user's data directory)" \
	}
#define OPTION_ADAPTER                                                                             \
	{                                                                                          \
		.name = "adapter", .value = "FILE", .words = "file",                               \
		.what = "an adapter of one's own (assay-adapter(5)); may be repeated"              \
	}
#define OPTION_JSON                                                                                \
	{                                                                                          \
		.name = "json", .what = "print JSON"                                               \
	}
