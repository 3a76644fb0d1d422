/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the verdicts. They stand in reports, in JSON and in the manual: never change one. */
#include "verdict/finding.h"

#include <assert.h>

static const char *const verdict_texts[] = {
	[VERDICT_BETTER] = "better",       [VERDICT_WORSE] = "worse",
	[VERDICT_CHANGED] = "changed",     [VERDICT_SAME] = "same",
	[VERDICT_UNDECIDED] = "undecided", [VERDICT_WITHHELD] = "withheld",
	[VERDICT_MOVED_UP] = "moved up",   [VERDICT_MOVED_DOWN] = "moved down",
	[VERDICT_UNMOVED] = "unmoved",     [VERDICT_NOT_JUDGED] = "not judged",
};
static_assert(sizeof(verdict_texts) / sizeof(verdict_texts[0]) == VERDICT_COUNT,
	      "every verdict has a word");

const char *verdict_text(enum verdict verdict)
{
	assert(verdict < VERDICT_COUNT);
	return verdict_texts[verdict];
}
