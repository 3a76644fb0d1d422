/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON texts of the store. Numbers of 64 bits keep their bits: JSON's integers here are signed, so
 * a number above 2^63 stands as a negative one.
 */
#include "store/document.h"

#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DUMP_FLAGS (JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY)

static json_t *hex_string(const char *text)
{
	struct text hex = { 0 };

	for (const char *at = text; *at; at++)
		text_add(&hex, "%02x", (unsigned char)*at);

	AUTO(text) char *digits = text_take(&hex);

	return json_pack("{s:s}", "hex", digits);
}

json_t *document_string(const char *text)
{
	if (!text)
		return json_null();
	json_t *plain = json_string(text);

	return plain ? plain : hex_string(text);
}

static int hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return -1;
}

static bool hex_back(const char *digits, char **ret_text)
{
	const size_t length = strlen(digits) / 2;
	AUTO(text) char *text = mem_zero(length + 1);

	if (strlen(digits) % 2 != 0)
		return false;
	for (size_t i = 0; i < length; i++) {
		const int high = hex_digit(digits[2 * i]);
		const int low = hex_digit(digits[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		text[i] = (char)(high << 4 | low);
	}
	*ret_text = KEEP(text);
	return true;
}

bool document_string_back(const json_t *json, char **ret_text)
{
	if (json_is_null(json)) {
		*ret_text = NULL;
		return true;
	}
	if (json_is_string(json)) {
		*ret_text = mem_text(json_string_value(json));
		return true;
	}
	const char *digits = json_string_value(json_object_get(json, "hex"));

	return digits && hex_back(digits, ret_text);
}

char *document_dump(json_t *json)
{
	char *text = json_dumps(json, DUMP_FLAGS);

	assert(text); /* Everything in it was made here. */
	json_decref(json);
	return text;
}

static json_t *number(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static void set(json_t *object, const char *key, json_t *value)
{
	int rc = json_object_set_new(object, key, value);

	assert(rc == 0);
	(void)rc;
}

static void append(json_t *array, json_t *value)
{
	int rc = json_array_append_new(array, value);

	assert(rc == 0);
	(void)rc;
}

static json_t *arguments_make(const struct job *job)
{
	json_t *arguments = json_array();

	for (size_t i = 0; i < job->n_arguments; i++) {
		json_t *one = json_object();

		set(one, "name", document_string(job->arguments[i].name));
		set(one, "value", document_string(job->arguments[i].value));
		set(one, "text", document_string(job->arguments[i].text));
		append(arguments, one);
	}
	return arguments;
}

static json_t *settings_make(const struct job *job)
{
	json_t *settings = json_array();

	for (size_t i = 0; i < job->n_settings; i++) {
		json_t *one = json_object();

		set(one, "kind", json_string(setting_kind_text(job->settings[i].kind)));
		set(one, "key", document_string(job->settings[i].key));
		set(one, "value", document_string(job->settings[i].value));
		append(settings, one);
	}
	return settings;
}

char *document_job(const struct job *job)
{
	json_t *document = json_object();
	json_t *monitors = json_array();

	for (size_t i = 0; i < job->n_monitors; i++)
		append(monitors, document_string(job->monitors[i]));
	set(document, "workload", document_string(job->workload));
	set(document, "semantics", number(job->semantics));
	set(document, "arguments", arguments_make(job));
	set(document, "subject", document_string(job->subject));
	set(document, "settings", settings_make(job));
	set(document, "monitors", monitors);
	set(document, "interval_ns", number(job->interval_ns));
	set(document, "time_limit_ns", number(job->time_limit_ns));
	set(document, "place", document_string(job->place));
	set(document, "point", document_string(job->point));
	return document_dump(document);
}

static json_t *load(const char *text, const char *what, struct error *err)
{
	json_error_t where;
	json_t *document = text ? json_loads(text, 0, &where) : NULL;

	if (!document)
		(void)error_set(err, EBADMSG, "damaged text of %s: %s", what,
				text ? where.text : "it is not there");
	return document;
}

/* Strings of an object into members; false when one is of the wrong type. */
static bool strings_back(const json_t *object, const char *const *keys, char **const *members,
			 size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!document_string_back(json_object_get(object, keys[i]), members[i]))
			return false;
	return true;
}

static bool number_back(const json_t *object, const char *key, uint64_t *ret_number)
{
	const json_t *json = json_object_get(object, key);

	if (!json_is_integer(json))
		return false;
	*ret_number = (uint64_t)json_integer_value(json);
	return true;
}

static bool arguments_back(const json_t *arguments, struct job *job)
{
	static const char *const keys[] = { "name", "value", "text" };

	if (!json_is_array(arguments))
		return false;
	job->n_arguments = json_array_size(arguments);
	job->arguments = mem_array(job->n_arguments, sizeof(*job->arguments));
	for (size_t i = 0; i < job->n_arguments; i++) {
		struct argument *argument = &job->arguments[i];
		char **const members[] = { &argument->name, &argument->value, &argument->text };

		if (!strings_back(json_array_get(arguments, i), keys, members, ARRAY_SIZE(keys)) ||
		    !argument->name)
			return false;
	}
	return true;
}

static bool settings_back(const json_t *settings, struct job *job)
{
	static const char *const keys[] = { "key", "value" };

	if (!json_is_array(settings))
		return false;
	job->n_settings = json_array_size(settings);
	job->settings = mem_array(job->n_settings, sizeof(*job->settings));
	for (size_t i = 0; i < job->n_settings; i++) {
		const json_t *one = json_array_get(settings, i);
		const char *kind = json_string_value(json_object_get(one, "kind"));
		struct setting *setting = &job->settings[i];
		char **const members[] = { &setting->key, &setting->value };

		if (!kind || !strings_back(one, keys, members, ARRAY_SIZE(keys)))
			return false;
		setting->kind = setting_kind_find(kind);
		if (setting->kind == SETTING_KIND_COUNT)
			return false;
	}
	return true;
}

static bool monitors_back(const json_t *monitors, struct job *job)
{
	if (!json_is_array(monitors))
		return false;
	job->n_monitors = json_array_size(monitors);
	job->monitors = mem_array(job->n_monitors, sizeof(*job->monitors));
	for (size_t i = 0; i < job->n_monitors; i++)
		if (!document_string_back(json_array_get(monitors, i), &job->monitors[i]))
			return false;
	return true;
}

int document_job_back(const char *text, struct job **ret_job, struct error *err)
{
	static const char *const keys[] = { "workload", "subject", "place", "point" };
	AUTO(json) json_t *document = load(text, "a job", err);

	if (!document)
		return -EBADMSG;

	AUTO(job) struct job *job = job_new();
	char **const members[] = { &job->workload, &job->subject, &job->place, &job->point };
	uint64_t semantics = 0;

	if (!strings_back(document, keys, members, ARRAY_SIZE(keys)) || !job->workload ||
	    !job->subject || !number_back(document, "semantics", &semantics) ||
	    !number_back(document, "interval_ns", &job->interval_ns) ||
	    !number_back(document, "time_limit_ns", &job->time_limit_ns) ||
	    !arguments_back(json_object_get(document, "arguments"), job) ||
	    !settings_back(json_object_get(document, "settings"), job) ||
	    !monitors_back(json_object_get(document, "monitors"), job))
		return error_set(err, EBADMSG, "damaged text of a job");
	job->semantics = (uint32_t)semantics;
	*ret_job = KEEP(job);
	return 0;
}

char *document_channels(const struct series *series)
{
	json_t *channels = json_array();

	for (uint32_t i = 0; i < series->n_channels; i++) {
		json_t *one = json_array();

		append(one, document_string(series->channels[i].name));
		append(one, number(series->channels[i].kind));
		append(one, number(series->channels[i].width_bits));
		append(channels, one);
	}
	return document_dump(channels);
}

static bool channel_back(const json_t *json, struct channel *channel)
{
	const json_t *kind_json = json_array_get(json, 1);
	const json_t *width_json = json_array_get(json, 2);
	const json_int_t kind = json_integer_value(kind_json);
	const json_int_t width = json_integer_value(width_json);
	char *name = NULL;

	if (!json_is_integer(kind_json) || !json_is_integer(width_json) || kind < CHANNEL_COUNTER ||
	    kind > CHANNEL_GAUGE || width < 0 || width > 64 ||
	    !document_string_back(json_array_get(json, 0), &name))
		return false;
	channel->name = name;
	channel->kind = (enum channel_kind)kind;
	channel->width_bits = (uint8_t)width;
	return true;
}

int document_channels_back(const char *text, struct series *series, struct error *err)
{
	AUTO(json) json_t *channels = load(text, "a set of channels", err);

	if (!channels)
		return -EBADMSG;
	if (!json_is_array(channels) || json_array_size(channels) > CHANNELS_PER_MONITOR_MAX)
		return error_set(err, EBADMSG, "damaged text of a set of channels");

	series->channels = mem_array(json_array_size(channels), sizeof(*series->channels));
	for (; series->n_channels < json_array_size(channels); series->n_channels++)
		if (!channel_back(json_array_get(channels, series->n_channels),
				  &series->channels[series->n_channels]))
			return error_set(err, EBADMSG, "damaged text of channel %u",
					 series->n_channels);
	return 0;
}

char *document_phases(const struct run *run)
{
	json_t *phases = json_array();

	for (size_t i = 0; i < PHASE_COUNT; i++)
		append(phases, number(run->phase_ns[i]));
	return document_dump(phases);
}

int document_phases_back(const char *text, struct run *run, struct error *err)
{
	AUTO(json) json_t *phases = load(text, "phases", err);

	if (!phases)
		return -EBADMSG;
	for (size_t i = 0; i < PHASE_COUNT; i++) {
		const json_t *one = json_array_get(phases, i);

		if (!json_is_integer(one))
			return error_set(err, EBADMSG, "damaged text of phases");
		run->phase_ns[i] = (uint64_t)json_integer_value(one);
	}
	return 0;
}
