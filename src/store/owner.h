/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose the store is. Under sudo it is the invoking user's, never root's: what is made here is given
 * to that user. SQLite itself gives the files beside the database to the database's owner.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>

#include <sys/types.h>

struct owner {
	uid_t user;
	gid_t group;
	bool is_invoking; /* Root acts for this user: what is made must be handed over. */
};

/* SUDO_UID and SUDO_GID count only when this is root. */
struct owner owner_find(void);

/* mkdir -p with mode 0700; every directory made here is the owner's. */
int owner_make_directories(const struct owner *owner, const char *path, struct error *err);

/* Makes an empty file (mode 0600) that must not exist: -EEXIST then, without a sentence. */
int owner_make_file(const struct owner *owner, const char *path, struct error *err);

/* -EACCES when `path` is another user's and this is not root; -errno when it cannot be seen. */
int owner_check(const char *path, struct error *err);
