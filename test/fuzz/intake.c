/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of anybody's numbers, read as each of the known formats and put beside themselves: refused
 * with a sentence, or taken with values that are known or missing and names that can be printed.
 */
#include "intake/intake.h"

#include "base/mem.h"
#include "base/text.h"
#include "intake/format.h"
#include "intake/pair.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_printable(const char *name)
{
	AUTO(text) char *copy = mem_text(name);
	text_make_printable(copy, strlen(copy));
	assert(strcmp(copy, name) == 0);
}

static void check_document(const struct intake_document *document)
{
	assert(document->n_series <= INTAKE_SERIES_MAX);
	for (size_t i = 0; i < document->n_series; i++) {
		const struct intake_series *series = &document->series[i];
		check_printable(series->name);
		check_printable(series->unit);
		assert(series->n <= INTAKE_VALUES_MAX);
		for (size_t j = 0; j < series->n; j++) {
			const struct value value = series->values[j].value;
			assert(value.state == VALUE_MISSING || isfinite(value.number));
		}
	}
}

static void check_pairs(const struct intake_document *first, const struct intake_document *second)
{
	const struct intake_pair_options all = { 0 };
	AUTO(intake_pairs) struct intake_pairs *pairs = NULL;
	struct error err = { 0 };
	const int failed = intake_pair_up(first, second, &all, &pairs, &err);
	assert((failed == 0) == (pairs != NULL));
	assert(failed == 0 || (failed == -EINVAL && err.text[0]));
	for (size_t i = 0; pairs && i < pairs->n; i++)
		assert(pairs->pairs[i].base && pairs->pairs[i].head &&
		       pairs->pairs[i].head_scale > 0);
}

static void read_as(const char *text, size_t size, const struct intake_options *options)
{
	AUTO(intake_document) struct intake_document *document = NULL;
	struct error err = { 0 };
	const int failed = intake_parse(text, size, "input", options, &document, &err);
	assert((failed == 0) == (document != NULL));
	assert(failed == 0 || (failed == -EINVAL && err.text[0]));
	if (!document)
		return;
	check_document(document);
	check_pairs(document, NULL);
	check_pairs(document, document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(text) char *text = mem_text_n((const char *)data, size);
	const struct intake_options plain = { 0 };
	read_as(text, size, &plain);
	for (size_t i = 0; i < intake_format_count; i++) {
		const struct intake_options forced = { .format = intake_formats[i],
						       .blocks = i % 2 ? "block" : NULL,
						       .builds = i % 2 ? NULL : "build" };
		read_as(text, size, &forced);
	}
	return 0;
}
