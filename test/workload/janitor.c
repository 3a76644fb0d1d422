/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is left by name when everything was killed at once. */
#include "workload/janitor.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/mem.h"
#include "check.h"
#include "workload/scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include <sys/wait.h>

#define PATIENCE_NS (20 * NS_PER_SEC)

struct place {
	char directory[64];
	char *prefix;
	char *file;
};

static void open_place(struct place *place)
{
	struct error err = { 0 };
	*place = (struct place) { .directory = "/tmp/assay-test-janitor-XXXXXX" };
	CHECK(mkdtemp(place->directory) != NULL);
	CHECK_INT(scratch_new(place->directory, &place->prefix, &err), 0);
	place->file = mem_format("%s-0", place->prefix);
	AUTO(fd) int fd = open(place->file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	CHECK(fd >= 0);
}

static void close_place(struct place *place)
{
	CHECK_INT(rmdir(place->directory), 0);
	free(place->prefix);
	free(place->file);
}

static bool goes(const char *file)
{
	const uint64_t end_ns = clock_monotonic_ns() + PATIENCE_NS;
	while (access(file, F_OK) == 0) {
		if (clock_monotonic_ns() > end_ns)
			return false;
		clock_sleep_until_ns(clock_monotonic_ns() + NS_PER_MS);
	}
	return true;
}

/* Forks a run with a worker; `said_fd` gives their numbers. */
static pid_t start_run(const struct place *place, int said_fd)
{
	const pid_t run = fork();
	if (run != 0)
		return run;
	struct janitor *janitor = NULL;
	struct error err = { 0 };
	if (janitor_new(place->prefix, &janitor, &err) != 0)
		_exit(1);
	const pid_t worker = fork();
	if (worker > 0)
		(void)write(said_fd, &worker, sizeof(worker));
	for (;;)
		(void)pause();
}

static void names_go_when_the_last_process_was_killed_and_not_before(void **state)
{
	struct place place;
	int said[2];
	pid_t worker = 0;
	open_place(&place);
	CHECK_INT(pipe(said), 0);
	const pid_t run = start_run(&place, said[1]);
	CHECK_INT(read(said[0], &worker, sizeof(worker)), sizeof(worker));
	CHECK_INT(kill(run, SIGKILL), 0);
	CHECK_INT(waitpid(run, NULL, 0), run);
	clock_sleep_until_ns(clock_monotonic_ns() + 50 * NS_PER_MS);
	CHECK_INT(access(place.file, F_OK), 0); /* The worker lives, and may use it. */
	CHECK_INT(kill(worker, SIGKILL), 0);
	CHECK(goes(place.file));
	(void)close(said[0]);
	(void)close(said[1]);
	close_place(&place);
}

static void one_that_was_sent_away_removes_nothing(void **state)
{
	struct place place;
	struct janitor *janitor = NULL;
	struct error err = { 0 };
	open_place(&place);
	CHECK_INT(janitor_new(place.prefix, &janitor, &err), 0);
	janitor_free(janitor);
	CHECK_INT(waitpid(-1, NULL, WNOHANG), -1); /* It is dead and buried. */
	CHECK_INT(access(place.file, F_OK), 0);
	CHECK_INT(unlink(place.file), 0);
	janitor_free(NULL);
	close_place(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_go_when_the_last_process_was_killed_and_not_before),
		cmocka_unit_test(one_that_was_sent_away_removes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
