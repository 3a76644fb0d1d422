/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bisection in words: after each run, at the end, and as a log in the manner of `git bisect log`. */
#pragma once

#include "base/text.h"
#include "cli/bisect_course.h"

/* The last run, the probabilities over the commits as a line of characters, the likeliest commits, what is
 * left. For people who watch. */
void bisect_text_progress(const struct bisect_course *course, struct text *text);

/* What came out, for the report. */
void bisect_text_result(const struct bisect_course *course, struct text *text);

/* Each run with what it was made for and what the bisection made of it. */
void bisect_text_log(const struct bisect_course *course, const char *name, struct text *text);
