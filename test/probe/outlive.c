/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run in miniature, ended in different ways. See outlive.h. */
#include "outlive.h"

#include "base/auto.h"
#include "check.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/wait.h>

#define PATIENCE_MS 20000

struct stage {
	int life[2]; /* The orphan alone holds the writing end, in the end. */
	int said[2]; /* 'o' the orphan lives, 'h' the harness lived on after kill_rest. */
};

void outlive_need(enum isolation_choice choice)
{
	struct error err = { 0 };
	const pid_t child = fork();
	if (child == 0) {
		struct isolation *isolation = NULL;
		if (isolation_new(choice, &isolation, &err) != 0) {
			(void)fprintf(stderr, "skipped: %s\n", err.text);
			_exit(1);
		}
		isolation_end(isolation, 0);
		_exit(0);
	}
	int status = -1;
	(void)waitpid(child, &status, 0);
	if (status != 0)
		skip();
}

static NORETURN void be_orphan(const struct stage *stage)
{
	(void)setsid();
	if (fork() != 0)
		_exit(0);
	(void)setsid();
	(void)signal(SIGTERM, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)write(stage->said[1], "o", 1);
	(void)close(stage->said[1]);
	(void)close(stage->said[0]);
	(void)close(0);
	for (;;)
		(void)pause();
}

static NORETURN void be_harness(struct isolation *isolation, const struct stage *stage,
				enum outlive_end end)
{
	struct error err = { 0 };
	if (isolation_settle(isolation, &err) != 0) {
		(void)fprintf(stderr, "cannot settle: %s\n", err.text);
		_exit(1);
	}
	const pid_t middle = fork();
	if (middle == 0)
		be_orphan(stage);
	(void)close(stage->life[1]);
	(void)waitpid(middle, NULL, 0);
	if (end == OUTLIVE_KILL_REST) {
		char byte;
		struct pollfd life = { .fd = stage->life[0], .events = POLLIN };
		(void)read(stage->said[0], &byte, 1);
		isolation_kill_rest(isolation);
		/* The pipe's end says that the orphan is dead while this process lives. */
		(void)write(stage->said[1], poll(&life, 1, PATIENCE_MS) == 1 ? "h" : "?", 1);
		_exit(0);
	}
	for (;;)
		(void)pause();
}

/* Ends with 0 when isolation_end returned. */
static NORETURN void be_supervisor(enum isolation_choice choice, const struct stage *stage,
				   enum outlive_end end)
{
	struct isolation *isolation = NULL;
	struct error err = { 0 };
	char byte = '?';
	if (isolation_new(choice, &isolation, &err) != 0)
		_exit(1);
	pid_t harness = fork();
	if (harness == 0)
		be_harness(isolation, stage, end);
	(void)close(stage->life[1]);
	if (end == OUTLIVE_SUPERVISOR_KILLED)
		for (;;)
			(void)pause();
	if (end == OUTLIVE_KILL_REST) {
		(void)waitpid(harness, NULL, 0);
		harness = 0;
	} else {
		(void)read(stage->said[0], &byte, 1);
	}
	if (end == OUTLIVE_HARNESS_KILLED) {
		(void)kill(harness, SIGKILL);
		(void)waitpid(harness, NULL, 0);
		harness = 0;
	}
	isolation_end(isolation, harness);
	isolation_free(isolation);
	_exit(0);
}

bool outlive_all_died(enum isolation_choice choice, enum outlive_end end)
{
	struct stage stage;
	if (pipe(stage.life) < 0 || pipe(stage.said) < 0)
		abort();
	const pid_t supervisor = fork();
	if (supervisor == 0)
		be_supervisor(choice, &stage, end);
	(void)close(stage.life[1]);
	char byte = '?';
	if (end == OUTLIVE_SUPERVISOR_KILLED) {
		/* Only when the orphan lives is its death a proof. */
		if (read(stage.said[0], &byte, 1) != 1 || byte != 'o')
			abort();
		(void)kill(supervisor, SIGKILL);
	}
	struct pollfd life = { .fd = stage.life[0], .events = POLLIN };
	bool died = poll(&life, 1, PATIENCE_MS) == 1 && (life.revents & POLLHUP);
	int status = -1;
	(void)waitpid(supervisor, &status, 0);
	if (end != OUTLIVE_SUPERVISOR_KILLED && status != 0)
		died = false;
	if (end == OUTLIVE_KILL_REST)
		died = died && read(stage.said[0], &byte, 1) == 1 && byte == 'h';
	(void)close(stage.life[0]);
	(void)close(stage.said[0]);
	(void)close(stage.said[1]);
	return died;
}
