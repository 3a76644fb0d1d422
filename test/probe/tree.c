/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tree.h. */
#include "tree.h"

#include "base/fs.h"
#include "base/mem.h"
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

struct tree tree_make(void)
{
	struct tree tree;
	struct error err = { 0 };
	(void)snprintf(tree.path, sizeof(tree.path), "/tmp/assay-test-tree-XXXXXX");
	CHECK(mkdtemp(tree.path));
	tree.fd = fs_root_open(tree.path, &err);
	CHECK(tree.fd >= 0);
	return tree;
}

void tree_remove(struct tree *tree)
{
	char command[128];
	(void)close(tree->fd);
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", tree->path);
	CHECK_INT(system(command), 0);
}

void tree_put(const struct tree *tree, const char *folder, const char *file, const char *text)
{
	struct error err = { 0 };
	char *path = mem_format("%s/sys/devices/system/%s", tree->path, folder);
	char *whole = mem_format("%s/%s", path, file);
	CHECK_INT(fs_make_dirs(path, 0755, &err), 0);
	CHECK_INT(fs_replace(whole, text, strlen(text), 0644, &err), 0);
	free(whole);
	free(path);
}
