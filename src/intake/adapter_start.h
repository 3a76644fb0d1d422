/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How an adapter's program is started: `start` with the job's arguments in it, as the workload
 * `command` takes it. In a word of `start`, {name} is the argument, {{ and }} are braces; a word that
 * is {name...} alone becomes as many words as the argument has, none when it is empty.
 */
#pragma once

#include "base/text.h"
#include "intake/adapter.h"
#include "record/job.h"

#include <stdbool.h>
#include <stddef.h>

enum start_kind {
	START_TEXT,   /* As it is. */
	START_VALUE,  /* {name} */
	START_SPREAD, /* {name...} */
	START_WRONG,  /* A brace that is none of them. */
};

struct start_piece {
	enum start_kind kind;
	const char *at;   /* Borrowed from the word. */
	size_t length;    /* START_TEXT: of the text; one brace of "{{". */
	const char *name; /* START_VALUE, START_SPREAD. */
	size_t name_length;
};

/* The next piece of a word; false at its end. */
bool start_next(const char **at, struct start_piece *ret_piece);

/* The value of the parameter `program`: words with quotes where they need them. New string. */
char *start_program(const struct adapter *adapter, const struct job *job);

/* Puts one word behind a command line, in quotes where it needs them. */
void start_add_word(struct text *line, const char *word);
