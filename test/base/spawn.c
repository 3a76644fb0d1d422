/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children that succeed, fail, cannot start, hang, and what they inherit. */
#include "base/spawn.h"

#include "base/auto.h"
#include "base/clock.h"
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Output and status of `sh -c script`. */
static char *output_of(const struct spawn *base, const char *script, int *ret_status)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	struct spawn spawn = *base;
	spawn.argv = argv;
	char *output = NULL;
	struct error err = { 0 };
	const int failed = spawn_output(&spawn, 65536, &output, ret_status, &err);
	if (failed)
		fail_msg("%s", err.text);
	return output;
}

static void the_output_and_the_exit_code_are_taken(void **state)
{
	int status = 0;
	AUTO(text) char *output = output_of(&(struct spawn) { 0 }, "echo hello; exit 3", &status);
	CHECK_TEXT(output, "hello\n");
	CHECK(WIFEXITED(status));
	CHECK_INT(WEXITSTATUS(status), 3);
}

static void an_exec_that_fails_is_reported_as_what_it_is(void **state)
{
	const char *const absent[] = { "/nonexistent/program", NULL };
	const char *const folder[] = { "/tmp", NULL };
	const char *const unknown[] = { "assay-no-such-program", NULL };
	struct error err = { 0 };
	pid_t pid = -7;
	CHECK_INT(spawn_start(&(struct spawn) { .argv = absent }, &pid, &err), -ENOENT);
	CHECK_TEXT(err.text, "cannot run '/nonexistent/program': No such file or directory");
	CHECK_INT(spawn_start(&(struct spawn) { .argv = folder }, &pid, &err), -EACCES);
	CHECK_INT(spawn_start(&(struct spawn) { .argv = unknown }, &pid, &err), -ENOENT);
	CHECK_INT(pid, -7); /* Untouched. */
	CHECK_INT(waitpid(-1, NULL, WNOHANG), -1);
	CHECK_INT(errno, ECHILD); /* No zombie is left. */
}

static void a_working_directory_that_is_not_there_is_reported(void **state)
{
	const char *const argv[] = { "true", NULL };
	const struct spawn spawn = { .argv = argv, .directory = "/nonexistent" };
	struct error err = { 0 };
	pid_t pid;
	CHECK_INT(spawn_start(&spawn, &pid, &err), -ENOENT);
}

static void the_child_runs_where_and_with_what_it_was_told(void **state)
{
	const char *const environment[] = { "GREETING=moin", "PATH=/usr/bin:/bin", NULL };
	const struct spawn spawn = { .environment = environment, .directory = "/" };
	int status;
	AUTO(text) char *output = output_of(&spawn, "pwd; echo $GREETING$HOME", &status);
	CHECK_TEXT(output, "/\nmoin\n");
}

static void output_behind_the_limit_is_dropped_and_the_child_ends(void **state)
{
	const char *const argv[] = { "sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x", NULL };
	AUTO(text) char *output = NULL;
	int status = -1;
	CHECK_INT(spawn_output(&(struct spawn) { .argv = argv }, 1000, &output, &status, NULL), 0);
	CHECK_INT(strlen(output), 1000);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void only_the_descriptors_that_were_named_reach_the_child(void **state)
{
	/* Opened without O_CLOEXEC, as a careless library would. */
	const int careless = memfd_create("careless", 0);
	const int wanted = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	const struct spawn spawn = { .fds = { { .from = wanted, .to = 7 } }, .n_fds = 1 };
	int status;
	AUTO(text)
	char *output = output_of(
		&spawn, "for fd in /proc/$$/fd/*; do echo $(basename $fd)=$(readlink $fd); done",
		&status);
	CHECK(careless >= 0);
	CHECK_HOLDS(output, "7=/dev/zero");
	CHECK(strstr(output, "careless") == NULL);
	(void)close(careless);
	(void)close(wanted);
}

static void descriptors_can_change_places(void **state)
{
	const int one = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const int other = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	const struct spawn spawn = {
		.fds = { { .from = one, .to = other }, { .from = other, .to = one } },
		.n_fds = 2,
	};
	char script[128];
	(void)snprintf(script, sizeof(script), "readlink /proc/$$/fd/%d /proc/$$/fd/%d", one,
		       other);
	int status;
	AUTO(text) char *output = output_of(&spawn, script, &status);
	CHECK_TEXT(output, "/dev/zero\n/dev/null\n");
	(void)close(one);
	(void)close(other);
}

static void a_low_limit_of_open_files_is_enough(void **state)
{
	struct rlimit before;
	CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
	const struct rlimit low = { .rlim_cur = 24, .rlim_max = before.rlim_max };
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &low), 0);
	int status = -1;
	AUTO(text) char *output = output_of(&(struct spawn) { 0 }, "echo here", &status);
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &before), 0);
	CHECK_TEXT(output, "here\n");
	CHECK_INT(status, 0);
}

static void without_descriptors_the_reason_is_told(void **state)
{
	struct rlimit before;
	CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
	const char *const argv[] = { "true", NULL };
	/* Only the pipe of the report fits, and not its second number. */
	int fillers[2];
	CHECK_INT(pipe2(fillers, O_CLOEXEC), 0);
	const struct rlimit low = { .rlim_cur = (rlim_t)fillers[1] + 3,
				    .rlim_max = before.rlim_max };
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &low), 0);
	struct error err = { 0 };
	pid_t pid;
	const struct spawn spawn = {
		.argv = argv,
		.fds = { { .from = fillers[0], .to = fillers[1] + 1 } },
		.n_fds = 1,
	};
	const int failed = spawn_start(&spawn, &pid, &err);
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &before), 0);
	CHECK_INT(failed, -EMFILE);
	CHECK_TEXT(err.text, "cannot run 'true': Too many open files");
	(void)close(fillers[0]);
	(void)close(fillers[1]);
}

static void a_new_session_is_the_child_s_own(void **state)
{
	int status;
	AUTO(text)
	char *own = output_of(&(struct spawn) { .new_session = true },
			      "test $(ps -o sid= -p $$) -eq $$ && echo own", &status);
	if (WEXITSTATUS(status) == 127) {
		print_message("there is no ps here\n");
		skip();
	}
	CHECK_TEXT(own, "own\n");
}

static void signals_are_as_at_the_start_of_the_world(void **state)
{
	sigset_t blocked;
	(void)sigfillset(&blocked);
	(void)sigprocmask(SIG_SETMASK, &blocked, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	int status;
	AUTO(text)
	char *output =
		output_of(&(struct spawn) { 0 },
			  "grep -E 'Sig(Blk|Ign)' /proc/$$/status | tr -d '\\t\\n'", &status);
	(void)sigemptyset(&blocked);
	(void)sigprocmask(SIG_SETMASK, &blocked, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	CHECK_HOLDS(output, "SigBlk:0000000000000000");
	unsigned long long ignored = 0;
	CHECK_INT(sscanf(strstr(output, "SigIgn:"), "SigIgn:%llx", &ignored), 1);
	CHECK_INT(ignored >> (SIGPIPE - 1) & 1, 0);
}

static void a_child_that_hangs_is_given_up_at_the_deadline(void **state)
{
	const char *const argv[] = { "sleep", "1000", NULL };
	pid_t pid = 0;
	int status = -1;
	CHECK_INT(spawn_start(&(struct spawn) { .argv = argv }, &pid, NULL), 0);
	CHECK_INT(spawn_wait(pid, clock_monotonic_ns() + 20 * NS_PER_MS, &status), 0);
	CHECK_INT(kill(pid, SIGKILL), 0);
	CHECK_INT(spawn_wait(pid, /* deadline_ns= */ 0, &status), 1);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	CHECK_INT(spawn_wait(pid, /* deadline_ns= */ 0, &status), -ECHILD);
}

static void a_child_that_has_ended_is_seen_even_when_the_deadline_has_passed(void **state)
{
	const char *const argv[] = { "true", NULL };
	pid_t pid = 0;
	int status = -1;
	siginfo_t info;
	CHECK_INT(spawn_start(&(struct spawn) { .argv = argv }, &pid, NULL), 0);
	CHECK_INT(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	CHECK_INT(spawn_wait(pid, /* deadline_ns= */ 1, &status), 1);
	CHECK_INT(status, 0);
}

static void a_child_dies_with_its_parent_when_told_to(void **state)
{
	/* The parent between: starts a child that holds the pipe open, and ends. */
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	const pid_t between = fork();
	if (between == 0) {
		const char *const argv[] = { "sleep", "1000", NULL };
		const struct spawn spawn = { .argv = argv,
					     .fds = { { .from = ends[1], .to = 9 } },
					     .n_fds = 1,
					     .parent_death_signal = SIGKILL };
		pid_t pid;
		_exit(spawn_start(&spawn, &pid, NULL) ? 1 : 0);
	}
	(void)close(ends[1]);
	int status = -1;
	CHECK_INT(waitpid(between, &status, 0), between);
	CHECK_INT(status, 0);
	char byte;
	CHECK_INT(read(ends[0], &byte, 1), 0); /* Comes only when the child is gone. */
	(void)close(ends[0]);
}

static void a_status_is_told_in_words(void **state)
{
	char words[64];
	int status;
	AUTO(text) char *exited = output_of(&(struct spawn) { 0 }, "exit 3", &status);
	CHECK_TEXT(exited, "");
	spawn_status_show(status, words, sizeof(words));
	CHECK_TEXT(words, "exit code 3");
	AUTO(text) char *killed = output_of(&(struct spawn) { 0 }, "kill -9 $$", &status);
	CHECK_TEXT(killed, "");
	spawn_status_show(status, words, sizeof(words));
	CHECK_TEXT(words, "signal 9 (Killed)");
	spawn_status_show(status, words, 5);
	CHECK_TEXT(words, "sign");
}

static void a_program_is_found_in_the_first_folder_that_has_it(void **state)
{
	AUTO(text) char *found = spawn_find("sh", "/nonexistent::/bin:/usr/bin");
	CHECK_TEXT(found, "/bin/sh");
	AUTO(text) char *named = spawn_find("/bin/sh", NULL);
	CHECK_TEXT(named, "/bin/sh");
}

static void a_program_that_cannot_be_executed_is_not_found(void **state)
{
	CHECK(spawn_find("passwd", "/etc") == NULL);
	CHECK(spawn_find("/etc/passwd", "/bin") == NULL);
	CHECK(spawn_find("sh", NULL) == NULL);
	CHECK(spawn_find("sh", "") == NULL);
	CHECK(spawn_find("", "/bin") == NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_output_and_the_exit_code_are_taken),
		cmocka_unit_test(an_exec_that_fails_is_reported_as_what_it_is),
		cmocka_unit_test(a_working_directory_that_is_not_there_is_reported),
		cmocka_unit_test(the_child_runs_where_and_with_what_it_was_told),
		cmocka_unit_test(output_behind_the_limit_is_dropped_and_the_child_ends),
		cmocka_unit_test(only_the_descriptors_that_were_named_reach_the_child),
		cmocka_unit_test(descriptors_can_change_places),
		cmocka_unit_test(a_low_limit_of_open_files_is_enough),
		cmocka_unit_test(without_descriptors_the_reason_is_told),
		cmocka_unit_test(a_new_session_is_the_child_s_own),
		cmocka_unit_test(signals_are_as_at_the_start_of_the_world),
		cmocka_unit_test(a_child_that_hangs_is_given_up_at_the_deadline),
		cmocka_unit_test(a_child_that_has_ended_is_seen_even_when_the_deadline_has_passed),
		cmocka_unit_test(a_child_dies_with_its_parent_when_told_to),
		cmocka_unit_test(a_status_is_told_in_words),
		cmocka_unit_test(a_program_is_found_in_the_first_folder_that_has_it),
		cmocka_unit_test(a_program_that_cannot_be_executed_is_not_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
