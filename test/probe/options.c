/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/options.h"

#include "base/macros.h"
#include "check.h"

#include <errno.h>
#include <stdlib.h>

#define WORDS_MAX 16

static struct error err;

/* Parses "assay-probe <words separated by one blank>". */
static int parse(const char *line, struct options *options)
{
	static char copy[512];
	static char name[] = "assay-probe";
	char *argv[WORDS_MAX + 1] = { name };
	int argc = 1;
	(void)snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok(copy, " "); word && argc < WORDS_MAX; word = strtok(NULL, " "))
		argv[argc++] = word;
	err = (struct error) { 0 };
	return options_parse(argc, argv, options, &err);
}

static void everything_has_its_default(void **state)
{
	(void)state;
	struct options options;
	CHECK_INT(parse("--workload getppid1", &options), 0);
	CHECK_INT(options.wish, WISH_RUN);
	CHECK_TEXT(options.workload->about.name, "getppid1");
	CHECK_INT(options.n_settings, 0);
	CHECK_INT(options.n_monitors, 0);
	CHECK_INT(options.interval_ns, 1000000000LL);
	CHECK(!options.has_time_limit);
	CHECK_INT(options.fd, 1);
	CHECK_TEXT(options.root, "/");
	CHECK_INT(options.isolation, ISOLATION_AUTO);
	CHECK(options.with_environment);
	options_done(&options);
}

static void everything_can_be_said(void **state)
{
	(void)state;
	struct options options;
	CHECK_INT(parse("--workload=will-it-scale/getppid1 --set t=2 --set x=a=b --interval-ms 0 "
			"--time-limit-ms 1500 --fd 3 --root /r",
			&options),
		  0);
	CHECK_INT(options.n_settings, 2);
	CHECK_TEXT(options.settings[0].name, "t");
	CHECK_TEXT(options.settings[0].value, "2");
	CHECK_TEXT(options.settings[1].name, "x");
	CHECK_TEXT(options.settings[1].value, "a=b");
	CHECK_INT(options.interval_ns, 0);
	CHECK(options.has_time_limit);
	CHECK_INT(options.time_limit_ns, 1500000000LL);
	CHECK_INT(options.fd, 3);
	CHECK_TEXT(options.root, "/r");
	options_done(&options);
	CHECK_INT(parse("--workload getppid1 --isolation cgroup --no-environment --join-cgroup /a "
			"--join-cgroup /b",
			&options),
		  0);
	CHECK_INT(options.isolation, ISOLATION_CGROUP);
	CHECK(!options.with_environment);
	CHECK_INT(options.n_joins, 2);
	CHECK_TEXT(options.joins[1], "/b");
	options_done(&options);
}

static void all_monitors_are_taken_once_each(void **state)
{
	(void)state;
	struct options options;
	CHECK(monitor_table_count > 1);
	CHECK_INT(parse("--workload getppid1 --monitor meminfo --monitor all --monitor meminfo",
			&options),
		  0);
	/* Those on request are not among them. */
	size_t n_wanted = 0;
	for (size_t i = 0; i < monitor_table_count; i++)
		n_wanted += !monitor_table[i]->about.on_request;
	CHECK_INT(options.n_monitors, n_wanted);
	CHECK_TEXT(options.monitors[0]->about.name, "meminfo");
	options_done(&options);
}

static void a_wrong_command_line_says_what_is_wrong(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		const char *piece;
	} cases[] = {
		{ "", "no workload is given" },
		{ "--workload getppid", "did you mean 'getppid1'?" },
		{ "--workload zzzzzzzzzzzz", "--list shows all" },
		{ "--workload", "needs an argument" },
		{ "--workload getppid1 --workload brk1", "given twice" },
		{ "--workload getppid1 --monitor memifno", "did you mean 'meminfo'?" },
		{ "--workload getppid1 --set nr_task", "not of the form name=value" },
		{ "--workload getppid1 --set =3", "not of the form name=value" },
		{ "--workload getppid1 --interval-ms -1", "whole number of milliseconds" },
		{ "--workload getppid1 --interval-ms 1.5", "whole number of milliseconds" },
		{ "--workload getppid1 --time-limit-ms 99999999999999", "whole number of" },
		{ "--workload getppid1 --fd x", "not the number of a descriptor" },
		{ "--workload getppid1 --isolation chroot", "none of auto, pid-namespace" },
		{ "--workload getppid1 --instances core", "neither node, socket nor a number" },
		{ "--workload getppid1 --frobnicate", "'--frobnicate' is not known" },
		{ "--workload getppid1 --list=3", "takes no argument" },
		{ "--workload getppid1 brk1", "'brk1' is not an option" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct options options = { .fd = 77 };
		CHECK_INT(parse(cases[i].line, &options), -EINVAL);
		CHECK_HOLDS(err.text, cases[i].piece);
		CHECK_INT(options.fd, 77);
	}
}

static void the_wishes_need_no_workload(void **state)
{
	(void)state;
	struct options options;
	CHECK_INT(parse("--help", &options), 0);
	CHECK_INT(options.wish, WISH_HELP);
	options_done(&options);
	CHECK_INT(parse("--version", &options), 0);
	CHECK_INT(options.wish, WISH_VERSION);
	options_done(&options);
	CHECK_INT(parse("--list", &options), 0);
	CHECK_INT(options.wish, WISH_LIST);
	options_done(&options);
}

static void help_and_list_name_everything(void **state)
{
	(void)state;
	char *text = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&text, &length);
	options_help(to);
	options_list(to);
	(void)fclose(to);
	CHECK_HOLDS(text, "--time-limit-ms N");
	CHECK_HOLDS(text, "129 wrong usage");
	for (size_t i = 0; i < workload_table_count; i++)
		CHECK_HOLDS(text, workload_table[i]->about.name);
	for (size_t i = 0; i < monitor_table_count; i++)
		CHECK_HOLDS(text, monitor_table[i]->about.name);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_has_its_default),
		cmocka_unit_test(everything_can_be_said),
		cmocka_unit_test(all_monitors_are_taken_once_each),
		cmocka_unit_test(a_wrong_command_line_says_what_is_wrong),
		cmocka_unit_test(the_wishes_need_no_workload),
		cmocka_unit_test(help_and_list_name_everything),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
