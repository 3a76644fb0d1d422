/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assay-probe: reads the command line, enters the control groups, hands over to the supervisor. */
#include "assay_build.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "probe/options.h"
#include "probe/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_WRITTEN 0
#define EXIT_SURROUNDINGS 128
#define EXIT_USAGE 129

/* When no limit is given. A fixed amount of work may take long, but not for ever; a loop's time is known. */
#define LIMIT_FIXED_NS (3600 * NS_PER_SEC)
#define LIMIT_LOOP_OVER_NS (60 * NS_PER_SEC)

static int complain(const struct error *err)
{
	(void)fprintf(stderr, "assay-probe: %s\n", err->text);
	return err->code == EINVAL ? EXIT_USAGE : EXIT_SURROUNDINGS;
}

/* "0" stands for the writer in both versions of control groups. */
static int join_group(const char *directory, struct error *err)
{
	AUTO(text) char *path = mem_format("%s/cgroup.procs", directory);
	AUTO(fd) int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "cannot open '%s'", path);
	const int failed = fs_write_all(fd, "0", 1);
	if (failed)
		return error_errno(err, -failed, "cannot enter the control group '%s'", directory);
	return 0;
}

static uint64_t time_limit_ns(const struct options *options, const struct work *work)
{
	if (options->has_time_limit)
		return options->time_limit_ns;
	if (work_row(work)->shape == WORK_FIXED)
		return LIMIT_FIXED_NS;
	return work_warmup_ns(work) + work_duration_ns(work) + LIMIT_LOOP_OVER_NS;
}

static int check_time_limit(const struct plan *plan, struct error *err)
{
	const uint64_t least_ns = work_warmup_ns(plan->works[0]) + work_duration_ns(plan->works[0]);
	if (plan->time_limit_ns == 0 || plan->time_limit_ns > least_ns)
		return 0;
	return error_set(err, EINVAL,
			 "the time limit of %g s is not longer than warm-up and duration, %g s",
			 clock_seconds(plan->time_limit_ns), clock_seconds(least_ns));
}

static int check_descriptor(int fd, struct error *err)
{
	if (fcntl(fd, F_GETFD) < 0)
		return error_set(err, EINVAL, "--fd %d is not an open descriptor", fd);
	if (isatty(fd))
		return error_set(
			err, EINVAL,
			"the record stream is not for a terminal; redirect it, as in > run.assay");
	return 0;
}

/* With the works and instances made. */
static int run(const struct options *options, struct plan *plan, struct error *err)
{
	plan->monitors = options->monitors;
	plan->n_monitors = options->n_monitors;
	plan->interval_ns = options->interval_ns;
	plan->time_limit_ns = time_limit_ns(options, plan->works[0]);
	plan->wire_fd = options->fd;
	plan->with_environment = options->with_environment;
	plan->isolation = options->isolation;
	int failed = check_time_limit(plan, err);
	if (!failed)
		failed = check_descriptor(options->fd, err);
	if (failed)
		return failed;
	AUTO(fd) int root_fd = fs_root_open(options->root, err);
	if (root_fd < 0)
		return root_fd;
	plan->root_fd = root_fd;
	return supervisor_run(plan, err);
}

static int make_instances(const struct options *options, struct instances **ret_instances,
			  struct error *err)
{
	if (!options->has_instances)
		return 0;
	AUTO(fd) int root_fd = fs_root_open("/", err);
	if (root_fd < 0)
		return root_fd;
	return instances_new(&options->instances, root_fd, ret_instances, err);
}

static int make_and_run(const struct options *options, struct error *err)
{
	AUTO(instances) struct instances *instances = NULL;
	int failed = 0;
	/* The groups come first: they decide which CPUs and nodes there are. */
	for (size_t i = 0; !failed && i < options->n_joins; i++)
		failed = join_group(options->joins[i], err);
	if (!failed)
		failed = make_instances(options, &instances, err);
	if (failed)
		return failed;
	const unsigned n_wanted = instances_count(instances);
	struct work **works = mem_array(n_wanted, sizeof(*works));
	struct plan plan = { .works = works, .instances = instances };
	while (!failed && plan.n_works < n_wanted) {
		failed = work_new(options->workload, options->settings, options->n_settings,
				  &works[plan.n_works], err);
		if (!failed)
			plan.n_works++;
	}
	if (!failed)
		failed = run(options, &plan, err);
	for (unsigned i = 0; i < plan.n_works; i++)
		work_free(works[i]);
	free(works);
	return failed;
}

int main(int argc, char **argv)
{
	struct error err = { 0 };
	struct options options;
	int failed = options_parse(argc, argv, &options, &err);
	if (failed)
		return complain(&err);
	switch (options.wish) {
	case WISH_RUN:
		failed = make_and_run(&options, &err);
		break;
	case WISH_HELP:
		options_help(stdout);
		break;
	case WISH_VERSION:
		(void)puts("assay-probe " ASSAY_VERSION);
		break;
	case WISH_LIST:
		options_list(stdout);
		break;
	}
	options_done(&options);
	const int status = failed ? complain(&err) : EXIT_WRITTEN;
	/* A process that has unshared its PID namespace cannot make another task that it sees, which is what
	 * leak checkers try at exit. Nothing is buffered after a run. */
	if (options.wish == WISH_RUN)
		_exit(status);
	return status;
}
