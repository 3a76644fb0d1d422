/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A root in which sysfs files are laid down one by one. */
#pragma once

struct tree {
	char path[64];
	int fd;
};

struct tree tree_make(void);
void tree_remove(struct tree *tree);

/* sys/devices/system/<folder>/<file>. */
void tree_put(const struct tree *tree, const char *folder, const char *file, const char *text);
