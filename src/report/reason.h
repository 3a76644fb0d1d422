/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind a verdict, in words that every format may use: the test, why it is undecided or
 * withheld, what a guard and what a person said. All answers are new strings.
 */
#pragma once

#include "verdict/comparison.h"

#include <stdbool.h>
#include <stddef.h>

/* Is the finding's verdict one that the mark "provisional" qualifies? */
bool reason_is_provisional(const struct finding *finding);

/* "decided at 8 of at most 20 runs a side"; "" when the runs were judged once. */
char *reason_looks(const struct comparison *comparison, const struct finding *finding);

/* "lower is better; p 0.00012 adjusted (block permutation); same means within ±1 %; ...": of a score. */
char *reason_test(const struct comparison *comparison, const struct row *row, size_t side);

/* "undecided", "withheld (starved)". */
char *reason_word(const struct finding *finding);

/* What stands behind that word: why, and "about 14 runs a side would decide if the estimate holds".
 * "" when it needs no reason. */
char *reason_verdict(const struct comparison *comparison, const struct finding *finding);

/* "marked expected by anna on 2026-11-30, within ±5 %: why". The finding (may be NULL) tells
 * whether a tolerance was kept. */
char *reason_mark(const struct mark *mark, const struct finding *finding);

/* "2026-11-30T22:04:05Z"; or the first 10 characters of it. */
char *reason_when(const struct mark *mark, bool with_time);

/* "starved withholds the verdict on hackbench.time_sec: ...", "drift warns of thp-off: ...". */
char *reason_note(const struct comparison *comparison, const struct guard_note *note);
