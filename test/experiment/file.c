/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Experiment files: what right ones say, and that each wrong one of the folder wrong/ gets the
 * sentence that stands beside it. UPDATE=1 records the sentences anew. */
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "experiment/experiment.h"
#include "experiment/fake_catalogue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

static struct experiment *parse(const char *yaml)
{
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	if (experiment_parse(yaml, strlen(yaml), "x.yaml", &fake_catalogue, &experiment, &err) < 0)
		fail_msg("%s", err.text);
	return experiment;
}

static void a_file_with_everything_is_read(void **state)
{
	AUTO(experiment)
	struct experiment *experiment = parse("subjects:\n"
					      "  base:\n"
					      "  head: {env: {FOO: bar}}\n"
					      "name: all-of-it\n"
					      "question: >\n"
					      "  does it make page faults\n"
					      "  faster?\n"
					      "place: host\n"
					      "runs: 7\n"
					      "seed: 42\n"
					      "monitors: [proc-vmstat, meminfo]\n"
					      "interval: 500ms\n"
					      "time-limit: 2m\n"
					      "workloads:\n"
					      "  - page_fault1:\n"
					      "      mode: [process, thread]\n"
					      "      t: [1, 50%, cpus]\n"
					      "  - hackbench\n");
	CHECK_TEXT(experiment->name, "all-of-it");
	CHECK_TEXT(experiment->question, "does it make page faults faster?");
	CHECK_TEXT(experiment->place, "host");
	CHECK_INT(experiment->runs, 7);
	CHECK_INT(experiment->seed, 42);
	CHECK_INT(experiment->interval_ns, 500 * NS_PER_MS);
	CHECK_INT(experiment->time_limit_ns, 120 * NS_PER_SEC);
	CHECK_INT(experiment->n_monitors, 2);
	CHECK_TEXT(experiment->monitors[0], "proc-vmstat");
	CHECK_TEXT(experiment->monitors[1], "meminfo");
	CHECK_INT(experiment->n_selected, 2);
	CHECK_INT(experiment->n_subjects, 2);
	CHECK_TEXT(experiment->subjects[0].name, "base");
	CHECK_TEXT(experiment->subjects[1].name, "head");
}

static void what_is_not_said_has_its_default(void **state)
{
	AUTO(experiment)
	struct experiment *experiment = parse("workload: hackbench\nsubjects: {base: }\n");
	CHECK(!experiment->name);
	CHECK(!experiment->question);
	CHECK_TEXT(experiment->place, "host");
	CHECK_INT(experiment->runs, 10);
	CHECK_INT(experiment->seed, 0);
	CHECK_INT(experiment->interval_ns, NS_PER_SEC);
	CHECK_INT(experiment->time_limit_ns, 0);
	CHECK_INT(experiment->n_monitors, 0);
}

static void monitors_may_be_all_none_or_one(void **state)
{
	AUTO(experiment)
	struct experiment *all = parse("workload: hackbench\nsubjects: {a: }\nmonitors: all\n");
	CHECK_INT(all->n_monitors, 0);
	AUTO(experiment)
	struct experiment *none = parse("workload: hackbench\nsubjects: {a: }\nmonitors: none\n");
	CHECK_INT(none->n_monitors, 1);
	CHECK_TEXT(none->monitors[0], "none");
	AUTO(experiment)
	struct experiment *one = parse("workload: hackbench\nsubjects: {a: }\nmonitors: vmstat\n");
	CHECK_INT(one->n_monitors, 1);
	CHECK_TEXT(one->monitors[0], "vmstat");
}

static void an_interval_of_nothing_means_the_edges(void **state)
{
	AUTO(experiment)
	struct experiment *experiment =
		parse("workload: hackbench\nsubjects: {a: }\ninterval: 0s\n");
	CHECK_INT(experiment->interval_ns, 0);
}

static void a_failing_file_leaves_the_answer_untouched(void **state)
{
	struct experiment *experiment = NULL;
	CHECK_INT(experiment_parse("a: b", 4, "x.yaml", &fake_catalogue, &experiment, NULL),
		  -EINVAL);
	CHECK(!experiment);
}

/* ---- the folder of wrong files ---- */

static const char *wrong_folder(void)
{
	const char *folder = getenv("ASSAY_TEST_WRONG");
	if (!folder)
		fail_msg("ASSAY_TEST_WRONG does not name the folder of wrong files");
	return folder;
}

/* What libfyaml itself says is not ours to hold still. */
static void cut_foreign_words(char *message)
{
	static const char ours[] = ": not valid YAML";
	char *at = strstr(message, ours);
	if (at)
		at[strlen(ours)] = '\0';
}

static void check_message(int folder_fd, const char *name, const char *message)
{
	AUTO(text) char *path = mem_format("%.*s.message", (int)(strlen(name) - 5), name);
	if (getenv("UPDATE")) {
		AUTO(text) char *line = mem_format("%s\n", message);
		AUTO(fd)
		int fd = openat(folder_fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		CHECK(fd >= 0);
		CHECK_INT(fs_write_all(fd, line, strlen(line)), 0);
		return;
	}
	char want[1024];
	if (fs_read_line_at(folder_fd, path, want, sizeof(want)) < 0)
		fail_msg("%s: no %s beside it", name, path);
	CHECK_TEXT(message, want);
}

static void check_wrong(int folder_fd, const char *name)
{
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	CHECK_INT(fs_read_whole_at(folder_fd, name, 1U << 20, &bytes, &length, &err), 0);
	const int answer =
		experiment_parse(bytes, length, name, &fake_catalogue, &experiment, &err);
	if (answer == 0)
		fail_msg("%s was taken for right", name);
	CHECK_INT(answer, -EINVAL);
	CHECK(!strpbrk(err.text, "\n\r\t"));
	cut_foreign_words(err.text);
	check_message(folder_fd, name, err.text);
}

static void each_wrong_file_gets_its_sentence(void **state)
{
	DIR *folder = opendir(wrong_folder());
	CHECK(folder);
	unsigned n = 0;
	const struct dirent *entry;
	while ((entry = readdir(folder))) {
		if (!text_ends_with(entry->d_name, ".yaml"))
			continue;
		check_wrong(dirfd(folder), entry->d_name);
		n++;
	}
	(void)closedir(folder); /* It was only read from. */
	CHECK(n >= 30);
}

static void a_file_beyond_the_limit_is_refused(void **state)
{
	const size_t length = 300000;
	AUTO(text) char *bytes = mem_zero(length + 1);
	memset(bytes, '#', length);
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	CHECK_INT(experiment_parse(bytes, length, "x.yaml", &fake_catalogue, &experiment, &err),
		  -EINVAL);
	CHECK_TEXT(err.text, "x.yaml:1:1: longer than 262144 bytes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_with_everything_is_read),
		cmocka_unit_test(what_is_not_said_has_its_default),
		cmocka_unit_test(monitors_may_be_all_none_or_one),
		cmocka_unit_test(an_interval_of_nothing_means_the_edges),
		cmocka_unit_test(a_failing_file_leaves_the_answer_untouched),
		cmocka_unit_test(each_wrong_file_gets_its_sentence),
		cmocka_unit_test(a_file_beyond_the_limit_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
