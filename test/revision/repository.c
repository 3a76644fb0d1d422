/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See repository.h. */
#include "revision/repository.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "check.h"

#include <stdlib.h>

#include <sys/stat.h>
#include <sys/wait.h>

int repository_shell(const struct repository *repository, const char *script)
{
	const char *const argv[] = { "sh", "-euc", script, NULL };
	const struct spawn spawn = { .argv = argv, .directory = repository->path };
	struct error err = { 0 };
	pid_t pid = -1;
	int status = 0;
	if (spawn_start(&spawn, &pid, &err))
		CHECK_FAIL("%s", err.text);
	CHECK_INT(spawn_wait(pid, /* deadline_ns= */ 0, &status), 1);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void repository_make(struct repository *repository, const char *script)
{
	(void)snprintf(repository->root, sizeof(repository->root), "/tmp/assay-revision-XXXXXX");
	if (!mkdtemp(repository->root))
		CHECK_FAIL("cannot make a folder");
	(void)snprintf(repository->path, sizeof(repository->path), "%s/repo", repository->root);
	(void)snprintf(repository->cache, sizeof(repository->cache), "%s/cache", repository->root);
	CHECK_INT(mkdir(repository->path, 0700), 0);
	/* What the person who runs the tests has set up must not matter. */
	(void)setenv("HOME", repository->root, /* overwrite= */ 1);
	(void)setenv("GIT_CONFIG_NOSYSTEM", "1", /* overwrite= */ 1);
	CHECK_INT(repository_shell(repository, "git init -q .; git config user.name tester;"
					       "git config user.email tester@localhost"),
		  0);
	CHECK_INT(repository_shell(repository, script), 0);
}

void repository_done(struct repository *repository)
{
	const char *const argv[] = { "rm", "-rf", repository->root, NULL };
	const struct spawn spawn = { .argv = argv };
	char *output = NULL;
	int status = 0;
	CHECK_INT(spawn_output(&spawn, 1, &output, &status, /* err= */ NULL), 0);
	free(output);
}
