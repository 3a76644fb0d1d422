/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ELF files of a tree. See product.h. */
#include "revision/product.h"

#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "revision/elf_file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#define DEPTH_MAX 40
#define FILES_MAX 100000

/* Endings of languages that are compiled, of build rules, and of prose. A script, an unknown ending and a
 * plain .txt may be read at run time. */
static const char *const compiled[] = {
	"*.c",          "*.h",
	"*.cc",         "*.cpp",
	"*.cxx",        "*.hh",
	"*.hpp",        "*.hxx",
	"*.S",          "*.s",
	"*.rs",         "*.go",
	"*.f90",        "*.md",
	"*.rst",        "*.adoc",
	"*.[1-8]",      "Makefile",
	"*.mk",         "meson.build",
	"*.cmake",      "CMakeLists.txt",
	"configure.ac", "*.am",
	"COPYING*",     "LICENSE*",
	"NEWS",         "ChangeLog",
	"AUTHORS",      "README*",
	".gitignore",   "Kconfig",
};

bool product_is_compiled(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	for (size_t i = 0; i < ARRAY_SIZE(compiled); i++)
		if (fnmatch(compiled[i], name, 0) == 0)
			return true;
	return false;
}

void product_done(struct product *product)
{
	free(product->program);
	*product = (struct product) { 0 };
}

struct found { /* The files of a walk, as lines "name hash". */
	const char *root;
	char **lines;
	size_t n, capacity;
};

static void add_file(struct found *found, const char *path)
{
	char hex[CHECKSUM_SHA256_HEX];
	AUTO(elf_file) struct elf_file *elf = NULL;
	if (found->n >= FILES_MAX || elf_file_read(path, &elf, /* err= */ NULL))
		return;
	elf_file_hash(elf, found->root, hex);
	found->lines = mem_grow(found->lines, &found->capacity, found->n + 1, sizeof(char *));
	found->lines[found->n++] = mem_format("%s %s\n", path + strlen(found->root), hex);
}

static int walk(struct found *found, const char *directory, unsigned depth, struct error *err)
{
	DIR *dir = opendir(directory);
	if (!dir)
		return error_errno(err, errno, "cannot look into '%s'", directory);
	int failed = 0;
	for (struct dirent *entry = readdir(dir); entry && !failed; entry = readdir(dir)) {
		struct stat stat;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    strcmp(entry->d_name, ".git") == 0)
			continue;
		AUTO(text) char *path = mem_format("%s/%s", directory, entry->d_name);
		if (lstat(path, &stat) < 0)
			continue;
		if (S_ISDIR(stat.st_mode) && depth < DEPTH_MAX)
			failed = walk(found, path, depth + 1, err);
		else if (S_ISREG(stat.st_mode))
			add_file(found, path);
	}
	(void)closedir(dir); /* It was only read. */
	return failed;
}

static int by_line(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

/* The first word of the command as a file of the tree, when it is an ELF file there. */
static char *find_program(const char *directory, const char *command)
{
	const char *at = command + strspn(command, " ");
	AUTO(text) char *word = mem_text_n(at, strcspn(at, " "));
	AUTO(text) char *path = mem_format("%s/%s", directory, word);
	AUTO(elf_file) struct elf_file *elf = NULL;
	if (*word == '/' || elf_file_read(path, &elf, /* err= */ NULL))
		return NULL;
	return KEEP(path);
}

int product_read(const char *directory, const char *command, struct product *ret_product,
		 struct error *err)
{
	struct found found = { .root = directory };
	AUTO(text_buffer) struct text all = { 0 };
	const int failed = walk(&found, directory, 0, err);
	if (found.n > 1)
		qsort(found.lines, found.n, sizeof(*found.lines), by_line);
	for (size_t i = 0; i < found.n; i++) {
		text_add(&all, "%s", found.lines[i]);
		free(found.lines[i]);
	}
	free(found.lines);
	if (failed)
		return failed;
	*ret_product = (struct product) { .n_files = found.n,
					  .program = find_program(directory, command) };
	checksum_sha256_hex(text_string(&all), all.length, ret_product->hash);
	return 0;
}
