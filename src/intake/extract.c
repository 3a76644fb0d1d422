/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scores out of an output: which way, which of several, which name. See extract.h. */
#include "intake/extract.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "intake/pattern.h"
#include "record/metric.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The two sentences that say of a log that something of it was left out: the probe's, which has the
 * number of bytes in its middle, and the reader's. */
static const char *find_gap(const char *from)
{
	static const char probe[] = "\n[... ";
	static const char left_out[] = " bytes left out ...]\n";
	const char *at = from;
	while ((at = strstr(at, probe))) {
		const char *digits = at + strlen(probe);
		const size_t n = strspn(digits, "0123456789");
		if (n > 0 && text_starts_with(digits + n, left_out))
			break;
		at++;
	}
	const char *reader = strstr(from, "\nassay: the log was cut here, ");
	return !at || (reader && reader < at) ? reader : at;
}

enum gather_place extract_place(const struct extract_output *output, const char *at)
{
	if (!output->first_gap)
		return GATHER_WHOLE;
	if (at < output->first_gap)
		return GATHER_EARLY;
	return at > output->last_gap ? GATHER_LATE : GATHER_BETWEEN;
}

static void extract_time(struct value seconds, struct gather *gather)
{
	if (value_is_known(seconds))
		gather_number(gather, seconds.number, "", GATHER_WHOLE);
	else
		gather_wrong(gather, "the time that the program took is not known: %s",
			     missing_text(seconds.why));
}

/* "unixbench.{row}" with the row in it. New string; NULL when it is too long. */
static char *name_of(const struct score *score, const char *row)
{
	const char *mark = strstr(score->name, ADAPTER_ROW);
	char *name = mark ? mem_format("%.*s%s%s", (int)(mark - score->name), score->name, row,
				       mark + strlen(ADAPTER_ROW))
			  : mem_text(score->name);
	if (strlen(name) < METRIC_NAME_BYTES)
		return name;
	free(name);
	return NULL;
}

static bool is_taken(const struct extraction *extraction, const char *name)
{
	for (size_t i = 0; i < extraction->n; i++)
		if (strcmp(extraction->items[i].name, name) == 0)
			return true;
	return false;
}

static void take_rows(struct gather *gather, struct extraction *extraction)
{
	for (size_t i = 0; i < gather->n && !gather->wrong; i++) {
		double number = 0.0;
		if (!gather_pick(gather, i, &number))
			return;
		AUTO(text) char *name = name_of(gather->score, gather->rows[i].row);
		if (!name || is_taken(extraction, name)) {
			gather_wrong(gather, "the row '%.60s' makes %s of '%s'",
				     gather->rows[i].row,
				     name ? "a second metric of one name" : "too long a name",
				     gather->score->name);
			return;
		}
		extraction->items = mem_grow(extraction->items, &extraction->capacity,
					     extraction->n + 1, sizeof(*extraction->items));
		extraction->items[extraction->n++] = (struct extracted) { .score = gather->score,
									  .name = KEEP(name),
									  .number = number };
	}
}

static void say_absent(const struct extract_output *output, struct gather *gather)
{
	const struct score *score = gather->score;
	gather_wrong(gather, "the output has no '%s' (%s %s%s)%s", score->name,
		     score_source_text(score->source), score->expression,
		     score->after ? ", behind its 'after'" : "",
		     output->first_gap ? "; a part of it was left out, for it is too long" : "");
}

static void extract_one(const struct score *score, const struct extract_output *output,
			struct value time_seconds, struct extraction *extraction)
{
	struct gather gather AUTO(gather) = { .score = score };
	switch (score->source) {
	case SCORE_TIME:
		extract_time(time_seconds, &gather);
		break;
	case SCORE_REGEX:
		extract_regex(output, &gather);
		break;
	case SCORE_JSON:
		extract_json(output, &gather);
		break;
	case SCORE_CSV:
		extract_csv(output, &gather);
		break;
	case SCORE_SOURCE_COUNT:
		break; /* No score has it. */
	}
	if (gather.n == 0 && !gather.wrong && !score->optional)
		say_absent(output, &gather);
	take_rows(&gather, extraction);
	if (gather.wrong && !extraction->wrong)
		extraction->wrong = KEEP(gather.wrong);
}

/* Each may be absent, not all of them. */
static bool has_score(const struct extraction *extraction)
{
	for (size_t i = 0; i < extraction->n; i++)
		if (extraction->items[i].score->role == ROLE_SCORE)
			return true;
	return false;
}

void extract_scores(const struct score *scores, size_t n_scores, const char *text,
		    struct value time_seconds, struct extraction *ret_extraction)
{
	uint64_t steps = PATTERN_STEPS;
	struct extract_output output = {
		.text = text,
		.end = text + strlen(text),
		.steps = &steps,
	};
	*ret_extraction = (struct extraction) { 0 };
	for (const char *gap = find_gap(text); gap; gap = find_gap(gap + 1)) {
		output.first_gap = output.first_gap ? output.first_gap : gap;
		output.last_gap = gap;
	}
	for (size_t i = 0; i < n_scores; i++)
		extract_one(&scores[i], &output, time_seconds, ret_extraction);
	if (!ret_extraction->wrong && !has_score(ret_extraction))
		ret_extraction->wrong = mem_text("the output has none of the scores");
}

void extraction_done(struct extraction *extraction)
{
	for (size_t i = 0; i < extraction->n; i++)
		free(extraction->items[i].name);
	free(extraction->items);
	free(extraction->wrong);
	*extraction = (struct extraction) { 0 };
}
