/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a bisection is about, all that is settled before the first run: which repository and commits, how
 * they are built and measured, what is asked. It is the plan of the bisection's campaign; with the runs of
 * the campaign it tells the whole decision, on any machine and without the repository.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "bisect/graph.h"
#include "record/metric.h"
#include "revision/history.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BISECT_CASE_FORMAT "assay-bisection"
#define BISECT_CASE_VERSION 1

struct bisect_given { /* A run that was there beforehand. */
	uint32_t commit;
	uint32_t session;
	double value;
	char *product; /* Hash of what its build made; NULL when not known. */
	char *run;     /* "campaign/sequence": where it came from. */
};

struct bisect_case {
	char *repository;          /* Directory, as it was when the bisection began. */
	char *build;               /* Shell command. */
	char *command;             /* The measured program and its arguments. */
	char *score;               /* As asked for; NULL: the exit code decides. */
	enum metric_better better; /* BETTER_UNKNOWN: any change. */
	char *machine; /* Type of machine that it was begun on; NULL when it is not known. */
	char **paths;  /* Commits that touch one of these are likelier. */
	size_t n_paths;
	double confidence;
	double cost_build, cost_run; /* 0: as they come out. */
	uint64_t max_runs;           /* 0: no limit. */
	uint64_t seed;
	uint64_t time_limit_ns; /* Of one run; 0: the workload's own. */
	struct history *history;
	struct graph *graph; /* Of the history. */
	struct bisect_given *given;
	size_t n_given;
};

struct bisect_case *bisect_case_new(void); /* Empty. */
void bisect_case_free(struct bisect_case *bisection);

/* Makes the graph of the history. -EINVAL when there is none to be made. */
int bisect_case_graph(struct bisect_case *bisection, struct error *err);

/* New string; and back: -EBADMSG when it is damaged, -EINVAL when it is no bisection. */
char *bisect_case_text(const struct bisect_case *bisection);
int bisect_case_parse(const char *text, struct bisect_case **ret_case, struct error *err);

/* Is that plan of a campaign a bisection? */
bool bisect_case_is(const char *plan);

/* Does the commit touch one of the paths asked for? */
bool bisect_case_touches(const struct bisect_case *bisection, uint32_t commit);

/* Every file that the commit touches can matter only through what is built. */
bool bisect_case_is_compiled(const struct bisect_case *bisection, uint32_t commit);

DEFINE_AUTO(bisect_case, struct bisect_case *, bisect_case_free);
