/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows and facts by name, and the few numbers that are made of several. See reading.h. */
#include "verdict/reading.h"

#include "base/text.h"
#include "verdict/guard.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct row *reading_row(const struct comparison *comparison, const char *name)
{
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const char *have = comparison->rows[i].metric.name;
		if (name[0] == '*' ? text_ends_with(have, name + 1) : strcmp(have, name) == 0)
			return &comparison->rows[i];
	}
	return NULL;
}

double reading_mean(const struct comparison *comparison, const char *name, size_t side)
{
	const struct row *row = reading_row(comparison, name);
	return row ? row->cells[side].summary.mean : (double)NAN;
}

static double fact_number(const struct comparison *comparison, const char *fact, size_t side)
{
	const char *text = guard_fact(comparison, fact, side);
	double number = (double)NAN;
	return text && text_parse_f64(text, &number) ? number : (double)NAN;
}

/* How many CPUs a list like "0-3,8" names; NaN when it is none. */
static double count_list(const char *list)
{
	double count = 0.0;
	while (list && *list) {
		unsigned first;
		unsigned last;
		const int fields = sscanf(list, "%u-%u", &first, &last);
		if (fields < 1)
			break;
		count += fields == 2 && last >= first ? last - first + 1.0 : 1.0;
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	return count > 0.0 ? count : (double)NAN;
}

double reading_cpus_online(const struct comparison *comparison, size_t side)
{
	return fact_number(comparison, "cpu.count", side);
}

/* "50000 100000" of cpu.max: half a CPU. */
static double quota_of(const char *text)
{
	double quota;
	double period;
	if (!text || sscanf(text, "%lf %lf", &quota, &period) != 2 || !(period > 0.0))
		return (double)NAN;
	return quota / period;
}

double reading_cpus(const struct comparison *comparison, size_t side)
{
	const double limits[] = {
		count_list(guard_fact(comparison, "process.affinity", side)),
		count_list(guard_fact(comparison, "cgroup.cpuset.cpus", side)),
		quota_of(guard_fact(comparison, "cgroup.cpu.max", side)),
	};
	double cpus = reading_cpus_online(comparison, side);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		cpus = fmin(cpus, limits[i]); /* fmin leaves a NaN out. */
	return cpus;
}

double reading_others(const double *readings, double cpus)
{
	double busy = 100.0;
	for (size_t i = 1; i < 6; i++)
		busy -= readings[i];
	const double others = busy / 100.0 * cpus - readings[0] / 100.0;
	return isnan(others) ? others : fmax(0.0, others);
}
