/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must fit together in the scores of an adapter, whether a file or --score said them. */
#include "base/mem.h"
#include "base/text.h"
#include "intake/adapter.h"
#include "intake/pattern.h"
#include "intake/pointer.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 120
#define UNIT_BYTES_MAX 32

static int check_section(const struct score *score, struct error *err)
{
	AUTO(pattern) struct pattern *after = NULL;
	AUTO(pattern) struct pattern *until = NULL;
	if ((score->after || score->until) && score->source != SCORE_REGEX &&
	    score->source != SCORE_CSV)
		return error_set(err, EINVAL,
				 "'after' and 'until' are for lines, that is for regex and csv");
	int failed = 0;
	if (score->after)
		failed = pattern_compile(score->after, /* wants_value= */ false, &after, err);
	if (!failed && score->until)
		failed = pattern_compile(score->until, /* wants_value= */ false, &until, err);
	return failed;
}

static int check_regex(const struct score *score, bool *ret_rows, struct error *err)
{
	AUTO(pattern) struct pattern *pattern = NULL;
	if (score->row || score->where)
		return error_set(err, EINVAL,
				 "'row' and 'where' are for json and csv; name a group of the "
				 "expression: (?<row>...)");
	const int failed =
		pattern_compile(score->expression, /* wants_value= */ true, &pattern, err);
	if (failed)
		return failed;
	if (pattern_has_unit(pattern) != (score->n_scales > 0))
		return error_set(err, EINVAL,
				 "a group (?<unit>...) and the list 'units' belong together");
	*ret_rows = pattern_has_row(pattern);
	return 0;
}

static int check_json(const struct score *score, bool *ret_rows, struct error *err)
{
	int failed = pointer_check(score->expression, /* may_star= */ true, err);
	if (!failed && score->row)
		failed = pointer_check(score->row, /* may_star= */ false, err);
	if (!failed && score->where)
		failed = pointer_check(score->where, /* may_star= */ false, err);
	if (failed)
		return failed;
	const bool has_star = pointer_has_star(score->expression);
	if (!has_star && (score->row || score->where))
		return error_set(err, EINVAL, "'row' and 'where' need a part '*' in the pointer");
	*ret_rows = has_star;
	return 0;
}

static int check_source(const struct score *score, bool *ret_rows, struct error *err)
{
	*ret_rows = false;
	switch (score->source) {
	case SCORE_REGEX:
		return check_regex(score, ret_rows, err);
	case SCORE_JSON:
		return check_json(score, ret_rows, err);
	case SCORE_CSV:
		*ret_rows = score->row != NULL;
		return 0;
	case SCORE_TIME:
	case SCORE_SOURCE_COUNT:
		break;
	}
	if (score->row || score->where || score->pick != PICK_ONLY)
		return error_set(err, EINVAL, "'row', 'where' and 'pick' are not for the time");
	return 0;
}

static int check_name(const struct score *score, struct error *err)
{
	bool right = *score->name && strlen(score->name) <= NAME_BYTES_MAX;
	for (const char *at = score->name; *at; at++)
		right = right && !isspace((unsigned char)*at) && !iscntrl((unsigned char)*at);
	if (!right || strchr(score->name, '*'))
		return error_set(err, EINVAL,
				 "'%s' is no name of a score: up to %d characters without blanks "
				 "and without '*'",
				 score->name, NAME_BYTES_MAX);
	if (!*score->unit || strlen(score->unit) > UNIT_BYTES_MAX)
		return error_set(err, EINVAL,
				 "the unit of '%s' has 1 to %d characters ('1' for a pure number)",
				 score->name, UNIT_BYTES_MAX);
	return 0;
}

static int check_score(const struct score *score, struct error *err)
{
	bool rows = false;
	int failed = check_name(score, err);
	if (!failed)
		failed = check_section(score, err);
	if (!failed)
		failed = check_source(score, &rows, err);
	if (failed)
		return failed;
	const bool named = strstr(score->name, ADAPTER_ROW) != NULL;
	if (named && !rows)
		return error_set(
			err, EINVAL,
			"'%s' has {row} in its name, and nothing says what a row is called",
			score->name);
	if (!named && rows && score->source != SCORE_JSON)
		return error_set(err, EINVAL,
				 "'%s' reads rows: its name must hold {row}, or they would be one "
				 "metric",
				 score->name);
	if (score->n_scales > 0 && score->source != SCORE_REGEX)
		return error_set(err, EINVAL, "'units' is for regex, with a group (?<unit>...)");
	return 0;
}

int adapter_check_scores(const struct adapter *adapter, struct error *err)
{
	struct error own = { 0 };
	struct error *why = err ? err : &own;
	int failed = 0;
	size_t n_judged = 0;
	for (size_t i = 0; i < adapter->n_scores && !failed; i++) {
		const struct score *score = &adapter->scores[i];
		n_judged += score->role == ROLE_SCORE;
		failed = check_score(score, why);
		for (size_t j = 0; j < i && !failed; j++)
			if (text_equal(adapter->scores[j].name, score->name))
				failed = error_set(why, EINVAL, "two scores are named '%s'",
						   score->name);
		if (failed && score->place.line)
			return error_at(why, "%s:%u:%u", adapter->path, score->place.line,
					score->place.column);
	}
	if (!failed && n_judged == 0)
		return error_set(why, EINVAL,
				 "%s%sno score has the role 'score': nothing would "
				 "be judged",
				 adapter->path ? adapter->path : "", adapter->path ? ":1:1: " : "");
	return failed;
}
