/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command: words, exit codes, output. */
#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "workload/drive.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Runs the program with its output in a file; what it printed is a new string. */
static char *output_of(const char *program, struct drive *run, int *ret_failed)
{
	AUTO(text) char *argument = mem_format("program=%s", program);
	struct work *work = drive_work("command", argument, NULL);
	struct error err = { 0 };
	AUTO(fd) int file = work_file(work, 0, &err);
	CHECK(file >= 0);
	(void)fflush(stdout);
	AUTO(fd) int saved = dup(STDOUT_FILENO);
	CHECK(saved >= 0 && dup2(file, STDOUT_FILENO) >= 0);
	*run = (struct drive) { .batches = 1 };
	*ret_failed = drive(work, run);
	CHECK(dup2(saved, STDOUT_FILENO) >= 0);
	work_free(work);
	char *bytes = mem_zero(4096);
	CHECK(fs_pread_all(file, bytes, 4096) >= 0);
	return bytes;
}

static void check_output(const char *program, const char *want)
{
	struct drive run;
	int failed;
	AUTO(text) char *have = output_of(program, &run, &failed);
	CHECK_TEXT(run.err.text, "");
	CHECK_INT(failed, 0);
	CHECK_TEXT(have, want);
}

static void the_output_of_the_program_is_the_workers_own(void **state)
{
	check_output("echo one two", "one two\n");
}

static void words_are_split_on_blanks_and_quotes_keep_them(void **state)
{
	check_output("  printf  [%s]  a   'b c' \"d e\" f", "[a][b c][d e][f]");
	check_output("printf [%s] 'say \"x\"' \"it's\" a'b c'd", "[say \"x\"][it's][ab cd]");
	check_output("printf [%s] '' last", "[][last]");
}

static void nothing_of_a_shell_is_understood(void **state)
{
	check_output("printf [%s] $HOME * a;b `id` > x", "[$HOME][*][a;b][`id`][>][x]");
}

static void check_refused(const char *program, const char *piece)
{
	AUTO(text) char *argument = mem_format("program=%s", program);
	struct work *work = drive_work("command", argument, NULL);
	struct drive run = { .batches = 1 };
	CHECK_INT(drive(work, &run), -EINVAL);
	CHECK_HOLDS(run.err.text, piece);
	work_free(work);
}

static void an_open_quote_is_refused(void **state)
{
	check_refused("echo 'one", "leaves a quote open: echo 'one");
	check_refused("echo \"one'", "leaves a quote open");
}

static void an_empty_program_is_refused(void **state)
{
	check_refused("", "is empty");
	check_refused("   ", "is empty");
}

static void check_failed(const char *program, const char *reason)
{
	struct drive run;
	int failed;
	AUTO(text) char *have = output_of(program, &run, &failed);
	CHECK_TEXT(have, "");
	CHECK(failed < 0);
	CHECK_TEXT(run.err.text, reason);
}

static void an_exit_code_is_the_reason_of_a_failed_run(void **state)
{
	check_failed("sh -c 'exit 3'", "exit code 3");
}

static void a_signal_is_the_reason_of_a_failed_run(void **state)
{
	check_failed("sh -c 'kill -9 $$'", "signal 9 (Killed)");
}

static void a_program_that_is_not_there_is_the_reason_of_a_failed_run(void **state)
{
	check_failed("/nonexistent/program x",
		     "cannot run '/nonexistent/program': No such file or directory");
}

static void the_score_is_the_time_of_the_run(void **state)
{
	struct work *work = drive_work("command", "program=true", NULL);
	const struct tally tally = { .elapsed_ns = 1500000000, .operations = 1, .n_workers = 1 };
	struct value value;
	work_row(work)->score(work, &tally, &value);
	CHECK_NEAR(value.number, 1.5, 0.0);
	CHECK_INT(work_workers(work), 1);
	work_free(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_output_of_the_program_is_the_workers_own),
		cmocka_unit_test(words_are_split_on_blanks_and_quotes_keep_them),
		cmocka_unit_test(nothing_of_a_shell_is_understood),
		cmocka_unit_test(an_open_quote_is_refused),
		cmocka_unit_test(an_empty_program_is_refused),
		cmocka_unit_test(an_exit_code_is_the_reason_of_a_failed_run),
		cmocka_unit_test(a_signal_is_the_reason_of_a_failed_run),
		cmocka_unit_test(a_program_that_is_not_there_is_the_reason_of_a_failed_run),
		cmocka_unit_test(the_score_is_the_time_of_the_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
