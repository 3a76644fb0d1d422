/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ebizzy: threads that each, again and again, take a buffer, copy a chunk of the data that all share
 * into it, search it for a key, and give the buffer back. One such record is one operation. How the
 * buffer is taken decides what is measured:
 *
 *     alloc=default   from the C library, which keeps it: after the first records no call of the
 *                     kernel, a benchmark of memcpy and caches
 *     alloc=mmap      mapped and unmapped for each record (-m): mmap_lock, page faults, the shooting
 *                     down of other CPUs' TLBs
 *     alloc=no-mmap   one buffer a thread, whose pages go back to the kernel after each record (-M):
 *                     page faults and madvise, without a change of the mappings
 *
 * The original leaves the last two to the C library's switches, and so to its version; here they are
 * done by name. Its random numbers begin at 0 and are only multiplied, so that each record copies the
 * whole first chunk and looks for key 0, and a random size is always that of one record:
 * rng=original does the same, rng=real draws from all chunks and keys. Their scores mean different
 * things and are never compared.
 *
 * The number lies when the C library is another, or has MALLOC_ or glibc.malloc settings
 * (alloc=default); when a buffer fits into a cache and the chunks do not; and as a sign of fairness
 * where there are more threads than CPUs, which is its preset.
 */
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "workload/workload.h"

#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#define RECORD_BYTES sizeof(uint64_t)
#define BATCH 4
#define CHUNK_BYTES_MAX (32UL << 20) /* The largest threshold of the C library's for mmap. */

enum taking { TAKE_DEFAULT, TAKE_MMAP, TAKE_NO_MMAP };
enum copying { COPY_MEMCPY, COPY_BYTES, COPY_TOUCH };

/* Shared by the threads; read only once they run. */
struct data {
	uint64_t **chunks; /* n_chunks, each mapped, of chunk_bytes. */
	unsigned n_chunks;
	size_t chunk_bytes; /* A multiple of RECORD_BYTES. */
	size_t mapped_bytes;
	enum taking taking;
	enum copying copying;
	bool linear;
	bool random_size;
	bool stuck; /* rng=original. */
};

struct thread {
	struct random random;
	void *buffer;   /* TAKE_NO_MMAP: of chunk_bytes. */
	uint64_t found; /* Sum of what was found, so that the search is done. */
};

static void retire(struct work *work)
{
	struct data *data = work_shared(work);
	if (!data)
		return;
	for (unsigned i = 0; i < data->n_chunks; i++)
		(void)munmap(data->chunks[i], data->mapped_bytes); /* Our own: cannot fail. */
	free(data->chunks);
	free(data);
	work_share(work, /* shared= */ NULL);
}

static int add_chunk(struct data *data, bool leave_hole, struct error *err)
{
	const size_t page = data->mapped_bytes - data->chunk_bytes;
	uint64_t *chunk = mmap(NULL, data->mapped_bytes, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (chunk == MAP_FAILED)
		return error_errno(err, errno, "cannot map chunk %u", data->n_chunks + 1);
	for (size_t i = 0; i < data->chunk_bytes / RECORD_BYTES; i++)
		chunk[i] = i;
	data->chunks[data->n_chunks++] = chunk;
	if (leave_hole && munmap((char *)chunk + data->chunk_bytes, page) < 0)
		return error_errno(err, errno, "cannot leave a hole");
	return 0;
}

static enum taking taking_of(const char *word)
{
	if (text_equal(word, "mmap"))
		return TAKE_MMAP;
	return text_equal(word, "no-mmap") ? TAKE_NO_MMAP : TAKE_DEFAULT;
}

static enum copying copying_of(const char *word)
{
	if (text_equal(word, "bytes"))
		return COPY_BYTES;
	return text_equal(word, "touch") ? COPY_TOUCH : COPY_MEMCPY;
}

static bool is_yes(const struct work *work, const char *parameter)
{
	return text_equal(work_word(work, parameter), "yes");
}

static int prepare(struct work *work, struct error *err)
{
	struct data *data = mem_zero(sizeof(*data));
	const unsigned n_chunks = (unsigned)work_number(work, "chunks");
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	work_share(work, data);
	data->chunks = mem_array(n_chunks, sizeof(*data->chunks));
	data->chunk_bytes = (work_number(work, "chunk_size") + page - 1) / page * page;
	data->mapped_bytes = data->chunk_bytes + page;
	data->taking = taking_of(work_word(work, "alloc"));
	data->copying = copying_of(work_word(work, "copy"));
	data->linear = text_equal(work_word(work, "search"), "linear");
	data->random_size = is_yes(work, "random_size");
	data->stuck = text_equal(work_word(work, "rng"), "original");
	int failed = 0;
	while (!failed && data->n_chunks < n_chunks)
		failed = add_chunk(data, is_yes(work, "holes"), err);
	for (unsigned i = 0; !failed && is_yes(work, "permissions") && i < n_chunks; i += 2)
		if (mprotect(data->chunks[i], data->chunk_bytes, PROT_READ) < 0)
			failed = error_errno(err, errno, "cannot protect a chunk");
	if (failed) {
		retire(work);
		return failed;
	}
	/* What glibc comes to by itself after the first free of a buffer, from the beginning. */
	if (data->taking == TAKE_DEFAULT) {
		(void)mallopt(M_MMAP_THRESHOLD, (int)CHUNK_BYTES_MAX);
		(void)mallopt(M_TRIM_THRESHOLD, INT32_MAX);
	}
	return 0;
}

static int enter(struct worker_self *self, struct error *err)
{
	const struct data *data = work_shared(self->work);
	struct thread *thread = mem_zero(sizeof(*thread));
	random_seed(&thread->random, self->index + 1);
	if (data->taking == TAKE_NO_MMAP) {
		thread->buffer = mmap(NULL, data->chunk_bytes, PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (thread->buffer == MAP_FAILED) {
			const int code = errno;
			free(thread);
			return error_errno(err, code, "cannot map a buffer");
		}
	}
	self->state = thread;
	return 0;
}

static void leave(struct worker_self *self)
{
	const struct data *data = work_shared(self->work);
	struct thread *thread = self->state;
	if (thread->buffer)
		(void)munmap(thread->buffer, data->chunk_bytes); /* Our own: cannot fail. */
	free(thread);
}

/* ---- one record ---- */

/* 0 .. limit - 1. */
static uint64_t draw(const struct data *data, struct thread *thread, uint64_t limit)
{
	return data->stuck ? 0 : random_below(&thread->random, limit);
}

/* NULL when there is no memory. */
static void *take(const struct data *data, const struct thread *thread, size_t bytes)
{
	if (data->taking == TAKE_NO_MMAP)
		return thread->buffer;
	if (data->taking == TAKE_DEFAULT)
		return malloc(bytes);
	void *buffer =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return buffer == MAP_FAILED ? NULL : buffer;
}

static int give_back(const struct data *data, void *buffer, size_t bytes)
{
	if (data->taking == TAKE_DEFAULT) {
		free(buffer);
		return 0;
	}
	const int failed = data->taking == TAKE_MMAP ? munmap(buffer, bytes)
						     : madvise(buffer, bytes, MADV_DONTNEED);
	return failed < 0 ? -errno : 0;
}

static void copy_bytes(volatile char *to, const volatile char *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = from[i];
}

static void touch(volatile char *buffer, size_t bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	for (size_t i = 0; i < bytes; i += page)
		buffer[i] = 1;
}

static int compare(const void *key, const void *record)
{
	const uint64_t one = *(const uint64_t *)key;
	const uint64_t other = *(const uint64_t *)record;
	return (one > other) - (one < other);
}

static const uint64_t *search(const struct data *data, const uint64_t *records, size_t n,
			      uint64_t key)
{
	if (!data->linear)
		return bsearch(&key, records, n, RECORD_BYTES, compare);
	for (size_t i = 0; i < n; i++)
		if (records[i] == key)
			return &records[i];
	return NULL;
}

static int do_record(const struct data *data, struct thread *thread)
{
	const uint64_t *chunk = data->chunks[draw(data, thread, data->n_chunks)];
	const size_t n_max = data->chunk_bytes / RECORD_BYTES;
	const size_t n = data->random_size ? draw(data, thread, n_max) + 1 : n_max;
	uint64_t *const buffer = take(data, thread, n * RECORD_BYTES);
	if (!buffer)
		return -ENOMEM;
	if (data->copying == COPY_TOUCH) {
		touch((char *)buffer, n * RECORD_BYTES);
		return give_back(data, buffer, n * RECORD_BYTES);
	}
	if (data->copying == COPY_MEMCPY)
		memcpy(buffer, chunk, n * RECORD_BYTES);
	else
		copy_bytes((char *)buffer, (const char *)chunk, n * RECORD_BYTES);
	const uint64_t *found = search(data, buffer, n, draw(data, thread, n));
	assert(found); /* Record i of a chunk is i. */
	thread->found += *found;
	return give_back(data, buffer, n * RECORD_BYTES);
}

static int64_t batch(struct worker_self *self)
{
	const struct data *data = work_shared(self->work);
	for (int i = 0; i < BATCH; i++) {
		const int failed = do_record(data, self->state);
		if (failed)
			return failed;
	}
	return BATCH;
}

static void score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	ret_values[0] = tally->rate_per_sec > 0 ? value_known(tally->rate_per_sec)
						: value_missing(MISSING_FAILED);
}

/* clang-format off */
#define WORD(name_, what_, preset_, words_)                                                        \
	{ .name = (name_), .what = (what_), .type = PARAMETER_WORD, .preset = (preset_),           \
	  .words = (words_) }

static const struct parameter parameters[] = {
	WORD("mode", "its workers are threads of one process", "thread", "thread"),
	{ .name = "nr_task", .alias = "t", .what = "number of threads", .type = PARAMETER_NUMBER,
	  .preset = "200%", .min = 1, .max = 16384, .percent_of_cpus = true },
	WORD("pin", "bind thread i to the i-th core, the i-th CPU, or not at all", "none", "core cpu none"),
	{ .name = "warmup", .what = "seconds before the measured window; the original has none",
	  .type = PARAMETER_SECONDS, .preset = "1", .min = 0, .max = 3600 },
	{ .name = "duration", .alias = "S", .what = "seconds of the measured window",
	  .type = PARAMETER_SECONDS, .preset = "10", .min = 0, .max = 86400 },
	WORD("alloc", "how a buffer is taken: by malloc, mmap (-m), or kept and emptied (-M)", "default", "default mmap no-mmap"),
	{ .name = "chunks", .alias = "n", .what = "chunks of data that the threads share",
	  .type = PARAMETER_NUMBER, .preset = "10", .min = 1, .max = 100000 },
	{ .name = "chunk_size", .alias = "s", .what = "bytes of a chunk, taken up to whole pages",
	  .type = PARAMETER_NUMBER, .preset = "524288", .min = 8, .max = CHUNK_BYTES_MAX },
	WORD("random_size", "copy a random part of a chunk instead of all of it (-R)", "no", "no yes"),
	WORD("copy", "by memcpy, byte by byte (-l), or only touch each page and search nothing (-T)", "memcpy", "memcpy bytes touch"),
	WORD("search", "in a sorted buffer by halving, or from the beginning (-z)", "binary", "binary linear"),
	WORD("permissions", "make every other chunk read-only (-p)", "no", "no yes"),
	WORD("holes", "leave an unmapped page behind each chunk (-P)", "no", "no yes"),
	WORD("rng", "the original's generator, which is stuck at 0, or one that draws", "real", "original real"),
	{ .name = "burn_permille",
	  .what = "time burnt behind each batch, thousandths of its own: a slow-down to test on",
	  .type = PARAMETER_NUMBER, .preset = "0", .min = 0, .max = 10000 },
	{ 0 },
};
/* clang-format on */

static const struct metric metrics[] = {
	{
		.name = "ebizzy.throughput",
		.unit = "records/s",
		.kind = METRIC_SCORE,
		.better = BETTER_HIGHER,
		.role = ROLE_SCORE,
		.what = "records per second, sum over threads",
	},
	{ 0 },
};

const struct workload workload_ebizzy = {
	.about = {
		.name = "ebizzy",
		.what = "threads that copy and search memory, as a server of requests does",
		.stands = "taking and giving back memory in one address space: mmap_lock, faults, TLBs",
		.parameters = parameters,
		.metrics = metrics,
		.semantics = 1,
		.semantics_by = "rng",
		.claims_cpu = true,
	},
	.shape = WORK_LOOP,
	.prepare = prepare,
	.enter = enter,
	.batch = batch,
	.leave = leave,
	.score = score,
	.retire = retire,
};
