/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line says of judging. See judge.h. */
#include "base/mem.h"
#include "base/text.h"
#include "cli/judge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EFFECT_PERCENT_MAX 100.0

void judge_rules_done(struct judge_rules *rules)
{
	free(rules->directions);
	*rules = (struct judge_rules) { 0 };
}

/* One spelling of the effect: "auto", or per cent. *ret_given says whether it was there. */
static int read_effect(const struct parsed *parsed, const char *name, double *ret_percent,
		       bool *ret_given, struct error *err)
{
	const char *value = options_value(parsed, name);
	*ret_given = value != NULL;
	*ret_percent = 0.0;
	if (!value || strcmp(value, "auto") == 0)
		return 0;
	AUTO(text) char *digits = mem_text_n(value, strlen(value) - text_ends_with(value, "%"));
	double percent;
	if (!text_parse_f64(digits, &percent) || percent <= 0.0 || percent > EFFECT_PERCENT_MAX)
		return error_set(err, EINVAL,
				 "option '--%s' needs auto, or per cent above 0 and up to %g, not "
				 "'%s'",
				 name, EFFECT_PERCENT_MAX, value);
	*ret_percent = percent;
	return 0;
}

int judge_effect(const struct parsed *parsed, double *ret_percent, struct error *err)
{
	double effect;
	double margin = 0.0;
	bool has_effect;
	bool has_margin = false;
	int failed = read_effect(parsed, "effect", &effect, &has_effect, err);
	if (!failed)
		failed = read_effect(parsed, "margin", &margin, &has_margin, err);
	if (failed)
		return failed;
	if (has_effect && has_margin && (effect < margin || effect > margin))
		return error_set(err, EINVAL,
				 "'--effect %s' and '--margin %s' are one option under two names "
				 "and contradict each other",
				 options_value(parsed, "effect"), options_value(parsed, "margin"));
	if (has_effect || has_margin)
		*ret_percent = has_effect ? effect : margin;
	return 0;
}

int judge_direction(const char *value, struct direction *ret_direction, struct error *err)
{
	static const enum metric_better ways[] = { BETTER_HIGHER, BETTER_LOWER };
	const size_t length = strcspn(value, ":");
	const char *metric = value[length] == ':' ? value + length + 1 : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		const char *way = metric_better_text(ways[i]);
		if (strlen(way) != length || strncmp(value, way, length) != 0)
			continue;
		if (metric && !*metric)
			break;
		*ret_direction = (struct direction) { .metric = metric, .better = ways[i] };
		return 0;
	}
	return error_set(err, EINVAL,
			 "option '--better' needs higher or lower, and :METRIC behind it when only "
			 "one metric is meant, not '%s'",
			 value);
}

static int read_directions(const struct parsed *parsed, struct judge_rules *rules,
			   struct error *err)
{
	rules->directions = mem_array(parsed->n_options + 1, sizeof(*rules->directions));
	for (size_t i = 0; i < parsed->n_options; i++) {
		if (strcmp(parsed->options[i].row->name, "better") != 0)
			continue;
		const int failed =
			judge_direction(parsed->options[i].value,
					&rules->directions[rules->verdict.n_directions], err);
		if (failed)
			return failed;
		rules->verdict.n_directions++;
	}
	rules->verdict.directions = rules->directions;
	return 0;
}

static int read_method(const struct parsed *parsed, enum verdict_method *ret_method,
		       struct error *err)
{
	const char *value = options_value(parsed, "method");
	if (!value)
		return 0;
	for (enum verdict_method method = 0; method < METHOD_COUNT; method++) {
		if (strcmp(verdict_method_text(method), value) != 0)
			continue;
		*ret_method = method;
		return 0;
	}
	return error_set(err, EINVAL, "unknown method '%s': permutation, welch or mann-whitney",
			 value);
}

int judge_options(const struct parsed *parsed, struct judge_rules *ret_rules, struct error *err)
{
	struct judge_rules rules AUTO(rules) = { .point_pattern = options_value(parsed, "point") };
	int failed = options_alpha(parsed, "alpha", &rules.verdict.alpha, err);
	if (!failed)
		failed = judge_effect(parsed, &rules.verdict.margin_percent, err);
	if (!failed)
		failed = read_method(parsed, &rules.verdict.method, err);
	if (!failed)
		failed = read_directions(parsed, &rules, err);
	rules.verdict.strict = options_has(parsed, "strict");
	if (failed)
		return failed;
	*ret_rules = rules;
	rules.directions = NULL; /* They went with it. */
	return 0;
}
