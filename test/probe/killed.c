/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All rows of the table of workloads, none by its name: killed at any stage, each leaves no process, file, mount,
 * shared memory, semaphore or device behind, and each runs as an ordinary user unless its row says what it needs.
 *
 * By itself each row is killed at two stages, drawn from a fixed seed; "killed all" takes every stage and every
 * victim of every row.
 */
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "check.h"
#include "staged.h"
#include "traces.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <unistd.h>

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define SEED 20261201
#define DRAWS 2 /* Stages of a row in the quick test. */
#define PATIENCE_NS (40 * NS_PER_SEC)

/* ---- a directory of the run's own ---- */

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	(void)stat;
	(void)type;
	(void)ftw;
	(void)remove(path);
	return 0;
}

static char *directory_make(void)
{
	char *directory = mem_text("/tmp/assay-test-killed-XXXXXX");
	CHECK(mkdtemp(directory));
	CHECK_INT(chmod(directory, 0777), 0); /* Also for the ordinary user. */
	return directory;
}

static void directory_remove(char *directory)
{
	(void)nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(directory);
}

/* ---- the look-out itself ---- */

static void what_is_left_is_seen(void **state)
{
	char *directory = directory_make();
	struct traces *before = traces_take(directory);
	char *file = mem_format("%s/left", directory);
	const int fd = open(file, O_CREAT | O_CLOEXEC | O_WRONLY, 0600);
	const int named = shm_open("/assay-test-left", O_CREAT | O_RDWR, 0600);
	const int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	CHECK(fd >= 0 && named >= 0 && segment >= 0);
	const pid_t child = fork();
	if (child == 0)
		for (;;)
			(void)pause();
	struct text left = { 0 };
	traces_compare(before, /* patience_ns= */ 0, &left);
	CHECK_HOLDS(text_string(&left), "a process\n");
	CHECK_HOLDS(text_string(&left), "/left\n");
	CHECK_HOLDS(text_string(&left), "/dev/shm/assay-test-left\n");
	CHECK_HOLDS(text_string(&left), "/proc/sysvipc/shm: ");
	text_done(&left);
	(void)kill(child, SIGKILL);
	(void)close(fd);
	(void)unlink(file);
	(void)close(named);
	(void)shm_unlink("/assay-test-left");
	(void)shmctl(segment, IPC_RMID, NULL);
	traces_compare(before, PATIENCE_NS, &left);
	CHECK_TEXT(text_string(&left), "");
	text_done(&left);
	traces_free(before);
	free(file);
	directory_remove(directory);
}

/* ---- killed ---- */

/* What a run says of its end; a victim that came too late, or had to stand for another, says something else. */
static bool is_told(const struct staged *staged, const struct staged_end *end)
{
	if (!end->killed)
		return true;
	switch (staged->victim) {
	case VICTIM_SUPERVISOR:
		return end->outcome == RUN_TORN;
	case VICTIM_ASKED:
		return end->outcome == RUN_INTERRUPTED;
	case VICTIM_HARNESS:
	case VICTIM_WORKER:
	case VICTIM_COUNT:
		break;
	}
	return end->outcome == RUN_FAILED;
}

static unsigned check_killed(const struct staged *staged, struct traces *before)
{
	struct text left = { 0 };
	const struct staged_end end = staged_run(staged);
	traces_compare(before, PATIENCE_NS, &left);
	unsigned wrong = 0;
	const char *what = end.refused              ? "no parameters are allowed"
			   : end.hung               ? "it hung"
			   : left.length            ? "it left something behind"
			   : !is_told(staged, &end) ? "its end is told wrongly"
						    : NULL;
	if (what) {
		print_message("%s%s: %s at %s: %s (%s%s%s)\n%s", staged->row->about.name, end.told,
			      victim_text(staged->victim), stage_text(staged->stage), what,
			      run_outcome_text(end.outcome), *end.reason ? ": " : "", end.reason,
			      text_string(&left));
		wrong = 1;
	}
	text_done(&left);
	return wrong;
}

static void check_at(const struct workload *row, enum stage stage, enum victim victim,
		     struct random *random, unsigned *wrong)
{
	char *directory = directory_make();
	struct traces *before = traces_take(directory);
	const struct staged staged = {
		.row = row,
		.stage = stage,
		.victim = victim,
		.isolation = random_below(random, 4) ? ISOLATION_AUTO : ISOLATION_SUBREAPER,
		.directory = directory,
		.random = random,
	};
	*wrong += check_killed(&staged, before);
	traces_free(before);
	directory_remove(directory);
}

static void each_workload_killed_at_some_stage_leaves_nothing(void **state)
{
	struct random random;
	unsigned wrong = 0;
	random_seed(&random, SEED);
	for (size_t i = 0; i < DRAWS * workload_table_count; i++) {
		const uint64_t stage = random_below(&random, STAGE_COUNT);
		const uint64_t victim = random_below(&random, VICTIM_COUNT);
		check_at(workload_table[i / DRAWS], (enum stage)stage, (enum victim)victim, &random,
			 &wrong);
	}
	CHECK_INT(wrong, 0);
}

static void each_workload_killed_at_any_stage_leaves_nothing(void **state)
{
	struct random random;
	unsigned wrong = 0;
	random_seed(&random, SEED);
	for (size_t i = 0; i < workload_table_count; i++)
		for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
			for (enum victim victim = 0; victim < VICTIM_COUNT; victim++)
				check_at(workload_table[i], stage, victim, &random, &wrong);
	CHECK_INT(wrong, 0);
}

/* ---- as an ordinary user ---- */

static struct staged_end run_once(const struct workload *row, bool as_user, bool patient,
				  const char *directory)
{
	struct random random; /* The same words each time. */
	random_seed(&random, SEED);
	const struct staged staged = { .row = row,
				       .stage = STAGE_COUNT,
				       .isolation = ISOLATION_AUTO,
				       .as_user = as_user,
				       .patient = patient,
				       .directory = directory,
				       .random = &random };
	return staged_run(&staged);
}

/* Where a sanitizer makes a batch longer than the window, a longer one is tried. */
static struct staged_end run_whole(const struct workload *row, bool as_user, const char *directory)
{
	const struct staged_end end = run_once(row, as_user, /* patient= */ false, directory);
	return end.outcome == RUN_FAILED ? run_once(row, as_user, /* patient= */ true, directory)
					 : end;
}

/* What root cannot do here either is no question of rights. */
static bool is_well(const struct workload *row, const struct staged_end *end, const char *directory)
{
	if (end->outcome == RUN_COMPLETE)
		return true;
	if (end->outcome != RUN_UNSUPPORTED)
		return false;
	if (row->about.needs != NEED_NONE)
		return true;
	return geteuid() != 0 ||
	       run_whole(row, /* as_user= */ false, directory).outcome == RUN_UNSUPPORTED;
}

static void each_workload_runs_as_an_ordinary_user_or_says_what_it_needs(void **state)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < workload_table_count; i++) {
		const struct workload *row = workload_table[i];
		char *directory = directory_make();
		struct traces *before = traces_take(directory);
		struct text left = { 0 };
		const struct staged_end end = run_whole(row, /* as_user= */ true, directory);
		const bool well = is_well(row, &end, directory);
		traces_compare(before, PATIENCE_NS, &left);
		if (!well || left.length) {
			print_message("%s%s: %s%s%s\n%s", row->about.name, end.told,
				      run_outcome_text(end.outcome), *end.reason ? ": " : "",
				      end.reason, text_string(&left));
			wrong++;
		}
		text_done(&left);
		traces_free(before);
		directory_remove(directory);
	}
	CHECK_INT(wrong, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest some[] = {
		cmocka_unit_test(what_is_left_is_seen),
		cmocka_unit_test(each_workload_killed_at_some_stage_leaves_nothing),
		cmocka_unit_test(each_workload_runs_as_an_ordinary_user_or_says_what_it_needs),
	};
	const struct CMUnitTest all[] = {
		cmocka_unit_test(each_workload_killed_at_any_stage_leaves_nothing),
	};
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return 1;
	if (argc > 1 && strcmp(argv[1], "all") == 0)
		return cmocka_run_group_tests(all, NULL, NULL);
	return cmocka_run_group_tests(some, NULL, NULL);
}
