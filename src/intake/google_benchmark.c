/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What google/benchmark writes with --benchmark_format=json: one entry a repetition of a benchmark,
 * with its time on the wall and on the CPU an iteration, and rates a second. Entries that summarise
 * (mean, median, stddev, cv) are left out: they are no runs. An entry with an error is a missing
 * value. The rates restate the times.
 */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "intake/format.h"
#include "intake/json_text.h"

#include <errno.h>
#include <string.h>

struct measure {
	const char *key;
	const char *unit; /* NULL: the entry's time_unit. */
	enum metric_better better;
	bool restated;
};

static const struct measure measures[] = {
	{ "real_time", NULL, BETTER_LOWER, false },
	{ "cpu_time", NULL, BETTER_LOWER, false },
	{ "bytes_per_second", "B/s", BETTER_HIGHER, true },
	{ "items_per_second", "items/s", BETTER_HIGHER, true },
};

/* Old versions know no run_type and tell by the name. */
static const char *const summary_endings[] = {
	"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"
};

static const char *string_of(const json_t *entry, const char *key)
{
	return json_string_value(json_object_get(entry, key));
}

static bool is_summary(const json_t *entry, const char *name)
{
	const char *type = string_of(entry, "run_type");
	if (type)
		return strcmp(type, "iteration") != 0;
	for (size_t i = 0; i < ARRAY_SIZE(summary_endings); i++)
		if (text_ends_with(name, summary_endings[i]))
			return true;
	return false;
}

static int add_measure(const json_t *entry, const char *name, const struct measure *measure,
		       struct intake_document *document, struct error *err)
{
	const json_t *json = json_object_get(entry, measure->key);
	const bool has_error = json_is_true(json_object_get(entry, "error_occurred"));
	const bool is_time = measure->unit == NULL;
	if (!json && !(has_error && is_time))
		return 0;
	struct value value = value_missing(MISSING_FAILED);
	if (!has_error && !json_text_value(json, &value))
		return error_set(err, EINVAL, "%s: %s of %.60s is %s, not a number", document->path,
				 measure->key, name, json_text_kind(json));
	const char *time_unit = string_of(entry, "time_unit");
	AUTO(text) char *full = mem_format("%s %s", name, measure->key);
	struct intake_series *series;
	const int failed = intake_series_at(
		document, full, is_time ? (time_unit ? time_unit : "ns") : measure->unit, NULL,
		&series, err);
	if (failed)
		return failed;
	series->better = measure->better;
	series->restated = measure->restated;
	return intake_add(document, series, value, 0, err);
}

static int add_entry(const json_t *entry, size_t index, struct intake_document *document,
		     struct error *err)
{
	const char *name = string_of(entry, "run_name");
	if (!name)
		name = string_of(entry, "name");
	if (!name)
		return error_set(err, EINVAL, "%s: benchmarks[%zu] has no \"name\"", document->path,
				 index);
	if (is_summary(entry, name)) {
		intake_remark(document, "%s: summaries are left out, they are no runs",
			      document->path);
		return 0;
	}
	if (json_is_true(json_object_get(entry, "error_occurred")))
		intake_remark(document, "%s: a repetition of '%.60s' ended with an error",
			      document->path, name);
	int failed = 0;
	for (size_t i = 0; i < ARRAY_SIZE(measures) && !failed; i++)
		failed = add_measure(entry, name, &measures[i], document, err);
	return failed;
}

static int parse(const char *bytes, size_t length, const struct intake_options *options,
		 struct intake_document *document, struct error *err)
{
	__attribute__((cleanup(auto_release_json_document))) json_t *root = NULL;
	int failed = json_text_parse(bytes, length, document->path, &root, err);
	const json_t *benchmarks = json_object_get(root, "benchmarks");
	if (!failed && !json_is_array(benchmarks))
		return error_set(err, EINVAL,
				 "%s: no array \"benchmarks\", so it is no google-benchmark file",
				 document->path);
	for (size_t i = 0; i < json_array_size(benchmarks) && !failed; i++)
		failed = add_entry(json_array_get(benchmarks, i), i, document, err);
	return failed;
}

static bool sniff(const char *bytes, size_t length)
{
	return json_text_begins(bytes, length, '{') &&
	       json_text_names(bytes, length, "benchmarks") &&
	       (json_text_names(bytes, length, "real_time") ||
		json_text_names(bytes, length, "context"));
}

const struct intake_format intake_google_benchmark = {
	.name = "google-benchmark",
	.what = "what google/benchmark writes with --benchmark_format=json",
	.sniff = sniff,
	.parse = parse,
};
