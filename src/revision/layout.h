/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do two builds of a program differ in what their functions do, or only in where they lie? The bodies
 * are compared as objdump of binutils prints them, without addresses and padding; a function that refers to
 * an unnamed constant that moved counts as changed, so that "only moved" is never said in vain.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define LAYOUT_NAMES_MAX 8
#define LAYOUT_NAME_BYTES 64

enum layout_kind {
	LAYOUT_UNKNOWN, /* It could not be looked at; reason says why. */
	LAYOUT_SAME,    /* Nothing moved and nothing changed. */
	LAYOUT_MOVED,   /* Functions lie elsewhere; no body changed. */
	LAYOUT_CHANGED, /* Bodies changed. */
};

struct layout {
	enum layout_kind kind;
	char reason[128];
	size_t n_functions; /* In both. */
	size_t n_changed, n_moved;
	size_t n_one_sided;                                /* In one of the two only. */
	char changed[LAYOUT_NAMES_MAX][LAYOUT_NAME_BYTES]; /* Names of the first ones. */
};

/* Paths of two programs. Never fails: what cannot be told is LAYOUT_UNKNOWN. */
void layout_compare(const char *base, const char *head, struct layout *ret_layout);

const char *layout_kind_text(enum layout_kind kind);
