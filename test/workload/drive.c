/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See drive.h. What a worker found travels in memory that processes share as threads do. */
#include "workload/drive.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/wait.h>

#define ARGUMENTS_MAX 16
#define STACK_BYTES_LEAST (256UL << 10)

struct worker {
	struct worker_self self;
	struct drive *drive;
	struct board *board;
	pthread_t thread;
	pid_t process;
};

/* Shared by all workers. */
struct board {
	pthread_barrier_t barrier;
	struct result {
		int failed;
		struct error err;
		int64_t operations;
		bool finished;
	} results[];
};

void *drive_shared(size_t size)
{
	void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(block != MAP_FAILED);
	return block;
}

static int run_batches(struct worker *worker, struct result *result)
{
	const struct workload *row = work_row(worker->self.work);
	for (unsigned i = 0; i < worker->drive->batches; i++) {
		const int64_t done = row->batch(&worker->self);
		if (done < 0) {
			result->err = worker->self.err;
			return (int)done;
		}
		result->operations += done;
	}
	return 0;
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;
	const struct workload *row = work_row(worker->self.work);
	struct result *result = &worker->board->results[worker->self.index];
	if (row->enter)
		result->failed = row->enter(&worker->self, &result->err);
	const bool entered = result->failed == 0;
	if (entered && worker->drive->entered)
		worker->drive->entered(&worker->self, worker->drive->user);
	(void)pthread_barrier_wait(&worker->board->barrier);
	if (entered && worker->drive->kill_workers)
		(void)raise(SIGKILL);
	if (entered)
		result->failed = run_batches(worker, result);
	if (entered && row->leave)
		row->leave(&worker->self);
	result->finished = true;
	return NULL;
}

static void start(struct worker *worker, bool is_thread)
{
	if (is_thread) {
		const size_t stack = work_row(worker->self.work)->stack_bytes;
		pthread_attr_t attributes;
		CHECK_INT(pthread_attr_init(&attributes), 0);
		if (stack)
			CHECK_INT(pthread_attr_setstacksize(
					  &attributes,
					  stack > STACK_BYTES_LEAST ? stack : STACK_BYTES_LEAST),
				  0);
		CHECK_INT(pthread_create(&worker->thread, &attributes, run_worker, worker), 0);
		(void)pthread_attr_destroy(&attributes);
		return;
	}
	worker->process = fork();
	CHECK(worker->process >= 0);
	if (worker->process == 0) {
		(void)run_worker(worker);
		_exit(0);
	}
}

static void reap(struct worker *worker)
{
	if (worker->process)
		CHECK_INT(waitpid(worker->process, NULL, 0), worker->process);
	else
		CHECK_INT(pthread_join(worker->thread, NULL), 0);
}

static struct board *new_board(unsigned n_workers)
{
	struct board *board = drive_shared(sizeof(*board) + n_workers * sizeof(struct result));
	pthread_barrierattr_t attributes;
	CHECK_INT(pthread_barrierattr_init(&attributes), 0);
	CHECK_INT(pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED), 0);
	CHECK_INT(pthread_barrier_init(&board->barrier, &attributes, n_workers + 1), 0);
	(void)pthread_barrierattr_destroy(&attributes);
	return board;
}

/* Makes all workers, as long as before_worker agrees. */
static int start_all(struct work *work, struct drive *drive, struct board *board,
		     struct worker *workers)
{
	const struct workload *row = work_row(work);
	for (unsigned i = 0; i < work_workers(work); i++) {
		const int failed =
			row->before_worker ? row->before_worker(work, i, &drive->err) : 0;
		if (failed)
			return failed;
		workers[i] = (struct worker) {
			.self = { .work = work, .index = i },
			.drive = drive,
			.board = board,
		};
		start(&workers[i], work_has_threads(work));
		if (row->after_worker)
			row->after_worker(work, i);
	}
	return 0;
}

static int finish(struct work *work, struct drive *drive, const struct board *board)
{
	const unsigned n_workers = work_workers(work);
	for (unsigned i = 0; i < n_workers; i++) {
		const struct result *result = &board->results[i];
		if (result->failed || !result->finished) {
			drive->err = result->err;
			return result->failed ? result->failed : -ESRCH;
		}
		drive->tally.operations += (uint64_t)result->operations;
	}
	drive->tally.n_workers = n_workers;
	drive->tally.rate_per_sec =
		(double)drive->tally.operations / clock_seconds(drive->tally.elapsed_ns);
	const struct workload *row = work_row(work);
	(row->score ? row->score : workload_score_rate)(work, &drive->tally, drive->values);
	return 0;
}

/* Of this machine; a descriptor that lives as long as the test. */
static int drive_root(void)
{
	static int root_fd = -1;
	struct error err;
	if (root_fd < 0)
		root_fd = fs_root_open("/", &err);
	CHECK(root_fd >= 0);
	return root_fd;
}

int drive(struct work *work, struct drive *drive)
{
	const struct workload *row = work_row(work);
	drive->tally = (struct tally) { .cpus_online = 1 };
	drive->err = (struct error) { 0 };
	work_set_root(work, drive_root());
	int failed = row->prepare ? row->prepare(work, &drive->err) : 0;
	if (failed)
		return failed;
	struct board *board = new_board(work_workers(work));
	struct worker *workers = mem_array(work_workers(work), sizeof(*workers));
	failed = start_all(work, drive, board, workers);
	if (!failed) {
		(void)pthread_barrier_wait(&board->barrier);
		const uint64_t start_ns = clock_monotonic_ns();
		for (unsigned i = 0; i < work_workers(work); i++)
			reap(&workers[i]);
		drive->tally.elapsed_ns = clock_monotonic_ns() - start_ns;
		failed = finish(work, drive, board);
	}
	free(workers);
	if (row->retire)
		row->retire(work);
	return failed;
}

struct work *drive_work(const char *workload, ...)
{
	const struct workload *row = workload_find(workload);
	if (!row)
		fail_msg("there is no workload '%s'", workload);
	struct work_argument arguments[ARGUMENTS_MAX];
	char *copies[ARGUMENTS_MAX];
	size_t n = 0;
	va_list list;
	va_start(list, workload);
	for (const char *next = va_arg(list, const char *); next;
	     next = va_arg(list, const char *)) {
		CHECK(n < ARGUMENTS_MAX);
		copies[n] = mem_text(next);
		char *equals = strchr(copies[n], '=');
		CHECK(equals);
		*equals = '\0';
		arguments[n] = (struct work_argument) { .name = copies[n], .value = equals + 1 };
		n++;
	}
	va_end(list);
	struct work *work = NULL;
	struct error err = { 0 };
	if (work_new(row, arguments, n, &work, &err) < 0)
		fail_msg("workload '%s' refused its parameters: %s", workload, err.text);
	for (size_t i = 0; i < n; i++)
		free(copies[i]);
	return work;
}
