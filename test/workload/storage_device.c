/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block devices, as far as this kernel has them; of what it lacks, the refusal. */
#include "workload/storage_device.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

#define MIB (1UL << 20)
#define PATIENCE_NS (20 * NS_PER_SEC)

static void need_root(void)
{
	if (geteuid() == 0)
		return;
	print_message("skipped: devices are root's\n");
	skip();
}

/* A loop device over a file in memory; skips where there are none. */
static struct storage_device loop_of(off_t bytes)
{
	struct storage_device loop = { .fd = -1 };
	struct error err = { 0 };
	AUTO(fd) int fd = memfd_create("assay-test-loop", MFD_CLOEXEC);
	CHECK(fd >= 0);
	CHECK_INT(ftruncate(fd, bytes), 0);
	const int failed = storage_loop_attach(fd, &loop, &err);
	if (failed == -EOPNOTSUPP) {
		print_message("skipped: %s\n", err.text);
		skip();
	}
	CHECK_INT(failed, 0);
	return loop;
}

/* /sys/block/loopN/loop: there while the device is bound. */
static bool is_bound(const struct storage_device *loop)
{
	AUTO(text) char *path = mem_format("/sys/block/%s/loop", loop->path + strlen("/dev/"));
	return access(path, F_OK) == 0;
}

static void a_loop_device_goes_with_its_last_user(void **state)
{
	need_root();
	struct storage_device loop = loop_of(4 * MIB);
	CHECK(text_starts_with(loop.path, "/dev/loop"));
	CHECK(is_bound(&loop));
	char byte = 'x';
	CHECK_INT(pwrite(loop.fd, &byte, 1, 3 * MIB), 1);
	storage_device_close(&loop);
	CHECK_INT(loop.fd, -1);
	/* Another process may bind the same number at once; then it never becomes free for us. */
	const uint64_t end = clock_monotonic_ns() + PATIENCE_NS;
	bool free_again = false;
	while (!free_again && clock_monotonic_ns() < end)
		free_again = !is_bound(&loop);
	CHECK(free_again);
}

static void a_wiped_device_holds_zeros_and_one_in_use_is_left_alone(void **state)
{
	need_root();
	struct storage_device loop = loop_of(3 * MIB);
	char bytes[16] = "something";
	char after[16] = "";
	CHECK_INT(pwrite(loop.fd, bytes, sizeof(bytes), 2 * MIB), sizeof(bytes));
	CHECK_INT(fsync(loop.fd), 0);
	AUTO(fd) int user = open(loop.path, O_RDONLY | O_EXCL | O_CLOEXEC);
	CHECK(user >= 0);
	CHECK_INT(storage_ram_wipe(loop.path), -EBUSY);
	CHECK_INT(pread(loop.fd, after, sizeof(after), 2 * MIB), sizeof(after));
	CHECK_TEXT(after, "something");
	(void)close(KEEP_FD(user));
	CHECK_INT(storage_ram_wipe(loop.path), 0);
	CHECK_INT(storage_ram_wipe("/dev/ram-is-not-there"), 0);
	/* The pages of before are in the cache of the device; a new look goes past it. */
	AUTO(fd) int direct = open(loop.path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	void *block = NULL;
	CHECK_INT(posix_memalign(&block, 4096, 4096), 0);
	CHECK_INT(pread(direct, block, 4096, 2 * MIB), 4096);
	CHECK_INT(((char *)block)[0], 0);
	free(block);
	storage_device_close(&loop);
}

static void ram_disks_that_are_not_there_are_told(void **state)
{
	struct storage_device devices[8] = { { .fd = -1 } };
	struct error err = { 0 };
	/* More than any machine has in one disk. */
	CHECK_INT(storage_ram_claim(2, 1UL << 30, devices, &err), -EOPNOTSUPP);
	CHECK_HOLDS(err.text, "storage=brd needs 2 free RAM disks of 1073741824 MiB and found 0");
	if (storage_ram_is_there() || geteuid() == 0) {
		print_message("not tried: loading the module is root's and changes this machine\n");
		return;
	}
	CHECK_INT(storage_ram_load(1, 16, &err), -EOPNOTSUPP);
	CHECK_HOLDS(err.text, "CONFIG_BLK_DEV_RAM");
}

static void an_array_is_refused_with_what_is_missing(void **state)
{
	need_root();
	if (access("/sys/module/md_mod", F_OK) == 0) {
		print_message("skipped: this kernel has md\n");
		skip();
	}
	struct storage_device loops[2] = { loop_of(MIB), loop_of(MIB) };
	struct storage_device array = { .fd = -1 };
	struct error err = { 0 };
	const int failed = storage_array_start("md_assay_test", loops, 2, &array, &err);
	if (failed == 0) { /* The module came when it was asked for. */
		storage_device_close(&array);
		CHECK_INT(storage_array_stop("md_assay_test"), 0);
		CHECK(access("/dev/md_assay_test", F_OK) < 0);
	} else {
		CHECK_INT(failed, -EOPNOTSUPP);
		CHECK_HOLDS(err.text, "CONFIG_MD_RAID0");
	}
	CHECK_INT(storage_array_stop("md_assay_test"), 0);
	storage_device_close(&loops[0]);
	storage_device_close(&loops[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_device_goes_with_its_last_user),
		cmocka_unit_test(a_wiped_device_holds_zeros_and_one_in_use_is_left_alone),
		cmocka_unit_test(ram_disks_that_are_not_there_are_told),
		cmocka_unit_test(an_array_is_refused_with_what_is_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
