/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/output.h"

#include "base/fs.h"
#include "base/mem.h"
#include "check.h"
#include "fake.h"

#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/wait.h>

/* In a child, whose standard descriptors are captured, `speak` is called; the log that comes of it. */
static char *log_of(void (*speak)(void))
{
	const int stream_fd = memfd_create("stream", 0);
	CHECK(stream_fd >= 0);
	const pid_t child = fork();
	if (child == 0) {
		struct error err = { 0 };
		int output_fd = -1;
		if (output_capture(&output_fd, &err) != 0)
			_exit(1);
		speak();
		struct wire *wire = wire_new(stream_fd);
		int failed = output_send(output_fd, wire);
		failed |= wire_end(wire, RUN_COMPLETE, "");
		wire_free(wire);
		_exit(failed ? 2 : 0);
	}
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK_INT(status, 0);
	struct run *run = fake_read(stream_fd);
	char *log = mem_text(run->log);
	run_free(run);
	(void)close(stream_fd);
	return log;
}

static void speak_with_two_voices(void)
{
	(void)fs_write_all(STDOUT_FILENO, "out\n", 4);
	if (fork() == 0) {
		(void)fs_write_all(STDERR_FILENO, "err\n", 4);
		_exit(0);
	}
	(void)wait(NULL);
	(void)fs_write_all(STDOUT_FILENO, "end\n", 4);
	char byte;
	if (read(STDIN_FILENO, &byte, 1) != 0)
		(void)fs_write_all(STDOUT_FILENO, "input\n", 6);
}

static void output_and_errors_of_all_come_in_order(void **state)
{
	(void)state;
	char *log = log_of(speak_with_two_voices);
	CHECK_TEXT(log, "out\nerr\nend\n");
	free(log);
}

static void say_nothing(void)
{
}

static void silence_gives_an_empty_log(void **state)
{
	(void)state;
	char *log = log_of(say_nothing);
	CHECK_TEXT(log, "");
	free(log);
}

static void speak_at_length(void)
{
	char block[1024];
	memset(block, 'x', sizeof(block));
	(void)fs_write_all(STDOUT_FILENO, "first", 5);
	for (unsigned i = 0; i < 1024; i++)
		(void)fs_write_all(STDOUT_FILENO, block, sizeof(block));
	(void)fs_write_all(STDOUT_FILENO, "last", 4);
}

static void of_much_output_head_and_tail_are_kept(void **state)
{
	(void)state;
	char *log = log_of(speak_at_length);
	char gap[80];
	(void)snprintf(gap, sizeof(gap), "\n[... %u bytes left out ...]\n",
		       (1024U << 10) + 9 - OUTPUT_HEAD_BYTES - OUTPUT_TAIL_BYTES);
	CHECK(strncmp(log, "firstxxx", 8) == 0);
	CHECK_HOLDS(log, gap);
	CHECK_TEXT(log + strlen(log) - 5, "xlast");
	CHECK_INT(strlen(log), OUTPUT_HEAD_BYTES + OUTPUT_TAIL_BYTES + strlen(gap));
	free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_errors_of_all_come_in_order),
		cmocka_unit_test(silence_gives_an_empty_log),
		cmocka_unit_test(of_much_output_head_and_tail_are_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
