/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adapters from short texts, and numbers out of outputs. */
#pragma once

#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "intake/adapter.h"
#include "intake/extract.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
	"adapter: tool\nwhat: a tool\nprogram: tool\npackage: tools\nversion: 1.2\nsemantics: 3\n"

/* Must be readable; the caller frees it. */
static inline struct adapter *adapted(const char *text)
{
	struct adapter *adapter = NULL;
	struct error err = { 0 };
	const int failed = adapter_parse(text, strlen(text), "tool.yaml", &adapter, &err);
	if (failed)
		CHECK_FAIL("not readable: %s", err.text);
	return adapter;
}

/* Must be refused with this sentence. */
static inline void not_adapted(const char *text, const char *sentence)
{
	struct adapter *adapter = NULL;
	struct error err = { 0 };
	CHECK_INT(adapter_parse(text, strlen(text), "tool.yaml", &adapter, &err), -EINVAL);
	CHECK(adapter == NULL);
	CHECK_TEXT(err.text, sentence);
}

/* A file whose only score is this one line. */
static inline struct adapter *adapted_score(const char *score)
{
	AUTO(text) char *text = mem_format(HEAD "start: [tool]\nscores:\n  - {%s}\n", score);
	return adapted(text);
}

/* All that the output holds, as "name=number" with blanks between, or "!" and the complaint. */
static inline char *extracted(const struct adapter *adapter, const char *output)
{
	struct extraction extraction AUTO(extraction) = { 0 };
	struct text said = { 0 };
	extract_scores(adapter->scores, adapter->n_scores, output, value_known(2.5), &extraction);
	for (size_t i = 0; i < extraction.n; i++)
		text_add(&said, "%s%s=%.12g", i ? " " : "", extraction.items[i].name,
			 extraction.items[i].number);
	if (extraction.wrong)
		text_add(&said, "!%s", extraction.wrong);
	return text_take(&said);
}

static inline void extracts(const char *score, const char *output, const char *want)
{
	AUTO(adapter) struct adapter *adapter = adapted_score(score);
	AUTO(text) char *have = extracted(adapter, output);
	CHECK_TEXT(have, want);
}
