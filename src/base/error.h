/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A failure of the surroundings: a file that cannot be opened, a damaged stream, a wrong word in an
 * input.
 *
 * A function that can fail so returns 0 or a negative errno and takes `struct error *err` as its
 * last argument; the caller owns it. The function that met the failure writes the sentence (what
 * failed first, the subject quoted, no capital, no full stop); a caller adds at most one phrase in
 * front with error_at. Nobody in between prints: only cli/ speaks. Bugs are assert(); outcomes of
 * the domain are enums. -EINVAL means bad input by the user (exit code 129), -EBADMSG a foreign or
 * damaged data file (128).
 */
#pragma once

#include "base/macros.h"

#include <stdarg.h>

#define ERROR_TEXT_BYTES 512

struct error {
	int code;                    /* Positive errno, 0 when nothing was set. */
	char text[ERROR_TEXT_BYTES]; /* One sentence, always terminated; cut with "..." when too
					long. */
};

/* Sets code and sentence, returns -code. `err` may be NULL (only the code counts then). code > 0.
 */
int error_set(struct error *err, int code, const char *format, ...) PRINTF_LIKE(3, 4);

/* As error_set, and ends the sentence with ": <text of the errno code>". */
int error_errno(struct error *err, int code, const char *format, ...) PRINTF_LIKE(3, 4);

/* Puts "<phrase>: " in front of the sentence and returns -err->code (-EIO when none was set). */
int error_at(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);
