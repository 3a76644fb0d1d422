/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probe's command line and environment for a job. */
#include "place/command.h"

#include "base/text.h"
#include "place/job_make.h"
#include "place/tree.h"

#include <errno.h>

/* The words joined by blanks. Static buffer. */
static const char *line_of(const struct command *command)
{
	static char line[4096];
	line[0] = '\0';
	for (size_t i = 0; i < command->n_words; i++) {
		(void)strncat(line, command->words[i], sizeof(line) - strlen(line) - 2);
		(void)strncat(line, " ", 2);
	}
	return line;
}

static const struct place_options options = { .probe_path = "/bin/sh" };

static void every_argument_and_monitor_reaches_the_probe(void **state)
{
	struct command command = { 0 };
	struct error err;
	AUTO(job) struct job *job = job_make("hackbench");
	job_argue(job, "groups", "4");
	job_argue(job, "ipc", "pipe");
	char *monitors[] = { (char[]) { "meminfo" } };
	job->monitors = monitors;
	job->n_monitors = 1;
	CHECK_INT(command_make(&command, &options, job, /* joins= */ NULL, &err), 0);
	CHECK_TEXT(line_of(&command),
		   "/bin/sh --workload hackbench --set groups=4 --set ipc=pipe --monitor meminfo "
		   "--interval-ms 1000 --time-limit-ms 60000 --fd 3 ");
	job->monitors = NULL;
	job->n_monitors = 0;
	command_done(&command);
}

static void a_prefix_stands_in_front_word_by_word(void **state)
{
	struct command command = { 0 };
	struct error err;
	AUTO(job) struct job *job = job_make("hackbench");
	job_set(job, SETTING_PREFIX, "", "taskset  -c 0");
	CHECK_INT(command_make(&command, &options, job, /* joins= */ NULL, &err), 0);
	CHECK_HOLDS(line_of(&command), "taskset -c 0 /bin/sh --workload");
	command_done(&command);
}

static void an_empty_prefix_is_refused(void **state)
{
	struct command command = { 0 };
	struct error err;
	AUTO(job) struct job *job = job_make("hackbench");
	job_set(job, SETTING_PREFIX, "", "  ");
	CHECK_INT(command_make(&command, &options, job, /* joins= */ NULL, &err), -EINVAL);
	command_done(&command);
}

static void an_environment_setting_replaces_what_was_there(void **state)
{
	struct command command = { 0 };
	struct error err;
	unsigned n = 0;
	AUTO(job) struct job *job = job_make("hackbench");
	CHECK_INT(setenv("ASSAY_TEST_SET", "old", 1), 0);
	job_set(job, SETTING_ENV, "ASSAY_TEST_SET", "new");
	CHECK_INT(command_make(&command, &options, job, /* joins= */ NULL, &err), 0);
	for (size_t i = 0; i < command.n_environment; i++)
		if (strncmp(command.environment[i], "ASSAY_TEST_SET=", 15) == 0) {
			CHECK_TEXT(command.environment[i], "ASSAY_TEST_SET=new");
			n++;
		}
	CHECK_INT(n, 1);
	command_done(&command);
}

static void a_binary_replaces_the_first_word_of_the_program(void **state)
{
	struct command command = { 0 };
	struct error err;
	AUTO(job) struct job *job = job_make("command");
	job_argue(job, "program", "/usr/bin/old --flag 3");
	job_set(job, SETTING_BINARY, "", "/tmp/new");
	CHECK_INT(command_make(&command, &options, job, /* joins= */ NULL, &err), 0);
	CHECK_HOLDS(line_of(&command), "program=/tmp/new --flag 3");
	command_done(&command);
}

static char *program_with(const char *program, const char *binary)
{
	struct command command = { 0 };
	struct error err;
	AUTO(job) struct job *job = job_make("command");
	job_argue(job, "program", program);
	job_set(job, SETTING_BINARY, "", binary);
	CHECK_INT(command_make(&command, &options, job, /* joins= */ NULL, &err), 0);
	char *word = NULL;
	for (size_t i = 0; i < command.n_words; i++)
		if (text_starts_with(command.words[i], "program="))
			word = mem_text(command.words[i]);
	command_done(&command);
	return word;
}

static void blanks_in_quotes_belong_to_the_binary_s_word(void **state)
{
	AUTO(text) char *old = program_with("  '/usr/bin/my old' \"a b\" c", "/tmp/new");
	CHECK_TEXT(old, "program=/tmp/new \"a b\" c");
	AUTO(text) char *new = program_with("old x", "/tmp/my new");
	CHECK_TEXT(new, "program='/tmp/my new' x");
	AUTO(text) char *quoted = program_with("old", "/tmp/it's");
	CHECK_TEXT(quoted, "program=\"/tmp/it's\"");
}

static void a_binary_needs_the_workload_command(void **state)
{
	struct command command = { 0 };
	struct error err;
	AUTO(job) struct job *job = job_make("hackbench");
	job_set(job, SETTING_BINARY, "", "/tmp/new");
	CHECK_INT(command_make(&command, &options, job, /* joins= */ NULL, &err), -EINVAL);
	CHECK_HOLDS(err.text, "'command'");
	command_done(&command);
}

static void a_probe_that_is_not_there_is_named(void **state)
{
	struct error err;
	AUTO(text) char *path = NULL;
	const struct place_options nowhere = { .probe_path = "/nonexistent/assay-probe" };
	CHECK_INT(command_probe_find(&nowhere, &path, &err), -ENOENT);
	CHECK_HOLDS(err.text, "/nonexistent/assay-probe");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_argument_and_monitor_reaches_the_probe),
		cmocka_unit_test(a_prefix_stands_in_front_word_by_word),
		cmocka_unit_test(an_empty_prefix_is_refused),
		cmocka_unit_test(an_environment_setting_replaces_what_was_there),
		cmocka_unit_test(a_binary_replaces_the_first_word_of_the_program),
		cmocka_unit_test(blanks_in_quotes_belong_to_the_binary_s_word),
		cmocka_unit_test(a_binary_needs_the_workload_command),
		cmocka_unit_test(a_probe_that_is_not_there_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
