/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See alarms_show.h. */
#include "cli/alarms_show.h"

#include "base/text.h"
#include "cli/say.h"

#include <math.h>
#include <stdio.h>

#define FOUND_SHOWN_MAX 10

bool alarms_are_too_many(const struct alarms *alarms)
{
	return alarms_comparisons(alarms) > 0 && alarms->low > ALARMS_ALPHA;
}

static double rate_percent(const struct alarms *alarms)
{
	const size_t n = alarms_comparisons(alarms);
	return 100.0 * (double)alarms->n_alarms / (double)n;
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void show_rate(const struct alarms *alarms)
{
	const size_t n = alarms_comparisons(alarms);
	(void)printf("%s: %zu false alarm%s in %zu comparison%s of a subject with itself\n",
		     alarms->workload, alarms->n_alarms, plural(alarms->n_alarms), n, plural(n));
	if (n > 0)
		(void)printf("  rate        %.3g %%, %g %% interval %.3g to %.3g %%; promised: "
			     "%g %%\n",
			     rate_percent(alarms), 100.0 * ALARMS_CONFIDENCE, 100.0 * alarms->low,
			     100.0 * alarms->high, 100.0 * ALARMS_ALPHA);
	(void)printf("  rests on    %zu split%s of one subject's runs (seed %llu), %zu pair%s of "
		     "twins measured side by side\n",
		     alarms->n_splits, plural(alarms->n_splits), (unsigned long long)alarms->seed,
		     alarms->n_twins, plural(alarms->n_twins));
	if (alarms->n_withheld > 0 || alarms->n_short > 0)
		(void)printf("  left out    %zu whose verdicts guards withheld, %zu subject%s with "
			     "fewer than %d runs a side\n",
			     alarms->n_withheld, alarms->n_short, plural(alarms->n_short),
			     ALARMS_RUNS_MIN);
}

static void show_found(const struct alarms *alarms)
{
	for (size_t i = 0; i < alarms->n_found && i < FOUND_SHOWN_MAX; i++) {
		const struct alarm *found = &alarms->found[i];
		(void)printf("  found       %s of %s/%s", found->metric, found->campaign,
			     found->subject);
		if (!isnan(found->change_percent))
			(void)printf(": %+.3g %%", found->change_percent);
		(void)printf(", p %.2g, at %s\n", found->p_adjusted, found->point);
	}
	if (alarms->n_found > FOUND_SHOWN_MAX)
		(void)printf("  ... and %zu more; --json lists all\n",
			     alarms->n_found - FOUND_SHOWN_MAX);
}

/* What the number means, and how to get a better one. */
static void show_advice(const struct alarms *alarms)
{
	const size_t n = alarms_comparisons(alarms);
	const size_t wanted = alarms_wanted();
	if (alarms_are_too_many(alarms))
		(void)printf(
			"\n%s  ALARM  %s finds changes where there are none more often than "
			"it may, surely so.%s\n         Its verdicts on this type of machine "
			"are withheld from now on. 'assay doctor' says\n         what makes the "
			"machine noisy; mend it, measure anew, 'assay rm' the old campaigns,\n"
			"         and ask again.\n",
			say_has_colour() ? "\033[1;31m" : "", alarms->workload,
			say_has_colour() ? "\033[0m" : "");
	if (n < wanted)
		(void)printf(
			"  to narrow it down to %g %%: about %zu comparisons. Each of these adds "
			"one:\n                assay run %s --runs 20\n",
			300.0 * ALARMS_ALPHA, wanted, alarms->workload);
}

void alarms_show(const struct alarms *alarms)
{
	show_rate(alarms);
	show_found(alarms);
	show_advice(alarms);
}

static json_t *found_json(const struct alarm *found)
{
	return json_pack(
		"{s:s, s:s, s:s, s:s, s:o, s:o}", "campaign", found->campaign, "point",
		found->point, "subject", found->subject, "metric", found->metric, "change_percent",
		isnan(found->change_percent) ? json_null() : json_real(found->change_percent),
		"p_adjusted",
		isnan(found->p_adjusted) ? json_null() : json_real(found->p_adjusted));
}

json_t *alarms_json(const struct alarms *alarms)
{
	const size_t n = alarms_comparisons(alarms);
	json_t *list = json_array();
	for (size_t i = 0; i < alarms->n_found; i++)
		(void)json_array_append_new(list, found_json(&alarms->found[i]));
	return json_pack("{s:s, s:f, s:I, s:I, s:o, s:[f, f], s:f, s:I, s:I, s:I, s:I, s:I, s:I,"
			 " s:b, s:o}",
			 "workload", alarms->workload, "alpha", ALARMS_ALPHA, "comparisons",
			 (json_int_t)n, "alarms", (json_int_t)alarms->n_alarms, "rate_percent",
			 n > 0 ? json_real(rate_percent(alarms)) : json_null(), "interval_percent",
			 100.0 * alarms->low, 100.0 * alarms->high, "confidence", ALARMS_CONFIDENCE,
			 "splits", (json_int_t)alarms->n_splits, "twins",
			 (json_int_t)alarms->n_twins, "withheld", (json_int_t)alarms->n_withheld,
			 "too_short", (json_int_t)alarms->n_short, "seed", (json_int_t)alarms->seed,
			 "comparisons_wanted", (json_int_t)alarms_wanted(), "too_many",
			 alarms_are_too_many(alarms), "found", list);
}
