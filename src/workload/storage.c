/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See storage.h. */
#include "workload/storage.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/storage_device.h"
#include "workload/storage_journal.h"
#include "workload/storage_mount.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

#define BYTES_PER_MIB (1ULL << 20)
#define SCRATCH_TAIL "assay-scratch-"

struct storage {
	struct work *work; /* Borrowed. */
	char *directories[STORAGE_DEVICES_MAX];
	unsigned n_directories; /* Made. */
	unsigned n_mounted;
	struct storage_device devices[STORAGE_DEVICES_MAX];
	unsigned n_devices; /* Open. */
	struct storage_device array;
	struct storage_journal *journal; /* NULL until something needs it. */
};

static bool wants(const struct work *work, const char *parameter, const char *word)
{
	return text_equal(work_word(work, parameter), word);
}

static unsigned wanted_devices(const struct work *work)
{
	return (unsigned)work_number(work, "devices");
}

int storage_check(const struct work *work, struct error *err)
{
	const char *kind = work_word(work, "storage");
	const bool on_devices = wants(work, "storage", "loop") || wants(work, "storage", "brd");
	if (on_devices && wants(work, "fs", "none"))
		return error_set(err, EINVAL,
				 "storage=%s needs a filesystem; add fs=ext4, fs=xfs or fs=btrfs",
				 kind);
	if (!on_devices && !wants(work, "fs", "none"))
		return error_set(err, EINVAL,
				 "storage=%s makes no filesystem, so fs=%s has nowhere to go; use "
				 "storage=loop or storage=brd",
				 kind, work_word(work, "fs"));
	if (!on_devices && (wanted_devices(work) > 1 || wants(work, "raid", "raid0")))
		return error_set(err, EINVAL,
				 "storage=%s has no devices; use storage=loop or storage=brd with "
				 "devices and raid",
				 kind);
	if (wants(work, "raid", "raid0") && wanted_devices(work) < 2)
		return error_set(err, EINVAL, "raid=raid0 needs devices=2 or more");
	return 0;
}

/* ---- setting up ---- */

static int make_directory(struct storage *storage, struct error *err)
{
	const unsigned index = storage->n_directories;
	assert(index < STORAGE_DEVICES_MAX);
	AUTO(text) char *path = mem_format("%s-files%u", work_scratch(storage->work), index);
	if (mkdir(path, 0700) < 0)
		return error_errno(err, errno, "cannot make the directory '%s'", path);
	storage->directories[index] = KEEP(path);
	storage->n_directories++;
	return 0;
}

/* The file under a loop device; it never has a name that could stay. */
static int open_backing(struct storage *storage, struct error *err)
{
	const uint64_t bytes = work_number(storage->work, "device_mib") * BYTES_PER_MIB;
	if (wants(storage->work, "backing", "directory"))
		return work_file(storage->work, bytes, err);
	AUTO(fd) int fd = memfd_create("assay-loop", MFD_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "cannot make a file in memory");
	if (ftruncate(fd, (off_t)bytes) < 0)
		return error_errno(err, errno, "cannot give a file in memory its size");
	return KEEP_FD(fd);
}

static int attach_loops(struct storage *storage, struct error *err)
{
	int failed = 0;
	while (!failed && storage->n_devices < wanted_devices(storage->work)) {
		AUTO(fd) int fd = open_backing(storage, err);
		if (fd < 0)
			return fd;
		failed = storage_loop_attach(fd, &storage->devices[storage->n_devices], err);
		storage->n_devices += !failed;
	}
	return failed;
}

static int open_journal(struct storage *storage, struct error *err)
{
	if (storage->journal)
		return 0;
	return storage_journal_new(work_scratch(storage->work), &storage->journal, err);
}

static int take_ram_disks(struct storage *storage, struct error *err)
{
	const unsigned count = wanted_devices(storage->work);
	const uint64_t mib = work_number(storage->work, "device_mib");
	int failed = open_journal(storage, err);
	if (!failed && !storage_ram_is_there()) {
		failed = storage_journal_note(storage->journal, "module", STORAGE_RAM_MODULE, err);
		if (!failed)
			failed = storage_ram_load(count, mib, err);
	}
	if (!failed)
		failed = storage_ram_claim(count, mib, storage->devices, err);
	if (failed)
		return failed;
	storage->n_devices = count;
	for (unsigned i = 0; !failed && i < count; i++)
		failed = storage_journal_note(storage->journal, "ram", storage->devices[i].path,
					      err);
	return failed;
}

static int start_array(struct storage *storage, struct error *err)
{
	const char *tail = strstr(work_scratch(storage->work), SCRATCH_TAIL);
	assert(tail);
	AUTO(text) char *name = mem_format("md_assay_%s", tail + strlen(SCRATCH_TAIL));
	int failed = open_journal(storage, err);
	if (!failed)
		failed = storage_journal_note(storage->journal, "array", name, err);
	if (!failed)
		failed = storage_array_start(name, storage->devices, storage->n_devices,
					     &storage->array, err);
	return failed;
}

static int mount_one(struct storage *storage, const char *device, const char *fs, struct error *err)
{
	int failed = device ? storage_mount_format(device, fs, err) : 0;
	if (!failed)
		failed = make_directory(storage, err);
	if (failed)
		return failed;
	assert(storage->n_mounted + 1 == storage->n_directories);
	const char *directory = storage->directories[storage->n_mounted];
	failed = device ? storage_mount_device(device, fs, directory, err)
			: storage_mount_tmpfs(work_number(storage->work, "device_mib"), directory,
					      err);
	storage->n_mounted += !failed;
	return failed;
}

static int set_up_devices(struct storage *storage, struct error *err)
{
	const char *fs = work_word(storage->work, "fs");
	int failed = storage_mount_check(fs, err);
	if (!failed)
		failed = wants(storage->work, "storage", "brd") ? take_ram_disks(storage, err)
								: attach_loops(storage, err);
	if (!failed && wants(storage->work, "raid", "raid0")) {
		failed = start_array(storage, err);
		return failed ? failed : mount_one(storage, storage->array.path, fs, err);
	}
	for (unsigned i = 0; !failed && i < storage->n_devices; i++)
		failed = mount_one(storage, storage->devices[i].path, fs, err);
	return failed;
}

static int set_up(struct storage *storage, struct error *err)
{
	if (wants(storage->work, "storage", "directory"))
		return make_directory(storage, err);
	const int failed = storage_mount_enter(work_word(storage->work, "storage"), err);
	if (failed)
		return failed;
	if (wants(storage->work, "storage", "tmpfs"))
		return mount_one(storage, /* device= */ NULL, "tmpfs", err);
	return set_up_devices(storage, err);
}

int storage_new(struct work *work, struct storage **ret_storage, struct error *err)
{
	struct storage *storage = mem_zero(sizeof(*storage));
	storage->work = work;
	storage->array.fd = -1;
	for (unsigned i = 0; i < STORAGE_DEVICES_MAX; i++)
		storage->devices[i].fd = -1;
	const int failed = set_up(storage, err);
	if (failed) {
		storage_free(storage);
		return failed;
	}
	assert(storage->n_directories > 0);
	*ret_storage = storage;
	return 0;
}

void storage_free(struct storage *storage)
{
	if (!storage)
		return;
	while (storage->n_mounted > 0)
		storage_mount_leave(storage->directories[--storage->n_mounted]);
	for (unsigned i = 0; i < storage->n_directories; i++)
		free(storage->directories[i]); /* They go with the scratch's names. */
	storage_device_close(&storage->array);
	for (unsigned i = 0; i < STORAGE_DEVICES_MAX; i++)
		storage_device_close(&storage->devices[i]);
	storage_journal_close(storage->journal);
	free(storage);
}

unsigned storage_count(const struct storage *storage)
{
	return storage->n_directories;
}

const char *storage_directory(const struct storage *storage, unsigned index)
{
	assert(index < storage->n_directories);
	return storage->directories[index];
}
