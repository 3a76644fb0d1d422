/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/output.h"

#include "base/fs.h"
#include "base/mem.h"
#include "check.h"
#include "fake.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>
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
		if (output_new(&output_fd, &err) != 0 || output_capture(output_fd, &err) != 0)
			_exit(1);
		speak();
		output_trim(output_fd);
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

static off_t memory_of(int fd)
{
	struct stat about;
	CHECK_INT(fstat(fd, &about), 0);
	return about.st_blocks * 512;
}

static void output_without_end_does_not_fill_the_memory(void **state)
{
	(void)state;
	static char block[1 << 20];
	struct error err = { 0 };
	int fd = -1;
	CHECK_INT(output_new(&fd, &err), 0);
	memset(block, 'x', sizeof(block));
	CHECK_INT(fs_write_all(fd, "first", 5), 0);
	for (unsigned i = 0; i < 32; i++) {
		CHECK_INT(fs_write_all(fd, block, sizeof(block)), 0);
		output_trim(fd);
		CHECK(memory_of(fd) <= (10 << 20));
	}
	CHECK_INT(fs_write_all(fd, "last", 4), 0);
	output_trim(fd);
	char tail[OUTPUT_TAIL_BYTES];
	const off_t size = lseek(fd, 0, SEEK_END);
	CHECK_INT(size, (32 << 20) + 9);
	CHECK_INT(pread(fd, tail, sizeof(tail), size - (off_t)sizeof(tail)), sizeof(tail));
	CHECK(memchr(tail, '\0', sizeof(tail)) == NULL);
	CHECK(memcmp(tail + sizeof(tail) - 5, "xlast", 5) == 0);
	CHECK_INT(pread(fd, tail, OUTPUT_HEAD_BYTES, 0), OUTPUT_HEAD_BYTES);
	CHECK(memcmp(tail, "first", 5) == 0 && !memchr(tail, '\0', OUTPUT_HEAD_BYTES));
	(void)close(fd);
}

/* In a child whose standard descriptors are all closed. */
static void closed_standard_descriptors_are_made_anew(void **state)
{
	(void)state;
	const pid_t child = fork();
	if (child == 0) {
		struct error err = { 0 };
		int fd = -1;
		(void)close(STDIN_FILENO);
		(void)close(STDOUT_FILENO);
		(void)close(STDERR_FILENO);
		int wrong = output_new(&fd, &err) != 0 || output_capture(fd, &err) != 0;
		wrong |= fd <= STDERR_FILENO;
		for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; standard++)
			wrong |= fcntl(standard, F_GETFD) != 0; /* Open, and not closed by exec. */
		_exit(wrong);
	}
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK_INT(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_errors_of_all_come_in_order),
		cmocka_unit_test(silence_gives_an_empty_log),
		cmocka_unit_test(of_much_output_head_and_tail_are_kept),
		cmocka_unit_test(output_without_end_does_not_fill_the_memory),
		cmocka_unit_test(closed_standard_descriptors_are_made_anew),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
