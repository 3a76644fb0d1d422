/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a person may write into a mark. It stands in reports among lines of their own making, so it is one
 * line that reads as it was written: no control characters, and nothing that turns the direction of
 * reading.
 */
#pragma once

#include "base/error.h"

/* --why: the same, there, not blank and not too long. NULL is refused as well. */
int mark_words_why(const char *why, struct error *err);

/* Any text of a mark; `what` names it in the error, "option '--point'". */
int mark_words_check(const char *what, const char *text, struct error *err);
