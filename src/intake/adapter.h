/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An adapter describes an external program: how it is started, its parameters, and where the scores
 * stand in its output. It is a YAML file (assay-adapter(5)), or is made from the words of --score. The
 * probe knows nothing of it: it runs the program by its workload `command` and keeps what it printed;
 * harvest.h reads the scores out of that.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/catalogue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits, so that a slip in a file cannot fill the memory or the store. */
#define ADAPTER_SCORES_MAX 64
#define ADAPTER_PARAMETERS_MAX 64
#define ADAPTER_WORDS_MAX 128 /* Of `start`. */
#define ADAPTER_ROW "{row}"   /* In the name of a score that gives one metric a row. */

enum score_source {
	SCORE_TIME, /* Nothing of the output: the time that the program took. */
	SCORE_REGEX,
	SCORE_JSON,
	SCORE_CSV,
	SCORE_SOURCE_COUNT,
};

enum score_pick {            /* Which of several numbers of one name. */
		  PICK_ONLY, /* Several are a failure: nobody said which is meant. */
		  PICK_FIRST,
		  PICK_LAST,
		  PICK_SUM,
		  PICK_MEAN,
		  PICK_LEAST,
		  PICK_MOST,
		  PICK_COUNT,
};

struct score_scale { /* A unit that the output prints behind the number. */
	char *word;
	double factor; /* Takes the number to the score's own unit. */
};

struct adapter_place { /* In the file, both from 1. */
	unsigned line, column;
};

struct score {
	char *name; /* Of the metric; may hold ADAPTER_ROW. */
	char *unit;
	char *what; /* May be "". */
	enum metric_better better;
	enum metric_role role;
	enum score_source source;
	char *expression; /* Regular expression, JSON pointer or column; NULL for the time. */
	char *row;        /* JSON pointer below the '*', or column, of the row's name; or NULL. */
	char *where;      /* The same of what a row must hold; or NULL. */
	char *where_value;
	char *after; /* Only lines behind one that matches this expression; or NULL. */
	char *until; /* And no further than one that matches this; or NULL. */
	enum score_pick pick;
	bool optional; /* Its absence is no failure. */
	double factor; /* Takes the number to the unit; 1 when nothing was said. */
	struct score_scale *scales;
	size_t n_scales;
	struct adapter_place place; /* Of the expression in the file; 0 when it is of none. */
};

struct adapter_choice { /* What a word of a parameter becomes on the command line. */
	char *word;
	char *text; /* The same as the word when nothing was said. */
};

struct adapter {
	char *name;
	char *what;
	char *stands;
	char *program; /* The program file that must be there. */
	char *package; /* Debian's package that has it; NULL: none. */
	char *seen;    /* The version of the program that the adapter was written for. */
	char *path;    /* Of the file. */
	char sha256[65];
	unsigned rank; /* Whose it is: the larger one of a name holds. */
	uint32_t semantics;
	char **start; /* Words with {parameter} in them. */
	size_t n_start;
	struct parameter *parameters; /* Owned with their strings; a NULL name ends them. */
	size_t n_parameters;
	struct adapter_choice **choices; /* One array a parameter, ended by a NULL word; NULL for
					    those without. */
	struct adapter_place *presets;   /* One a parameter: where its default stands. */
	struct score *scores;
	size_t n_scores;
	struct metric *metrics; /* For the catalogue; '*' stands for the row. Made last. */
	struct plugin plugin;   /* Borrows all of the above. */
};

/* -EINVAL with "<file>:<line>:<column>: ..." in err. */
int adapter_parse(const char *text, size_t length, const char *path, struct adapter **ret_adapter,
		  struct error *err);
void adapter_free(struct adapter *adapter); /* NULL is allowed. */

/* What --score and the parameter `score` of the workload `command` say: "KIND[:WHERE][,unit=U]
 * [,better=higher|lower][,name=N][,pick=P]", several with ";;" between them. An adapter with scores
 * alone. */
int adapter_from_words(const char *words, struct adapter **ret_adapter, struct error *err);

/* Expressions compile, groups and rows fit each other, names are no two times the same. */
int adapter_check_scores(const struct adapter *adapter, struct error *err);

/* The row for the catalogue, made anew from what the adapter holds. */
void adapter_make_row(struct adapter *adapter);

/* The text of the parameter's word on the command line: the word itself when it has no other. */
const char *adapter_choice(const struct adapter *adapter, size_t parameter, const char *word);

const char *score_source_text(enum score_source source); /* "time", "regex", ... */
const char *score_pick_text(enum score_pick pick);       /* "only", "first", ... */
/* ..._COUNT when there is no such word. */
enum score_source score_source_find(const char *word);
enum score_pick score_pick_find(const char *word);
void score_done(struct score *score);

DEFINE_AUTO(adapter, struct adapter *, adapter_free);
