/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An experiment: workloads x parameter lists x subjects at a place, and until when. Read from YAML
 * (assay-experiment(5)) or built from command-line words; both go through the same checks against
 * the catalogue. Every error of a file names file, line, column, what was wrong, and the nearest
 * valid word. Bad input is -EINVAL.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"
#include "record/catalogue.h"
#include "record/job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits, so that a slip does not plan a million runs. */
#define EXPERIMENT_SUBJECTS_MAX 64
#define EXPERIMENT_POINTS_MAX 10000
#define EXPERIMENT_RUNS_MAX 100000             /* Of the whole, not only of a subject. */
#define EXPERIMENT_SEED_MAX ((1ULL << 53) - 1) /* What JSON keeps exactly. */

#define EXPERIMENT_FIRST_LOOK 8   /* Runs a side that are there before a campaign may be decided. */
#define EXPERIMENT_RUNS_PRESET 10 /* Of one subject alone. */
#define EXPERIMENT_MAX_RUNS_PRESET 20 /* Of each subject, until decided. */
#define EXPERIMENT_AA_PERCENT_MAX 50

enum until {
	UNTIL_PRESET,  /* Nothing was said: decided; one subject alone has nothing to decide and
			* gets a fixed number. */
	UNTIL_DECIDED, /* Every score of every head has a verdict, or the most runs are made. */
	UNTIL_RUNS,    /* A fixed number, whatever they say. */
};

struct stopping { /* When a campaign has measured enough. */
	bool until_decided;
	uint64_t runs_max;     /* Of each subject at each point; the number itself when fixed. */
	uint64_t time_max_ns;  /* Of one session (run or resume); 0 = no end. */
	double effect_percent; /* Changes within it do not matter; 0 = worked out (auto). */
	double alpha; /* False-alarm rate over all scores (record/alpha.h); 0 = the preset. */
};

struct better {       /* Which way a score is good, whatever its row says. */
	char *metric; /* Name or pattern; NULL: every score. */
	bool higher;
};

struct values { /* One parameter with the list of its values: one dimension of the matrix. */
	char *name;
	char **texts; /* As written. */
	size_t n_texts;
};

struct selected { /* One workload with its dimensions. */
	char *workload;
	struct values *values;
	size_t n_values;
};

struct subject {
	char *name;
	struct setting *settings;
	size_t n_settings;
};

struct experiment {
	char *name;     /* May be NULL. */
	char *question; /* One line for people; may be NULL. */
	struct selected *selected;
	size_t n_selected;
	struct subject *subjects; /* At least one; the first is the base. */
	size_t n_subjects;
	char **monitors; /* NULL-less list; empty means all. "none" alone means none. */
	size_t n_monitors;
	struct better *better; /* The last that fits holds. */
	size_t n_better;
	char *place; /* "host". */
	enum until until;
	uint64_t runs;        /* UNTIL_RUNS: of each subject at each point. */
	uint64_t max_runs;    /* UNTIL_DECIDED: the most; 0 = preset. */
	uint64_t max_time_ns; /* As in struct stopping, and the two below. */
	double effect_percent;
	double alpha;
	double aa_percent;      /* Share of all runs that a twin of the base gets; 0 = none. */
	bool warm_up_block;     /* A session begins with a block that is kept and never judged. */
	uint64_t seed;          /* 0 = draw one. */
	uint64_t interval_ns;   /* Sampling interval of the monitors; default one second. */
	uint64_t time_limit_ns; /* Of one run; 0 = worked out from the workload. */
};

struct experiment *experiment_new(void); /* With the defaults, nothing selected. */
void experiment_free(struct experiment *experiment);

/* `file_name` is for messages. */
int experiment_parse(const char *yaml, size_t length, const char *file_name,
		     const struct catalogue *catalogue, struct experiment **ret_experiment,
		     struct error *err);

/* Command-line pieces. "-p mode=process,thread" adds a dimension to all selected workloads (an
 * alias is allowed). */
int experiment_add_workload(struct experiment *experiment, const char *name,
			    const struct catalogue *catalogue, struct error *err);
int experiment_add_parameter(struct experiment *experiment, const char *text,
			     const struct catalogue *catalogue, struct error *err);
/* "base", "head:vm.numa_stat=0", "big:param.groups=8,env.FOO=bar": NAME[:KIND.KEY=VALUE[,...]]; a
 * dotted key without a kind is a sysctl. A comma inside a value is written "\,". */
int experiment_add_subject(struct experiment *experiment, const char *text, struct error *err);

/* Everything that can be checked without a machine: words, limits, duplicate subjects, settings of
 * param kind. */
int experiment_check(const struct experiment *experiment, const struct catalogue *catalogue,
		     struct error *err);

/* What holds when the experiment's presets are filled in. */
struct stopping experiment_stopping(const struct experiment *experiment);

DEFINE_AUTO(experiment, struct experiment *, experiment_free);
