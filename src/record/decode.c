/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One function a frame type; a table at the end says which. See decode.h. */
#include "record/decode.h"

#include "base/macros.h"
#include "base/mem.h"
#include "record/cursor.h"
#include "record/frame.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHANNEL_GAP_MAX 4096U /* Channels that may be lost in a row; limits what one frame costs. */
#define FRAME_CHARGE 256U     /* What a small frame may make us keep beside its own bytes. */

struct decoded *decoded_new(void)
{
	struct decoded *decoded = mem_zero(sizeof(*decoded));
	decoded->run = run_new();
	decoded->prefix = mem_text("");
	return decoded;
}

static void monitor_done(struct decoded_monitor *monitor)
{
	for (size_t i = 0; i < monitor->n_rules; i++) {
		cursor_metric_done(&monitor->rules[i].metric);
		mem_free_const(monitor->rules[i].parts);
		mem_free_const(monitor->rules[i].whole);
	}
	for (uint32_t i = 0; i < monitor->series.n_channels; i++)
		mem_free_const(monitor->series.channels[i].name);
	free(monitor->rules);
	free(monitor->series.channels);
	free(monitor->series.times_ns);
	free(monitor->series.readings);
	free(monitor->has_channel);
	free(monitor->name);
	free(monitor->absent_reason);
}

void decoded_free(struct decoded *decoded)
{
	if (!decoded)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(decoded->monitors); i++)
		monitor_done(&decoded->monitors[i]);
	run_free(decoded->run);
	free(decoded->prefix);
	text_done(&decoded->log);
	free(decoded);
}

/* Books what is going to be kept; false when the stream has had its share. */
static bool charge(struct decoded *decoded, uint64_t bytes)
{
	if (bytes > DECODE_MEMORY_MAX - decoded->memory)
		return false;
	decoded->memory += bytes;
	return true;
}

static void replace(char **owned, char *text)
{
	free(*owned);
	*owned = text;
}

/* The monitor that a frame speaks of; NULL when it was never declared. */
static struct decoded_monitor *monitor_of(struct decoded *decoded, struct cursor *cursor)
{
	const uint32_t id = cursor_u32(cursor);
	if (cursor->is_bad || id >= WIRE_MONITORS_MAX)
		return NULL;
	if (!decoded->monitors[id].is_declared) {
		decoded->has_lost_monitor = true;
		return NULL;
	}
	return &decoded->monitors[id];
}

static enum decode_result take_hello(struct decoded *decoded, struct cursor *cursor,
				     struct error *err)
{
	const uint32_t version = cursor_u32(cursor);
	if (!cursor->is_bad && version > WIRE_VERSION) {
		error_set(err, EBADMSG,
			  "record stream of format version %u, and this assay reads up to %u: "
			  "use a newer assay",
			  version, (unsigned)WIRE_VERSION);
		return DECODE_NEWER;
	}
	const uint32_t semantics = cursor_u32(cursor);
	const uint64_t started_wall_ns = cursor_u64(cursor);
	const struct span probe_version = cursor_text(cursor, FRAME_NAME_MAX);
	const struct span workload = cursor_text(cursor, FRAME_NAME_MAX);
	const struct span prefix = cursor_text(cursor, FRAME_NAME_MAX);
	const struct span isolation = cursor_text(cursor, FRAME_NAME_MAX);
	if (cursor->is_bad || version == 0 || decoded->has_hello)
		return DECODE_MALFORMED;
	decoded->has_hello = true;
	decoded->run->semantics = semantics;
	decoded->run->started_wall_ns = started_wall_ns;
	replace(&decoded->run->probe_version, span_copy_printable(probe_version));
	replace(&decoded->run->workload, span_copy_printable(workload));
	replace(&decoded->run->isolation, span_copy_printable(isolation));
	replace(&decoded->prefix, span_copy_printable(prefix));
	return DECODE_TAKEN;
}

/* A reason of a later version of the list is one that we cannot name. */
static enum missing reason_of(unsigned state, unsigned why)
{
	if (state != VALUE_MISSING)
		return MISSING_NOT;
	return why == MISSING_NOT || why >= MISSING_COUNT ? MISSING_MALFORMED : (enum missing)why;
}

static enum decode_result take_fact(struct decoded *decoded, struct cursor *cursor,
				    struct error *err)
{
	const unsigned state = cursor_u8(cursor);
	const unsigned why = cursor_u8(cursor);
	const struct span name = cursor_name(cursor, FRAME_NAME_MAX);
	const struct span text = cursor_text(cursor, FRAME_TEXT_MAX);
	if (cursor->is_bad || state >= VALUE_STATE_COUNT)
		return DECODE_MALFORMED;
	AUTO(text) char *own_name = span_copy(name);
	AUTO(text) char *own_text = span_copy_printable(text);
	run_fact_add(decoded->run, own_name, (enum value_state)state, reason_of(state, why),
		     own_text);
	return DECODE_TAKEN;
}

static enum decode_result take_monitor(struct decoded *decoded, struct cursor *cursor,
				       struct error *err)
{
	const uint32_t id = cursor_u32(cursor);
	const bool is_open = cursor_u8(cursor);
	const struct span name = cursor_name(cursor, FRAME_MONITOR_NAME_MAX);
	const struct span reason = cursor_text(cursor, FRAME_LINE_MAX);
	if (cursor->is_bad || id >= WIRE_MONITORS_MAX || decoded->monitors[id].is_declared)
		return DECODE_MALFORMED;
	struct decoded_monitor *monitor = &decoded->monitors[id];
	monitor->is_declared = true;
	monitor->name = span_copy(name);
	monitor->absent_reason = is_open ? NULL : span_copy_printable(reason);
	return DECODE_TAKEN;
}

/* Makes room for `n` channels; those between the old and the new end are not declared yet. */
static bool widen(struct decoded *decoded, struct decoded_monitor *monitor, uint32_t n)
{
	struct series *series = &monitor->series;
	if (n <= series->n_channels)
		return true;
	const uint32_t added = n - series->n_channels;
	if (!charge(decoded, added * (uint64_t)(sizeof(struct channel) + sizeof(bool))))
		return false;
	size_t capacity = monitor->channels_capacity;
	series->channels = mem_grow(series->channels, &capacity, n, sizeof(*series->channels));
	monitor->has_channel = mem_grow(monitor->has_channel, &monitor->channels_capacity, n,
					sizeof(*monitor->has_channel));
	memset(series->channels + series->n_channels, 0, added * sizeof(*series->channels));
	memset(monitor->has_channel + series->n_channels, 0, added * sizeof(bool));
	series->n_channels = n;
	return true;
}

static bool is_channel_sane(unsigned kind, unsigned width)
{
	return kind == CHANNEL_GAUGE || (kind == CHANNEL_COUNTER && (width == 32 || width == 64));
}

static enum decode_result take_channel(struct decoded *decoded, struct cursor *cursor,
				       struct error *err)
{
	struct decoded_monitor *monitor = monitor_of(decoded, cursor);
	const uint32_t index = cursor_u32(cursor);
	const unsigned kind = cursor_u8(cursor);
	const unsigned width = cursor_u8(cursor);
	const struct span name = cursor_name(cursor, FRAME_NAME_MAX);
	if (cursor->is_bad || !monitor || monitor->is_width_fixed || !is_channel_sane(kind, width))
		return DECODE_MALFORMED;
	if (index >= CHANNELS_PER_MONITOR_MAX ||
	    index > monitor->series.n_channels + CHANNEL_GAP_MAX ||
	    !widen(decoded, monitor, index + 1) || monitor->has_channel[index])
		return DECODE_MALFORMED;
	monitor->has_channel[index] = true;
	monitor->series.channels[index] = (struct channel) {
		.name = span_copy(name),
		.kind = (enum channel_kind)kind,
		.width_bits = kind == CHANNEL_COUNTER ? (uint8_t)width : 0,
	};
	return DECODE_TAKEN;
}

/* Channel indexes, ascending; a new array, NULL when there are none or the cursor is bad. */
static uint32_t *take_indexes(struct cursor *cursor, uint32_t *ret_n)
{
	*ret_n = 0;
	const uint32_t n = cursor_u32(cursor);
	if (cursor->is_bad || n > (size_t)(cursor->end - cursor->at) / sizeof(uint32_t)) {
		cursor->is_bad = true;
		return NULL;
	}
	uint32_t *indexes = n ? mem_array(n, sizeof(*indexes)) : NULL;
	for (uint32_t i = 0; i < n; i++) {
		indexes[i] = cursor_u32(cursor);
		if (indexes[i] >= CHANNELS_PER_MONITOR_MAX || (i && indexes[i] <= indexes[i - 1]))
			cursor->is_bad = true;
	}
	*ret_n = n;
	return indexes;
}

/* Does the rule name as many channels as its kind can be made from? */
static bool is_rule_sane(const struct metric_rule *rule)
{
	switch (rule->metric.kind) {
	case METRIC_COUNTER:
	case METRIC_RATE:
	case METRIC_GAUGE:
		return rule->n_parts > 0;
	case METRIC_SHARE:
		return rule->n_parts > 0 && rule->n_whole > 0;
	case METRIC_MAXIMUM:
	case METRIC_LAST:
	case METRIC_SETTLED:
		return rule->n_parts == 1;
	case METRIC_SCORE:
	case METRIC_KIND_COUNT:
		break;
	}
	return false;
}

static enum decode_result take_rule(struct decoded *decoded, struct cursor *cursor,
				    struct error *err)
{
	struct decoded_monitor *monitor = monitor_of(decoded, cursor);
	struct metric_rule rule = { .metric = cursor_metric(cursor) };
	rule.scale = cursor_f64(cursor);
	rule.parts = take_indexes(cursor, &rule.n_parts);
	rule.whole = take_indexes(cursor, &rule.n_whole);
	if (cursor->is_bad || !monitor || monitor->n_rules == DECODE_RULES_MAX ||
	    !is_rule_sane(&rule)) {
		cursor_metric_done(&rule.metric);
		mem_free_const(rule.parts);
		mem_free_const(rule.whole);
		return DECODE_MALFORMED;
	}
	monitor->rules = mem_grow(monitor->rules, &monitor->rules_capacity, monitor->n_rules + 1,
				  sizeof(*monitor->rules));
	monitor->rules[monitor->n_rules++] = rule;
	return DECODE_TAKEN;
}

static enum decode_result take_phase(struct decoded *decoded, struct cursor *cursor,
				     struct error *err)
{
	const uint32_t phase = cursor_u32(cursor);
	const uint64_t at_ns = cursor_u64(cursor);
	if (cursor->is_bad || phase >= PHASE_COUNT || at_ns == 0 || decoded->run->phase_ns[phase])
		return DECODE_MALFORMED;
	decoded->run->phase_ns[phase] = at_ns;
	if (phase > decoded->phase)
		decoded->phase = (enum phase)phase;
	return DECODE_TAKEN;
}

static struct reading take_reading(struct cursor *cursor, const struct channel *channel)
{
	const unsigned tag = cursor_u8(cursor);
	const unsigned state = tag & FRAME_STATE_MASK;
	if (state == VALUE_KNOWN) {
		struct reading reading = reading_count(cursor_u64(cursor));
		if (channel->kind == CHANNEL_GAUGE && !isfinite(reading.level))
			reading = reading_missing(MISSING_MALFORMED);
		return reading;
	}
	if (state >= VALUE_STATE_COUNT)
		cursor->is_bad = true;
	const enum missing why = reason_of(state, tag >> FRAME_STATE_BITS);
	return (struct reading) { .state = (uint8_t)state, .why = (uint8_t)why };
}

/* The first sample says how many channels there are: the frames of the last ones may be lost. */
static bool fits_width(struct decoded *decoded, struct decoded_monitor *monitor, uint32_t n)
{
	if (monitor->is_width_fixed || n < monitor->series.n_channels)
		return n == monitor->series.n_channels;
	if (n > CHANNELS_PER_MONITOR_MAX || !widen(decoded, monitor, n))
		return false;
	monitor->is_width_fixed = true;
	return true;
}

/* Reads one row behind the last; it counts only when all of it could be read. */
static bool take_row(struct cursor *cursor, struct decoded_monitor *monitor)
{
	struct series *series = &monitor->series;
	const size_t used = (size_t)series->n_samples * series->n_channels;
	series->readings = mem_grow(series->readings, &monitor->readings_capacity,
				    used + series->n_channels, sizeof(*series->readings));
	for (uint32_t i = 0; i < series->n_channels; i++) {
		const struct reading reading = take_reading(cursor, &series->channels[i]);
		/* Without its channel's frame nobody knows what the reading is. */
		series->readings[used + i] =
			monitor->has_channel[i] ? reading : reading_missing(MISSING_TORN);
	}
	return !cursor->is_bad;
}

/* Notes which samples before this one did not come. */
static void note_number(struct decoded_monitor *monitor, uint32_t number)
{
	if (monitor->next_number == 0)
		monitor->has_first = number == 0;
	else if (number > monitor->next_number)
		monitor->has_hole = true;
	monitor->next_number = number + 1;
}

static enum decode_result take_sample(struct decoded *decoded, struct cursor *cursor,
				      struct error *err)
{
	struct decoded_monitor *monitor = monitor_of(decoded, cursor);
	const uint32_t number = cursor_u32(cursor);
	const uint64_t at_ns = cursor_u64(cursor);
	const uint32_t n = cursor_u32(cursor);
	/* A reading takes at least a byte: so a short frame cannot ask for a long row. */
	if (cursor->is_bad || !monitor || n > (size_t)(cursor->end - cursor->at))
		return DECODE_MALFORMED;
	struct series *series = &monitor->series;
	const uint64_t before_ns = series->n_samples ? series->times_ns[series->n_samples - 1] : 0;
	if (number < monitor->next_number || number == UINT32_MAX || at_ns < before_ns)
		return DECODE_MALFORMED;
	if (!fits_width(decoded, monitor, n))
		return DECODE_MALFORMED;
	if (!charge(decoded, sizeof(uint64_t) + n * (uint64_t)sizeof(struct reading))) {
		monitor->is_cut = true;
		return DECODE_TAKEN;
	}
	if (!take_row(cursor, monitor))
		return DECODE_MALFORMED;
	series->times_ns = mem_grow(series->times_ns, &monitor->samples_capacity,
				    (size_t)series->n_samples + 1, sizeof(*series->times_ns));
	series->times_ns[series->n_samples++] = at_ns;
	note_number(monitor, number);
	return DECODE_TAKEN;
}

static enum decode_result take_score(struct decoded *decoded, struct cursor *cursor,
				     struct error *err)
{
	struct metric metric = cursor_metric(cursor);
	const struct value value = value_unpack(cursor_u64(cursor));
	const bool is_taken = !cursor->is_bad;
	if (is_taken)
		run_metric_add(decoded->run, &metric, value);
	cursor_metric_done(&metric);
	return is_taken ? DECODE_TAKEN : DECODE_MALFORMED;
}

static enum decode_result take_worker(struct decoded *decoded, struct cursor *cursor,
				      struct error *err)
{
	const uint32_t index = cursor_u32(cursor);
	const uint64_t operations = cursor_u64(cursor);
	const uint64_t elapsed_ns = cursor_u64(cursor);
	if (cursor->is_bad || index >= WIRE_WORKERS_MAX)
		return DECODE_MALFORMED;
	struct run *run = decoded->run;
	if (index >= run->n_workers) {
		run->workers = mem_grow(run->workers, &decoded->workers_capacity, (size_t)index + 1,
					sizeof(*run->workers));
		memset(run->workers + run->n_workers, 0,
		       (index + 1 - run->n_workers) * sizeof(*run->workers));
		run->n_workers = (size_t)index + 1;
	}
	struct worker *worker = &run->workers[index];
	if (worker->elapsed_ns || worker->operations)
		return DECODE_MALFORMED;
	decoded->workers_came++;
	*worker = (struct worker) { .operations = operations, .elapsed_ns = elapsed_ns };
	return DECODE_TAKEN;
}

static enum decode_result take_cost(struct decoded *decoded, struct cursor *cursor,
				    struct error *err)
{
	struct decoded_monitor *monitor = monitor_of(decoded, cursor);
	const uint32_t sent = cursor_u32(cursor);
	const uint64_t samples = cursor_u64(cursor);
	const uint64_t cpu_ns = cursor_u64(cursor);
	if (cursor->is_bad || !monitor || monitor->has_cost)
		return DECODE_MALFORMED;
	monitor->has_cost = true;
	monitor->sent = sent;
	monitor->samples = samples;
	monitor->cpu_ns = cpu_ns;
	return DECODE_TAKEN;
}

static enum decode_result take_log(struct decoded *decoded, struct cursor *cursor,
				   struct error *err)
{
	const size_t length = (size_t)(cursor->end - cursor->at);
	const size_t room = DECODE_LOG_BYTES_MAX - decoded->log.length;
	text_add_bytes(&decoded->log, (const char *)cursor->at, length < room ? length : room);
	if (length > room)
		decoded->is_log_cut = true;
	return DECODE_TAKEN;
}

static enum decode_result take_end(struct decoded *decoded, struct cursor *cursor,
				   struct error *err)
{
	const uint32_t outcome = cursor_u32(cursor);
	const uint32_t workers = cursor_u32(cursor);
	const struct span reason = cursor_text(cursor, FRAME_LINE_MAX);
	if (cursor->is_bad || outcome >= RUN_OUTCOME_COUNT || decoded->has_ended)
		return DECODE_MALFORMED;
	decoded->has_ended = true;
	decoded->workers_written = workers;
	decoded->run->outcome = (enum run_outcome)outcome;
	replace(&decoded->run->reason, span_copy_printable(reason));
	return DECODE_TAKEN;
}

typedef enum decode_result decoder(struct decoded *decoded, struct cursor *cursor,
				   struct error *err);

static decoder *const decoders[] = {
	[WIRE_HELLO] = take_hello,     [WIRE_FACT] = take_fact,   [WIRE_MONITOR] = take_monitor,
	[WIRE_CHANNEL] = take_channel, [WIRE_RULE] = take_rule,   [WIRE_PHASE] = take_phase,
	[WIRE_SAMPLE] = take_sample,   [WIRE_SCORE] = take_score, [WIRE_WORKER] = take_worker,
	[WIRE_COST] = take_cost,       [WIRE_LOG] = take_log,     [WIRE_END] = take_end,
};

/* Frames that may come in any number. Samples are charged by their rows, and the log has its own
 * limit; the rest can be taken only so often, and a last word is taken whatever came before it. */
static bool has_no_other_limit(uint8_t type)
{
	return type == WIRE_FACT || type == WIRE_CHANNEL || type == WIRE_RULE || type == WIRE_SCORE;
}

enum decode_result decoded_take(struct decoded *decoded, uint8_t type, const uint8_t *payload,
				size_t length, struct error *err)
{
	if (type >= ARRAY_SIZE(decoders) || !decoders[type])
		return DECODE_UNKNOWN;
	if (has_no_other_limit(type) && !charge(decoded, length + FRAME_CHARGE))
		return DECODE_MALFORMED;
	struct cursor cursor = { .at = payload, .end = payload + length };
	return decoders[type](decoded, &cursor, err);
}
