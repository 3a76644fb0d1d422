/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beginning of a bisection. See bisect_start.h. */
#include "cli/bisect_start.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/bisect_entries.h"
#include "cli/bisect_measure.h"
#include "cli/bisect_score.h"
#include "cli/here.h"
#include "experiment/experiment.h"
#include "record/job.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONFIDENCE_PRESET 0.99
#define CONFIDENCE_LEAST 0.5
#define CONFIDENCE_MOST 0.9999
#define COST_MOST 1e9
#define MAX_RUNS_MOST 100000

static int read_better(const struct parsed *parsed, struct bisect_case *bisection,
		       struct error *err)
{
	const char *word = options_value(parsed, "better");
	bisection->better = bisect_score_better(bisection->score);
	if (!word)
		return 0;
	if (!bisection->score)
		return error_set(err, EINVAL,
				 "--better belongs to a --score; an exit code has a side");
	if (strcmp(word, "higher") == 0)
		bisection->better = BETTER_HIGHER;
	else if (strcmp(word, "lower") == 0)
		bisection->better = BETTER_LOWER;
	else
		return error_set(err, EINVAL, "option '--better' takes higher or lower, not '%s'",
				 word);
	return 0;
}

/* "build=30,run=2": in any order, either alone. */
static int read_cost(const struct parsed *parsed, struct bisect_case *bisection, struct error *err)
{
	const char *value = options_value(parsed, "cost");
	AUTO(text) char *list = mem_text(value);
	char *rest = NULL;
	for (char *word = list ? strtok_r(list, ",", &rest) : NULL; word;
	     word = strtok_r(NULL, ",", &rest)) {
		char *equals = strchr(word, '=');
		double cost = 0.0;
		if (!equals || !text_parse_f64(equals + 1, &cost) || cost < 0 || cost > COST_MOST)
			return error_set(err, EINVAL,
					 "option '--cost' takes build=N,run=N, not '%s'", value);
		*equals = '\0';
		if (strcmp(word, "build") == 0)
			bisection->cost_build = cost;
		else if (strcmp(word, "run") == 0 && cost > 0)
			bisection->cost_run = cost;
		else
			return error_set(
				err, EINVAL,
				"option '--cost' knows build and run (above 0), not '%s=%s'", word,
				equals + 1);
	}
	if (bisection->cost_build > 0 && bisection->cost_run <= 0)
		bisection->cost_run = 1.0;
	return 0;
}

static void read_paths(const struct parsed *parsed, struct bisect_case *bisection)
{
	size_t capacity = 0;
	for (size_t i = 0; i < parsed->n_options; i++) {
		if (strcmp(parsed->options[i].row->name, "paths") != 0)
			continue;
		AUTO(text) char *list = mem_text(parsed->options[i].value);
		char *rest = NULL;
		for (char *word = strtok_r(list, ",", &rest); word;
		     word = strtok_r(NULL, ",", &rest)) {
			bisection->paths = mem_grow(bisection->paths, &capacity,
						    bisection->n_paths + 1, sizeof(char *));
			bisection->paths[bisection->n_paths++] = mem_text(word);
		}
	}
}

static int read_numbers(const struct parsed *parsed, struct bisect_case *bisection,
			struct error *err)
{
	bisection->confidence = CONFIDENCE_PRESET;
	bisection->seed = clock_wall_ns() % EXPERIMENT_SEED_MAX + 1;
	int failed =
		options_decimal(parsed, "confidence", CONFIDENCE_MOST, &bisection->confidence, err);
	if (!failed && bisection->confidence <= CONFIDENCE_LEAST)
		return error_set(err, EINVAL, "a confidence of %g is a guess: take one above %g",
				 bisection->confidence, CONFIDENCE_LEAST);
	if (!failed)
		failed = options_number(parsed, "max-runs", 1, MAX_RUNS_MOST, &bisection->max_runs,
					err);
	if (!failed)
		failed = options_number(parsed, "seed", 1, EXPERIMENT_SEED_MAX, &bisection->seed,
					err);
	if (!failed)
		failed = options_duration(parsed, "time-limit", &bisection->time_limit_ns, err);
	return failed ? failed : read_cost(parsed, bisection, err);
}

static int read_question(const struct parsed *parsed, struct bisect_case *bisection,
			 struct error *err)
{
	const char *repository = options_value(parsed, "repo");
	const char *build = options_value(parsed, "build");
	const char *command = options_value(parsed, "command");
	char path[PATH_MAX];
	if (parsed->n_words != 2)
		return error_set(
			err, EINVAL,
			"bisect needs two commits, GOOD and BAD, not %zu (or resume, replay, log)",
			parsed->n_words);
	if (!command)
		return error_set(
			err, EINVAL,
			"bisect what? --command 'PROGRAM ARGUMENT...' says what is measured in the "
			"built tree");
	if (!realpath(repository ? repository : ".", path))
		return error_set(err, EINVAL, "there is no repository '%s': %s",
				 repository ? repository : ".", strerror(errno));
	bisection->repository = mem_text(path);
	bisection->build = mem_text(build ? build : "make");
	bisection->command = mem_text(command);
	bisection->score = mem_text(options_value(parsed, "score"));
	if (!bisection->score)
		return 0;
	return bisect_score_check(bisection->score, err);
}

/* It must not be taken for another way to name runs. */
static int check_campaign_name(const struct parsed *parsed, struct error *err)
{
	const char *name = options_value(parsed, "name");
	bool is_plain = !name || (*name && !strpbrk(name, "/@:"));
	for (const char *at = name; at && *at && is_plain; at++)
		is_plain = (unsigned char)*at >= ' ' && *at != 0x7f;
	if (is_plain)
		return 0;
	return error_set(err, EINVAL,
			 "'%s' cannot name a bisection: leave out / @ : and control characters",
			 name);
}

int bisect_start_read(const struct parsed *parsed, struct bisect_case **ret_case, struct error *err)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_case_new();
	int failed = check_campaign_name(parsed, err);
	if (!failed)
		failed = read_question(parsed, bisection, err);
	if (!failed)
		failed = read_better(parsed, bisection, err);
	if (!failed)
		failed = read_numbers(parsed, bisection, err);
	if (failed)
		return failed;
	read_paths(parsed, bisection);
	bisection->machine = here_machine(options_value(parsed, "root"));
	failed = history_read(bisection->repository, parsed->words[0], parsed->words[1],
			      &bisection->history, err);
	if (!failed)
		failed = bisect_case_graph(bisection, err);
	if (failed)
		return failed;
	*ret_case = KEEP(bisection);
	return 0;
}

int bisect_start_reuse(const struct parsed *parsed, struct store *store,
		       struct bisect_case *bisection, struct error *err)
{
	AUTO(job) struct job *job = NULL;
	const int failed = bisect_measure_job(bisection, &job, err);
	if (failed || options_has(parsed, "afresh"))
		return failed;
	assert(job);
	AUTO(text) char *point = job_point(job);
	return bisect_entries_reuse(store, point, bisection, err);
}

/* "bisect-2026-09-29-140305", local time. */
static char *make_name(void)
{
	const time_t now = (time_t)(clock_wall_ns() / NS_PER_SEC);
	char stamp[64] = "";
	struct tm local;
	if (localtime_r(&now, &local))
		(void)strftime(stamp, sizeof(stamp), "%Y-%m-%d-%H%M%S", &local);
	return mem_format("bisect-%s", stamp);
}

int bisect_start_keep(const struct parsed *parsed, struct store *store,
		      const struct bisect_case *bisection, char **ret_name, struct error *err)
{
	const char *given = options_value(parsed, "name");
	AUTO(text) char *plan = bisect_case_text(bisection);
	AUTO(text) char *name = given ? mem_text(given) : make_name();
	int64_t id = 0;
	int failed = store_campaign_add(store, name, plan, /* runs_planned= */ 0, &id, err);
	for (unsigned i = 2; failed == -EEXIST && !given && i < 100;
	     i++) { /* Two within a second. */
		char *another = mem_format("%s-%u", name, i);
		failed = store_campaign_add(store, another, plan, /* runs_planned= */ 0, &id, err);
		if (failed) {
			free(another);
		} else {
			free(name);
			name = another;
		}
	}
	if (failed)
		return failed == -EEXIST ? -EINVAL : failed;
	*ret_name = KEEP(name);
	return 0;
}
