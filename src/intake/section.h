/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of an output between a score's `after` and `until`. A carriage return ends a line too:
 * programs that show their progress overwrite it so. What was left out of the output ends a section.
 */
#pragma once

#include "intake/extract.h"
#include "intake/pattern.h"

#include <stdbool.h>
#include <stddef.h>

struct section {
	const struct extract_output *output; /* Borrowed. */
	struct pattern *after, *until;
	const char *at;
	bool inside;
};

/* -EINVAL when an expression is none. */
int section_open(const struct extract_output *output, const struct score *score,
		 struct section *ret_section, struct error *err);

/* 1: a line, not terminated; 0: there is no more; -ELOOP: the steps are spent. */
int section_next(struct section *section, const char **ret_line, size_t *ret_length);
void section_done(struct section *section);

static inline void auto_release_section(struct section *section)
{
	section_done(section);
}
