/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The block devices under a file workload: loop devices, RAM disks of the kernel's brd, and an md array
 * over several of them. Loop devices go by themselves when their last user has died (autoclear); RAM
 * disks keep their content and arrays stay, so whoever takes them writes them into the journal first
 * (storage_journal.h), from which they are given back after a kill.
 *
 * Functions that can fail answer -EOPNOTSUPP, with the sentence, where this kernel or this user cannot.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define STORAGE_PATH_BYTES 64
#define STORAGE_RAM_MODULE "brd"

struct storage_device {
	int fd; /* Held open for as long as the device is used; -1 when it is none. */
	char path[STORAGE_PATH_BYTES];
};

void storage_device_close(struct storage_device *device);

/* A loop device over the file; it holds the file from then on. */
int storage_loop_attach(int backing_fd, struct storage_device *ret_device, struct error *err);

bool storage_ram_is_there(void);
/* Loads the module with `count` disks of `mib` MiB; unloading frees their memory. */
int storage_ram_load(unsigned count, uint64_t mib, struct error *err);
/* Finds `count` RAM disks of at least `mib` MiB that nobody uses and that hold nothing but zeros;
 * changes nothing. */
int storage_ram_claim(unsigned count, uint64_t mib, struct storage_device *ret_devices,
		      struct error *err);

/* Starts a RAID0 over the devices, without a superblock, under /dev/NAME; the name begins with
 * "md_". */
int storage_array_start(const char *name, const struct storage_device *parts, unsigned n_parts,
			struct storage_device *ret_array, struct error *err);

/* What follows gives back: 0 when that is done or there is nothing any more, else -errno; -EBUSY or
 * -EAGAIN while somebody uses it, a filesystem that is just being unmounted, too. */

int storage_array_stop(const char *name);
/* Makes the disk hold zeros again; gives its memory back where the kernel can. */
int storage_ram_wipe(const char *path);
int storage_ram_unload(void);
