/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See storage_program.h. */
#include "workload/storage_program.h"

#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/spawn.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MAX 16

char *storage_program_find(const char *name)
{
	char *path = spawn_find(name, getenv("PATH"));
	return path ? path : spawn_find(name, "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin");
}

int storage_program_run(const char *const *argv, struct error *err)
{
	AUTO(text) char *path = storage_program_find(argv[0]);
	if (!path)
		return error_set(err, ENOENT, "there is no program '%s' here", argv[0]);
	const char *words[WORDS_MAX] = { path };
	size_t n = 1;
	for (; argv[n]; n++) {
		assert(n < ARRAY_SIZE(words) - 1);
		words[n] = argv[n];
	}
	const struct spawn spawn = { .argv = words, .parent_death_signal = SIGKILL };
	pid_t process = -1;
	int status = -1;
	const int failed = spawn_start(&spawn, &process, err);
	if (failed)
		return failed;
	const int ended = spawn_wait(process, /* deadline_ns= */ 0, &status);
	if (ended < 0)
		return error_errno(err, -ended, "cannot wait for '%s'", path);
	if (status == 0)
		return 0;
	char how[64];
	spawn_status_show(status, how, sizeof(how));
	return error_set(err, EIO, "'%s' ended with %s; the run's log has what it said", path, how);
}
