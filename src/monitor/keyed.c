/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of lines "key value". See keyed.h. */
#include "monitor/keyed.h"

#include "base/auto.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEFORE_BYTES_MAX 32U

static_assert(BEFORE_BYTES_MAX + KEYED_NAME_BYTES_MAX + 1 <= SOURCE_MARGIN_BYTES,
	      "a comparison with a key stays inside the buffer");

/* The key that a line begins with, or false when the line has another form. */
static bool line_key(const char *line, const char *end, const char *before, char separator,
		     const char **ret_name, size_t *ret_length)
{
	const size_t before_length = strlen(before);
	if ((size_t)(end - line) < before_length || memcmp(line, before, before_length) != 0)
		return false;
	const char *const name = line + before_length;
	const char *at = name;
	while (at < end && *at != separator) {
		if (*at <= ' ' || *at >= 0x7f)
			return false;
		at++;
	}
	const size_t length = (size_t)(at - name);
	if (at == end || length == 0 || length > KEYED_NAME_BYTES_MAX)
		return false;
	*ret_name = name;
	*ret_length = length;
	return true;
}

static bool is_kib(const char *value)
{
	uint64_t number;
	return source_number(&value, &number) && strncmp(value, " kB", 3) == 0;
}

static void learn_line(struct keyed *keyed, const char *line, const char *end, const char *before,
		       char separator, size_t *capacity)
{
	const char *name;
	size_t length;
	if (!line_key(line, end, before, separator, &name, &length))
		return;
	AUTO(text) char *copy = mem_text_n(name, length);
	if (keyed_find(keyed, copy, 0) >= 0)
		return;
	keyed->keys = mem_grow(keyed->keys, capacity, keyed->n_keys + 1, sizeof(*keyed->keys));
	const char *const behind = name + length + 1;
	keyed->keys[keyed->n_keys++] = (struct key) {
		.name = KEEP(copy),
		.text = mem_text_n(line, (size_t)(behind - line)),
		.length = (uint32_t)(behind - line),
		.kib = is_kib(behind),
	};
}

int keyed_open(struct keyed *keyed, int root_fd, const char *path, const char *before,
	       char separator, struct error *err)
{
	assert(strlen(before) <= BEFORE_BYTES_MAX);
	*keyed = (struct keyed) { .source = { .fd = -1 } };
	const int failed = source_open(&keyed->source, root_fd, path, err);
	if (failed)
		return failed;
	const char *const end = keyed->source.bytes + keyed->source.length;
	const char *line = keyed->source.bytes;
	size_t capacity = 0;
	while (line < end && keyed->n_keys < KEYED_KEYS_MAX) {
		const char *const next = source_next_line(line, end);
		learn_line(keyed, line, next, before, separator, &capacity);
		line = next;
	}
	if (keyed->n_keys == 0) {
		keyed_done(keyed);
		return error_set(err, ENODATA, "'%s' has no line of a key and a value", path);
	}
	return 0;
}

void keyed_done(struct keyed *keyed)
{
	for (uint32_t i = 0; i < keyed->n_keys; i++) {
		free(keyed->keys[i].name);
		free(keyed->keys[i].text);
	}
	free(keyed->keys);
	source_done(&keyed->source);
	*keyed = (struct keyed) { .source = { .fd = -1 } };
}

int keyed_find(const struct keyed *keyed, const char *name, uint32_t expected)
{
	if (expected < keyed->n_keys && strcmp(keyed->keys[expected].name, name) == 0)
		return (int)expected;
	for (uint32_t i = 0; i < keyed->n_keys; i++) {
		if (strcmp(keyed->keys[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

/* Declares one key; gives its channel. */
static uint32_t declare_key(struct key *key, struct monitor_setup *setup, const char *prefix,
			    keyed_describe *describe)
{
	char name[METRIC_NAME_BYTES];
	(void)snprintf(name, sizeof(name), "%s%s", prefix, key->name);
	struct metric metric = { .name = name, .what = "", .role = ROLE_EVIDENCE };
	describe(key, &metric);
	assert(metric.kind == METRIC_COUNTER || metric.kind == METRIC_GAUGE);
	key->counter = metric.kind == METRIC_COUNTER;
	const uint32_t channel = monitor_channel(
		setup, name, key->counter ? CHANNEL_COUNTER : CHANNEL_GAUGE, key->counter ? 64 : 0);
	monitor_rule(setup, &(const struct metric_rule) {
				    .metric = metric,
				    .scale = 1,
				    .parts = &channel,
				    .n_parts = 1,
			    });
	return channel;
}

void keyed_declare(struct keyed *keyed, struct monitor_setup *setup, const char *prefix,
		   keyed_describe *describe)
{
	for (uint32_t i = 0; i < keyed->n_keys; i++) {
		const uint32_t channel = declare_key(&keyed->keys[i], setup, prefix, describe);
		if (i == 0)
			keyed->first_channel = channel;
		assert(channel == keyed->first_channel + i);
	}
}

static inline bool begins(const char *line, const struct key *key)
{
	return memcmp(line, key->text, key->length) == 0;
}

/* Place of the line's key, looked for behind the expected place first; n_keys when it has none. */
static uint32_t search(const struct keyed *keyed, const char *line, uint32_t expected)
{
	for (uint32_t step = 1; step <= keyed->n_keys; step++) {
		const uint32_t place = (expected + step) % keyed->n_keys;
		if (begins(line, &keyed->keys[place]))
			return place;
	}
	return keyed->n_keys;
}

static inline struct reading read_value(const char **at, bool counter)
{
	uint64_t number;
	if (UNLIKELY(!source_number(at, &number)))
		return reading_missing(MISSING_MALFORMED);
	return counter ? reading_count(number) : reading_level((double)number);
}

static void fill_missing(const struct keyed *keyed, struct reading *readings, enum missing why)
{
	for (uint32_t i = 0; i < keyed->n_keys; i++)
		readings[i] = reading_missing(why);
}

void keyed_sample(struct keyed *keyed, struct reading *readings)
{
	readings += keyed->first_channel;
	const enum missing why = source_read(&keyed->source);
	fill_missing(keyed, readings, why == MISSING_NOT ? MISSING_ABSENT : why);
	const char *const end = keyed->source.bytes + keyed->source.length;
	const char *line = keyed->source.bytes;
	uint32_t expected = 0;
	while (line < end) {
		uint32_t place = expected;
		if (UNLIKELY(!begins(line, &keyed->keys[place])))
			place = search(keyed, line, expected);
		if (LIKELY(place < keyed->n_keys)) {
			const struct key *const key = &keyed->keys[place];
			line += key->length;
			if (readings[place].state == VALUE_MISSING)
				readings[place] = read_value(&line, key->counter);
			expected = place + 1 < keyed->n_keys ? place + 1 : 0;
		}
		line = LIKELY(*line == '\n') ? line + 1 : source_next_line(line, end);
	}
}
