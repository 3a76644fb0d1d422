/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each process and thread does. Threads are made and memory is touched inside the measured
 * time, as in the originals, whose score is the life of the whole program. All threads of numa01
 * write the same bytes at the same time: that is the load.
 */
#include "workload/numa_bench.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"
#include "workload/numa_nodes.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

#define MIB (1UL << 20)
#define PAGE_BYTES 4096ULL
#define MEMINFO_BYTES 8192

enum bind {
	BIND_FREE,
	BIND_HARD,             /* Tasks and memory together. */
	BIND_INVERSE,          /* Tasks here, memory there. */
	BIND_INVERSE_ORIGINAL, /* As the original has it: of the two processes only the first. */
};

/* Made in prepare; the processes inherit it and only read. */
struct bench {
	const struct numa_bench_kind *kind;
	enum bind bind;
	uint64_t bytes;
	uint64_t loops;
	unsigned threads;
	struct numa_nodes nodes;
	bool is_one_node; /* Nothing is bound. */
	struct numa_half halves[2];
	struct numa_half *singles; /* Nodes with CPUs and memory, one by one. Owned. */
	size_t n_singles;
};

struct task { /* A thread. */
	struct process *process;
	unsigned index;
	pthread_t thread;
	struct error err;
};

struct process { /* In worker_self.state. */
	const struct bench *bench;
	char *memory;
	struct task *tasks;
};

/* ---- what is where ---- */

static enum bind bind_of(const char *word)
{
	if (text_equal(word, "hard"))
		return BIND_HARD;
	if (text_equal(word, "inverse"))
		return BIND_INVERSE;
	return text_equal(word, "inverse-original") ? BIND_INVERSE_ORIGINAL : BIND_FREE;
}

/* Where the i-th of n parts begins: at a page, so that no page is in two. */
static uint64_t part_at(const struct bench *bench, size_t index, size_t n)
{
	assert(index <= n && n > 0);
	if (index == n)
		return bench->bytes;
	return bench->bytes / n * index & ~(PAGE_BYTES - 1);
}

static void find_singles(struct bench *bench)
{
	const struct numa_nodes *nodes = &bench->nodes;
	bench->singles = mem_array(nodes->n, sizeof(*bench->singles));
	for (size_t i = 0; i < nodes->n; i++) {
		const struct numa_node *node = &nodes->nodes[i];
		if (!node->has_cpus || !node->has_memory)
			continue;
		struct numa_half *single = &bench->singles[bench->n_singles++];
		single->cpus = node->cpus;
		numa_mask_set(&single->memory, node->number);
	}
}

/* Two places for what this row and its binding put apart. */
static bool has_two_places(struct bench *bench)
{
	if (bench->bind == BIND_FREE)
		return numa_nodes_with_memory(&bench->nodes) >= 2;
	if (bench->kind->is_pair)
		return numa_nodes_halves(&bench->nodes, bench->halves);
	return bench->n_singles >= 2;
}

static int find_places(struct work *work, struct bench *bench, struct error *err)
{
	struct numa_mask cpus;
	struct numa_mask memory;
	int failed = numa_nodes_read(work_root(work), &bench->nodes, err);
	if (!failed)
		failed = numa_nodes_allowed(&cpus, &memory, err);
	if (failed)
		return failed;
	numa_nodes_keep(&bench->nodes, &cpus, &memory);
	find_singles(bench);
	bench->is_one_node = !has_two_places(bench);
	if (!bench->is_one_node || text_equal(work_word(work, "one_node"), "allow"))
		return 0;
	return error_set(err, EOPNOTSUPP,
			 "needs 2 nodes: bind=%s has nothing to choose with %zu with CPUs and %zu "
			 "with memory that may be used; --allow-one-node (one_node=allow) runs it "
			 "anyway, marked so",
			 work_word(work, "bind"), numa_nodes_with_cpus(&bench->nodes),
			 numa_nodes_with_memory(&bench->nodes));
}

/* Before a machine swaps or kills, it says so. A root that does not tell is not asked further. */
static int check_memory(const struct work *work, const struct bench *bench, struct error *err)
{
	char text[MEMINFO_BYTES];
	uint64_t available_kib;
	if (fs_read_at(work_root(work), "proc/meminfo", text, sizeof(text)) <= 0)
		return 0;
	const char *at = strstr(text, "MemAvailable:");
	if (!at)
		return 0;
	at += strlen("MemAvailable:");
	at += strspn(at, " ");
	if (!text_scan_u64(&at, text + strlen(text), &available_kib))
		return 0;
	const uint64_t wanted_mib = bench->bytes / MIB * work_workers(work);
	if (wanted_mib <= available_kib / 1024)
		return 0;
	return error_set(err, EOPNOTSUPP,
			 "%u process(es) of %" PRIu64 " MiB do not fit into the %" PRIu64
			 " MiB of memory that are available; use a smaller memory_mib",
			 work_workers(work), bench->bytes / MIB, available_kib / 1024);
}

/* ---- hooks of the harness ---- */

void numa_bench_retire(struct work *work)
{
	struct bench *bench = work_shared(work);
	if (!bench)
		return;
	numa_nodes_done(&bench->nodes);
	free(bench->singles);
	free(bench);
	work_share(work, /* shared= */ NULL);
}

int numa_bench_prepare(struct work *work, const struct numa_bench_kind *kind, struct error *err)
{
	struct bench *bench = mem_zero(sizeof(*bench));
	work_share(work, bench);
	bench->kind = kind;
	bench->bind = bind_of(work_word(work, "bind"));
	bench->bytes = work_number(work, "memory_mib") * MIB;
	bench->loops = work_number(work, "loops");
	bench->threads = (unsigned)work_number(work, "threads");
	int failed = find_places(work, bench, err);
	if (!failed)
		failed = check_memory(work, bench, err);
	if (failed)
		numa_bench_retire(work);
	return failed;
}

void numa_bench_score(const struct work *work, const struct tally *tally, struct value *ret_values)
{
	const struct bench *bench = work_shared(work);
	ret_values[0] = tally->elapsed_ns > 0 ? value_known(clock_seconds(tally->elapsed_ns))
					      : value_missing(MISSING_MALFORMED);
	ret_values[1] = value_missing(MISSING_ABSENT);
	if (!bench)
		return;
	const size_t n = bench->is_one_node ? 1 : numa_nodes_with_memory(&bench->nodes);
	ret_values[1] = value_known((double)n);
}

/* ---- a process ---- */

/* Of a pair: its half, and with inverse the other one's memory. */
static int bind_half(const struct bench *bench, unsigned index, struct error *err)
{
	const bool is_apart =
		bench->bind == BIND_INVERSE || (bench->bind == BIND_INVERSE_ORIGINAL && index == 0);
	assert(index < 2);
	const int failed = numa_bind_cpus(&bench->halves[index].cpus, err);
	if (failed)
		return failed;
	return numa_bind_memory(&bench->halves[is_apart ? 1 - index : index].memory, err);
}

int numa_bench_enter(struct worker_self *self, struct error *err)
{
	const struct bench *bench = work_shared(self->work);
	struct process *process = mem_zero(sizeof(*process));
	process->bench = bench;
	process->tasks = mem_array(bench->threads, sizeof(*process->tasks));
	void *memory = mmap(NULL, bench->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	int failed = 0;
	if (memory == MAP_FAILED)
		failed = error_errno(err, errno, "cannot map %" PRIu64 " MiB", bench->bytes / MIB);
	else
		process->memory = memory;
	if (!failed && bench->kind->is_pair && bench->bind != BIND_FREE && !bench->is_one_node)
		failed = bind_half(bench, self->index, err);
	self->state = process;
	if (failed)
		numa_bench_leave(self);
	return failed;
}

void numa_bench_leave(struct worker_self *self)
{
	struct process *process = self->state;
	if (process->memory)
		(void)munmap(process->memory, process->bench->bytes);
	free(process->tasks);
	free(process);
	self->state = NULL;
}

/* Every byte, each time: the compiler may not see that nobody reads them. */
static void clear(char *from, uint64_t bytes)
{
	memset(from, 0, bytes);
	__asm__ volatile("" : : "r"(from) : "memory");
}

/* The first touch of a pair: all of it by each thread, on one node for both processes when the
 * kernel is to find out by itself. (The original takes node 0 or 1 by the parity of the second in
 * which it was started.) */
static int touch_whole(const struct process *process, struct error *err)
{
	const struct bench *bench = process->bench;
	const bool binds = bench->bind == BIND_FREE && !bench->is_one_node;
	struct numa_mask first = { { 0 } };
	for (size_t i = bench->nodes.n; i-- > 0;)
		if (bench->nodes.nodes[i].has_memory) {
			first = (struct numa_mask) { { 0 } };
			numa_mask_set(&first, bench->nodes.nodes[i].number);
		}
	int failed = binds ? numa_bind_memory(&first, err) : 0;
	if (failed)
		return failed;
	clear(process->memory, bench->bytes);
	return binds ? numa_free_memory(err) : 0;
}

/* The first touch of numa02: one piece a node, in order, by the one thread that there is so far. */
static int touch_pieces(const struct process *process, struct error *err)
{
	const struct bench *bench = process->bench;
	const bool binds = bench->bind != BIND_FREE && !bench->is_one_node;
	const size_t n = binds ? bench->n_singles : 1;
	int failed = 0;
	for (size_t i = 0; i < n && !failed; i++) {
		const uint64_t from = part_at(bench, i, n);
		failed = binds ? numa_bind_memory(&bench->singles[i].memory, err) : 0;
		if (!failed)
			clear(process->memory + from, part_at(bench, i + 1, n) - from);
	}
	return !failed && binds ? numa_free_memory(err) : failed;
}

/* Of numa02: thread i belongs to the node that its slice is on, or, inverse, to the one opposite. */
static int bind_single(const struct task *task, struct error *err)
{
	const struct bench *bench = task->process->bench;
	const unsigned index =
		bench->bind == BIND_HARD ? task->index : bench->threads - 1 - task->index;
	const struct numa_half *single =
		&bench->singles[(size_t)index * bench->n_singles / bench->threads];
	const int failed = numa_bind_cpus(&single->cpus, err);
	return failed ? failed : numa_bind_memory(&single->memory, err);
}

static int begin_task(struct task *task)
{
	const struct bench *bench = task->process->bench;
	if (bench->kind->is_pair)
		return touch_whole(task->process, &task->err);
	if (bench->bind == BIND_FREE || bench->is_one_node)
		return 0;
	return bind_single(task, &task->err);
}

static void *run_task(void *argument)
{
	struct task *task = argument;
	const struct bench *bench = task->process->bench;
	uint64_t from = 0;
	uint64_t to = bench->bytes;
	if (begin_task(task) < 0)
		return NULL; /* task->err says why. */
	if (bench->kind->has_slice) {
		from = part_at(bench, task->index, bench->threads);
		to = part_at(bench, task->index + 1, bench->threads);
	}
	for (uint64_t i = 0; i < bench->loops; i++)
		clear(task->process->memory + from, to - from);
	return NULL;
}

/* Makes the threads and waits for them; those that were made end by themselves. */
static int run_tasks(struct process *process, struct error *err)
{
	const unsigned n = process->bench->threads;
	unsigned made = 0;
	int failed = 0;
	for (; made < n && !failed; made += !failed) {
		struct task *task = &process->tasks[made];
		*task = (struct task) { .process = process, .index = made };
		failed = -pthread_create(&task->thread, /* attributes= */ NULL, run_task, task);
	}
	if (failed)
		(void)error_errno(err, -failed, "cannot create thread %u of %u", made, n);
	for (unsigned i = 0; i < made; i++) {
		struct task *task = &process->tasks[i];
		const int code = pthread_join(task->thread, /* ret_value= */ NULL);
		assert(code == 0);
		if (!failed && task->err.code)
			failed = error_set(err, task->err.code, "thread %u: %s", i, task->err.text);
	}
	return failed;
}

/* The whole job of one process. One operation is one clearing. */
int64_t numa_bench_batch(struct worker_self *self)
{
	struct process *process = self->state;
	const struct bench *bench = process->bench;
	int failed = bench->kind->is_pair ? 0 : touch_pieces(process, &self->err);
	if (!failed)
		failed = run_tasks(process, &self->err);
	return failed ? failed : (int64_t)(bench->threads * bench->loops);
}
