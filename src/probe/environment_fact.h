/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the environment have in common: the sink that facts go to, and the few ways in which a file
 * becomes a fact. The first failing write is kept and ends all writing. For src/probe/environment*.c only.
 */
#pragma once

#include "record/value.h"

#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#define ENVIRONMENT_NAME_BYTES 192
#define ENVIRONMENT_LINE_BYTES 4096 /* Longest small file that is read whole. */

struct wire;

struct environment {
	int root_fd;
	struct wire *wire;
	int failure; /* Negative errno of the first write that failed; 0 while all went well. */
};

/* A known value. Runs of blanks and control bytes become one blank, those at the ends are dropped. */
void environment_known(struct environment *environment, const char *name, const char *text);
void environment_number(struct environment *environment, const char *name, uint64_t number);
void environment_missing(struct environment *environment, const char *name, enum missing why);

/* The whole small file at `path` as one value; missing when it cannot be read. */
void environment_line(struct environment *environment, const char *name, const char *path);

/* As environment_line, of a file in which the kernel marks the chosen word: "always [madvise] never" gives madvise. */
void environment_chosen(struct environment *environment, const char *name, const char *path,
			const char brackets[static 2]);

/* Cuts a text with a marked word down to that word, in place; without a mark it stays whole. */
void environment_choose(char *text, const char brackets[static 2]);

/* Values that should be the same on every CPU; they are counted when they are not. */
#define ENVIRONMENT_DISTINCT_MAX 8

struct environment_distinct {
	char values[ENVIRONMENT_DISTINCT_MAX][256]; /* In the order of first appearance. */
	unsigned n;
	unsigned n_dropped; /* Further values that found no room. */
	enum missing why;   /* Of the last one that could not be had, MISSING_NOT when all could. */
};

void environment_distinct_add(struct environment_distinct *distinct, const char *text);
/* Adds the file's value, or remembers why it is missing. */
void environment_distinct_read(struct environment_distinct *distinct, int root_fd,
			       const char *path);
/* One value, "mixed: a, b", or missing when there was none. */
void environment_distinct_record(struct environment *environment, const char *name,
				 const struct environment_distinct *distinct);

/* Calls each(name) for the entries of a folder below the root, without those that begin with '.'. 0 or -errno. */
int environment_folder_each(int root_fd, const char *path,
			    void (*each)(const char *name, void *user), void *user);

/* The start of the line behind this one; the end of the text when there is none. */
const char *environment_next_line(const char *line);

/* Copies at most size - 1 of the bytes and terminates. */
void environment_copy(char *buffer, size_t size, const char *bytes, size_t length);

/* The parts, each in the file of its name. */
void environment_kernel(struct environment *environment);
void environment_config(struct environment *environment);
void environment_cpu(struct environment *environment);
void environment_memory(struct environment *environment);
void environment_sysctl(struct environment *environment);
void environment_cgroup(struct environment *environment);
void environment_machine(struct environment *environment);
void environment_moment(struct environment *environment);
void environment_process(struct environment *environment);
void environment_program(struct environment *environment, const char *program);
