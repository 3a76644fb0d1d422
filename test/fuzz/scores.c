/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An adapter, or the words of --score, and behind a line "---" the output of its program: refused with a sentence,
 * or read to scores that are finite numbers with names, or to a complaint; and all that in bounded time.
 */
#include "base/mem.h"
#include "base/text.h"
#include "intake/adapter.h"
#include "intake/extract.h"
#include "record/metric.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_output(const struct adapter *adapter, const char *output)
{
	struct extraction extraction AUTO(extraction) = { 0 };
	assert(adapter->n_scores > 0 && adapter->n_scores <= ADAPTER_SCORES_MAX);
	extract_scores(adapter->scores, adapter->n_scores, output, value_known(1.5), &extraction);
	assert(extraction.n > 0 || extraction.wrong);
	for (size_t i = 0; i < extraction.n; i++) {
		assert(isfinite(extraction.items[i].number));
		assert(strlen(extraction.items[i].name) < METRIC_NAME_BYTES);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char between[] = "\n---\n";
	AUTO(text) char *text = mem_text_n((const char *)data, size);
	AUTO(adapter) struct adapter *file = NULL;
	AUTO(adapter) struct adapter *words = NULL;
	struct error err = { 0 };
	char *at = strstr(text, between);
	if (at)
		*at = '\0';
	const char *output = at ? at + strlen(between) : text;
	int failed = adapter_parse(text, strlen(text), "input", &file, &err);
	assert((failed == 0) == (file != NULL));
	assert(failed == 0 || (failed == -EINVAL && err.text[0]));
	if (file)
		read_output(file, output);
	failed = adapter_from_words(text, &words, &err);
	assert((failed == 0) == (words != NULL));
	assert(failed == 0 || (failed == -EINVAL && err.text[0]));
	if (words)
		read_output(words, output);
	return 0;
}
