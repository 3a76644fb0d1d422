/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scores by a regular expression, line by line. See extract.h. */
#include "intake/extract.h"
#include "intake/section.h"

#include <errno.h>

static void take(const struct pattern_match *match, struct gather *gather, enum gather_place place)
{
	const struct gather_text text = {
		.number = match->value.at,
		.number_length = match->value.length,
		.row = match->row.at,
		.row_length = match->row.length,
		.unit = match->unit.at,
		.unit_length = match->unit.length,
	};
	gather_text(gather, &text, place);
}

void extract_regex(const struct extract_output *output, struct gather *gather)
{
	AUTO(pattern) struct pattern *pattern = NULL;
	struct section section AUTO(section) = { 0 };
	struct error err = { 0 };
	const char *line = NULL;
	size_t length = 0;
	if (pattern_compile(gather->score->expression, /* wants_value= */ true, &pattern, &err) ||
	    section_open(output, gather->score, &section, &err)) {
		gather_wrong(gather, "%s", err.text);
		return;
	}
	int more = 0;
	while (!gather->wrong && (more = section_next(&section, &line, &length)) > 0) {
		struct pattern_match match;
		more = pattern_match(pattern, line, length, output->steps, &match);
		if (more < 0)
			break;
		if (more)
			take(&match, gather, extract_place(output, line));
	}
	if (more == -ELOOP)
		gather_wrong(gather,
			     "the expressions of '%s' take too many steps on this output: say more "
			     "exactly what stands around the number",
			     gather->score->name);
}
