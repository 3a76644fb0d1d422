/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shipped binary, from outside: its exit codes, its file, and that nothing outlives it. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "check.h"
#include "fake.h"

#include <elf.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define WORDS_MAX 24
#define PATIENCE_NS (20 * NS_PER_SEC)
#define BYTES_MAX (2U << 20)

static const char *probe_path(void)
{
	const char *path = getenv("ASSAY_TEST_PROBE");
	CHECK(path);
	return path;
}

struct started {
	pid_t pid;
	int stream_fd; /* A file in memory. */
	int said_fd;
};

/* The words are separated by one '|', since some hold blanks. */
static struct started start(const char *line)
{
	struct started started = { .stream_fd = memfd_create("stream", MFD_CLOEXEC),
				   .said_fd = memfd_create("said", MFD_CLOEXEC) };
	char *copy = mem_text(line);
	const char *words[WORDS_MAX + 1] = { probe_path() };
	size_t n = 1;
	for (char *word = strtok(copy, "|"); word && n < WORDS_MAX; word = strtok(NULL, "|"))
		words[n++] = word;
	const struct spawn spawn = {
		.argv = words,
		.fds = { { .from = started.stream_fd, .to = STDOUT_FILENO },
			 { .from = started.said_fd, .to = STDERR_FILENO } },
		.n_fds = 2,
	};
	struct error err = { 0 };
	CHECK_INT(spawn_start(&spawn, &started.pid, &err), 0);
	free(copy);
	return started;
}

static int finish(struct started *started)
{
	int status = -1;
	CHECK_INT(spawn_wait(started->pid, clock_monotonic_ns() + 3 * PATIENCE_NS, &status), 1);
	return status;
}

static void forget(struct started *started)
{
	(void)close(started->stream_fd);
	(void)close(started->said_fd);
}

/* ---- the file ---- */

static void the_binary_is_small_and_needs_no_loader(void **state)
{
	(void)state;
	if (!getenv("ASSAY_TEST_PROBE_STATIC")) {
		(void)fprintf(stderr, "skipped: this build has sanitizers, which are not static\n");
		skip();
	}
	struct stat about;
	Elf64_Ehdr header;
	const int fd = open(probe_path(), O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0);
	CHECK_INT(fstat(fd, &about), 0);
	CHECK(about.st_size < BYTES_MAX);
	CHECK_INT(read(fd, &header, sizeof(header)), sizeof(header));
	CHECK_INT(header.e_ident[EI_CLASS], ELFCLASS64);
	for (unsigned i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;
		CHECK_INT(pread(fd, &segment, sizeof(segment),
				(off_t)(header.e_phoff + i * sizeof(segment))),
			  sizeof(segment));
		CHECK(segment.p_type != PT_INTERP);
		CHECK(segment.p_type != PT_DYNAMIC);
	}
	(void)close(fd);
}

/* ---- exit codes ---- */

static void check_refused(const char *line, int code, const char *piece)
{
	char said[1024] = "";
	struct started started = start(line);
	const int status = finish(&started);
	CHECK(WIFEXITED(status));
	CHECK_INT(WEXITSTATUS(status), code);
	CHECK(pread(started.said_fd, said, sizeof(said) - 1, 0) > 0);
	CHECK(strncmp(said, "assay-probe: ", 13) == 0);
	CHECK_HOLDS(said, piece);
	CHECK_INT(lseek(started.stream_fd, 0, SEEK_END), 0);
	forget(&started);
}

static void wrong_usage_exits_with_129(void **state)
{
	(void)state;
	check_refused("--wrokload|getppid1", 129, "'--wrokload' is not known");
	check_refused("--workload|getppid1|--set|nr_task=0", 129, "nr_task");
	check_refused("--workload|getppid1|--set|tasks=3", 129, "has no parameter 'tasks'");
	check_refused("--workload|getppid1|--time-limit-ms|10", 129,
		      "not longer than warm-up and duration");
	check_refused("--workload|getppid1|--fd|999", 129, "not an open descriptor");
	check_refused("--workload|command", 129, "program");
}

static void failing_surroundings_exit_with_128(void **state)
{
	(void)state;
	check_refused("--workload|getppid1|--root|/nonexistent", 128, "/nonexistent");
	check_refused("--workload|getppid1|--join-cgroup|/nonexistent", 128,
		      "cannot open '/nonexistent/cgroup.procs'");
}

/* ---- runs ---- */

static void a_run_ends_with_0_whatever_its_outcome(void **state)
{
	(void)state;
	struct started started = start("--no-environment|--workload|command|--set|program=false");
	CHECK_INT(finish(&started), 0);
	struct run *run = fake_read(started.stream_fd);
	CHECK_INT(run->outcome, RUN_FAILED);
	CHECK_HOLDS(run->reason, "worker 0: exit code 1");
	run_free(run);
	forget(&started);
}

static void what_the_program_prints_is_in_the_log_and_not_in_the_stream(void **state)
{
	(void)state;
	struct started started =
		start("--no-environment|--workload|command|--set|"
		      "program=sh -c 'echo spoken; echo complained >&2; read x; echo $?'");
	CHECK_INT(finish(&started), 0);
	struct run *run = fake_read(started.stream_fd);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK_TEXT(run->log, "spoken\ncomplained\n1\n");
	run_free(run);
	forget(&started);
}

static void environment_and_monitors_come_with_a_run(void **state)
{
	(void)state;
	struct started started = start("--workload|getppid1|--set|warmup=0|--set|duration=0.1|"
				       "--monitor|all");
	CHECK_INT(finish(&started), 0);
	struct run *run = fake_read(started.stream_fd);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	CHECK(run->n_facts > 20);
	CHECK(run_fact_find(run, "kernel.release"));
	CHECK(run_metric_find(run, "proc-vmstat.pgfault"));
	CHECK(run_metric_find(run, "will-it-scale.time.user_time"));
	run_free(run);
	forget(&started);
}

/* ---- nothing outlives it ---- */

struct lock_file {
	char path[64];
	int fd;
};

static struct lock_file lock_file_make(void)
{
	struct lock_file file;
	(void)snprintf(file.path, sizeof(file.path), "/tmp/assay-test-orphan-XXXXXX");
	file.fd = mkostemp(file.path, O_CLOEXEC);
	CHECK(file.fd >= 0);
	return file;
}

static void lock_file_remove(struct lock_file *file)
{
	(void)close(file->fd);
	(void)unlink(file->path);
}

static bool has_lived(const struct lock_file *file)
{
	struct stat about;
	return fstat(file->fd, &about) == 0 && about.st_size == 1;
}

/* Whether the orphan's lock was given back, as only its death does. */
static bool has_died(const struct lock_file *file)
{
	const uint64_t end = clock_monotonic_ns() + PATIENCE_NS;
	while (flock(file->fd, LOCK_EX | LOCK_NB) < 0) {
		if (clock_monotonic_ns() > end)
			return false;
		clock_sleep_until_ns(clock_monotonic_ns() + 5 * NS_PER_MS);
	}
	return true;
}

static struct started start_with_orphan(const char *isolation, const char *more,
					const struct lock_file *file, const char *how)
{
	char *line = mem_format("--no-environment|--isolation|%s%s|--workload|command|--set|"
				"program=%s %s %s",
				isolation, more, getenv("ASSAY_TEST_ORPHAN"), file->path, how);
	struct started started = start(line);
	free(line);
	return started;
}

/* False when this way of isolation does not work here. */
static bool await_orphan(struct started *started, const struct lock_file *file)
{
	const uint64_t end = clock_monotonic_ns() + PATIENCE_NS;
	int status;
	while (!has_lived(file) && clock_monotonic_ns() < end) {
		if (spawn_wait(started->pid, clock_monotonic_ns() + 5 * NS_PER_MS, &status) != 0)
			return false;
	}
	CHECK(has_lived(file));
	return true;
}

static void check_killed(const char *isolation)
{
	struct lock_file file = lock_file_make();
	struct started started = start_with_orphan(isolation, "", &file, "stay");
	const bool works = await_orphan(&started, &file);
	if (works) {
		CHECK(flock(file.fd, LOCK_EX | LOCK_NB) < 0);
		(void)kill(started.pid, SIGKILL);
		(void)finish(&started);
		CHECK(has_died(&file));
		struct run *run = fake_read(started.stream_fd);
		CHECK_INT(run->outcome, RUN_TORN);
		CHECK_TEXT(run->isolation, isolation);
		run_free(run);
	}
	forget(&started);
	lock_file_remove(&file);
	if (!works) {
		(void)fprintf(stderr, "skipped: %s does not work here\n", isolation);
		skip();
	}
}

static void no_orphan_outlives_a_killed_probe_in_a_pid_namespace(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		(void)fprintf(stderr, "skipped: needs root; see the test of the user namespace\n");
		skip();
	}
	check_killed("pid-namespace");
}

static void no_orphan_outlives_a_killed_probe_in_a_cgroup(void **state)
{
	(void)state;
	check_killed("cgroup");
}

static void no_orphan_outlives_a_killed_probe_under_subreapers(void **state)
{
	(void)state;
	check_killed("subreaper");
}

static void no_orphan_outlives_a_run_that_ended_well(void **state)
{
	(void)state;
	static const char *const ways[] = { "auto", "subreaper" };
	for (unsigned i = 0; i < 2; i++) {
		struct lock_file file = lock_file_make();
		struct started started = start_with_orphan(ways[i], "", &file, "leave");
		CHECK_INT(finish(&started), 0);
		CHECK(flock(file.fd, LOCK_EX | LOCK_NB) == 0);
		struct run *run = fake_read(started.stream_fd);
		CHECK_INT(run->outcome, RUN_COMPLETE);
		run_free(run);
		forget(&started);
		lock_file_remove(&file);
	}
}

static void no_orphan_outlives_a_run_that_hung(void **state)
{
	(void)state;
	struct lock_file file = lock_file_make();
	struct started started = start_with_orphan("auto", "|--time-limit-ms|700", &file, "stay");
	CHECK_INT(finish(&started), 0);
	CHECK(flock(file.fd, LOCK_EX | LOCK_NB) == 0);
	struct run *run = fake_read(started.stream_fd);
	CHECK_INT(run->outcome, RUN_FAILED);
	CHECK_TEXT(run->reason, "hung: no end after 0.7 s (0 of 1 workers had finished)");
	run_free(run);
	forget(&started);
	lock_file_remove(&file);
}

/* 0 well, 77 cannot be tried, else what went wrong. */
static int run_as_user(void)
{
	const int stream_fd = memfd_create("stream", 0);
	const char *const words[] = {
		probe_path(), "--no-environment", "--workload", "getppid1", "--set", "warmup=0",
		"--set",      "duration=0.1",     "--monitor",  "meminfo",  NULL
	};
	const struct spawn spawn = { .argv = words,
				     .fds = { { .from = stream_fd, .to = STDOUT_FILENO } },
				     .n_fds = 1 };
	struct error err = { 0 };
	pid_t pid;
	int status = -1;
	if (setgroups(0, NULL) < 0 || setresgid(65534, 65534, 65534) < 0 ||
	    setresuid(65534, 65534, 65534) < 0 || spawn_start(&spawn, &pid, &err) != 0)
		return 77;
	if (spawn_wait(pid, clock_monotonic_ns() + PATIENCE_NS, &status) != 1 || status != 0)
		return 2;
	struct run *run = fake_read(stream_fd);
	const struct measured *score = run_metric_find(run, "will-it-scale.per_process_ops");
	const bool well = run->outcome == RUN_COMPLETE && score && value_is_known(score->value) &&
			  strcmp(run->isolation, "pid-namespace") != 0;
	run_free(run);
	return well ? 0 : 3;
}

static void an_ordinary_user_can_run_it(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		(void)fprintf(stderr, "skipped: all other tests here ran as an ordinary user\n");
		skip();
	}
	const pid_t child = fork();
	if (child == 0)
		_exit(run_as_user());
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77) {
		(void)fprintf(stderr,
			      "skipped: another user cannot execute the probe where it is\n");
		skip();
	}
	CHECK_INT(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_binary_is_small_and_needs_no_loader),
		cmocka_unit_test(wrong_usage_exits_with_129),
		cmocka_unit_test(failing_surroundings_exit_with_128),
		cmocka_unit_test(a_run_ends_with_0_whatever_its_outcome),
		cmocka_unit_test(what_the_program_prints_is_in_the_log_and_not_in_the_stream),
		cmocka_unit_test(environment_and_monitors_come_with_a_run),
		cmocka_unit_test(no_orphan_outlives_a_killed_probe_in_a_pid_namespace),
		cmocka_unit_test(no_orphan_outlives_a_killed_probe_in_a_cgroup),
		cmocka_unit_test(no_orphan_outlives_a_killed_probe_under_subreapers),
		cmocka_unit_test(no_orphan_outlives_a_run_that_ended_well),
		cmocka_unit_test(no_orphan_outlives_a_run_that_hung),
		cmocka_unit_test(an_ordinary_user_can_run_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
