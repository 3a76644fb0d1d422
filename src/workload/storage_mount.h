/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filesystems made and mounted where nobody but this run sees them: in a mount namespace of its own, which
 * the kernel unmounts when the last process of the run is dead.
 */
#pragma once

#include "base/error.h"

#include <stdint.h>

/* Puts this process into a mount namespace of its own. `storage` names the parameter's word in the
 * sentence; -EOPNOTSUPP without the right to. */
int storage_mount_enter(const char *storage, struct error *err);

/* -EOPNOTSUPP when the program that makes this filesystem, or the kernel's part of it, is not here. */
int storage_mount_check(const char *fs, struct error *err);
int storage_mount_format(const char *device, const char *fs, struct error *err);
int storage_mount_device(const char *device, const char *fs, const char *directory,
			 struct error *err);
int storage_mount_tmpfs(uint64_t mib, const char *directory, struct error *err);
void storage_mount_leave(const char *directory);
