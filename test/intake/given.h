/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts to documents in one call, and the complaint of those that are none. */
#pragma once

#include "check.h"
#include "intake/format.h"
#include "intake/intake.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* The document, which must be readable; the caller frees it. */
static inline struct intake_document *given(const char *text, const struct intake_options *options)
{
	struct intake_document *document = NULL;
	struct error err = { 0 };
	const int failed = intake_parse(text, strlen(text), "given", options, &document, &err);
	if (failed)
		CHECK_FAIL("not readable: %s", err.text);
	return document;
}

/* The text must be refused with exactly this sentence. */
static inline void refused(const char *text, const struct intake_options *options,
			   const char *sentence)
{
	struct intake_document *document = NULL;
	struct error err = { 0 };
	CHECK_INT(intake_parse(text, strlen(text), "given", options, &document, &err), -EINVAL);
	CHECK(document == NULL);
	CHECK_TEXT(err.text, sentence);
}

/* A series must hold these values; NaN stands for a missing one. */
static inline void holds(const struct intake_series *series, const double *values, size_t n)
{
	CHECK_INT(series->n, n);
	for (size_t i = 0; i < n; i++) {
		CHECK_INT(series->values[i].value.state,
			  isnan(values[i]) ? VALUE_MISSING : VALUE_KNOWN);
		if (!isnan(values[i]))
			CHECK_NEAR(series->values[i].value.number, values[i], 0);
	}
}
