/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of an ELF file is loaded to be run: code and data without symbols, debugging data and build ids.
 * Two files that agree in it run the same. 64-bit files of this machine's byte order are read; everything
 * in them is foreign and checked.
 */
#pragma once

#include "base/auto.h"
#include "base/checksum.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_BYTES_MAX (1U << 30)

struct elf_file_function {
	const char *name; /* Borrowed from the file. */
	uint64_t address, size;
};

struct elf_file {
	char *bytes;
	size_t length;
	struct elf_file_function *functions; /* Of the symbol table, by address. */
	size_t n_functions;
};

/* -ENOEXEC without a sentence when it is no ELF program or shared object that can be read here. */
int elf_file_read(const char *path, struct elf_file **ret_elf, struct error *err);
void elf_file_free(struct elf_file *elf); /* NULL is allowed. */

/* SHA-256 of names, addresses and contents of the loaded sections. Where the text `hide` stands in them
 * (the directory of a build, which assertions and __FILE__ hold), it counts as blanks. */
void elf_file_hash(const struct elf_file *elf, const char *hide,
		   char ret_hex[static CHECKSUM_SHA256_HEX]);

/* The share of its functions (0 to 1) that begin at a multiple of `bytes`; 0 without functions. */
double elf_file_aligned(const struct elf_file *elf, uint64_t bytes);

DEFINE_AUTO(elf_file, struct elf_file *, elf_file_free);
