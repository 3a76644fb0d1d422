/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the store into verdict options. See known.h. */
#include "cli/known.h"

#include "base/mem.h"
#include "base/text.h"
#include "campaign/decide.h"
#include "store/marks.h"
#include "store/noise.h"
#include "verdict/noise_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define CAMPAIGNS_MAX 256 /* Of one comparison; with more of them nothing is known. */

struct question { /* Put to the store, with what it said. */
	char *key;
	struct noise_table *noise;
	bool has_alarms;
	struct measured_alarms alarms;
	struct mark *marks; /* Their strings are the rows'. */
	size_t n_marks;
};

struct known {
	struct store *store;
	bool has_marks; /* Both below are there. */
	struct mark_row *mark_rows;
	size_t n_mark_rows;
	struct question **questions;
	size_t n_questions, capacity;
};

struct known *known_new(struct store *store)
{
	struct known *known = mem_zero(sizeof(*known));
	known->store = store;
	return known;
}

static void question_free(struct question *question)
{
	free(question->key);
	noise_table_free(question->noise);
	free(question->marks);
	free(question);
}

DEFINE_AUTO(question, struct question *, question_free);

void known_free(struct known *known)
{
	if (!known)
		return;
	for (size_t i = 0; i < known->n_questions; i++)
		question_free(known->questions[i]);
	free(known->questions);
	mark_rows_free(known->mark_rows, known->n_mark_rows);
	free(known);
}

struct judged_campaigns { /* Those whose runs are judged. */
	int64_t ids[CAMPAIGNS_MAX];
	size_t n;
	bool complete; /* All of them are there. */
};

static void add_campaign(struct judged_campaigns *campaigns, int64_t id)
{
	for (size_t i = 0; i < campaigns->n; i++)
		if (campaigns->ids[i] == id)
			return;
	if (campaigns->n < CAMPAIGNS_MAX)
		campaigns->ids[campaigns->n++] = id;
	else
		campaigns->complete = false;
}

static void find_campaigns(const struct compared_side *sides, size_t n_sides,
			   struct judged_campaigns *campaigns)
{
	*campaigns = (struct judged_campaigns) { .complete = true };
	for (size_t s = 0; s < n_sides; s++) {
		campaigns->complete = campaigns->complete && sides[s].places;
		for (size_t i = 0; sides[s].places && i < sides[s].n_runs; i++)
			add_campaign(campaigns, decide_campaign(&sides[s].places[i]));
	}
}

/* The type that all runs' machines have; NULL when there are several, or none is known. New string. */
static char *machine_of(const struct compared_side *sides, size_t n_sides)
{
	AUTO(text) char *type = NULL;
	for (size_t s = 0; s < n_sides; s++)
		for (size_t i = 0; i < sides[s].n_runs; i++) {
			AUTO(text) char *other = store_machine_type(sides[s].runs[i]);
			if (other && type && strcmp(type, other) != 0)
				return NULL;
			if (other && !type)
				type = KEEP(other);
		}
	return KEEP(type);
}

static int ask_noise(struct known *known, const char *machine, const struct job *job,
		     const struct judged_campaigns *campaigns, struct question *question,
		     struct error *err)
{
	AUTO(repeats) struct repeats *repeats = NULL;
	AUTO(text) char *point = job_point(job);
	const struct noise_query query = {
		.machine = machine,
		.workload = job->workload,
		.semantics = job->semantics,
		.point = point,
		.without = campaigns->ids,
		.n_without = campaigns->n,
		.earlier = true,
	};
	const int failed = store_noise(known->store, &query, &repeats, err);
	if (!failed)
		question->noise = noise_table_make(repeats, point);
	return failed;
}

static int ask_alarms(struct known *known, const char *machine, const struct job *job,
		      struct question *question, struct error *err)
{
	struct alarm_rate rate = { 0 };
	const int failed = store_alarms_get(known->store, machine, job->workload, &rate,
					    &question->has_alarms, err);
	if (!failed && question->has_alarms)
		question->alarms = (struct measured_alarms) {
			.n_comparisons = (size_t)rate.n_comparisons,
			.n_alarms = (size_t)rate.n_alarms,
			.alpha = rate.alpha,
			.low = rate.low,
			.high = rate.high,
		};
	return failed;
}

/* Is the subject, as it stood in that campaign, a side? */
static bool has_side(const struct compared_side *sides, size_t n_sides, int64_t campaign,
		     const char *subject)
{
	for (size_t s = 0; s < n_sides; s++)
		for (size_t i = 0; sides[s].places && i < sides[s].n_runs; i++)
			if ((!subject || text_equal(sides[s].job->subject, subject)) &&
			    decide_campaign(&sides[s].places[i]) == campaign)
				return true;
	return false;
}

/* A mark of a campaign is one of everything that its runs are in. */
static bool concerns(const struct mark_row *row, const struct compared_side *sides, size_t n_sides)
{
	if (row->metric[0])
		return true;
	if (row->campaign == 0)
		return false;
	return has_side(sides, n_sides, row->campaign, row->base) &&
	       has_side(sides, n_sides, row->campaign, row->head);
}

static int ask_marks(struct known *known, const struct compared_side *sides, size_t n_sides,
		     struct question *question, struct error *err)
{
	if (!known->has_marks) {
		const int failed = store_mark_list(known->store, /* withdrawn_too= */ false,
						   &known->mark_rows, &known->n_mark_rows, err);
		if (failed)
			return failed;
		known->has_marks = true;
	}
	question->marks = mem_array(known->n_mark_rows, sizeof(*question->marks));
	for (size_t i = 0; i < known->n_mark_rows; i++) {
		const struct mark_row *row = &known->mark_rows[i];
		if (concerns(row, sides, n_sides))
			question->marks[question->n_marks++] = (struct mark) {
				.target = row->metric,
				.point = row->point,
				.invalid = row->invalid,
				.tolerance_percent = row->tolerance_percent,
				.why = row->why,
				.who = row->who,
				.when_wall_ns = row->made_wall_ns,
			};
	}
	return 0;
}

/* The same question, whatever runs have come in since: new string. */
static char *make_key(const struct compared_side *sides, size_t n_sides, const char *machine,
		      const struct judged_campaigns *campaigns)
{
	struct text key = { 0 };
	AUTO(text) char *point = job_point(sides[0].job);
	text_add(&key, "%s\n%s\n%u\n", machine ? machine : "", point, sides[0].job->semantics);
	for (size_t s = 0; s < n_sides; s++)
		text_add(&key, "%s\n", sides[s].job->subject);
	for (size_t i = 0; i < campaigns->n; i++)
		text_add(&key, "%lld ", (long long)campaigns->ids[i]);
	return text_take(&key);
}

static int ask(struct known *known, const struct compared_side *sides, size_t n_sides,
	       const struct question **ret_question, struct error *err)
{
	struct judged_campaigns campaigns;
	AUTO(text) char *machine = machine_of(sides, n_sides);
	find_campaigns(sides, n_sides, &campaigns);
	AUTO(text) char *key = make_key(sides, n_sides, machine, &campaigns);
	for (size_t i = 0; i < known->n_questions; i++)
		if (strcmp(known->questions[i]->key, key) == 0) {
			*ret_question = known->questions[i];
			return 0;
		}
	AUTO(question) struct question *question = mem_zero(sizeof(*question));
	question->key = KEEP(key);
	int failed = ask_marks(known, sides, n_sides, question, err);
	if (!failed && machine && campaigns.complete)
		failed = ask_noise(known, machine, sides[0].job, &campaigns, question, err);
	if (!failed && machine)
		failed = ask_alarms(known, machine, sides[0].job, question, err);
	if (failed)
		return failed;
	known->questions = mem_grow(known->questions, &known->capacity, known->n_questions + 1,
				    sizeof(*known->questions));
	*ret_question = question;
	known->questions[known->n_questions++] = KEEP(question);
	return 0;
}

int known_fill(struct known *known, const struct compared_side *sides, size_t n_sides,
	       struct verdict_options *options, struct error *err)
{
	const struct question *question = NULL;
	assert(n_sides > 0 && sides[0].job);
	const int failed = ask(known, sides, n_sides, &question, err);
	if (failed)
		return failed;
	options->marks = question->marks;
	options->n_marks = question->n_marks;
	options->noise = question->noise ? question->noise->rows : NULL;
	options->n_noise = question->noise ? question->noise->n : 0;
	options->alarms = question->has_alarms ? &question->alarms : NULL;
	return 0;
}
