/* SPDX-License-Identifier: GPL-2.0-or-later */
/* context_switch1: the partner task comes and goes with its worker. */
#include "base/clock.h"
#include "check.h"
#include "workload/drive.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

/* What the worker's side of the test writes down. */
struct note {
	pid_t worker;
	pid_t child;   /* The worker's first child, 0 when it has none. */
	int n_threads; /* Of the worker's process. */
};

static int count_threads(void)
{
	DIR *folder = opendir("/proc/self/task");
	if (!folder)
		return -1;
	int count = 0;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
		count += entry->d_name[0] != '.';
	(void)closedir(folder);
	return count;
}

static pid_t first_child(void)
{
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	FILE *file = fopen(path, "re");
	if (!file)
		return -1;
	int child = 0;
	if (fscanf(file, "%d", &child) != 1)
		child = 0;
	(void)fclose(file);
	return child;
}

static void take_note(struct worker_self *self, void *user)
{
	struct note *note = user;
	*note = (struct note) {
		.worker = getpid(),
		.child = first_child(),
		.n_threads = count_threads(),
	};
}

static bool is_gone(pid_t process)
{
	return kill(process, 0) < 0 && errno == ESRCH;
}

static void the_partner_process_is_gone_after_leave(void **state)
{
	struct note *note = drive_shared(sizeof(*note));
	struct drive run = { .batches = 3, .entered = take_note, .user = note };
	struct work *work = drive_work("context_switch1", "mode=process", NULL);
	CHECK_INT(drive(work, &run), 0);
	work_free(work);
	if (note->child < 0) {
		print_message("this kernel does not list the children of a task\n");
		skip();
	}
	CHECK(note->child > 0);
	CHECK(is_gone(note->worker));
	CHECK(is_gone(note->child));
	CHECK(run.tally.operations > 0 && run.tally.operations % 6 == 0);
}

static struct note run_as_threads(void)
{
	struct note note = { 0 };
	struct drive run = { .batches = 2, .entered = take_note, .user = &note };
	struct work *work = drive_work("context_switch1", "mode=thread", NULL);
	CHECK_INT(drive(work, &run), 0);
	work_free(work);
	return note;
}

/* A joined thread is listed a little longer, until the kernel has buried it. */
static void wait_for_threads(int want)
{
	for (int left = 1000; left > 0 && count_threads() != want; left--)
		clock_sleep_until_ns(clock_monotonic_ns() + 10 * NS_PER_MS);
	CHECK_INT(count_threads(), want);
}

static void the_partner_thread_is_gone_after_leave(void **state)
{
	/* The first threads of a process may bring a sanitizer's own thread, which stays; the worker
	 * and its partner do not. */
	const int with_worker = run_as_threads().n_threads;
	wait_for_threads(with_worker - 2);
	const struct note note = run_as_threads();
	CHECK_INT(note.worker, getpid());
	CHECK_INT(note.child, 0);
	CHECK_INT(note.n_threads, with_worker);
	wait_for_threads(with_worker - 2);
}

static void a_killed_worker_takes_its_partner_along(void **state)
{
	/* Orphans come to this process, so that their end can be seen without a race. */
	CHECK_INT(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	struct note *note = drive_shared(sizeof(*note));
	struct drive run = {
		.batches = 1, .entered = take_note, .user = note, .kill_workers = true
	};
	struct work *work = drive_work("context_switch1", "mode=process", NULL);
	CHECK_INT(drive(work, &run), -ESRCH);
	work_free(work);
	/* Without an end of the partner this would wait for ever. How it ends is a race: by the
	 * signal, at the end of its pipe, or by seeing at its start that the worker is gone. */
	const pid_t orphan = waitpid(-1, NULL, 0);
	CHECK(orphan > 0 && (note->child < 0 || orphan == note->child));
	CHECK_INT(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_partner_process_is_gone_after_leave),
		cmocka_unit_test(the_partner_thread_is_gone_after_leave),
		cmocka_unit_test(a_killed_worker_takes_its_partner_along),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
