/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the methods, as people ask for them. */
#include "verdict/options.h"

#include <assert.h>

static const char *const method_texts[] = {
	[METHOD_PERMUTATION] = "permutation",
	[METHOD_WELCH] = "welch",
	[METHOD_MANN_WHITNEY] = "mann-whitney",
};
static_assert(sizeof(method_texts) / sizeof(method_texts[0]) == METHOD_COUNT,
	      "every method has a word");

const char *verdict_method_text(enum verdict_method method)
{
	assert(method < METHOD_COUNT);
	return method_texts[method];
}
