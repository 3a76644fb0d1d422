/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writers and readers of one address space's lock (mmap_lock, a read-write semaphore, mmap_sem
 * before 5.8). A writer maps some pages, writes into each and unmaps them, again and again; a reader
 * faults in the pages of a piece of memory of its own, gives them back by MADV_DONTNEED, and again.
 * It presses the semaphore itself: waiting writers, optimistic spinning, hand-off, and the downgrade
 * to a read lock by which munmap frees pages since 4.20. That downgrade cost threads of brk1 64 %:
 * a lock that readers hold is one on which no writer spins.
 *
 * One write is one pair of mmap and munmap with `pages` faults of the writer's own between them; one
 * read is one fault of a reader.
 *
 * The number lies where faults do not take the lock: since 6.4 (CONFIG_PER_VMA_LOCK) a fault of
 * anonymous memory mostly takes the lock of its mapping only, and what is left of the readers is one
 * MADV_DONTNEED for each 256 faults. It lies with more tasks than CPUs, where a holder of the lock
 * is preempted; and in the time of page clearing, which is no locking: compare with readers=0.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "workload/workload.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>

#define READ_PAGES 256 /* Of a reader's piece: a portion of its work. */
#define WRITE_PORTION 16

struct bench {
	size_t writers;
	size_t readers;
	size_t page_bytes;
	size_t write_bytes;
	uint64_t duration_ns;
	char *memory; /* READ_PAGES of each reader. */
	/* One a worker, written once, at its end. */
	uint64_t *operations;
};

static unsigned count(const struct work *work)
{
	return (unsigned)(work_number(work, "writers") + work_number(work, "readers"));
}

static size_t memory_bytes(const struct bench *bench)
{
	return bench->readers * READ_PAGES * bench->page_bytes;
}

static void retire(struct work *work)
{
	struct bench *bench = work_shared(work);
	if (!bench)
		return;
	if (bench->memory)
		(void)munmap(bench->memory, memory_bytes(bench));
	free(bench->operations);
	free(bench);
	work_share(work, /* shared= */ NULL);
}

static int prepare(struct work *work, struct error *err)
{
	struct bench *bench = mem_zero(sizeof(*bench));
	work_share(work, bench);
	bench->writers = work_number(work, "writers");
	bench->readers = work_number(work, "readers");
	bench->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	bench->write_bytes = work_number(work, "pages") * bench->page_bytes;
	bench->duration_ns = work_seconds_ns(work, "duration");
	bench->operations = mem_array(work_workers(work), sizeof(*bench->operations));
	if (bench->readers == 0)
		return 0;
	void *memory = mmap(NULL, memory_bytes(bench), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) {
		const int code = errno;
		retire(work);
		return error_errno(err, code, "cannot map the readers' memory");
	}
	bench->memory = memory;
	/* One fault a page; a kernel without huge pages refuses, and needs it not. */
	(void)madvise(memory, memory_bytes(bench), MADV_NOHUGEPAGE);
	return 0;
}

/* ---- the workers' side: a portion, its operations or -errno ---- */

static void touch(char *memory, size_t bytes, size_t page_bytes)
{
	for (size_t at = 0; at < bytes; at += page_bytes)
		*(volatile char *)(memory + at) = 1;
}

static int64_t write_portion(const struct bench *bench)
{
	for (int i = 0; i < WRITE_PORTION; i++) {
		void *memory = mmap(NULL, bench->write_bytes, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return -errno;
		touch(memory, bench->write_bytes, bench->page_bytes);
		if (munmap(memory, bench->write_bytes) < 0)
			return -errno;
	}
	return WRITE_PORTION;
}

static int64_t read_portion(const struct bench *bench, size_t reader)
{
	assert(reader < bench->readers);
	const size_t bytes = READ_PAGES * bench->page_bytes;
	char *memory = bench->memory + reader * bytes;
	touch(memory, bytes, bench->page_bytes);
	return madvise(memory, bytes, MADV_DONTNEED) < 0 ? -errno : READ_PAGES;
}

/* Both kinds stop by the same clock, whichever of them the lock favours. */
static int64_t batch(struct worker_self *self)
{
	const struct bench *bench = work_shared(self->work);
	const bool writes = self->index < bench->writers;
	const uint64_t end_ns = clock_monotonic_ns() + bench->duration_ns;
	uint64_t operations = 0;
	do {
		const int64_t done = writes ? write_portion(bench)
					    : read_portion(bench, self->index - bench->writers);
		if (done < 0)
			return error_errno(&self->err, (int)-done, "%s %u",
					   writes ? "writer" : "reader", self->index);
		operations += (uint64_t)done;
	} while (clock_monotonic_ns() < end_ns);
	bench->operations[self->index] = operations;
	return (int64_t)operations;
}

/* ---- scores ---- */

static struct value rate(const struct bench *bench, size_t first, size_t n, uint64_t elapsed_ns)
{
	if (n == 0)
		return value_not_applicable();
	if (elapsed_ns == 0)
		return value_missing(MISSING_MALFORMED);
	uint64_t sum = 0;
	for (size_t i = first; i < first + n; i++)
		sum += bench->operations[i];
	return value_known((double)sum / clock_seconds(elapsed_ns));
}

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	const struct bench *bench = work_shared(work);
	const uint64_t elapsed_ns = tally->elapsed_ns;
	ret_values[0] = rate(bench, 0, bench->writers, elapsed_ns);
	ret_values[1] = rate(bench, bench->writers, bench->readers, elapsed_ns);
	ret_values[2] = rate(bench, 0, bench->writers + bench->readers, elapsed_ns);
}

static const struct parameter parameters[] = {
	{
		.name = "writers",
		.alias = "w",
		.what = "threads that map and unmap",
		.type = PARAMETER_NUMBER,
		.preset = "1",
		.min = 1,
		.max = 8192,
		.percent_of_cpus = true,
	},
	{
		.name = "readers",
		.alias = "r",
		.what = "threads that fault",
		.type = PARAMETER_NUMBER,
		.preset = "1",
		.min = 0,
		.max = 8192,
		.percent_of_cpus = true,
	},
	{
		.name = "pages",
		.what = "pages that a writer maps, writes into and unmaps",
		.type = PARAMETER_NUMBER,
		.preset = "16",
		.min = 1,
		.max = 65536,
	},
	{
		.name = "duration",
		.alias = "s",
		.what = "seconds of the measured window",
		.type = PARAMETER_SECONDS,
		.preset = "5",
		.min = 0,
		.max = 86400,
	},
	{
		.name = "mode",
		.what = "tasks are threads",
		.type = PARAMETER_WORD,
		.preset = "thread",
		.words = "thread",
	},
	{
		.name = "pin",
		.what = "bind task i to the i-th core, the i-th CPU, or not at all; writers first",
		.type = PARAMETER_WORD,
		.preset = "core",
		.words = "core cpu none",
	},
	{ 0 },
};

static const struct metric metrics[] = {
	{
		.name = "mmap-rwsem.writes_per_sec",
		.unit = "ops/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_SCORE,
		.what = "pairs of mmap and munmap per second, sum over writers",
	},
	{
		.name = "mmap-rwsem.reads_per_sec",
		.unit = "ops/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_SCORE,
		.what = "page faults per second, sum over readers",
	},
	{
		.name = "mmap-rwsem.ops_per_sec",
		.unit = "ops/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_RESTATED,
		.what = "writes and reads per second, their sum",
	},
	{ 0 },
};

const struct workload workload_mmap_rwsem = {
	.about = {
		.name = "mmap-rwsem",
		.what = "threads that map and unmap beside threads that fault, in one address space",
		.stands = "the read-write semaphore of an address space: spinning, hand-off, downgrade",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
	},
	.shape = WORK_FIXED,
	.count = count,
	.prepare = prepare,
	.batch = batch,
	.score = score,
	.retire = retire,
};
