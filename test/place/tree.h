/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small root of the tests' own in a temporary directory: files are put into it, read back, and
 * all is removed at the end.
 */
#pragma once

#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "check.h"

#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

struct tree {
	char path[64];
	int root_fd;
};

static inline struct tree tree_new(void)
{
	struct tree tree = { .path = "/tmp/assay-test-XXXXXX" };
	CHECK(mkdtemp(tree.path) != NULL);
	tree.root_fd = fs_root_open(tree.path, /* err= */ NULL);
	CHECK(tree.root_fd >= 0);
	return tree;
}

static inline void tree_put(const struct tree *tree, const char *path, const char *content)
{
	AUTO(text) char *whole = mem_format("%s/%s", tree->path, path);
	AUTO(text) char *directory = mem_text(whole);
	*strrchr(directory, '/') = '\0';
	CHECK_INT(fs_make_dirs(directory, 0755, /* err= */ NULL), 0);
	FILE *file = fopen(whole, "we");
	CHECK(file != NULL);
	CHECK(fputs(content, file) >= 0);
	CHECK_INT(fclose(file), 0);
}

/* The content without its last newline; "" when the file is not there. Static buffer. */
static inline const char *tree_get(const struct tree *tree, const char *path)
{
	static char content[4096];
	content[0] = '\0';
	(void)fs_read_line_at(tree->root_fd, path, content, sizeof(content));
	return content;
}

static inline int tree_remove_one(const char *path, const struct stat *stat, int type,
				  struct FTW *walk)
{
	(void)stat;
	(void)type;
	(void)walk;
	return remove(path);
}

static inline void tree_done(struct tree *tree)
{
	(void)close(tree->root_fd);
	CHECK_INT(nftw(tree->path, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}
