/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See storage_device.h. */
#include "workload/storage_device.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/storage_program.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <linux/major.h>
#include <linux/raid/md_p.h>
#include <linux/raid/md_u.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#define LOOP_TRIES 64 /* Somebody else may take the free one first. */
#define RAM_DISKS_MAX 256
#define ALIGNMENT 4096UL
#define WALK_BYTES (1UL << 20)
#define BYTES_PER_MIB (1UL << 20)
#define KIB_PER_MIB 1024
#define CHUNK_BYTES (512 << 10) /* mdadm's preset. */

static const char new_array_path[] = "/sys/module/md_mod/parameters/new_array";

void storage_device_close(struct storage_device *device)
{
	if (device->fd >= 0)
		(void)close(device->fd); /* Written back by the unmount before. */
	device->fd = -1;
}

/* ---- loop ---- */

static int refuse_loop(int code, struct error *err)
{
	if (code == EACCES || code == EPERM)
		return error_set(err, EOPNOTSUPP,
				 "storage=loop needs root to set up a loop device; run it as root, "
				 "or use storage=directory");
	if (code == ENOENT || code == ENXIO || code == ENODEV)
		return error_set(
			err, EOPNOTSUPP,
			"storage=loop needs the kernel's loop driver (CONFIG_BLK_DEV_LOOP, "
			"module loop), which is not here; load it, or use storage=directory");
	if (code == EINVAL || code == ENOTTY)
		return error_set(
			err, EOPNOTSUPP,
			"storage=loop needs a kernel of 5.8 or newer (LOOP_CONFIGURE); use "
			"storage=directory");
	return error_errno(err, code, "cannot set up a loop device");
}

/* One attempt: 0, or the errno. The file is bound in the same call that says autoclear, so that there
 * is no moment at which a kill leaves it bound. */
static int attach_once(int control_fd, int backing_fd, struct storage_device *ret_device)
{
	const int number = ioctl(control_fd, LOOP_CTL_GET_FREE);
	if (number < 0)
		return errno;
	struct storage_device device;
	(void)snprintf(device.path, sizeof(device.path), "/dev/loop%d", number);
	AUTO(fd) int fd = open(device.path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno;
	struct loop_config config = { .fd = (uint32_t)backing_fd,
				      .info = { .lo_flags = LO_FLAGS_AUTOCLEAR } };
	if (ioctl(fd, LOOP_CONFIGURE, &config) < 0)
		return errno;
	device.fd = KEEP_FD(fd);
	*ret_device = device;
	return 0;
}

int storage_loop_attach(int backing_fd, struct storage_device *ret_device, struct error *err)
{
	assert(backing_fd >= 0);
	AUTO(fd) int control_fd = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	if (control_fd < 0)
		return refuse_loop(errno, err);
	int code = EBUSY;
	for (unsigned i = 0; code == EBUSY && i < LOOP_TRIES; i++)
		code = attach_once(control_fd, backing_fd, ret_device);
	return code ? refuse_loop(code, err) : 0;
}

/* ---- RAM disks ---- */

bool storage_ram_is_there(void)
{
	struct stat about;
	return stat("/dev/ram0", &about) == 0 && S_ISBLK(about.st_mode) &&
	       major(about.st_rdev) == RAMDISK_MAJOR;
}

static int refuse_ram(struct error *err)
{
	return error_set(
		err, EOPNOTSUPP,
		"storage=brd needs the kernel's RAM disks (CONFIG_BLK_DEV_RAM, module brd), "
		"which are not here; use storage=loop, whose preset lies in memory as well");
}

int storage_ram_load(unsigned count, uint64_t mib, struct error *err)
{
	AUTO(text) char *number = mem_format("rd_nr=%u", count);
	AUTO(text) char *size = mem_format("rd_size=%" PRIu64, mib * KIB_PER_MIB);
	const char *const argv[] = { "modprobe", "-q", STORAGE_RAM_MODULE, number, size, NULL };
	const int failed = storage_program_run(argv, /* err= */ NULL);
	return failed || !storage_ram_is_there() ? refuse_ram(err) : 0;
}

int storage_ram_unload(void)
{
	if (syscall(SYS_delete_module, STORAGE_RAM_MODULE, O_NONBLOCK) == 0)
		return 0;
	/* Not loaded, or a kernel without modules. */
	return errno == ENOENT || errno == ENOSYS ? 0 : -errno;
}

static bool is_zero(const char *bytes, size_t n)
{
	return n == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0);
}

enum walk {
	WALK_LOOK,  /* Stops at the first byte that is not 0. */
	WALK_CLEAR, /* Writes zeros over what is not 0: unwritten parts of a RAM disk take no memory,
		     * and a zero written to them would. */
};

/* True when all of the device is zeros in the end. Past the page cache, which it would fill. */
static bool walk(int fd, enum walk kind)
{
	void *block = NULL;
	if (posix_memalign(&block, ALIGNMENT, WALK_BYTES))
		abort(); /* Out of memory, as everywhere (base/mem.h). */
	AUTO(text) char *bytes = block;
	off_t at = 0;
	for (;;) {
		const ssize_t got = pread(fd, bytes, WALK_BYTES, at);
		if (got <= 0)
			return got == 0;
		if (!is_zero(bytes, (size_t)got)) {
			if (kind == WALK_LOOK)
				return false;
			memset(bytes, 0, (size_t)got);
			if (pwrite(fd, bytes, (size_t)got, at) != got)
				return false;
		}
		at += got;
	}
}

/* Why disks were passed over, for the sentence. */
struct passed {
	unsigned in_use;
	unsigned small;
	unsigned filled;
};

/* True when the disk is free, large enough and empty. */
static bool is_free(const char *path, uint64_t bytes, struct passed *passed)
{
	uint64_t size = 0;
	AUTO(fd) int fd = open(path, O_RDONLY | O_EXCL | O_DIRECT | O_CLOEXEC);
	if (fd < 0)
		passed->in_use++;
	else if (ioctl(fd, BLKGETSIZE64, &size) < 0 || size < bytes)
		passed->small++;
	else if (!walk(fd, WALK_LOOK))
		passed->filled++;
	else
		return true;
	return false;
}

int storage_ram_claim(unsigned count, uint64_t mib, struct storage_device *ret_devices,
		      struct error *err)
{
	struct passed passed = { 0 };
	unsigned found = 0;
	for (unsigned i = 0; i < RAM_DISKS_MAX && found < count; i++) {
		struct storage_device *device = &ret_devices[found];
		(void)snprintf(device->path, sizeof(device->path), "/dev/ram%u", i);
		if (access(device->path, F_OK) < 0)
			break;
		found += is_free(device->path, mib * BYTES_PER_MIB, &passed);
	}
	if (found < count)
		return error_set(
			err, EOPNOTSUPP,
			"storage=brd needs %u free RAM disks of %" PRIu64
			" MiB and found %u (in use: %u, smaller: %u, with data: %u); lower "
			"device_mib or devices, or load brd with rd_nr and rd_size",
			count, mib, found, passed.in_use, passed.small, passed.filled);
	for (unsigned i = 0; i < count; i++) {
		ret_devices[i].fd = open(ret_devices[i].path, O_RDWR | O_CLOEXEC);
		if (ret_devices[i].fd < 0)
			return error_errno(err, errno, "cannot open '%s'", ret_devices[i].path);
	}
	return 0;
}

int storage_ram_wipe(const char *path)
{
	AUTO(fd) int fd = open(path, O_RDWR | O_EXCL | O_DIRECT | O_CLOEXEC);
	uint64_t size = 0;
	if (fd < 0)
		return errno == ENOENT || errno == ENXIO ? 0 : -errno;
	if (ioctl(fd, BLKGETSIZE64, &size) < 0)
		return -errno;
	uint64_t range[2] = { 0, size };
	(void)ioctl(fd, BLKDISCARD, range); /* Since 6.14; the walk does not rely on it. */
	return walk(fd, WALK_CLEAR) ? 0 : -EIO;
}

/* ---- md ---- */

static int make_array(const char *name, struct error *err)
{
	if (access(new_array_path, W_OK) < 0) {
		const char *const argv[] = { "modprobe", "-q", "raid0", NULL };
		(void)storage_program_run(argv, /* err= */ NULL);
	}
	AUTO(fd) int fd = open(new_array_path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return error_set(
			err, EOPNOTSUPP,
			"raid=raid0 needs the kernel's md driver (CONFIG_BLK_DEV_MD and "
			"CONFIG_MD_RAID0, modules md_mod and raid0), which is not here; use "
			"raid=none");
	const int failed = fs_write_all(fd, name, strlen(name));
	return failed ? error_errno(err, -failed, "cannot make the array '%s'", name) : 0;
}

static int add_part(int array_fd, const struct storage_device *part, unsigned index)
{
	struct stat about;
	if (fstat(part->fd, &about) < 0)
		return -errno;
	mdu_disk_info_t disk = { .number = (int)index,
				 .major = (int)major(about.st_rdev),
				 .minor = (int)minor(about.st_rdev),
				 .raid_disk = (int)index,
				 .state = 1 << MD_DISK_ACTIVE | 1 << MD_DISK_SYNC };
	return ioctl(array_fd, ADD_NEW_DISK, &disk) < 0 ? -errno : 0;
}

int storage_array_start(const char *name, const struct storage_device *parts, unsigned n_parts,
			struct storage_device *ret_array, struct error *err)
{
	assert(text_starts_with(name, "md_") && n_parts > 1);
	struct storage_device array;
	(void)snprintf(array.path, sizeof(array.path), "/dev/%s", name);
	int failed = make_array(name, err);
	if (failed)
		return failed;
	AUTO(fd) int fd = open(array.path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "cannot open '%s'", array.path);
	/* What `mdadm --build` does: no superblock, so that nothing starts it again by itself. */
	mdu_array_info_t info = { .level = 0,
				  .raid_disks = (int)n_parts,
				  .nr_disks = (int)n_parts,
				  .not_persistent = 1,
				  .state = 1 << MD_SB_CLEAN,
				  .active_disks = (int)n_parts,
				  .working_disks = (int)n_parts,
				  .chunk_size = CHUNK_BYTES };
	if (ioctl(fd, SET_ARRAY_INFO, &info) < 0)
		return error_errno(err, errno, "cannot describe the array '%s'", name);
	for (unsigned i = 0; !failed && i < n_parts; i++)
		failed = add_part(fd, &parts[i], i);
	if (failed)
		return error_errno(err, -failed, "cannot add a device to the array '%s'", name);
	if (ioctl(fd, RUN_ARRAY, /* parameters= */ NULL) < 0)
		return error_errno(err, errno, "cannot start the array '%s'", name);
	array.fd = KEEP_FD(fd);
	*ret_array = array;
	return 0;
}

int storage_array_stop(const char *name)
{
	AUTO(text) char *path = mem_format("/dev/%s", name);
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	/* ENODEV: it is being stopped at this moment. */
	if (fd < 0)
		return errno == ENOENT || errno == ENXIO || errno == ENODEV ? 0 : -errno;
	return ioctl(fd, STOP_ARRAY, /* parameters= */ NULL) < 0 ? -errno : 0;
}
