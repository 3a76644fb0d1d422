/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading an adapter's file: what adapter_file.c and the other files adapter_file_*.c share. Only they
 * include this; the way in is adapter_parse.
 */
#pragma once

#include "base/error.h"
#include "base/macros.h"
#include "base/yaml.h"
#include "intake/adapter.h"

#include <stddef.h>
#include <stdint.h>

struct adapter_file {
	const char *path;
	struct adapter *adapter;
	struct error *err; /* Never NULL. */
};

struct adapter_key { /* A key of a map, and what to do with its value. */
	const char *name;
	int (*read)(struct adapter_file *file, const struct yaml_node *node, void *into);
	bool required;
};

/* A sentence with its place: always -EINVAL. */
int adapter_file_wrong(const struct adapter_file *file, struct yaml_place place, const char *format,
		       ...) PRINTF_LIKE(3, 4);

/* Puts the place in front of the sentence that is there already. */
int adapter_file_at(const struct adapter_file *file, struct yaml_place place);

/* "unknown <what> '<word>', did you mean ...": with the nearest of the words. */
int adapter_file_unknown(const struct adapter_file *file, struct yaml_place place, const char *what,
			 const char *word, const char *const *words, size_t n);

/* Reads a map by its keys, in the order of the keys. `into` goes to each. */
int adapter_file_map(struct adapter_file *file, const struct yaml_node *map, const char *what,
		     const struct adapter_key *keys, size_t n_keys, void *into);

/* One line of text into *ret_text (which must be NULL). Borrowed and copied. */
int adapter_file_text(struct adapter_file *file, const struct yaml_node *node, char **ret_text);

/* One of the words; *ret_index is which. */
int adapter_file_word(struct adapter_file *file, const struct yaml_node *node,
		      const char *const *words, size_t n, size_t *ret_index);
int adapter_file_number(struct adapter_file *file, const struct yaml_node *node,
			uint64_t *ret_number);
int adapter_file_decimal(struct adapter_file *file, const struct yaml_node *node,
			 double *ret_number);
int adapter_file_yes(struct adapter_file *file, const struct yaml_node *node, bool *ret_yes);

/* A name such as of an adapter or a parameter: letters, digits, '-', '_', '.'. */
int adapter_file_name(struct adapter_file *file, const char *name, struct yaml_place place);

/* The keys `parameters`, `start` and `scores`. */
int adapter_file_parameters(struct adapter_file *file, const struct yaml_node *node, void *into);
int adapter_file_start(struct adapter_file *file, const struct yaml_node *node, void *into);
int adapter_file_scores(struct adapter_file *file, const struct yaml_node *node, void *into);
