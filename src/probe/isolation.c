/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses a way of isolation and binds the harness's life to the supervisor's. See isolation.h. */
#include "probe/isolation.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "probe/isolation_way.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/prctl.h>

/* By enum isolation_choice; the order is the order in which `auto` tries. */
static const struct isolation_way *const ways[ISOLATION_COUNT] = {
	[ISOLATION_PID_NAMESPACE] = &isolation_namespace_way,
	[ISOLATION_CGROUP] = &isolation_cgroup_way,
	[ISOLATION_SUBREAPER] = &isolation_subreaper_way,
};

bool isolation_parse(const char *word, enum isolation_choice *ret_choice)
{
	if (text_equal(word, "auto")) {
		*ret_choice = ISOLATION_AUTO;
		return true;
	}
	for (unsigned i = ISOLATION_AUTO + 1; i < ISOLATION_COUNT; i++) {
		if (text_equal(word, ways[i]->name)) {
			*ret_choice = (enum isolation_choice)i;
			return true;
		}
	}
	return false;
}

static int begin(struct isolation *isolation, const struct isolation_way *way, struct error *err)
{
	isolation->way = way;
	isolation->text = way->name;
	return way->begin(isolation, err);
}

int isolation_new(enum isolation_choice choice, struct isolation **ret_isolation, struct error *err)
{
	assert(choice < ISOLATION_COUNT);
	AUTO(isolation) struct isolation *isolation = mem_zero(sizeof(*isolation));
	isolation->alive[0] = isolation->alive[1] = -1;
	isolation->cgroup_fd = isolation->watcher_fd = -1;
	if (pipe2(isolation->alive, O_CLOEXEC | O_NONBLOCK) < 0)
		return error_errno(err, errno, "cannot make a pipe");
	int failed = -EOPNOTSUPP;
	if (choice != ISOLATION_AUTO) {
		failed = begin(isolation, ways[choice], err);
		if (failed)
			return error_at(err, "isolation '%s' does not work here",
					ways[choice]->name);
	}
	for (unsigned i = ISOLATION_AUTO + 1; failed && i < ISOLATION_COUNT; i++)
		failed = begin(isolation, ways[i], err);
	if (failed)
		return failed;
	*ret_isolation = KEEP(isolation);
	return 0;
}

static void close_end(int *fd)
{
	auto_release_fd(fd);
	*fd = -1;
}

void isolation_free(struct isolation *isolation)
{
	if (!isolation)
		return;
	close_end(&isolation->alive[0]);
	close_end(&isolation->alive[1]);
	close_end(&isolation->cgroup_fd);
	close_end(&isolation->watcher_fd);
	free(isolation);
}

const char *isolation_text(const struct isolation *isolation)
{
	return isolation->text;
}

int isolation_settle(struct isolation *isolation, struct error *err)
{
	close_end(&isolation->alive[1]);
	close_end(&isolation->watcher_fd);
	const int failed = isolation->way->settle(isolation, err);
	if (failed)
		return failed;
	if (prctl(PR_SET_PDEATHSIG, isolation->way->parent_death_signal) < 0)
		return error_errno(err, errno, "cannot ask for the parent-death signal");
	/* The supervisor may have died before that call, and then the signal never comes; but then the
	 * pipe, whose other end it alone held, says end of file. The kernel closes a dying task's
	 * files before it signals its children, so one of the two is always seen. */
	char byte;
	if (read(isolation->alive[0], &byte, 1) == 0)
		_exit(128);
	return 0;
}

void isolation_kill_rest(const struct isolation *isolation)
{
	isolation->way->kill_rest();
}

void isolation_end(struct isolation *isolation, pid_t harness)
{
	isolation->way->end(isolation, harness);
}
