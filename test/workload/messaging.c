/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core of hackbench and perf-messaging: channels, open files, messages; and their scores. */
#include "base/text.h"
#include "check.h"
#include "workload/drive.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

#define WORKERS_MAX 64

/* Open descriptors of this process that are sockets or pipes, or -1. */
static int count_channels(void)
{
	DIR *folder = opendir("/proc/self/fd");
	if (!folder)
		return -1;
	int count = 0;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		char target[256];
		const ssize_t length =
			readlinkat(dirfd(folder), entry->d_name, target, sizeof(target) - 1);
		if (length <= 0)
			continue;
		target[length] = '\0';
		count += text_starts_with(target, "socket:") || text_starts_with(target, "pipe:");
	}
	(void)closedir(folder);
	return count;
}

static void note_channels(struct worker_self *self, void *user)
{
	int *counts = user;
	if (self->index < WORKERS_MAX)
		counts[self->index] = count_channels();
}

static struct work *small(const char *ipc, const char *mode)
{
	return drive_work("hackbench", "groups=2", "fds=3", "loops=5", "size=40", ipc, mode, NULL);
}

static void check_messages(const char *ipc, const char *mode)
{
	struct work *work = small(ipc, mode);
	struct drive run = { .batches = 1 };
	if (drive(work, &run) < 0)
		fail_msg("%s %s: %s", ipc, mode, run.err.text);
	CHECK_INT(run.tally.operations, 2 * 3 * 3 * 5);
	work_free(work);
}

static void the_messages_of_a_run_are_groups_fds_fds_loops(void **state)
{
	const char *const ways[] = { "ipc=socket", "ipc=pipe", "ipc=inet" };
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		check_messages(ways[i], "mode=process");
		check_messages(ways[i], "mode=thread");
	}
}

/* The receiver before whose creation k channels of the group were made holds their write ends and
 * its own read end; a sender holds all write ends of its group and nothing of another group. */
static void a_process_holds_the_ends_that_the_original_leaves_it(void **state)
{
	const char *const ways[] = { "ipc=socket", "ipc=pipe", "ipc=inet" };
	for (size_t way = 0; way < ARRAY_SIZE(ways); way++) {
		int *counts = drive_shared(WORKERS_MAX * sizeof(*counts));
		struct work *work = small(ways[way], "mode=process");
		struct drive run = { .batches = 1, .entered = note_channels, .user = counts };
		const int before = count_channels();
		CHECK_INT(drive(work, &run), 0);
		const int want[] = { 1, 2, 3, 3, 3, 3 };
		for (size_t i = 0; i < work_workers(work); i++)
			CHECK_INT(counts[i] - before, want[i % ARRAY_SIZE(want)]);
		work_free(work);
	}
}

static void no_channel_is_left_open_after_a_run(void **state)
{
	const char *const modes[] = { "mode=process", "mode=thread" };
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		const int before = count_channels();
		check_messages("ipc=pipe", modes[i]);
		check_messages("ipc=inet", modes[i]);
		CHECK_INT(count_channels(), before);
	}
}

static void threads_hold_all_channels_in_one_process(void **state)
{
	int *counts = drive_shared(WORKERS_MAX * sizeof(*counts));
	struct work *work = small("ipc=pipe", "mode=thread");
	struct drive run = { .batches = 1, .entered = note_channels, .user = counts };
	const int before = count_channels();
	CHECK_INT(drive(work, &run), 0);
	/* The last thread is made when all channels are there. */
	CHECK_INT(counts[work_workers(work) - 1] - before, 2 * 2 * 3);
	work_free(work);
}

static void messages_larger_than_a_pipe_arrive_whole(void **state)
{
	struct work *work =
		drive_work("hackbench", "g=1", "f=2", "l=2", "s=300001", "ipc=pipe", NULL);
	struct drive run = { .batches = 1 };
	CHECK_INT(drive(work, &run), 0);
	CHECK_INT(run.tally.operations, 2 * 2 * 2);
	work_free(work);
}

static void scores_restate_the_time(void **state)
{
	struct work *work = drive_work("hackbench", "g=10", "f=20", "l=100", "s=100", NULL);
	const struct tally tally = {
		.elapsed_ns = 500000000,
		.operations = 400000,
		.n_workers = 400,
	};
	struct value values[3];
	work_row(work)->score(work, &tally, values);
	CHECK_NEAR(values[0].number, 0.5, 0.0);
	/* 400 tasks * 100 loops * 100 bytes = 4000000 bytes, 3906 whole KiB, in half a second. */
	CHECK_NEAR(values[1].number, 7812.0, 0.0);
	/* 400000 messages of 100 bytes. */
	CHECK_NEAR(values[2].number, 80000000.0, 0.0);
	work_free(work);
}

static void perf_messaging_sends_what_hackbench_with_20_senders_sends(void **state)
{
	struct work *perf = drive_work("perf-messaging", "g=1", "l=2", NULL);
	struct work *hackbench = drive_work("hackbench", "g=1", "f=20", "l=2", NULL);
	struct drive one = { .batches = 1 };
	struct drive other = { .batches = 1 };
	CHECK_INT(work_workers(perf), work_workers(hackbench));
	CHECK_INT(drive(perf, &one), 0);
	CHECK_INT(drive(hackbench, &other), 0);
	CHECK_INT(one.tally.operations, 20 * 20 * 2);
	CHECK_INT(one.tally.operations, other.tally.operations);
	work_free(perf);
	work_free(hackbench);
}

static void an_end_without_time_has_no_score(void **state)
{
	struct work *work = drive_work("hackbench", NULL);
	const struct tally tally = { .elapsed_ns = 0, .n_workers = 400 };
	struct value values[3];
	work_row(work)->score(work, &tally, values);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		CHECK_INT(values[i].state, VALUE_MISSING);
	work_free(work);
}

static void a_soft_limit_of_open_files_is_raised(void **state)
{
	struct rlimit before;
	CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
	if (before.rlim_max < 400) {
		print_message("the hard limit of open files is below 400\n");
		skip();
	}
	const struct rlimit low = { .rlim_cur = 40, .rlim_max = before.rlim_max };
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &low), 0);
	struct work *work = drive_work("hackbench", "g=5", "f=10", "l=1", "mode=thread", NULL);
	struct drive run = { .batches = 1 };
	const int failed = drive(work, &run);
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &before), 0);
	CHECK_TEXT(run.err.text, "");
	CHECK_INT(failed, 0);
	work_free(work);
}

/* Gives up root's right to raise hard limits; true when this process has none (any more). */
static bool is_plain_user(void)
{
	const uid_t nobody = 65534;
	return geteuid() != 0 || setresuid(nobody, nobody, nobody) == 0;
}

static void a_hard_limit_of_open_files_is_told(void **state)
{
	struct work *work = drive_work("hackbench", "g=10", "f=12", "mode=thread", NULL);
	const pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		const struct rlimit low = { .rlim_cur = 100, .rlim_max = 100 };
		struct error err = { 0 };
		if (setrlimit(RLIMIT_NOFILE, &low) < 0 || !is_plain_user())
			_exit(2);
		const int failed = work_row(work)->prepare(work, &err);
		_exit(failed == -EMFILE && strstr(err.text, "10 groups of 12 channels") &&
				      strstr(err.text, "the limit is 100;") &&
				      strstr(err.text, "ulimit -Hn") && !work_shared(work)
			      ? 0
			      : 1);
	}
	int status;
	CHECK_INT(waitpid(child, &status, 0), child);
	work_free(work);
	CHECK_INT(status, 0);
}

/* A network namespace of its own begins with its loopback down. */
static void a_loopback_that_is_down_is_unsupported(void **state)
{
	struct work *work = drive_work("hackbench", "g=1", "f=1", "ipc=inet", NULL);
	const pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		struct drive run = { .batches = 1 };
		if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0 && unshare(CLONE_NEWNET) < 0)
			_exit(2);
		const int failed = drive(work, &run);
		_exit(failed == -EOPNOTSUPP && strstr(run.err.text, "loopback") ? 0 : 1);
	}
	int status;
	CHECK_INT(waitpid(child, &status, 0), child);
	work_free(work);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
		print_message("no network namespace can be made here\n");
		skip();
	}
	CHECK_INT(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_messages_of_a_run_are_groups_fds_fds_loops),
		cmocka_unit_test(a_process_holds_the_ends_that_the_original_leaves_it),
		cmocka_unit_test(no_channel_is_left_open_after_a_run),
		cmocka_unit_test(threads_hold_all_channels_in_one_process),
		cmocka_unit_test(messages_larger_than_a_pipe_arrive_whole),
		cmocka_unit_test(scores_restate_the_time),
		cmocka_unit_test(perf_messaging_sends_what_hackbench_with_20_senders_sends),
		cmocka_unit_test(an_end_without_time_has_no_score),
		cmocka_unit_test(a_soft_limit_of_open_files_is_raised),
		cmocka_unit_test(a_hard_limit_of_open_files_is_told),
		cmocka_unit_test(a_loopback_that_is_down_is_unsupported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
