/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See storage_mount.h. */
#include "workload/storage_mount.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/storage_program.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mount.h>

#define OPTIONS_MAX 4
#define UNMOUNT_TRIES 50
#define UNMOUNT_PAUSE_NS (40 * NS_PER_MS)

/* How a filesystem is made. Presets of its own tools, but for what would go on in the background and
 * into the measured window. */
struct maker {
	const char *fs;
	const char *program;
	const char *package; /* Debian's name. */
	const char *config;
	const char *options[OPTIONS_MAX + 1];
};

static const struct maker makers[] = {
	{
		.fs = "ext4",
		.program = "mkfs.ext4",
		.package = "e2fsprogs",
		.config = "CONFIG_EXT4_FS",
		.options = { "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0" },
	},
	{
		.fs = "xfs",
		.program = "mkfs.xfs",
		.package = "xfsprogs",
		.config = "CONFIG_XFS_FS",
		.options = { "-q", "-f" },
	},
	{
		.fs = "btrfs",
		.program = "mkfs.btrfs",
		.package = "btrfs-progs",
		.config = "CONFIG_BTRFS_FS",
		.options = { "-q", "-f" },
	},
};

static const struct maker *maker_of(const char *fs)
{
	const struct maker *maker = makers;
	while (!text_equal(maker->fs, fs)) {
		maker++;
		assert(maker < makers + ARRAY_SIZE(makers));
	}
	return maker;
}

int storage_mount_enter(const char *storage, struct error *err)
{
	if (unshare(CLONE_NEWNS) < 0)
		return errno == EPERM
			       ? error_set(
					 err, EOPNOTSUPP,
					 "storage=%s needs root to mount; run it as root, or use "
					 "storage=directory with TMPDIR on the filesystem to measure "
					 "(/dev/shm is a tmpfs)",
					 storage)
			       : error_errno(err, errno, "cannot make a mount namespace");
	/* Nothing that is mounted here may reach the namespace that we came from. */
	if (mount("none", "/", /* type= */ NULL, MS_REC | MS_PRIVATE, /* data= */ NULL) < 0)
		return error_errno(err, errno, "cannot make the mounts of this run private");
	return 0;
}

/* Whether /proc/filesystems has it; a module that is not loaded yet is not there. */
static bool kernel_has(const char *fs)
{
	AUTO(file) FILE *file = fopen("/proc/filesystems", "re");
	char line[128];
	while (file && fgets(line, sizeof(line), file)) {
		const char *name = strrchr(line, '\t');
		if (name && strncmp(name + 1, fs, strlen(fs)) == 0 && name[1 + strlen(fs)] == '\n')
			return true;
	}
	return false;
}

int storage_mount_check(const char *fs, struct error *err)
{
	const struct maker *maker = maker_of(fs);
	AUTO(text) char *program = storage_program_find(maker->program);
	if (!program)
		return error_set(err, EOPNOTSUPP,
				 "fs=%s needs the program %s, which is not here; install %s", fs,
				 maker->program, maker->package);
	if (kernel_has(fs))
		return 0;
	const char *const argv[] = { "modprobe", "-q", fs, NULL };
	(void)storage_program_run(argv, /* err= */ NULL); /* The second look decides. */
	if (kernel_has(fs))
		return 0;
	return error_set(err, EOPNOTSUPP,
			 "fs=%s is not in this kernel (%s, module %s); use another filesystem", fs,
			 maker->config, fs);
}

int storage_mount_format(const char *device, const char *fs, struct error *err)
{
	const struct maker *maker = maker_of(fs);
	const char *argv[OPTIONS_MAX + 3] = { maker->program };
	size_t n = 1;
	for (size_t i = 0; maker->options[i]; i++)
		argv[n++] = maker->options[i];
	argv[n] = device;
	const int failed = storage_program_run(argv, err);
	return failed ? error_at(err, "cannot make fs=%s on '%s'", fs, device) : 0;
}

int storage_mount_device(const char *device, const char *fs, const char *directory,
			 struct error *err)
{
	if (mount(device, directory, fs, 0, /* data= */ NULL) < 0)
		return error_errno(err, errno, "cannot mount '%s' as %s", device, fs);
	return 0;
}

int storage_mount_tmpfs(uint64_t mib, const char *directory, struct error *err)
{
	char options[64];
	(void)snprintf(options, sizeof(options), "mode=0700,size=%" PRIu64 "m", mib);
	if (mount("assay", directory, "tmpfs", 0, options) < 0)
		return error_errno(err, errno, "cannot mount a tmpfs");
	return 0;
}

void storage_mount_leave(const char *directory)
{
	for (unsigned i = 0; i < UNMOUNT_TRIES; i++) {
		/* Whoever looks at new filesystems may hold it for a moment. */
		if (umount2(directory, 0) == 0 || errno != EBUSY)
			return;
		clock_sleep_until_ns(clock_monotonic_ns() + UNMOUNT_PAUSE_NS);
	}
	(void)umount2(directory, MNT_DETACH); /* It goes with its last user. */
}
