/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From numbers to runs. See stat_case.h. */
#include "cli/stat_case.h"

#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORKLOAD "numbers"
#define NAME_MAX_SHOWN 160 /* Bytes of a metric's name. */

struct number { /* One run to be. */
	struct value value;
	size_t block;
	size_t line;
	const char *block_text; /* Borrowed. */
};

struct numbers {
	struct number *all;
	size_t n;
};

static size_t most(const struct intake_pair *pair)
{
	return pair->base->n > pair->head->n ? pair->base->n : pair->head->n;
}

static struct numbers take_all(const struct intake_series *series, double scale)
{
	struct numbers numbers = { .all = mem_array(series->n + 1, sizeof(struct number)) };
	for (size_t i = 0; i < series->n; i++) {
		const struct intake_value *from = &series->values[i];
		struct number *to = &numbers.all[numbers.n++];
		*to = (struct number) { .value = from->value,
					.line = from->line,
					.block_text = from->block };
		to->value.number *= scale;
	}
	return numbers;
}

struct build { /* The mean of the values of one build so far. */
	const char *name;
	double sum;
	size_t n;
	struct number first;
};

static struct build *find_build(struct build *builds, size_t *n, const struct intake_value *value)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(builds[i].name, value->build) == 0)
			return &builds[i];
	struct build *build = &builds[(*n)++];
	*build = (struct build) { .name = value->build,
				  .first = { .line = value->line, .block_text = value->block } };
	return build;
}

/* A build is what is set up anew; the runs of one are averaged, and it counts once. */
static int take_builds(const struct intake_series *series, double scale,
		       struct numbers *ret_numbers, struct error *err)
{
	struct build *builds = mem_array(series->n + 1, sizeof(*builds));
	size_t n = 0;
	int failed = 0;
	for (size_t i = 0; i < series->n && !failed; i++) {
		const struct intake_value *value = &series->values[i];
		if (!value->build) {
			failed = error_set(err, EINVAL, "line %zu of '%.60s' names no build",
					   value->line, series->name);
			continue;
		}
		struct build *build = find_build(builds, &n, value);
		build->n += value_is_known(value->value);
		build->sum += value_is_known(value->value) ? value->value.number : 0.0;
	}
	struct numbers numbers = { .all = mem_array(n + 1, sizeof(struct number)) };
	for (size_t i = 0; i < n; i++) {
		struct number *to = &numbers.all[numbers.n++];
		*to = builds[i].first;
		to->value = builds[i].n ? value_known(scale * builds[i].sum / (double)builds[i].n)
					: value_missing(MISSING_ABSENT);
	}
	free(builds);
	if (failed)
		free(numbers.all);
	else
		*ret_numbers = numbers;
	return failed;
}

static int take(const struct intake_series *series, double scale, const struct stat_layout *layout,
		struct numbers *ret_numbers, struct error *err)
{
	if (layout->has_builds)
		return take_builds(series, scale, ret_numbers, err);
	*ret_numbers = take_all(series, scale);
	return 0;
}

/* Rows of one table are pairs by their line, so that an empty cell leaves its partner alone; two
 * files are pairs by position. */
static int pair_rows(const struct intake_pair *pair, bool one_file, struct numbers sides[static 2],
		     struct error *err)
{
	const bool by_line = one_file && sides[0].n && sides[0].all[0].line > 0;
	if (!by_line && sides[0].n != sides[1].n)
		return error_set(err, EINVAL,
				 "pairs need as many values on both sides; '%.60s' has %zu against "
				 "%zu",
				 pair->name, sides[0].n, sides[1].n);
	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s].n; i++)
			sides[s].all[i].block = by_line ? sides[s].all[i].line : i;
	return 0;
}

/* The number of a block, in the order in which they are met. */
static size_t find_block(const char **names, size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (text_equal(names[i], name))
			return i;
	names[*n] = name;
	return (*n)++;
}

static int number_blocks(const struct intake_pair *pair, struct numbers sides[static 2],
			 struct error *err)
{
	const char **names = mem_array(pair->base->n + pair->head->n + 1, sizeof(*names));
	size_t n = 0;
	int failed = 0;
	for (size_t s = 0; s < 2 && !failed; s++)
		for (size_t i = 0; i < sides[s].n && !failed; i++) {
			struct number *number = &sides[s].all[i];
			if (number->block_text)
				number->block = find_block(names, &n, number->block_text);
			else
				failed =
					error_set(err, EINVAL, "line %zu of '%.60s' names no block",
						  number->line, pair->name);
		}
	free(names);
	return failed;
}

/* A metric's name of bearable length that is still UTF-8. */
static char *short_name(const char *name)
{
	if (strlen(name) <= NAME_MAX_SHOWN)
		return mem_text(name);
	char *cut = mem_format("%.*s...", NAME_MAX_SHOWN, name);
	text_make_printable(cut, strlen(cut));
	return cut;
}

static struct run *make_run(const struct metric *metric, struct value value)
{
	struct run *run = run_new();
	free(run->workload);
	run->workload = mem_text(WORKLOAD);
	run->semantics = 1;
	run->outcome = RUN_COMPLETE;
	run_metric_add(run, metric, value);
	run_sort(run);
	return run;
}

static struct job *make_job(const char *point, const char *subject)
{
	struct job *job = job_new();
	free(job->workload);
	free(job->subject);
	job->workload = mem_text(WORKLOAD);
	job->semantics = 1;
	job->subject = mem_text(subject);
	job->point = mem_text(point);
	return job;
}

static void fill_side(struct stat_case *one, size_t s, const struct metric *metric,
		      const struct numbers *numbers, bool has_places)
{
	one->runs[s] = mem_array(numbers->n + 1, sizeof(struct run *));
	if (has_places)
		one->places[s] = mem_array(numbers->n + 1, sizeof(struct run_place));
	for (size_t i = 0; i < numbers->n; i++) {
		one->runs[s][i] = make_run(metric, numbers->all[i].value);
		one->n[s]++;
		if (has_places)
			one->places[s][i] = (struct run_place) {
				.block = numbers->all[i].block,
				/* Blocks follow each other; inside one the order is drawn. */
				.sequence =
					(uint64_t)numbers->all[i].block * (2 * INTAKE_VALUES_MAX) +
					2 * i + s,
			};
	}
	one->sides[s] = (struct compared_side) {
		.name = one->names[s],
		.job = one->jobs[s],
		.runs = (const struct run *const *)one->runs[s],
		.n_runs = one->n[s],
		.places = one->places[s],
	};
}

int stat_case_make(const struct intake_pairs *pairs, size_t which, const struct stat_layout *layout,
		   struct stat_case **ret_case, struct error *err)
{
	const struct intake_pair *pair = &pairs->pairs[which];
	assert(most(pair) > 0);
	struct numbers sides[2] = { 0 };
	int failed = take(pair->base, 1.0, layout, &sides[0], err);
	if (!failed)
		failed = take(pair->head, pair->head_scale, layout, &sides[1], err);
	if (!failed && layout->paired)
		failed = pair_rows(pair, layout->one_file, sides, err);
	else if (!failed && layout->has_blocks)
		failed = number_blocks(pair, sides, err);
	if (!failed) {
		AUTO(text) char *name = short_name(pair->name);
		const struct metric metric = {
			.name = name,
			.unit = pair->unit,
			.what = "",
			.kind = METRIC_SCORE,
			.better = layout->better == BETTER_UNKNOWN ? pair->better : layout->better,
			.role = ROLE_SCORE,
		};
		struct stat_case *one = mem_zero(sizeof(*one));
		one->names[0] = mem_text(pairs->base_name);
		one->names[1] = mem_text(pairs->head_name);
		for (size_t s = 0; s < 2; s++) {
			one->jobs[s] = make_job(name, one->names[s]);
			fill_side(one, s, &metric, &sides[s], layout->paired || layout->has_blocks);
		}
		*ret_case = one;
	}
	free(sides[0].all);
	free(sides[1].all);
	return failed;
}

int stat_case_judge(struct stat_case *one, const struct verdict_options *options, struct error *err)
{
	assert(!one->comparison);
	return comparison_make(one->sides, 2, options, &one->comparison, err);
}

const struct row *stat_case_row(const struct stat_case *one)
{
	assert(one->comparison && one->comparison->n_rows == 1);
	return &one->comparison->rows[0];
}

void stat_case_free(struct stat_case *one)
{
	if (!one)
		return;
	comparison_free(one->comparison);
	for (size_t s = 0; s < 2; s++) {
		for (size_t i = 0; i < one->n[s]; i++)
			run_free(one->runs[s][i]);
		free(one->runs[s]);
		free(one->places[s]);
		free(one->names[s]);
		job_free(one->jobs[s]);
	}
	free(one);
}
