/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts to judged cases in one call, for the tests of `assay stat`. */
#pragma once

#include "check.h"
#include "cli/stat_case.h"

#include <errno.h>
#include <string.h>

struct stat_given {
	struct intake_document *documents[2];
	struct intake_pairs *pairs;
	struct stat_case *cases[4];
	size_t n;
	struct error err;
	int failed; /* Of making the cases. */
};

static inline struct intake_document *stat_read(const char *text,
						const struct intake_options *options)
{
	struct intake_document *document = NULL;
	struct error err = { 0 };
	if (intake_parse(text, strlen(text), "given", options, &document, &err))
		CHECK_FAIL("not readable: %s", err.text);
	return document;
}

/* `head` is NULL for one file with both sides. */
static inline void stat_give(struct stat_given *given, const char *base, const char *head,
			     const struct intake_options *options, struct stat_layout layout)
{
	*given = (struct stat_given) { .documents = { stat_read(base, options),
						      head ? stat_read(head, options) : NULL } };
	const struct intake_pair_options all = { 0 };
	if (intake_pair_up(given->documents[0], given->documents[1], &all, &given->pairs,
			   &given->err))
		CHECK_FAIL("not paired: %s", given->err.text);
	layout.one_file = head == NULL;
	for (size_t i = 0; i < given->pairs->n && i < 4 && !given->failed; i++) {
		given->failed =
			stat_case_make(given->pairs, i, &layout, &given->cases[i], &given->err);
		given->n += !given->failed;
	}
}

static inline void stat_judge(struct stat_given *given)
{
	const struct verdict_options options = { .seed = 1 };
	for (size_t i = 0; i < given->n; i++)
		CHECK_INT(stat_case_judge(given->cases[i], &options, &given->err), 0);
}

static inline void stat_done(struct stat_given *given)
{
	for (size_t i = 0; i < given->n; i++)
		stat_case_free(given->cases[i]);
	intake_pairs_free(given->pairs);
	intake_free(given->documents[0]);
	intake_free(given->documents[1]);
}
