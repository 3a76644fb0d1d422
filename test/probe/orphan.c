/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * orphan FILE stay|leave: a program that behaves as badly as it can. A grandchild leaves the session, loses its
 * parents, ignores what can be ignored, closes every descriptor but that of FILE, locks FILE, writes one
 * byte into it, and lives for ever. `stay`: the program itself waits as well; `leave`: it ends at once.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <sys/file.h>
#include <sys/wait.h>

static void live_on(const char *path)
{
	for (int number = 1; number < 32; number++)
		(void)signal(number, SIG_IGN);
	(void)close_range(0, ~0U, 0);
	const int fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || flock(fd, LOCK_EX) < 0 || write(fd, "x", 1) != 1)
		_exit(1);
	for (;;)
		(void)pause();
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	int lived[2];
	if (pipe2(lived, O_CLOEXEC) < 0)
		return 2;
	const pid_t middle = fork();
	if (middle == 0) {
		(void)setsid();
		if (fork() == 0) {
			(void)setsid();
			live_on(argv[1]);
		}
		_exit(0);
	}
	(void)waitpid(middle, NULL, 0);
	/* The grandchild closed this pipe, so that it is on its way. */
	(void)close(lived[1]);
	char byte;
	(void)!read(lived[0], &byte, 1);
	while (strcmp(argv[2], "stay") == 0)
		(void)pause();
	return 0;
}
