/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See aim7.h. */
#include "workload/aim7.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

#define MODE 0777 /* The original's. */
#define NAME_BYTES 64
#define KIB 1024
#define SECONDS_PER_MINUTE 60
#define PERCENT 100

/* The metrics, in the order of AIM7_METRICS. */
enum {
	AIM7_RATE,
	AIM7_RATE_TASK,
	AIM7_INDEX,
	AIM7_TIME,
};

struct aim7 {
	struct storage *storage;
	uint64_t *elapsed_ns; /* One a task; processes share it. */
	size_t bytes;
};

/* ---- arithmetic ---- */

uint64_t aim7_blocks(uint64_t file_kib, uint64_t pool_kib, unsigned n_tasks)
{
	assert(n_tasks > 0);
	static_assert(AIM7_BLOCK_BYTES == KIB, "a block is a KiB");
	return file_kib + pool_kib / n_tasks;
}

unsigned aim7_random(uint64_t *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return (unsigned)(*seed >> 16) & 0x7fff;
}

double aim7_jobs_per_min(uint64_t jobs_per_task, unsigned n_tasks, uint64_t elapsed_ns)
{
	assert(elapsed_ns > 0);
	return (double)jobs_per_task * SECONDS_PER_MINUTE * n_tasks / clock_seconds(elapsed_ns);
}

double aim7_timing_index(const uint64_t *elapsed_ns, unsigned n_tasks)
{
	assert(n_tasks > 0);
	double mean = 0;
	double squares = 0; /* By n, as the original: these tasks are all there are, no sample. */
	for (unsigned i = 0; i < n_tasks; i++)
		mean += (double)elapsed_ns[i] / n_tasks;
	for (unsigned i = 0; i < n_tasks; i++) {
		const double distance = (double)elapsed_ns[i] - mean;
		squares += distance * distance / n_tasks;
	}
	const double share = mean > 0 ? sqrt(squares) / mean : 0;
	return share > 1 ? 0 : (1 - share) * PERCENT;
}

/* ---- the harness's side ---- */

unsigned aim7_count(const struct work *work)
{
	return (unsigned)work_number(work, "load");
}

static uint64_t blocks_of(const struct work *work)
{
	return aim7_blocks(work_number(work, "file_kib"), work_number(work, "pool_kib"),
			   work_workers(work));
}

const struct storage *aim7_storage(const struct work *work)
{
	const struct aim7 *aim7 = work_shared(work);
	return aim7->storage;
}

void aim7_retire(struct work *work)
{
	struct aim7 *aim7 = work_shared(work);
	if (!aim7)
		return;
	storage_free(aim7->storage);
	if (aim7->elapsed_ns)
		(void)munmap(aim7->elapsed_ns, aim7->bytes);
	free(aim7);
	work_share(work, /* shared= */ NULL);
}

int aim7_prepare(struct work *work, struct error *err)
{
	struct aim7 *aim7 = mem_zero(sizeof(*aim7));
	work_share(work, aim7);
	aim7->bytes = work_workers(work) * sizeof(*aim7->elapsed_ns);
	int failed = 0;
	void *times =
		mmap(NULL, aim7->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (times == MAP_FAILED)
		failed = error_errno(err, errno, "cannot map the tasks' times");
	else
		aim7->elapsed_ns = times;
	if (!failed)
		failed = storage_new(work, &aim7->storage, err);
	if (failed)
		aim7_retire(work);
	return failed;
}

static char *shared_path_in(const char *directory)
{
	return mem_format("%s/shared", directory);
}

/* One directory's shared file, on its way to the disk before the time begins: the original's driver
 * syncs in front of each load. */
static int make_shared(const char *directory, uint64_t n_blocks, struct error *err)
{
	AUTO(text) char *path = shared_path_in(directory);
	struct aim7_task task = { .path = path, .n_blocks = n_blocks };
	AUTO(fd) int fd = aim7_creat(&task);
	if (fd < 0)
		return error_errno(err, -fd, "cannot make '%s'", path);
	const int failed = aim7_write(&task, fd);
	if (failed)
		return error_errno(err, -failed, "cannot fill '%s'", path);
	if (syncfs(fd) < 0)
		return error_errno(err, errno, "cannot sync the filesystem of '%s'", path);
	return 0;
}

int aim7_prepare_shared(struct work *work, struct error *err)
{
	int failed = aim7_prepare(work, err);
	if (failed)
		return failed;
	const struct storage *storage = aim7_storage(work);
	for (unsigned i = 0; !failed && i < storage_count(storage); i++)
		failed = make_shared(storage_directory(storage, i), blocks_of(work), err);
	if (failed)
		aim7_retire(work);
	return failed;
}

void aim7_score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	const struct aim7 *aim7 = work_shared(work);
	const unsigned n_tasks = work_workers(work);
	const uint64_t jobs = work_number(work, "jobs");
	const bool measured = tally->elapsed_ns > 0;
	const double rate = measured ? aim7_jobs_per_min(jobs, n_tasks, tally->elapsed_ns) : 0;
	const struct value none = value_missing(MISSING_FAILED);
	ret_values[AIM7_RATE] = measured ? value_known(rate) : none;
	ret_values[AIM7_RATE_TASK] = measured ? value_known(rate / n_tasks) : none;
	ret_values[AIM7_INDEX] =
		measured ? value_known(aim7_timing_index(aim7->elapsed_ns, n_tasks)) : none;
	ret_values[AIM7_TIME] = measured ? value_known(clock_seconds(tally->elapsed_ns)) : none;
}

/* ---- the task's side ---- */

int aim7_enter(struct worker_self *self, struct error *err)
{
	const struct storage *storage = aim7_storage(self->work);
	struct aim7_task *task = mem_zero(sizeof(*task));
	task->directory = storage_directory(storage, self->index % storage_count(storage));
	task->n_blocks = blocks_of(self->work);
	/* The original's is the process's number; this is the same from run to run. */
	task->seed = self->index + 1;
	task->path_bytes = strlen(task->directory) + NAME_BYTES;
	task->path = mem_zero(task->path_bytes);
	task->shared_path = shared_path_in(task->directory);
	task->n_names = (uint64_t)self->index << 32; /* Apart from every other task's names. */
	self->state = task;
	return 0;
}

void aim7_leave(struct worker_self *self)
{
	struct aim7_task *task = self->state;
	free(task->path);
	free(task->shared_path);
	free(task);
	self->state = NULL;
}

int64_t aim7_run(struct worker_self *self, aim7_job job)
{
	const struct aim7 *aim7 = work_shared(self->work);
	const uint64_t jobs = work_number(self->work, "jobs");
	const uint64_t begin_ns = clock_monotonic_ns();
	for (uint64_t i = 0; i < jobs; i++) {
		const int failed = job(self->state);
		if (failed)
			return error_errno(&self->err, -failed, "job %" PRIu64 " of task %u", i,
					   self->index);
	}
	aim7->elapsed_ns[self->index] = clock_monotonic_ns() - begin_ns;
	return (int64_t)jobs;
}

/* ---- pieces ---- */

void aim7_name(struct aim7_task *task)
{
	(void)snprintf(task->path, task->path_bytes, "%s/%016" PRIx64, task->directory,
		       task->n_names++);
}

int aim7_creat(const struct aim7_task *task)
{
	const int fd = creat(task->path, MODE);
	return fd < 0 ? -errno : fd;
}

int aim7_open(const char *path, int flags)
{
	const int fd = open(path, flags);
	return fd < 0 ? -errno : fd;
}

int aim7_unlink(const struct aim7_task *task)
{
	return unlink(task->path) < 0 ? -errno : 0;
}

/* What a call that gave less than a block says: -errno, or -EIO without one. */
static int short_by(ssize_t done)
{
	return done < 0 ? -errno : -EIO;
}

static int write_block(const struct aim7_task *task, int fd)
{
	const ssize_t done = write(fd, task->block, AIM7_BLOCK_BYTES);
	return done == AIM7_BLOCK_BYTES ? 0 : short_by(done);
}

static int read_block(struct aim7_task *task, int fd)
{
	const ssize_t done = read(fd, task->block, AIM7_BLOCK_BYTES);
	return done == AIM7_BLOCK_BYTES ? 0 : short_by(done);
}

int aim7_write(const struct aim7_task *task, int fd)
{
	int failed = 0;
	for (uint64_t i = 0; i < task->n_blocks && !failed; i++)
		failed = write_block(task, fd);
	return failed;
}

int aim7_read(struct aim7_task *task, int fd)
{
	int failed = 0;
	for (uint64_t i = 0; i < task->n_blocks && !failed; i++)
		failed = read_block(task, fd);
	return failed;
}

static int seek_random(struct aim7_task *task, int fd)
{
	const uint64_t block = aim7_random(&task->seed) % task->n_blocks;
	return lseek(fd, (off_t)(block * AIM7_BLOCK_BYTES), SEEK_SET) < 0 ? -errno : 0;
}

int aim7_read_random(struct aim7_task *task, int fd)
{
	int failed = 0;
	for (uint64_t i = 0; i < task->n_blocks && !failed; i++) {
		failed = seek_random(task, fd);
		if (!failed)
			failed = read_block(task, fd);
	}
	return failed;
}

int aim7_write_random(struct aim7_task *task, int fd)
{
	int failed = 0;
	for (uint64_t i = 0; i < task->n_blocks && !failed; i++) {
		failed = seek_random(task, fd);
		if (!failed)
			failed = write_block(task, fd);
	}
	return failed;
}

int aim7_copy(struct aim7_task *task, int from_fd, int to_fd)
{
	int failed = 0;
	for (uint64_t i = 0; i < task->n_blocks && !failed; i++) {
		failed = read_block(task, from_fd);
		if (!failed)
			failed = write_block(task, to_fd);
	}
	return failed;
}

int aim7_make(struct aim7_task *task)
{
	aim7_name(task);
	AUTO(fd) int fd = aim7_creat(task);
	return fd < 0 ? fd : aim7_write(task, fd);
}
