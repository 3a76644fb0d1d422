/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs are carried out on this machine by the real probe; what it says comes back as a run. */
#include "place/job_make.h"
#include "place/place.h"
#include "place/tree.h"

#include <errno.h>
#include <signal.h>

#include <sys/stat.h>

static volatile sig_atomic_t interrupted;

struct host { /* A state directory of the test's own and the built probe. */
	struct tree tree;
	struct place_options options;
	struct run *run;
	struct error err;
};

static struct host host_new(void)
{
	struct host host = { .tree = tree_new() };
	interrupted = 0;
	host.options = (struct place_options) { .probe_path = getenv("ASSAY_PROBE"),
						.interrupted = &interrupted };
	host.options.state_directory = mem_format("%s/state", host.tree.path);
	return host;
}

static int carry(struct host *host, const struct job *job, place_progress *progress)
{
	return place_host.carry(&host->options, job, progress, /* user= */ NULL, &host->run,
				&host->err);
}

static void host_done(struct host *host)
{
	union {
		const char *constant;
		char *plain;
	} directory = { .constant = host->options.state_directory };
	free(directory.plain);
	run_free(host->run);
	tree_done(&host->tree);
}

static struct job *short_job(void)
{
	struct job *job = job_make("getppid1");
	job_argue(job, "warmup", "0");
	job_argue(job, "duration", "0.1");
	return job;
}

static struct job *command_job(const char *program)
{
	struct job *job = job_make("command");
	job_argue(job, "program", program);
	return job;
}

static void a_job_comes_back_as_a_complete_run(void **state)
{
	struct host host = host_new();
	AUTO(job) struct job *job = short_job();
	CHECK_INT(carry(&host, job, NULL), 0);
	CHECK_INT(host.run->outcome, RUN_COMPLETE);
	const struct measured *score = run_metric_find(host.run, "will-it-scale.per_process_ops");
	CHECK(score && value_is_known(score->value) && score->value.number > 0);
	host_done(&host);
}

static void others_may_look_for_what_a_run_left_applied(void **state)
{
	struct host host = host_new();
	struct stat status;
	AUTO(job) struct job *job = short_job();
	const mode_t before = umask(022);
	CHECK_INT(carry(&host, job, NULL), 0);
	(void)umask(before);
	CHECK_INT(stat(host.options.state_directory, &status), 0);
	CHECK_INT(status.st_mode & 0777, 0755);
	host_done(&host);
}

static void an_environment_setting_reaches_the_workload(void **state)
{
	struct host host = host_new();
	AUTO(job) struct job *job = command_job("/bin/sh -c 'echo told=$ASSAY_TOLD'");
	job_set(job, SETTING_ENV, "ASSAY_TOLD", "yes");
	CHECK_INT(carry(&host, job, NULL), 0);
	CHECK_HOLDS(host.run->log, "told=yes");
	host_done(&host);
}

static void a_failing_program_is_a_failed_run_not_an_error(void **state)
{
	struct host host = host_new();
	AUTO(job) struct job *job = command_job("/bin/sh -c 'exit 3'");
	CHECK_INT(carry(&host, job, NULL), 0);
	CHECK_INT(host.run->outcome, RUN_FAILED);
	CHECK_HOLDS(host.run->reason, "exit code 3");
	host_done(&host);
}

static void a_prefix_that_cannot_run_is_an_error(void **state)
{
	struct host host = host_new();
	AUTO(job) struct job *job = short_job();
	job_set(job, SETTING_PREFIX, "", "/nonexistent/numactl --membind=0");
	CHECK(carry(&host, job, NULL) < 0);
	CHECK_HOLDS(host.err.text, "/nonexistent/numactl");
	CHECK(!host.run);
	host_done(&host);
}

static void a_wrong_parameter_is_told_in_the_probes_words(void **state)
{
	struct host host = host_new();
	AUTO(job) struct job *job = job_make("getppid1");
	job_argue(job, "duraton", "1");
	CHECK_INT(carry(&host, job, NULL), -EINVAL);
	CHECK_HOLDS(host.err.text, "duraton");
	host_done(&host);
}

static void interrupt(enum phase phase, uint64_t elapsed_ns, void *user)
{
	(void)elapsed_ns;
	(void)user;
	if (phase == PHASE_MEASURE)
		interrupted = 1;
}

static void an_interrupted_run_says_so_and_leaves_nothing(void **state)
{
	struct host host = host_new();
	AUTO(job) struct job *job = command_job("/bin/sleep 30");
	CHECK_INT(carry(&host, job, interrupt), 0);
	CHECK_INT(host.run->outcome, RUN_INTERRUPTED);
	host_done(&host);
}

static void interrupt_at_once(enum phase phase, uint64_t elapsed_ns, void *user)
{
	(void)phase;
	(void)elapsed_ns;
	(void)user;
	interrupted = 1;
}

static void a_probe_that_was_stopped_before_it_began_is_an_interruption_too(void **state)
{
	struct host host = host_new();
	char *slow = mem_format("%s/slow", host.tree.path);
	FILE *script = fopen(slow, "we");
	CHECK(script);
	(void)fputs("#!/bin/sh\nexec sleep 30\n", script);
	CHECK_INT(fclose(script), 0);
	CHECK_INT(chmod(slow, 0755), 0);
	host.options.probe_path = slow;
	AUTO(job) struct job *job = short_job();
	CHECK_INT(carry(&host, job, interrupt_at_once), -EINTR);
	CHECK(!host.run);
	free(slow);
	host_done(&host);
}

static void a_sysctl_is_there_during_the_run_and_gone_after_it(void **state)
{
	char before[64];
	char after[64];
	if (geteuid() != 0 || access("/proc/sys/vm/stat_interval", W_OK) < 0) {
		(void)puts("skipped: setting a sysctl needs root");
		skip();
	}
	struct host host = host_new();
	AUTO(fd) int root_fd = fs_root_open("/", NULL);
	AUTO(job) struct job *job = command_job("/bin/cat /proc/sys/vm/stat_interval");
	CHECK(fs_read_line_at(root_fd, "proc/sys/vm/stat_interval", before, sizeof(before)) > 0);
	AUTO(text) char *other = mem_format("%d", atoi(before) + 5);
	job_set(job, SETTING_SYSCTL, "vm.stat_interval", other);
	CHECK_INT(carry(&host, job, NULL), 0);
	CHECK_HOLDS(host.run->log, other);
	CHECK(fs_read_line_at(root_fd, "proc/sys/vm/stat_interval", after, sizeof(after)) > 0);
	CHECK_TEXT(after, before);
	host_done(&host);
}

static void a_cgroup_limit_holds_for_the_run(void **state)
{
	struct host host = host_new();
	AUTO(job) struct job *job = command_job("/bin/cat /proc/self/cgroup");
	job_set(job, SETTING_CGROUP, "memory.max", "1073741824");
	if (place_host.check(&host.options, job, &host.err) || carry(&host, job, NULL)) {
		(void)printf("skipped: %s\n", host.err.text);
		host_done(&host);
		skip();
	}
	CHECK_HOLDS(host.run->log, "assay-run-");
	host_done(&host);
}

static void a_setting_that_cannot_be_is_told_before_anything_runs(void **state)
{
	struct host host = host_new();
	AUTO(job) struct job *job = short_job();
	job_set(job, SETTING_SYSCTL, "vm.no_such_knob", "1");
	CHECK_INT(place_host.check(&host.options, job, &host.err), -ENOENT);
	CHECK_HOLDS(host.err.text, "subject 'head'");
	CHECK_HOLDS(host.err.text, "no_such_knob");
	host_done(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_comes_back_as_a_complete_run),
		cmocka_unit_test(others_may_look_for_what_a_run_left_applied),
		cmocka_unit_test(an_environment_setting_reaches_the_workload),
		cmocka_unit_test(a_failing_program_is_a_failed_run_not_an_error),
		cmocka_unit_test(a_prefix_that_cannot_run_is_an_error),
		cmocka_unit_test(a_wrong_parameter_is_told_in_the_probes_words),
		cmocka_unit_test(an_interrupted_run_says_so_and_leaves_nothing),
		cmocka_unit_test(a_probe_that_was_stopped_before_it_began_is_an_interruption_too),
		cmocka_unit_test(a_sysctl_is_there_during_the_run_and_gone_after_it),
		cmocka_unit_test(a_cgroup_limit_holds_for_the_run),
		cmocka_unit_test(a_setting_that_cannot_be_is_told_before_anything_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
