/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a build made: the programs and shared objects in its tree. Two commits with the same product run
 * the same code. Files that are read while it runs are not in it, which is why what a commit touches is
 * looked at too (product_is_compiled).
 */
#pragma once

#include "base/checksum.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct product {
	char hash
		[CHECKSUM_SHA256_HEX]; /* Of all programs and shared objects: names and elf_file_hash(). */
	size_t n_files;                /* 0: nothing that could be compared was built. */
	char *program; /* Path of the measured program when it is one of them, else NULL. Owned. */
};

/* `directory` is the tree of a build, `command` what is run in it: the first word names the program. */
int product_read(const char *directory, const char *command, struct product *ret_product,
		 struct error *err);
void product_done(struct product *product);

/* A file of that name can matter only through what is compiled from it: source, a rule of the build, or
 * text for people. False for everything that a running program might read. */
bool product_is_compiled(const char *path);
