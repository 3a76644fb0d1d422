/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Did a monitor that spoke on one side say nothing, or nothing but zeros, on the other? */
#include "base/mem.h"
#include "base/text.h"
#include "verdict/guard.h"
#include "verdict/order.h"

#include <math.h>
#include <string.h>

extern const struct guard guard_silent;

#define METRICS_MIN 3    /* Of a monitor, so that its silence is more than one counter's. */
#define SHARE_SILENT 0.9 /* Of its metrics: kernels differ in a few. */
#define MONITORS_MAX 256

struct voice {
	const char *name; /* The monitor's, which the metrics' names begin with; not terminated. */
	size_t length;
	size_t n_metrics;      /* Of which the one side had a value that is not 0. */
	size_t n_missing;      /* Of these, without a value on the other. */
	size_t n_partly;       /* Of these, with a value in some of the runs only. */
	size_t n_zero;         /* Of these, always 0 there. */
	size_t n_runs_missing; /* Largest number of runs without a value. */
	enum missing why;      /* Of the first one that is missing. */
};

static struct voice *find_voice(struct voice *voices, size_t *n, const char *metric)
{
	const char *dot = strchr(metric, '.');
	const size_t length = dot ? (size_t)(dot - metric) : strlen(metric);
	for (size_t i = 0; i < *n; i++)
		if (voices[i].length == length && memcmp(voices[i].name, metric, length) == 0)
			return &voices[i];
	if (*n == MONITORS_MAX)
		return NULL;
	voices[*n] = (struct voice) { .name = metric, .length = length };
	return &voices[(*n)++];
}

static bool is_zero(const struct cell *cell)
{
	return cell->summary.n > 0 && !(cell->summary.minimum < 0.0) &&
	       !(cell->summary.maximum > 0.0);
}

static void listen(struct voice *voice, const struct cell *speaking, const struct cell *other)
{
	if (speaking->summary.n == 0 || is_zero(speaking) || speaking->n_missing > 0)
		return;
	voice->n_metrics++;
	voice->n_zero += is_zero(other);
	if (other->n_missing == 0)
		return;
	if (voice->n_missing + voice->n_partly == 0)
		voice->why = other->why;
	if (other->summary.n == 0)
		voice->n_missing++;
	else
		voice->n_partly++;
	if (other->n_missing > voice->n_runs_missing)
		voice->n_runs_missing = other->n_missing;
}

static void tell(struct comparison *comparison, const struct voice *voice, size_t speaking,
		 size_t other)
{
	const size_t head = speaking ? speaking : other;
	const char *spoke = comparison->sides[speaking].name;
	const char *silent = comparison->sides[other].name;
	const double enough = SHARE_SILENT * (double)voice->n_metrics;
	if (voice->n_metrics < METRICS_MIN)
		return;
	if ((double)voice->n_missing >= enough)
		guard_warn(comparison, &guard_silent, head, NULL,
			   "monitor %.*s spoke for %s and was silent for %s (%s): its rows compare "
			   "nothing",
			   (int)voice->length, voice->name, spoke, silent,
			   missing_text(voice->why));
	else if ((double)(voice->n_missing + voice->n_partly) >= enough)
		guard_warn(
			comparison, &guard_silent, head, NULL,
			"monitor %.*s was silent in %zu of %zu runs of %s (%s) and in none of %s",
			(int)voice->length, voice->name, voice->n_runs_missing,
			comparison->orders[other].n, silent, missing_text(voice->why), spoke);
	else if ((double)voice->n_zero >= enough)
		guard_warn(comparison, &guard_silent, head, NULL,
			   "monitor %.*s read nothing but zeros for %s, and %zu other numbers for "
			   "%s: it did not work there",
			   (int)voice->length, voice->name, silent, voice->n_metrics, spoke);
}

static void examine_pair(struct comparison *comparison, size_t speaking, size_t other)
{
	struct voice *voices = mem_array(MONITORS_MAX, sizeof(*voices));
	size_t n_voices = 0;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct row *row = &comparison->rows[i];
		struct voice *voice = row->metric.role == ROLE_EVIDENCE
					      ? find_voice(voices, &n_voices, row->metric.name)
					      : NULL;
		if (voice)
			listen(voice, &row->cells[speaking], &row->cells[other]);
	}
	for (size_t i = 0; i < n_voices; i++)
		tell(comparison, &voices[i], speaking, other);
	free(voices);
}

static void examine(struct comparison *comparison)
{
	for (size_t head = 1; head < comparison->n_sides; head++) {
		examine_pair(comparison, 0, head);
		examine_pair(comparison, head, 0);
	}
}

const struct guard guard_silent = {
	.name = "silent",
	.asks = "did a monitor fall silent, or read only zeros, on one side?",
	.explains =
		"A monitor that cannot read its source on one side has no values there, and one whose "
		"source is dead reads zeros; either way its rows show a change that never happened (a "
		"reader of a robot's mail once took a power meter's zeros for a changed set-up). The "
		"guard looks at the metrics of each monitor that one side has in all its runs, not all "
		"0: when at least 3 of them, and 90 % of them, are missing on the other side, missing "
		"in some of its runs, or always 0, it warns and says why they are missing. A counter or "
		"two that another kernel does not have are no silence. It withholds nothing, since "
		"scores do not come from monitors. To cure it, see 'assay doctor' on both systems.",
	.examine = examine,
};
