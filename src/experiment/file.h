/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading an experiment file: what file.c, file_matrix.c and file_subject.c share. Only they include
 * this; the way in is experiment_parse.
 */
#pragma once

#include "base/error.h"
#include "base/macros.h"
#include "experiment/experiment.h"
#include "experiment/yaml.h"

#include <stddef.h>

struct file {
	const char *name;
	const struct catalogue *catalogue;
	struct experiment *experiment;
	const struct yaml_node *root;
	struct error *err; /* Never NULL. */
};

/* Puts the place in front of the sentence that is there already. */
int file_at(const struct file *file, struct yaml_place place);

/* A sentence with its place. */
int file_wrong(const struct file *file, struct yaml_place place, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* The node is not what is wanted there. */
int file_wrong_kind(const struct file *file, const struct yaml_node *node, const char *wanted);

/* The item's key is none of the words. */
int file_unknown(const struct file *file, const struct yaml_node *item, const char *what,
		 const char *const *words, size_t n);

/* Borrowed from the node. A list, a map or nothing is refused. */
int file_word(const struct file *file, const struct yaml_node *node, const char **ret_word);

/* The keys `workload`, `workloads` and `subjects`; the workloads come first. */
int file_workload(struct file *file, const struct yaml_node *node);
int file_workloads(struct file *file, const struct yaml_node *node);
int file_subjects(struct file *file, const struct yaml_node *node);
