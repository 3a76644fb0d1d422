/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Storages as a run sets them up, with the shipped probe: which parameters fit together, what works here, and
 * that a kill of any process in any phase leaves no mount, no loop device and no file.
 */
#include "workload/storage.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/text.h"
#include "check.h"
#include "record/run.h"
#include "record/stream.h"
#include "workload/drive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define WORDS_MAX 40
#define PATIENCE_NS (30 * NS_PER_SEC)
#define PAUSE_NS (2 * NS_PER_MS)

/* ---- a place for the files of a test ---- */

struct place {
	char directory[64];
};

static void open_place(struct place *place)
{
	*place = (struct place) { "/tmp/assay-test-storage-XXXXXX" };
	CHECK(mkdtemp(place->directory) != NULL);
	CHECK_INT(setenv("TMPDIR", place->directory, 1), 0);
}

static unsigned count_entries(const struct place *place)
{
	DIR *folder = opendir(place->directory);
	CHECK(folder);
	unsigned count = 0;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
		count += entry->d_name[0] != '.';
	(void)closedir(folder);
	return count;
}

static void close_place(const struct place *place)
{
	CHECK_INT(count_entries(place), 0);
	CHECK_INT(rmdir(place->directory), 0);
	CHECK_INT(unsetenv("TMPDIR"), 0);
}

/* Whether a line of the file names the place; only by its own name, for a path in a mount that has gone
 * begins at that mount. */
static bool names_place(const char *path, const struct place *place)
{
	const char *name = strrchr(place->directory, '/');
	FILE *file = fopen(path, "re");
	char line[1024];
	bool found = false;
	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, name) != NULL;
	if (file)
		(void)fclose(file);
	return found;
}

/* Whether a loop device lies on a file in the place. */
static bool has_loop(const struct place *place)
{
	DIR *folder = opendir("/sys/block");
	bool found = false;
	for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry && !found;
	     entry = readdir(folder)) {
		AUTO(text)
		char *path = mem_format("/sys/block/%s/loop/backing_file", entry->d_name);
		found = text_starts_with(entry->d_name, "loop") && names_place(path, place);
	}
	if (folder)
		(void)closedir(folder);
	return found;
}

static bool has_array(void)
{
	DIR *folder = opendir("/sys/block");
	bool found = false;
	for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry && !found;
	     entry = readdir(folder))
		found = text_starts_with(entry->d_name, "md_assay_");
	if (folder)
		(void)closedir(folder);
	return found;
}

/* ---- the probe ---- */

struct started {
	pid_t pid;
	int stream_fd; /* A file in memory. */
};

/* The settings are separated by one blank each. */
static struct started start(const char *workload, const char *settings)
{
	struct started started = { .stream_fd = memfd_create("stream", MFD_CLOEXEC) };
	const char *words[WORDS_MAX + 1] = { getenv("ASSAY_TEST_PROBE"), "--no-environment",
					     "--workload", workload };
	size_t n = 4;
	CHECK(words[0]);
	AUTO(text) char *copy = mem_text(settings);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		CHECK(n + 2 <= WORDS_MAX);
		words[n++] = "--set";
		words[n++] = word;
	}
	const struct spawn spawn = {
		.argv = words,
		.fds = { { .from = started.stream_fd, .to = STDOUT_FILENO } },
		.n_fds = 1,
	};
	struct error err = { 0 };
	CHECK_INT(spawn_start(&spawn, &started.pid, &err), 0);
	return started;
}

static struct run *read_so_far(int fd)
{
	char bytes[4096];
	struct error err = { 0 };
	off_t at = 0;
	ssize_t got;
	struct stream *stream = stream_new();
	for (; (got = pread(fd, bytes, sizeof(bytes), at)) > 0; at += got)
		(void)stream_feed(stream, bytes, (size_t)got, &err);
	struct run *run = stream_finish(stream);
	stream_free(stream);
	return run;
}

static struct run *finish(struct started *started)
{
	int status = -1;
	CHECK_INT(spawn_wait(started->pid, clock_monotonic_ns() + 2 * PATIENCE_NS, &status), 1);
	struct run *run = read_so_far(started->stream_fd);
	(void)close(started->stream_fd);
	return run;
}

/* ---- what fits together ---- */

static void check_refused(const char *storage, const char *fs, const char *raid,
			  const char *devices, const char *piece)
{
	const struct work_argument arguments[] = {
		{ "storage", storage }, { "fs", fs }, { "raid", raid }, { "devices", devices }
	};
	struct work *work = NULL;
	struct error err = { 0 };
	const int failed =
		work_new(workload_find("creat-clo"), arguments, ARRAY_SIZE(arguments), &work, &err);
	CHECK_INT(failed, piece ? -EINVAL : 0);
	if (piece)
		CHECK_HOLDS(err.text, piece);
	work_free(work);
}

static void parameters_that_do_not_fit_together_are_refused(void **state)
{
	struct place place;
	open_place(&place);
	check_refused("loop", "none", "none", "1",
		      "storage=loop needs a filesystem; add fs=ext4, fs=xfs or fs=btrfs");
	check_refused("tmpfs", "ext4", "none", "1", "storage=tmpfs makes no filesystem");
	check_refused("directory", "none", "none", "4", "storage=directory has no devices");
	check_refused("tmpfs", "none", "raid0", "1", "storage=tmpfs has no devices");
	check_refused("brd", "xfs", "raid0", "1", "raid=raid0 needs devices=2 or more");
	check_refused("brd", "xfs", "raid0", "2", NULL);
	check_refused("loop", "btrfs", "none", "8", NULL);
	check_refused("directory", "none", "none", "1", NULL);
	close_place(&place);
}

/* ---- whole runs ---- */

/* True when it worked; else the reason, printed, was one that names a part of this machine. */
static bool works(const char *settings)
{
	struct started started = start("disk_rw", settings);
	struct run *run = finish(&started);
	const bool complete = run->outcome == RUN_COMPLETE;
	if (run->outcome == RUN_FAILED)
		fail_msg("%s: %s\n%s", settings, run->reason, run->log ? run->log : "");
	if (complete) {
		const struct measured *score = run_metric_find(run, "aim7.jobs-per-min");
		CHECK(score && value_is_known(score->value) && score->value.number > 0);
	} else {
		CHECK_INT(run->outcome, RUN_UNSUPPORTED);
		print_message("%s: %s\n", settings, run->reason);
	}
	run_free(run);
	return complete;
}

static void every_storage_works_or_says_which_part_is_missing(void **state)
{
	static const char *const kinds[] = {
		"storage=directory",
		"storage=tmpfs device_mib=64",
		"storage=loop fs=ext4 device_mib=64",
		"storage=loop fs=ext4 device_mib=64 backing=directory",
		"storage=loop fs=ext4 device_mib=64 devices=4",
		"storage=loop fs=xfs device_mib=512",
		"storage=loop fs=btrfs device_mib=256",
		"storage=loop fs=ext4 device_mib=32 devices=4 raid=raid0",
		"storage=brd fs=ext4 device_mib=16",
	};
	struct place place;
	open_place(&place);
	unsigned n_working = 0;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		AUTO(text) char *settings = mem_format("jobs=2 pool_kib=0 load=4 %s", kinds[i]);
		n_working += works(settings);
		CHECK_INT(count_entries(&place), 0);
		CHECK(!names_place("/proc/self/mounts", &place));
	}
	CHECK(n_working >= 1);
	close_place(&place);
}

/* ---- kills ---- */

enum victim {
	VICTIM_SUPERVISOR,
	VICTIM_HARNESS,
	VICTIM_WORKER,
	VICTIM_COUNT,
};

/* A child of the process, by /proc; 0 when it has none. */
static pid_t child_of(pid_t parent)
{
	DIR *folder = opendir("/proc");
	pid_t found = 0;
	for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry && !found;
	     entry = readdir(folder)) {
		uint64_t pid;
		int its_parent = 0;
		AUTO(text) char *path = mem_format("/proc/%s/stat", entry->d_name);
		FILE *file = text_parse_u64(entry->d_name, &pid) ? fopen(path, "re") : NULL;
		/* The name in brackets is ours or mkfs's and holds no blank. */
		if (file && fscanf(file, "%*d %*s %*c %d", &its_parent) == 1 &&
		    its_parent == parent)
			found = (pid_t)pid;
		if (file)
			(void)fclose(file);
	}
	if (folder)
		(void)closedir(folder);
	return found;
}

static void strike(const struct started *started, enum victim victim)
{
	pid_t pid = started->pid;
	for (enum victim depth = VICTIM_SUPERVISOR; depth < victim && pid; depth++)
		pid = child_of(pid);
	if (pid)
		(void)kill(pid, SIGKILL);
}

/* Waits until the run has reached the phase; false when it has ended before. */
static bool await_phase(const struct started *started, enum phase phase)
{
	const uint64_t end = clock_monotonic_ns() + PATIENCE_NS;
	while (clock_monotonic_ns() < end) {
		struct run *run = read_so_far(started->stream_fd);
		const bool reached = run->phase_ns[phase] != 0;
		run_free(run);
		if (reached)
			return true;
		if (kill(started->pid, 0) < 0)
			return false;
		clock_sleep_until_ns(clock_monotonic_ns() + PAUSE_NS);
	}
	return false;
}

static void check_nothing_left(const struct place *place, const char *when)
{
	/* What is left when janitor and supervisor were killed is removed by the next run that has names. */
	struct started next = start("creat-clo", "jobs=1 load=1");
	struct run *run = finish(&next);
	CHECK_INT(run->outcome, RUN_COMPLETE);
	run_free(run);
	const uint64_t end = clock_monotonic_ns() + PATIENCE_NS;
	while ((has_loop(place) || count_entries(place)) && clock_monotonic_ns() < end)
		clock_sleep_until_ns(clock_monotonic_ns() + PAUSE_NS);
	if (has_loop(place))
		fail_msg("%s: a loop device is left", when);
	if (names_place("/proc/self/mounts", place))
		fail_msg("%s: a mount is left", when);
	if (has_array())
		fail_msg("%s: an array is left", when);
	if (count_entries(place) != 0)
		fail_msg("%s: %u names are left", when, count_entries(place));
}

/* Kills the victim some time after the phase began. */
static void check_kill(const struct place *place, const char *kind, enum phase phase,
		       enum victim victim, uint64_t after_ms)
{
	const char *jobs = phase == PHASE_TEARDOWN ? "1" : "1000000";
	AUTO(text)
	char *settings = mem_format("jobs=%s pool_kib=0 device_mib=32 %s", jobs, kind);
	AUTO(text)
	char *when = mem_format("%s, %s + %u ms, victim %d", kind, phase_text(phase),
				(unsigned)after_ms, (int)victim);
	struct started started = start("creat-clo", settings);
	(void)await_phase(&started, phase);
	clock_sleep_until_ns(clock_monotonic_ns() + after_ms * NS_PER_MS);
	strike(&started, victim);
	if (phase != PHASE_TEARDOWN)
		strike(&started, VICTIM_SUPERVISOR); /* In prepare a run may have no worker yet. */
	struct run *run = finish(&started);
	run_free(run);
	check_nothing_left(place, when);
}

static void check_kills(const char *kind)
{
	static const uint64_t delays_ms[] = { 0, 4, 15, 50 };
	struct place place;
	open_place(&place);
	for (enum victim victim = VICTIM_SUPERVISOR; victim < VICTIM_COUNT; victim++) {
		for (size_t i = 0; i < ARRAY_SIZE(delays_ms); i++)
			check_kill(&place, kind, PHASE_PREPARE, victim, delays_ms[i]);
		check_kill(&place, kind, PHASE_MEASURE, victim, 20);
		check_kill(&place, kind, PHASE_TEARDOWN, victim, 0);
	}
	close_place(&place);
}

static void need_storage(const char *settings)
{
	struct place place;
	open_place(&place);
	const bool there = works(settings);
	close_place(&place);
	if (!there) {
		print_message("skipped: see the line above\n");
		skip();
	}
}

static void a_kill_in_any_phase_leaves_no_tmpfs(void **state)
{
	need_storage("jobs=1 storage=tmpfs");
	check_kills("storage=tmpfs");
}

static void a_kill_in_any_phase_leaves_no_loop_device_and_no_mount(void **state)
{
	need_storage("jobs=1 storage=loop fs=ext4");
	check_kills("storage=loop fs=ext4 devices=2 backing=directory");
}

static void a_kill_in_any_phase_leaves_no_array(void **state)
{
	need_storage("jobs=1 storage=loop fs=ext4 devices=2 raid=raid0");
	check_kills("storage=loop fs=ext4 devices=2 raid=raid0 backing=directory");
}

static void a_kill_in_any_phase_leaves_ram_disks_as_they_were(void **state)
{
	need_storage("jobs=1 storage=brd fs=ext4 device_mib=32 devices=2");
	check_kills("storage=brd fs=ext4 devices=2");
	/* A disk with data left on it would be passed over, and a module with too few disks would stay. */
	need_storage("jobs=1 storage=brd fs=ext4 device_mib=32 devices=2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_that_do_not_fit_together_are_refused),
		cmocka_unit_test(every_storage_works_or_says_which_part_is_missing),
		cmocka_unit_test(a_kill_in_any_phase_leaves_no_tmpfs),
		cmocka_unit_test(a_kill_in_any_phase_leaves_no_loop_device_and_no_mount),
		cmocka_unit_test(a_kill_in_any_phase_leaves_no_array),
		cmocka_unit_test(a_kill_in_any_phase_leaves_ram_disks_as_they_were),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
