/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading an experiment file: what file.c and the other files file_*.c share. Only they include
 * this; the way in is experiment_parse.
 */
#pragma once

#include "base/error.h"
#include "base/macros.h"
#include "base/yaml.h"
#include "experiment/experiment.h"

#include <stddef.h>
#include <stdint.h>

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

int file_number(const struct file *file, const struct yaml_node *node, uint64_t *ret_number);
int file_duration(const struct file *file, const struct yaml_node *node, uint64_t *ret_ns);

/* The keys that say when enough has been measured; they are read in this order. */
int file_until(struct file *file, const struct yaml_node *node);
int file_runs(struct file *file, const struct yaml_node *node);
int file_max_runs(struct file *file, const struct yaml_node *node);
int file_max_time(struct file *file, const struct yaml_node *node);
int file_effect(struct file *file, const struct yaml_node *node);
int file_alpha(struct file *file, const struct yaml_node *node);
int file_warm_up_block(struct file *file, const struct yaml_node *node);
int file_better(struct file *file, const struct yaml_node *node);
int file_aa(struct file *file, const struct yaml_node *node);

/* The keys `workload`, `workloads` and `subjects`; the workloads come first. */
int file_workload(struct file *file, const struct yaml_node *node);
int file_workloads(struct file *file, const struct yaml_node *node);
int file_subjects(struct file *file, const struct yaml_node *node);
