/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * YAML text as a small tree in which everything knows where it stood. Only what a file for people
 * needs: words, lists and maps in one document. Anchors, aliases, tags and keys that are no words
 * are refused, and so are duplicate keys, tabs in the indentation and what is not UTF-8; sizes are
 * limited. What the words mean is not looked at here.
 */
#pragma once

#include "base/auto.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define YAML_BYTES_MAX (256U * 1024)
#define YAML_NODES_MAX 12000
#define YAML_DEPTH_MAX 16

enum yaml_kind {
	YAML_WORD,
	YAML_LIST,
	YAML_MAP,
};

struct yaml_place { /* Both from 1; columns count characters. */
	unsigned line;
	unsigned column;
};

struct yaml_node {
	enum yaml_kind kind;
	struct yaml_place place;
	char *key; /* Its name in the map above; NULL outside a map. */
	struct yaml_place key_place;
	char *text;               /* YAML_WORD: as written, without quotes. */
	bool plain;               /* YAML_WORD: without quotes; an empty one says nothing at all. */
	bool one_line;            /* YAML_WORD: column of its n-th character is place.column + n. */
	struct yaml_node **items; /* YAML_LIST, YAML_MAP. */
	size_t n_items;
};

/* -EINVAL with "<line>:<column>: <what is wrong>" in err. */
int yaml_parse(const char *text, size_t length, struct yaml_node **ret_root, struct error *err);
void yaml_free(struct yaml_node *root); /* NULL is allowed. */

/* The item of a map with this key, or NULL. */
const struct yaml_node *yaml_find(const struct yaml_node *map, const char *key);

/* True for `key:` with nothing behind it. */
bool yaml_is_empty(const struct yaml_node *node);

/* "a word", "an empty list", "nothing". */
const char *yaml_kind_text(const struct yaml_node *node);

DEFINE_AUTO(yaml, struct yaml_node *, yaml_free);
