/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `hyperfine --export-json` writes: for each command the wall-clock time of each of its runs,
 * in seconds. Runs that ended with a code other than 0 are missing values, which is remarked upon:
 * hyperfine keeps their times only when it was told to ignore failures.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "intake/format.h"
#include "intake/json_text.h"

#include <errno.h>

static bool has_failed(const json_t *code)
{
	return json_is_number(code) && json_number_value(code) != 0.0;
}

static void remark_failures(const json_t *result, const char *command,
			    struct intake_document *document)
{
	const json_t *codes = json_object_get(result, "exit_codes");
	size_t failures = 0;
	for (size_t i = 0; i < json_array_size(codes); i++)
		failures += has_failed(json_array_get(codes, i));
	if (failures)
		intake_remark(document,
			      "%s: %zu of %zu runs of '%.60s' ended with an error and are left out",
			      document->path, failures, json_array_size(codes), command);
}

static int add_times(const json_t *result, size_t index, struct intake_series *series,
		     const struct intake_document *document, struct error *err)
{
	const json_t *times = json_object_get(result, "times");
	const json_t *codes = json_object_get(result, "exit_codes");
	int failed = 0;
	for (size_t i = 0; i < json_array_size(times) && !failed; i++) {
		const json_t *time = json_array_get(times, i);
		struct value value;
		if (!json_text_value(time, &value))
			return error_set(err, EINVAL,
					 "%s: results[%zu].times[%zu] is %s, not a number",
					 document->path, index, i, json_text_kind(time));
		if (has_failed(json_array_get(codes, i)))
			value = value_missing(MISSING_FAILED);
		failed = intake_add(document, series, value, 0, err);
	}
	return failed;
}

static int add_result(const json_t *result, size_t index, struct intake_document *document,
		      struct error *err)
{
	const char *command = json_string_value(json_object_get(result, "command"));
	const json_t *times = json_object_get(result, "times");
	if (!command)
		return error_set(err, EINVAL, "%s: results[%zu] has no \"command\"", document->path,
				 index);
	if (!json_is_array(times))
		return error_set(err, EINVAL,
				 "%s: results[%zu] has no \"times\", only a summary; a summary of "
				 "runs cannot be judged",
				 document->path, index);
	/* One command may stand twice: measured twice, it is two series. */
	AUTO(text)
	char *again = intake_series_find(document, command)
			      ? mem_format("%s (result %zu)", command, index + 1)
			      : mem_text(command);
	struct intake_series *series;
	const int failed = intake_series_at(document, again, "s", NULL, &series, err);
	if (failed)
		return failed;
	series->better = BETTER_LOWER;
	remark_failures(result, command, document);
	return add_times(result, index, series, document, err);
}

static int parse(const char *bytes, size_t length, const struct intake_options *options,
		 struct intake_document *document, struct error *err)
{
	__attribute__((cleanup(auto_release_json_document))) json_t *root = NULL;
	int failed = json_text_parse(bytes, length, document->path, &root, err);
	const json_t *results = json_object_get(root, "results");
	if (!failed && !json_is_array(results))
		return error_set(err, EINVAL,
				 "%s: no array \"results\", so it is no hyperfine file",
				 document->path);
	for (size_t i = 0; i < json_array_size(results) && !failed; i++)
		failed = add_result(json_array_get(results, i), i, document, err);
	return failed;
}

static bool sniff(const char *bytes, size_t length)
{
	return json_text_begins(bytes, length, '{') && json_text_names(bytes, length, "results") &&
	       json_text_names(bytes, length, "command");
}

const struct intake_format intake_hyperfine = {
	.name = "hyperfine",
	.what = "what `hyperfine --export-json` writes",
	.holds_sides = "time",
	.sniff = sniff,
	.parse = parse,
};
