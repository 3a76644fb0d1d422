/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting an experiment together, piece by piece. Everything is copied; nothing is checked here
 * (see check.h). The pointers given back are borrowed and hold until the next piece of the same
 * kind is added.
 */
#pragma once

#include "experiment/experiment.h"

#include <stddef.h>

struct selected *build_selected(struct experiment *experiment, const char *workload);
struct values *build_values(struct selected *selected, const char *name);
void build_text(struct values *values, const char *text);

struct subject *build_subject(struct experiment *experiment, const char *name);
void build_setting(struct subject *subject, enum setting_kind kind, const char *key,
		   const char *value);

void build_monitor(struct experiment *experiment, const char *name);

/* `metric` may be NULL. */
void build_better(struct experiment *experiment, const char *metric, bool higher);

/* Replaces an owned string. */
void build_string(char **string, const char *text);

/* Takes the last subject or workload away again. */
void build_drop_subject(struct experiment *experiment);
void build_drop_selected(struct experiment *experiment);
