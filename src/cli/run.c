/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `assay run`: an experiment from a file or from the command line, carried out and judged. */
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"
#include "campaign/campaign.h"
#include "cli/carry.h"
#include "cli/command.h"
#include "cli/durations.h"
#include "cli/judge.h"
#include "cli/loop.h"
#include "cli/paths.h"
#include "cli/plan_show.h"
#include "cli/ready.h"
#include "cli/rows.h"
#include "cli/say.h"
#include "cli/schedule.h"
#include "experiment/build.h"
#include "experiment/experiment.h"
#include "experiment/machine.h"
#include "experiment/plan.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define EXPERIMENT_BYTES_MAX (4U << 20)

/* The experiment file that a word means: a path, or the name of one that comes with assay, unless a
 * workload is called so. NULL when it means none. New string. */
static char *find_file(const char *word)
{
	if (text_ends_with(word, ".yaml") || text_ends_with(word, ".yml"))
		return mem_text(word);
	return catalogue_workload_find(rows_catalogue(), word) ? NULL : ready_find(word);
}

static int from_file(const struct parsed *parsed, const char *path,
		     struct experiment **ret_experiment, struct error *err)
{
	if (parsed->n_words > 1)
		return error_set(err, EINVAL, "one experiment file at a time: '%s' is too many",
				 parsed->words[1]);
	if (options_has(parsed, "param") || options_has(parsed, "subject"))
		return error_set(err, EINVAL,
				 "--param and --subject belong to the command line's own "
				 "experiment; '%s' says them in the file",
				 path);
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	const int failed =
		fs_read_whole_at(AT_FDCWD, path, EXPERIMENT_BYTES_MAX, &bytes, &length, err);
	if (failed)
		return error_set(err, EINVAL, "cannot read experiment file '%s': %s", path,
				 failed == -ENOENT  ? "no such file"
				 : failed == -EFBIG ? "it is too long"
						    : strerror(-failed));
	return experiment_parse(bytes, length, path, rows_catalogue(), ret_experiment, err);
}

/* What is wrong with an adapter is told where it is asked for. */
static int add_workload(struct experiment *experiment, const char *word,
			const struct catalogue *catalogue, struct error *err)
{
	const char *broken = catalogue_workload_find(catalogue, word) ? NULL : rows_broken(word);
	if (broken)
		return error_set(err, EINVAL, "%s", broken);
	return experiment_add_workload(experiment, word, catalogue, err);
}

static int from_words(const struct parsed *parsed, struct experiment **ret_experiment,
		      struct error *err)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();
	const struct catalogue *catalogue = rows_catalogue();
	bool has_subject = false;
	int failed = 0;
	if (loop_is_given(parsed))
		failed = loop_add(parsed, experiment, catalogue, err);
	for (size_t i = 0; i < parsed->n_words && !failed; i++)
		failed = add_workload(experiment, parsed->words[i], catalogue, err);
	for (size_t i = 0; i < parsed->n_options && !failed; i++) {
		const struct option_given *given = &parsed->options[i];
		if (strcmp(given->row->name, "param") == 0)
			failed = experiment_add_parameter(experiment, given->value, catalogue, err);
		if (strcmp(given->row->name, "subject") == 0) {
			failed = experiment_add_subject(experiment, given->value, err);
			has_subject = true;
		}
	}
	if (!failed && !has_subject)
		failed = experiment_add_subject(experiment, "base", err);
	if (failed)
		return failed;
	*ret_experiment = KEEP(experiment);
	return 0;
}

/* --monitor proc-vmstat,meminfo (again and again) replaces the file's list. */
static void set_monitors(const struct parsed *parsed, struct experiment *experiment)
{
	if (!options_has(parsed, "monitor"))
		return;
	for (size_t i = 0; i < experiment->n_monitors; i++)
		free(experiment->monitors[i]);
	free(experiment->monitors);
	experiment->monitors = NULL;
	experiment->n_monitors = 0;
	size_t capacity = 0;
	for (size_t i = 0; i < parsed->n_options; i++) {
		if (strcmp(parsed->options[i].row->name, "monitor") != 0)
			continue;
		AUTO(text) char *list = mem_text(parsed->options[i].value);
		char *rest = NULL;
		for (char *word = strtok_r(list, ",", &rest); word;
		     word = strtok_r(NULL, ",", &rest)) {
			experiment->monitors = mem_grow(experiment->monitors, &capacity,
							experiment->n_monitors + 1, sizeof(char *));
			experiment->monitors[experiment->n_monitors++] = mem_text(word);
		}
	}
}

static void replace_text(char **text, const char *with)
{
	if (!with)
		return;
	free(*text);
	*text = mem_text(with);
}

/* --allow-one-node is short for one_node=allow of every workload that has it and says nothing else. */
static int allow_one_node(struct experiment *experiment, struct error *err)
{
	bool has_any = false;
	for (size_t i = 0; i < experiment->n_selected; i++) {
		struct selected *selected = &experiment->selected[i];
		const struct plugin *plugin =
			catalogue_workload_find(rows_catalogue(), selected->workload);
		if (!plugin || !plugin_parameter_find(plugin, "one_node"))
			continue;
		has_any = true;
		bool is_said = false;
		for (size_t j = 0; j < selected->n_values; j++)
			is_said |= text_equal(selected->values[j].name, "one_node");
		if (!is_said)
			build_text(build_values(selected, "one_node"), "allow");
	}
	if (has_any)
		return 0;
	return error_set(
		err, EINVAL,
		"--allow-one-node is for workloads that need two NUMA nodes, such as numa01; "
		"there is none among these");
}

/* What the command line says over the file. */
static int override(const struct parsed *parsed, struct experiment *experiment, struct error *err)
{
	int failed = schedule_override(parsed, experiment, err);
	if (!failed)
		failed = options_number(parsed, "seed", 1, EXPERIMENT_SEED_MAX, &experiment->seed,
					err);
	if (!failed)
		failed = options_duration(parsed, "interval", &experiment->interval_ns, err);
	if (!failed)
		failed = options_duration(parsed, "time-limit", &experiment->time_limit_ns, err);
	if (!failed && options_has(parsed, "allow-one-node"))
		failed = allow_one_node(experiment, err);
	if (failed)
		return failed;
	set_monitors(parsed, experiment);
	replace_text(&experiment->name, options_value(parsed, "name"));
	replace_text(&experiment->place, options_value(parsed, "place"));
	return experiment_check(experiment, rows_catalogue(), err);
}

static int make_plan(const struct parsed *parsed, struct plan **ret_plan, struct error *err)
{
	AUTO(experiment) struct experiment *experiment = NULL;
	AUTO(text) char *file = loop_is_given(parsed) ? NULL : find_file(parsed->words[0]);
	int failed = file ? from_file(parsed, file, &experiment, err)
			  : from_words(parsed, &experiment, err);
	if (!failed) {
		assert(experiment);
		failed = override(parsed, experiment, err);
	}
	if (failed)
		return failed;
	/* A plan can be made for a recorded machine, what is run is run on this one. */
	const char *root = options_has(parsed, "dry-run") ? options_value(parsed, "root") : NULL;
	AUTO(fd) int root_fd = fs_root_open(root ? root : "/", err);
	if (root_fd < 0)
		return root_fd;
	struct machine machine;
	machine_read(root_fd, &machine);
	return plan_make(experiment, rows_catalogue(), &machine, ret_plan, err);
}

/* Every subject of every point is tried on paper before anything runs. */
static int check_places(const struct plan *plan, const struct place_options *options,
			struct error *err)
{
	for (size_t i = 0; i < plan->n_jobs; i++) {
		const struct job *job = plan->jobs[i];
		const struct place *place = place_find(job->place);
		if (!place)
			return error_set(err, EINVAL, "there is no place '%s' yet; 'host' is",
					 job->place);
		AUTO(job) struct job *carried = NULL;
		int failed = harvest_job(rows_adapters(), job, &carried, err);
		if (!failed)
			failed = place->check(options, carried, err);
		if (failed)
			return failed;
	}
	return 0;
}

/* A name that was given must be free. The name in a file is there at each run of the file: when it
 * is taken, the time is put behind it. */
static int begin(struct store *store, const struct plan *plan, const struct parsed *parsed,
		 int64_t *ret_campaign, struct error *err)
{
	int failed = campaign_start(store, plan, plan->name, ret_campaign, err);
	if (failed == -EEXIST && options_has(parsed, "name"))
		return -EINVAL; /* The sentence is there, and nothing was run. */
	if (failed != -EEXIST)
		return failed;
	failed = campaign_start(store, plan, /* name= */ NULL, ret_campaign, err);
	if (!failed)
		say_note("assay: there is a campaign '%s' already: this one's name has the time "
			 "behind it",
			 plan->name);
	return failed;
}

/* What is planned, with the time that it will take as far as earlier runs tell. */
static int show_plan(struct plan *plan, const struct parsed *parsed)
{
	AUTO(store) struct store *store = NULL;
	if (paths_store_open(parsed, /* create= */ false, &store, /* err= */ NULL) == 0)
		durations_here(store, options_value(parsed, "root"), plan);
	return plan_show(plan, options_has(parsed, "json"));
}

static int start(struct plan *plan, const struct parsed *parsed, const struct place_options *place,
		 int *ret_code, struct error *err)
{
	AUTO(store) struct store *store = NULL;
	int64_t campaign = 0;
	int failed = paths_store_open(parsed, /* create= */ true, &store, err);
	if (!failed)
		durations_here(store, options_value(parsed, "root"), plan);
	if (!failed)
		failed = begin(store, plan, parsed, &campaign, err);
	if (!failed)
		*ret_code = carry_campaign(store, campaign, plan, parsed, place);
	return failed;
}

static int run(const struct parsed *parsed)
{
	struct error err = { 0 };
	if (loop_check(parsed, &err))
		return say_usage("%s", err.text);
	if (parsed->n_words == 0 && !loop_is_given(parsed))
		return say_usage(
			"run what? a workload ('assay list workloads'), a ready experiment "
			"('assay list experiments'), an experiment file (*.yaml) or --command");
	AUTO(plan) struct plan *plan = NULL;
	AUTO(text) char *state_directory = paths_state_directory();
	const struct place_options place = carry_place_options(parsed, state_directory);
	int code = EXIT_NO_REGRESSION;
	int failed = carry_check(parsed, &err);
	if (!failed)
		failed = make_plan(parsed, &plan, &err);
	if (!failed && options_has(parsed, "dry-run")) {
		const int unfit = check_places(plan, &place, &err);
		code = show_plan(plan, parsed);
		return unfit ? say_error(unfit, &err) : code; /* As the run itself would end. */
	}
	if (!failed)
		failed = check_places(plan, &place, &err);
	if (!failed)
		failed = carry_recover(&place, &err);
	if (!failed)
		failed = start(plan, parsed, &place, &code, &err);
	return failed ? say_error(failed, &err) : code;
}

static const struct option_row options[] = {
	{ .name = "param",
	  .letter = 'p',
	  .value = "NAME=VALUE[,...]",
	  .words = "parameter",
	  .what = "a workload parameter; several values make a matrix" },
	{ .name = "subject",
	  .letter = 's',
	  .value = "NAME[:KIND.KEY=VALUE,...]",
	  .what = "what is compared; the first is the base. KIND: sysctl sysfs env param cgroup "
		  "prefix binary idle governor instances; a dotted KEY without KIND is a sysctl" },
	OPTIONS_LOOP,
	OPTION_ADAPTER,
	OPTIONS_SCHEDULE,
	{ .name = "seed",
	  .value = "N",
	  .what = "seed of the order of runs (default: drawn, recorded)" },
	{ .name = "monitor",
	  .letter = 'm',
	  .value = "NAME[,...]",
	  .words = "monitor",
	  .what = "monitors to read; all (default) or none" },
	{ .name = "interval",
	  .value = "TIME",
	  .what = "between samples (default 1s; 0: only at the edges)" },
	{ .name = "time-limit",
	  .value = "TIME",
	  .what = "a run that takes longer has failed: hung" },
	{ .name = "place", .value = "PLACE", .what = "where runs are carried out (default host)" },
	{ .name = "name",
	  .value = "NAME",
	  .what = "name of the campaign (default: workload and time)" },
	{ .name = "allow-one-node",
	  .what = "run workloads that need two NUMA nodes also on one: short for the parameter "
		  "one_node=allow, which marks the runs" },
	{ .name = "dry-run", .what = "print the plan and an estimate of its time, run nothing" },
	OPTIONS_CARRY,
	OPTIONS_JUDGE,
	OPTION_JSON,
	OPTION_STORE,
	{ 0 },
};

const struct command_row command_run = {
	.name = "run",
	.words = "WORKLOAD...|EXPERIMENT|FILE.yaml",
	.what = "run an experiment and say what changed",
	.options = options,
	.run = run,
	.completes = "experiment",
};
