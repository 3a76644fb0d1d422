/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scope release: what a variable owns is released when its scope ends.
 *
 *     AUTO(file) FILE *file = fopen(path, "re");
 *     ...
 *     return KEEP(file);
 *
 * Declare and initialise in one statement; no goto in a function that uses AUTO. Each owning module
 * says DEFINE_AUTO once beside its release function; release functions accept NULL.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define AUTO(name) __attribute__((cleanup(auto_release_##name)))

/* DEFINE_AUTO(file, FILE *, fclose): makes AUTO(file) release a FILE * that is not NULL. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses. */
#define DEFINE_AUTO(name, type, release)                                                           \
	static inline void auto_release_##name(type *owned)                                        \
	{                                                                                          \
		if (*owned)                                                                        \
			release(*owned);                                                           \
	}                                                                                          \
	struct auto_needs_semicolon_##name
/* NOLINTEND(bugprone-macro-parentheses) */

/* Hands an owned pointer out of its scope: gives its value and leaves NULL behind. */
#define KEEP(pointer)                                                                              \
	({                                                                                         \
		__auto_type kept_ = (pointer);                                                     \
		(pointer) = NULL;                                                                  \
		kept_;                                                                             \
	})

/* The same for a file descriptor: leaves -1 behind. */
#define KEEP_FD(fd)                                                                                \
	({                                                                                         \
		int kept_ = (fd);                                                                  \
		(fd) = -1;                                                                         \
		kept_;                                                                             \
	})

static inline void auto_release_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* Nothing can be done about a failing close of a descriptor that
				     is given up. */
}

static inline void auto_close_file(FILE *file)
{
	(void)fclose(file); /* Writers that care call fclose themselves and look at its answer. */
}

DEFINE_AUTO(file, FILE *, auto_close_file);
DEFINE_AUTO(text, char *, free); /* Any heap string, or another block got from mem_*. */
