/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command line by getopt_long; one table row an option holds its help as well. See options.h. */
#include "probe/options.h"

#include "base/clock.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define INTERVAL_NS_PRESET NS_PER_SEC
#define MILLISECONDS_MAX (7ULL * 24 * 3600 * 1000)

typedef int take_option(struct options *options, const char *argument, struct error *err);

struct option_row {
	const char *name;
	const char *argument; /* How help calls it; NULL when it takes none. */
	const char *what;
	take_option *take;
};

/* ---- one function an option ---- */

static const char *nearest_workload(const char *name)
{
	const char **names = mem_array(workload_table_count, sizeof(*names));
	for (size_t i = 0; i < workload_table_count; i++)
		names[i] = workload_table[i]->about.name;
	const char *nearest = text_nearest(name, names, workload_table_count);
	free(names);
	return nearest;
}

static const char *nearest_monitor(const char *name)
{
	const char **names = mem_array(monitor_table_count, sizeof(*names));
	for (size_t i = 0; i < monitor_table_count; i++)
		names[i] = monitor_table[i]->about.name;
	const char *nearest = text_nearest(name, names, monitor_table_count);
	free(names);
	return nearest;
}

static int unknown(const char *kind, const char *name, const char *nearest, struct error *err)
{
	if (nearest)
		return error_set(err, EINVAL, "there is no %s '%s'; did you mean '%s'?", kind, name,
				 nearest);
	return error_set(err, EINVAL, "there is no %s '%s'; --list shows all", kind, name);
}

static int take_workload(struct options *options, const char *argument, struct error *err)
{
	if (options->workload)
		return error_set(err, EINVAL, "--workload is given twice");
	options->workload = workload_find(argument);
	if (!options->workload)
		return unknown("workload", argument, nearest_workload(argument), err);
	return 0;
}

static int take_set(struct options *options, const char *argument, struct error *err)
{
	const char *sign = strchr(argument, '=');
	if (!sign || sign == argument)
		return error_set(err, EINVAL, "--set '%s' is not of the form name=value", argument);
	size_t capacity = options->n_settings;
	options->settings = mem_grow(options->settings, &capacity, options->n_settings + 1,
				     sizeof(*options->settings));
	options->settings[options->n_settings++] = (struct work_argument) {
		.name = mem_text_n(argument, (size_t)(sign - argument)),
		.value = sign + 1,
	};
	return 0;
}

static void add_monitor(struct options *options, const struct monitor *monitor)
{
	for (size_t i = 0; i < options->n_monitors; i++)
		if (options->monitors[i] == monitor)
			return;
	assert(options->n_monitors < monitor_table_count);
	if (!options->monitors)
		options->monitors = mem_array(monitor_table_count, sizeof(*options->monitors));
	options->monitors[options->n_monitors++] = monitor;
}

static int take_monitor(struct options *options, const char *argument, struct error *err)
{
	if (text_equal(argument, "all")) {
		for (size_t i = 0; i < monitor_table_count; i++)
			if (!monitor_table[i]->about.on_request)
				add_monitor(options, monitor_table[i]);
		return 0;
	}
	const struct monitor *monitor = monitor_find(argument);
	if (!monitor)
		return unknown("monitor", argument, nearest_monitor(argument), err);
	add_monitor(options, monitor);
	return 0;
}

static int take_milliseconds(const char *name, const char *argument, uint64_t *ret_ns,
			     struct error *err)
{
	uint64_t milliseconds;
	if (!text_parse_u64(argument, &milliseconds) || milliseconds > MILLISECONDS_MAX)
		return error_set(err, EINVAL,
				 "%s '%s' is not a whole number of milliseconds from 0 to %llu",
				 name, argument, MILLISECONDS_MAX);
	*ret_ns = milliseconds * NS_PER_MS;
	return 0;
}

static int take_interval(struct options *options, const char *argument, struct error *err)
{
	return take_milliseconds("--interval-ms", argument, &options->interval_ns, err);
}

static int take_time_limit(struct options *options, const char *argument, struct error *err)
{
	options->has_time_limit = true;
	return take_milliseconds("--time-limit-ms", argument, &options->time_limit_ns, err);
}

static int take_fd(struct options *options, const char *argument, struct error *err)
{
	uint64_t number;
	if (!text_parse_u64(argument, &number) || number > 1048576)
		return error_set(err, EINVAL, "--fd '%s' is not the number of a descriptor",
				 argument);
	options->fd = (int)number;
	return 0;
}

static int take_root(struct options *options, const char *argument, struct error *err)
{
	(void)err;
	options->root = argument;
	return 0;
}

static int take_isolation(struct options *options, const char *argument, struct error *err)
{
	if (!isolation_parse(argument, &options->isolation))
		return error_set(
			err, EINVAL,
			"--isolation '%s' is none of auto, pid-namespace, cgroup, subreaper",
			argument);
	return 0;
}

static int take_no_environment(struct options *options, const char *argument, struct error *err)
{
	(void)argument;
	(void)err;
	options->with_environment = false;
	return 0;
}

static int take_join(struct options *options, const char *argument, struct error *err)
{
	(void)err;
	size_t capacity = options->n_joins;
	options->joins =
		mem_grow(options->joins, &capacity, options->n_joins + 1, sizeof(*options->joins));
	options->joins[options->n_joins++] = argument;
	return 0;
}

static int take_instances(struct options *options, const char *argument, struct error *err)
{
	options->has_instances = true;
	if (!instances_parse(argument, &options->instances))
		return error_set(err, EINVAL,
				 "--instances '%s' is neither node, socket nor a number from 1 to "
				 "%d, with or without ':bound' behind it",
				 argument, INSTANCES_MAX);
	return 0;
}

static int take_list(struct options *options, const char *argument, struct error *err)
{
	(void)argument;
	(void)err;
	options->wish = WISH_LIST;
	return 0;
}

static int take_help(struct options *options, const char *argument, struct error *err)
{
	(void)argument;
	(void)err;
	options->wish = WISH_HELP;
	return 0;
}

static int take_version(struct options *options, const char *argument, struct error *err)
{
	(void)argument;
	(void)err;
	options->wish = WISH_VERSION;
	return 0;
}

/* ---- the table ---- */

static const struct option_row rows[] = {
	{ "workload", "NAME", "what is run and measured", take_workload },
	{ "set", "NAME=VALUE", "a parameter of the workload; may be repeated", take_set },
	{ "monitor", "NAME",
	  "what is read beside it; may be repeated; 'all' takes all but those on request",
	  take_monitor },
	{ "instances", "SPEC", "copies side by side: node, socket or N; then maybe :bound",
	  take_instances },
	{ "interval-ms", "N", "time between samples; 0: only at the window's edges (1000)",
	  take_interval },
	{ "time-limit-ms", "N", "a run that takes longer has failed; 0: no limit",
	  take_time_limit },
	{ "fd", "N", "descriptor that the record stream is written to (1)", take_fd },
	{ "root", "DIR", "where monitors and environment are read (/)", take_root },
	{ "isolation", "WAY", "auto, pid-namespace, cgroup or subreaper (auto)", take_isolation },
	{ "no-environment", NULL, "do not record the environment", take_no_environment },
	{ "join-cgroup", "DIR", "enter this control group first; may be repeated", take_join },
	{ "list", NULL, "show workloads and monitors", take_list },
	{ "help", NULL, "show this text", take_help },
	{ "version", NULL, "show the version", take_version },
};

static void make_long_options(struct option long_options[static ARRAY_SIZE(rows) + 1])
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		long_options[i] = (struct option) {
			.name = rows[i].name,
			.has_arg = rows[i].argument ? required_argument : no_argument,
			.val = (int)i,
		};
	long_options[ARRAY_SIZE(rows)] = (struct option) { 0 };
}

static int check_whole(struct options *options, struct error *err)
{
	if (options->wish != WISH_RUN)
		return 0;
	if (!options->workload)
		return error_set(err, EINVAL, "no workload is given; --workload NAME names one");
	return 0;
}

static int refuse(char *const *argv, int answer, struct error *err)
{
	/* optind is already behind the word that getopt did not like. */
	const char *word = argv[optind - 1];
	if (answer == ':')
		return error_set(err, EINVAL, "option '%s' needs an argument", word);
	return error_set(err, EINVAL, "option '%s' is not known, not unique, or takes no argument",
			 word);
}

int options_parse(int argc, char *const *argv, struct options *ret_options, struct error *err)
{
	struct option long_options[ARRAY_SIZE(rows) + 1];
	struct options options = {
		.interval_ns = INTERVAL_NS_PRESET,
		.fd = 1,
		.root = "/",
		.with_environment = true,
	};
	int failed = 0;
	int answer;
	make_long_options(long_options);
	optind = 0; /* glibc: start afresh, for the tests. */
	while (!failed && (answer = getopt_long(argc, argv, "+:", long_options, NULL)) != -1) {
		if (answer == '?' || answer == ':')
			failed = refuse(argv, answer, err);
		else
			failed = rows[answer].take(&options, optarg, err);
	}
	if (!failed && optind < argc)
		failed = error_set(err, EINVAL, "'%s' is not an option", argv[optind]);
	if (!failed)
		failed = check_whole(&options, err);
	if (failed) {
		options_done(&options);
		return failed;
	}
	*ret_options = options;
	return 0;
}

void options_done(struct options *options)
{
	for (size_t i = 0; i < options->n_settings; i++)
		free((void *)(uintptr_t)options->settings[i].name);
	free(options->settings);
	free(options->monitors);
	free(options->joins);
}

/* ---- for people ---- */

void options_help(FILE *to)
{
	(void)fputs(
		"Usage: assay-probe --workload NAME [OPTION...]\n"
		"Carries out one run of a workload under monitors and writes the record stream.\n\n",
		to);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char left[40];
		(void)snprintf(left, sizeof(left), "--%s%s%s", rows[i].name,
			       rows[i].argument ? " " : "",
			       rows[i].argument ? rows[i].argument : "");
		(void)fprintf(to, "  %-22s %s\n", left, rows[i].what);
	}
	(void)fputs(
		"\nExit status: 0 a run was written, whatever its outcome; 128 the surroundings "
		"failed; 129 wrong usage.\n",
		to);
}

static void list_one(FILE *to, const char *kind, const struct plugin *plugin)
{
	(void)fprintf(to, "%-8s %-22s %s\n", kind, plugin->name, plugin->what);
}

void options_list(FILE *to)
{
	for (size_t i = 0; i < workload_table_count; i++)
		list_one(to, "workload", &workload_table[i]->about);
	for (size_t i = 0; i < monitor_table_count; i++)
		list_one(to, "monitor", &monitor_table[i]->about);
}
