/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a part of an output. See section.h. */
#include "intake/section.h"

#include <assert.h>
#include <string.h>

int section_open(const struct extract_output *output, const struct score *score,
		 struct section *ret_section, struct error *err)
{
	struct section section AUTO(
		section) = { .output = output, .at = output->text, .inside = !score->after };
	int failed = 0;
	if (score->after)
		failed = pattern_compile(score->after, /* wants_value= */ false, &section.after,
					 err);
	if (!failed && score->until)
		failed = pattern_compile(score->until, /* wants_value= */ false, &section.until,
					 err);
	if (failed)
		return failed;
	*ret_section = section;
	section.after = section.until = NULL; /* They went with the answer. */
	return 0;
}

void section_done(struct section *section)
{
	pattern_free(section->after);
	pattern_free(section->until);
	*section = (struct section) { 0 };
}

static void take_line(struct section *section, const char **ret_line, size_t *ret_length)
{
	const char *end = section->output->end;
	const char *line = section->at;
	const size_t length = (size_t)(end - line);
	const char *newline = memchr(line, '\n', length);
	const char *back = memchr(line, '\r', newline ? (size_t)(newline - line) : length);
	const char *stop = back ? back : newline ? newline : end;
	*ret_line = line;
	*ret_length = (size_t)(stop - line);
	section->at = stop;
	section->at += stop < end;
	section->at += back && section->at < end && *section->at == '\n';
	/* The gap begins with the newline in front of its line. */
	const char *first = section->output->first_gap;
	if (section->after && first && stop >= first && line <= section->output->last_gap + 1)
		section->inside = false;
}

/* Does the line belong to it? The lines that open and close a section do not. */
static int belongs(struct section *section, const char *line, size_t length)
{
	uint64_t *steps = section->output->steps;
	if (section->after) {
		const int opens = pattern_match(section->after, line, length, steps, NULL);
		if (opens < 0)
			return opens;
		if (opens) {
			section->inside = true;
			return 0;
		}
	}
	if (section->inside && section->until) {
		const int closes = pattern_match(section->until, line, length, steps, NULL);
		if (closes < 0)
			return closes;
		section->inside = !closes;
	}
	return section->inside;
}

int section_next(struct section *section, const char **ret_line, size_t *ret_length)
{
	assert(section->output);
	while (section->at < section->output->end) {
		take_line(section, ret_line, ret_length);
		const int answer = belongs(section, *ret_line, *ret_length);
		if (answer)
			return answer;
	}
	return 0;
}
