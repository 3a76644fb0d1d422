/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a file workload works: a directory of the scratch, a tmpfs, or a filesystem made afresh on loop
 * devices or RAM disks, with an md RAID0 over them or without. Set up in prepare, taken down in retire;
 * and after a kill of any process at any moment nothing of it stays: it is mounted in a mount namespace
 * of the run's own, and for the rest see storage_device.h and storage_journal.h.
 *
 * The row says has_names, checks with storage_check and takes STORAGE_PARAMETERS.
 */
#pragma once

#include "workload/workload.h"

#define STORAGE_DEVICES_MAX 8

struct storage;

/* -EINVAL when the parameters do not fit together. */
int storage_check(const struct work *work, struct error *err);

/* -EOPNOTSUPP when something is not here; the sentence says which part and what to do. */
int storage_new(struct work *work, struct storage **ret_storage, struct error *err);
/* The workers are dead. NULL is allowed. */
void storage_free(struct storage *storage);

/* One directory, or, with several devices and no RAID, one a device; tasks go to them in turn. */
unsigned storage_count(const struct storage *storage);
const char *storage_directory(const struct storage *storage, unsigned index);

/* clang-format off */
#define STORAGE_PARAMETERS                                                                         \
	{ .name = "storage",                                                                       \
	  .what = "work in TMPDIR, a tmpfs, or a new filesystem on loop devices or RAM disks",      \
	  .type = PARAMETER_WORD, .preset = "directory", .words = "directory tmpfs loop brd" },     \
	{ .name = "fs", .what = "filesystem to make on the devices",                               \
	  .type = PARAMETER_WORD, .preset = "none", .words = "none ext4 xfs btrfs" },              \
	{ .name = "devices", .what = "number of devices",                                          \
	  .type = PARAMETER_NUMBER, .preset = "1", .min = 1, .max = STORAGE_DEVICES_MAX },         \
	{ .name = "raid", .what = "md array over the devices; none: a filesystem on each of them",  \
	  .type = PARAMETER_WORD, .preset = "none", .words = "none raid0" },                       \
	{ .name = "device_mib", .what = "MiB of the tmpfs or of each device",                      \
	  .type = PARAMETER_NUMBER, .preset = "1024", .min = 1, .max = 1048576 },                  \
	{ .name = "backing", .what = "what loop devices lie on: memory, or a file in TMPDIR",      \
	  .type = PARAMETER_WORD, .preset = "memory", .words = "memory directory" }

#define STORAGE_NEEDS_WHY                                                                          \
	"storage=tmpfs, loop and brd mount and set devices up; storage=directory needs none"
/* clang-format on */
