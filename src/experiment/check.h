/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checks of an experiment's pieces: one sentence each, without a place. Files and command-line
 * words put the place in front. Nothing here needs a machine. All give 0 or -EINVAL.
 */
#pragma once

#include "base/error.h"
#include "experiment/experiment.h"
#include "record/catalogue.h"

#include <stddef.h>

#define CHECK_NAME_BYTES_MAX 64
#define CHECK_QUESTION_BYTES_MAX 500
#define CHECK_VALUE_BYTES_MAX 4096
#define CHECK_INTERVAL_NS_MIN 10000000ULL /* Ten milliseconds. */

/* Of a subject or an experiment; `what` is "subject". Letters, digits and . _ - + only, since
 * names are words of the command line. */
int check_name(const char *what, const char *name, struct error *err);

/* Against the parameter's row. *ret_column is where in `text` the fault is (from 0). */
int check_value(const struct parameter *parameter, const char *text, unsigned *ret_column,
		struct error *err);

/* The kinds that an error may offer: not `kernel`, as there is no place yet that boots one. `words`
 * has room for SETTING_KIND_COUNT. How many they are. */
size_t check_setting_kinds(const char **words);
int check_setting_key(enum setting_kind kind, const char *key, struct error *err);
int check_setting_value(enum setting_kind kind, const char *value, struct error *err);

int check_runs(uint64_t runs, struct error *err);
int check_max_runs(uint64_t runs, struct error *err);
int check_max_time(uint64_t max_time_ns, struct error *err);
int check_effect(double percent, struct error *err); /* 0 = auto. */
int check_alpha(double alpha, struct error *err);    /* 0 = preset. */
int check_aa(double percent, struct error *err);     /* 0 = none. */

/* All of the above, and that they do not contradict each other. */
int check_stopping(const struct experiment *experiment, struct error *err);

/* Is there anything to decide? The subjects must be there. */
int check_until(const struct experiment *experiment, struct error *err);

int check_seed(uint64_t seed, struct error *err);
int check_interval(uint64_t interval_ns, struct error *err);
int check_time_limit(uint64_t time_limit_ns, struct error *err);
int check_question(const char *question, struct error *err);
int check_place(const char *place, struct error *err);

/* The subject's index-th setting, which is of the param kind, against the selected workloads: it
 * names a parameter of at least one, its value is right for each that has it, the matrix does not
 * list several values of it, and no setting before it is of the same parameter (alias and name). */
int check_param(const struct experiment *experiment, const struct subject *subject, size_t index,
		const struct catalogue *catalogue, struct error *err);

/* The index-th subject's settings: none twice. */
int check_subject(const struct experiment *experiment, size_t index, struct error *err);

/* The index-th selected workload: parameters without a preset are given, here or by every subject.
 */
int check_selected(const struct experiment *experiment, size_t index,
		   const struct catalogue *catalogue, struct error *err);

/* Points and runs of the whole. */
int check_size(const struct experiment *experiment, struct error *err);

/* The row of a workload or monitor; -EINVAL with the nearest name. */
int check_workload(const char *name, const struct catalogue *catalogue,
		   const struct plugin **ret_plugin, struct error *err);
int check_monitor(const char *name, const struct catalogue *catalogue, struct error *err);
int check_parameter(const struct plugin *plugin, const char *name,
		    const struct parameter **ret_parameter, struct error *err);

/* Sets "<what> '<word>'" with the nearest of `n` words when one is near. */
int check_unknown(const char *what, const char *word, const char *const *words, size_t n,
		  struct error *err);
