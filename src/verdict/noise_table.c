/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Known noise, metric by metric. See noise_table.h. */
#include "verdict/noise_table.h"

#include "base/mem.h"
#include "base/text.h"
#include "stats/moderated.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct work { /* Room for one metric, used again for each. */
	const struct repeats *repeats;
	const char *point;
	bool *is_level; /* One a group: of the subject at the point that most campaigns had. */
	double *values; /* Known ones, group by group. */
	size_t n_values;
	struct noise_group *groups;
	bool *at_level; /* One a group of `groups`. */
	size_t n_groups;
	double *variances, *degrees;
};

static void work_done(struct work *work)
{
	free(work->is_level);
	free(work->values);
	free(work->groups);
	free(work->at_level);
	free(work->variances);
	free(work->degrees);
}

static inline void auto_release_work(struct work *work)
{
	work_done(work);
}

/* Of the subjects at the point the one that most campaigns had: its groups differ in time alone. */
static void find_level(struct work *work)
{
	const struct repeats *repeats = work->repeats;
	size_t best = repeats->n_groups;
	size_t best_count = 0;

	for (size_t i = 0; i < repeats->n_groups; i++) {
		size_t count = 0;

		if (!text_equal(repeats->groups[i].point, work->point))
			continue;
		for (size_t j = i; j < repeats->n_groups; j++)
			count += text_equal(repeats->groups[j].point, work->point) &&
				 text_equal(repeats->groups[j].settings,
					    repeats->groups[i].settings);
		if (count > best_count) {
			best = i;
			best_count = count;
		}
	}
	for (size_t i = 0; i < repeats->n_groups && best < repeats->n_groups; i++)
		work->is_level[i] =
			text_equal(repeats->groups[i].point, work->point) &&
			text_equal(repeats->groups[i].settings, repeats->groups[best].settings);
}

static void work_start(struct work *work, const struct repeats *repeats, const char *point)
{
	*work = (struct work) {
		.repeats = repeats,
		.point = point,
		.is_level = mem_array(repeats->n_groups, sizeof(bool)),
		.values = mem_array(repeats->n_runs, sizeof(double)),
		.groups = mem_array(repeats->n_groups, sizeof(struct noise_group)),
		.at_level = mem_array(repeats->n_groups, sizeof(bool)),
		.variances = mem_array(repeats->n_groups, sizeof(double)),
		.degrees = mem_array(repeats->n_groups, sizeof(double)),
	};
	find_level(work);
}

/* The known values of one metric in its groups: those at the point, or all. */
static void gather(struct work *work, size_t metric, bool all_points)
{
	const struct repeats *repeats = work->repeats;
	const double *column = &repeats->values[metric * repeats->n_runs];

	work->n_values = 0;
	work->n_groups = 0;
	for (size_t g = 0; g < repeats->n_groups; g++) {
		const struct repeat_group *group = &repeats->groups[g];
		const size_t first = work->n_values;

		if (!all_points && !text_equal(group->point, work->point))
			continue;
		assert(group->first + group->n <= repeats->n_runs);
		for (size_t r = group->first; r < group->first + group->n; r++)
			if (isfinite(column[r]))
				work->values[work->n_values++] = column[r];
		if (work->n_values == first)
			continue;
		work->at_level[work->n_groups] = work->is_level[g];
		work->groups[work->n_groups++] = (struct noise_group) {
			.values = &work->values[first],
			.n = work->n_values - first,
		};
	}
}

static bool all_positive(const struct work *work)
{
	for (size_t i = 0; i < work->n_values; i++)
		if (!(work->values[i] > 0))
			return false;
	return work->n_values > 0;
}

/* Sum of squares about the mean. */
static double squares_of(const struct noise_group *group)
{
	double mean = 0;
	double squares = 0;

	for (size_t i = 0; i < group->n; i++)
		mean += group->values[i];
	mean /= (double)group->n;
	for (size_t i = 0; i < group->n; i++)
		squares += (group->values[i] - mean) * (group->values[i] - mean);
	return squares;
}

/* The degrees that differences between the groups' variances allow; INFINITY: any. */
static double honest_degrees(struct work *work)
{
	size_t n = 0;

	for (size_t g = 0; g < work->n_groups; g++) {
		const double degrees = (double)work->groups[g].n - 1;

		if (!(degrees > 0))
			continue;
		work->variances[n] = squares_of(&work->groups[g]) / degrees;
		work->degrees[n++] = degrees;
	}
	const struct moderated_prior prior = moderated_prior_fit(work->variances, work->degrees, n);

	return prior.degrees > 0 ? prior.degrees : (double)INFINITY;
}

/* Of all groups; the deviation between campaigns is that of the subject that most of them had.
 * Leaves those groups alone in `work`. */
static struct noise pool_groups(struct work *work, bool logarithmic)
{
	size_t n = 0;

	for (size_t g = 0; g < work->n_groups; g++)
		n += work->at_level[g];
	if (n == work->n_groups)
		return noise_pool(work->groups, n, logarithmic, /* same_level= */ true);

	struct noise noise =
		noise_pool(work->groups, work->n_groups, logarithmic, /* same_level= */ false);

	n = 0;
	for (size_t g = 0; g < work->n_groups; g++)
		if (work->at_level[g])
			work->groups[n++] = work->groups[g];
	work->n_groups = n;
	if (n >= 2)
		noise.between =
			noise_pool(work->groups, n, logarithmic, /* same_level= */ true).between;
	return noise;
}

static double degrees_of(const struct work *work)
{
	return (double)(work->n_values - work->n_groups);
}

/* False when the metric teaches nothing. */
static bool pool(struct work *work, size_t metric, struct noise *ret_noise)
{
	gather(work, metric, /* all_points= */ false);
	if (degrees_of(work) < NOISE_TABLE_DEGREES) {
		gather(work, metric, /* all_points= */ true);
		if (!all_positive(work))
			gather(work, metric, /* all_points= */ false);
	}
	const bool logarithmic = all_positive(work);

	if (!(degrees_of(work) > 0))
		return false;
	for (size_t i = 0; logarithmic && i < work->n_values; i++)
		work->values[i] = log(work->values[i]);

	const double honest = honest_degrees(work);
	struct noise noise = pool_groups(work, logarithmic);

	if (!(noise.within > 0))
		return false;
	if (honest < noise.within_degrees)
		noise.within_degrees = honest;
	*ret_noise = noise;
	return true;
}

struct noise_table *noise_table_make(const struct repeats *repeats, const char *point)
{
	struct noise_table *table = mem_zero(sizeof(*table));
	AUTO(work) struct work work;

	work_start(&work, repeats, point);
	table->rows = mem_array(repeats->n_metrics, sizeof(*table->rows));
	for (size_t i = 0; i < repeats->n_metrics; i++) {
		struct noise noise;

		if (!pool(&work, i, &noise))
			continue;
		table->rows[table->n++] = (struct known_noise) {
			.metric = mem_text(repeats->metrics[i]),
			.noise = noise,
		};
	}
	return table;
}

void noise_table_free(struct noise_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->n; i++)
		mem_free_const(table->rows[i].metric);
	free(table->rows);
	free(table);
}
