/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns of text. Widths count characters, not bytes: "±" is one. Nothing is ever cut; what does
 * not fit pushes or wraps.
 */
#pragma once

#include "base/text.h"

/* Characters of a UTF-8 string (code points; no double-width scripts are expected in names). */
size_t column_width(const char *string);

void column_right(struct text *text, const char *string, size_t width); /* Blanks in front. */
void column_left(struct text *text, const char *string, size_t width);  /* Blanks behind. */

/* Adds the string in lines of at most `width` characters, each further line indented by `indent`
 * blanks, and ends the last line. Breaks after a blank, else after '.', '_', '-', ',' or '/', else
 * anywhere. */
void column_wrap(struct text *text, const char *string, size_t width, size_t indent);
