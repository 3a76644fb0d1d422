/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Documents: made, filled, released. See intake.h. */
#include "intake/intake.h"

#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"
#include "intake/format.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void series_done(struct intake_series *series)
{
	for (size_t i = 0; i < series->n; i++) {
		free(series->values[i].block);
		free(series->values[i].build);
	}
	free(series->values);
	free(series->name);
	free(series->unit);
	free(series->group);
	free(series->broken);
}

void intake_free(struct intake_document *document)
{
	if (!document)
		return;
	for (size_t i = 0; i < document->n_series; i++)
		series_done(&document->series[i]);
	free(document->series);
	for (size_t i = 0; i < document->n_remarks; i++)
		free(document->remarks[i]);
	free(document->remarks);
	free(document->path);
	free(document);
}

const struct intake_series *intake_series_find(const struct intake_document *document,
					       const char *name)
{
	for (size_t i = 0; i < document->n_series; i++)
		if (strcmp(document->series[i].name, name) == 0)
			return &document->series[i];
	return NULL;
}

static char *printable(const char *text)
{
	if (!text)
		return NULL;
	char *copy = mem_text(text);
	text_make_printable(copy, strlen(copy));
	return copy;
}

int intake_series_at(struct intake_document *document, const char *name, const char *unit,
		     const char *group, struct intake_series **ret_series, struct error *err)
{
	AUTO(text) char *shown = printable(name);
	/* From the end: formats that go by lines mostly add to the series that came last. */
	for (size_t i = document->n_series; i-- > 0;) {
		struct intake_series *series = &document->series[i];
		if (strcmp(series->name, shown) == 0 && strcmp(series->unit, unit) == 0 &&
		    text_equal(series->group, group)) {
			*ret_series = series;
			return 0;
		}
	}
	if (document->n_series == INTAKE_SERIES_MAX)
		return error_set(err, EINVAL, "%s has more than %d different series",
				 document->path, INTAKE_SERIES_MAX);
	document->series = mem_grow(document->series, &document->capacity, document->n_series + 1,
				    sizeof(*document->series));
	struct intake_series *series = &document->series[document->n_series++];
	*series = (struct intake_series) { .name = KEEP(shown),
					   .unit = printable(unit),
					   .group = printable(group),
					   .better = BETTER_UNKNOWN };
	*ret_series = series;
	return 0;
}

/* Within the limits, or 0. */
static bool is_computable(double number)
{
	const double size = fabs(number);
	return fpclassify(number) == FP_ZERO ||
	       (size >= INTAKE_NUMBER_MIN && size <= INTAKE_NUMBER_MAX);
}

static void break_series(const struct intake_document *document, struct intake_series *series,
			 double number, size_t line)
{
	if (series->broken)
		return;
	AUTO(text) char *at = line ? mem_format(":%zu", line) : mem_text("");
	series->broken = mem_format(
		"%s%s: %g in '%.60s' is beyond what can be computed with (%g to %g, or 0); give "
		"the numbers in another unit",
		document->path, at, number, series->name, INTAKE_NUMBER_MIN, INTAKE_NUMBER_MAX);
}

int intake_add(const struct intake_document *document, struct intake_series *series,
	       struct value value, size_t line, struct error *err)
{
	assert(value.state != VALUE_NOT_APPLICABLE);
	if (value_is_known(value) && !is_computable(value.number)) {
		break_series(document, series, value.number, line);
		return 0;
	}
	if (series->n == INTAKE_VALUES_MAX)
		return error_set(err, EINVAL,
				 "%s: '%s' has more than %d values; give one number a run, not one "
				 "an operation",
				 document->path, series->name, INTAKE_VALUES_MAX);
	series->values =
		mem_grow(series->values, &series->capacity, series->n + 1, sizeof(*series->values));
	series->values[series->n++] = (struct intake_value) { .value = value, .line = line };
	return 0;
}

void intake_remark(struct intake_document *document, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	AUTO(text) char *remark = mem_format_v(format, arguments);
	va_end(arguments);
	for (size_t i = 0; i < document->n_remarks; i++)
		if (strcmp(document->remarks[i], remark) == 0)
			return;
	size_t capacity = document->n_remarks; /* Few: grows by one. */
	document->remarks = mem_grow(document->remarks, &capacity, document->n_remarks + 1,
				     sizeof(*document->remarks));
	document->remarks[document->n_remarks++] = KEEP(remark);
}

static bool has_values(const struct intake_document *document)
{
	for (size_t i = 0; i < document->n_series; i++)
		if (document->series[i].n > 0 || document->series[i].broken)
			return true;
	return false;
}

/* All formats are text. A NUL, or a control character beside bytes that are no UTF-8, is a file of
 * something else; a stray one alone is made printable. */
static int check_text(const char *bytes, size_t length, const char *path, struct error *err)
{
	const char *nul = length > 0 ? memchr(bytes, '\0', length) : NULL;
	const char *end = bytes + length;
	bool has_control = false;
	bool has_foreign = false;
	for (const char *at = bytes; at < end && !nul;) {
		const size_t n = text_utf8_length(at, end);
		has_control |= iscntrl((unsigned char)*at) && !isspace((unsigned char)*at);
		has_foreign |= n == 0 && !iscntrl((unsigned char)*at);
		at += n ? n : 1;
	}
	if (nul)
		return error_set(
			err, EINVAL,
			"%s is no text: byte %zu is NUL; UTF-16 must be turned into UTF-8, "
			"and what is packed be unpacked",
			path, (size_t)(nul - bytes) + 1);
	if (has_control && has_foreign)
		return error_set(err, EINVAL,
				 "%s is no text but a binary file; unpack it, or export its "
				 "numbers as text",
				 path);
	return 0;
}

int intake_parse(const char *bytes, size_t length, const char *path,
		 const struct intake_options *options, struct intake_document **ret_document,
		 struct error *err)
{
	AUTO(intake_document) struct intake_document *document = mem_zero(sizeof(*document));
	document->path = mem_text(path);
	const int no_text = check_text(bytes, length, path, err);
	if (no_text)
		return no_text;
	document->format = options->format ? options->format : intake_format_sniff(bytes, length);
	const int failed = document->format->parse(bytes, length, options, document, err);
	if (failed)
		return failed;
	if (!has_values(document))
		return error_set(err, EINVAL, "%s holds no numbers (read as %s)%s%.300s", path,
				 document->format->name, document->n_remarks ? ": " : "",
				 document->n_remarks ? document->remarks[0] : "");
	*ret_document = KEEP(document);
	return 0;
}

static int read_standard_input(char **ret_bytes, size_t *ret_length, struct error *err)
{
	AUTO(text_buffer) struct text all = { 0 };
	char chunk[1 << 16];
	for (;;) {
		const ssize_t got = read(STDIN_FILENO, chunk, sizeof(chunk));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, errno, "cannot read standard input");
		if (got == 0)
			break;
		text_add_bytes(&all, chunk, (size_t)got);
		if (all.length > INTAKE_BYTES_MAX)
			return error_set(err, EFBIG, "standard input is longer than %u bytes",
					 INTAKE_BYTES_MAX);
	}
	*ret_length = all.length;
	*ret_bytes = text_take(&all);
	return 0;
}

/* A file that is not there, or is no file of numbers, was named wrongly by the person. */
static int blame(int failed, struct error *err)
{
	if (failed != -ENOENT && failed != -EISDIR && failed != -EFBIG && failed != -ENOTDIR)
		return failed;
	err->code = EINVAL;
	return -EINVAL;
}

int intake_read(const char *path, const struct intake_options *options,
		struct intake_document **ret_document, struct error *err)
{
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	const bool is_standard_input = strcmp(path, "-") == 0;
	const int failed = is_standard_input ? read_standard_input(&bytes, &length, err)
					     : fs_read_whole_at(AT_FDCWD, path, INTAKE_BYTES_MAX,
								&bytes, &length, err);
	if (failed)
		return blame(failed, err);
	return intake_parse(bytes, length, is_standard_input ? "standard input" : path, options,
			    ret_document, err);
}
