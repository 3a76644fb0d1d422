/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames built in one buffer and written by one write(2) each. See wire.h and frame.h. */
#include "record/wire.h"

#include "base/checksum.h"
#include "base/fs.h"
#include "base/mem.h"
#include "record/frame.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096

struct wire {
	int fd;                           /* Borrowed. */
	size_t length;                    /* Of the frame being built. */
	uint32_t sent[WIRE_MONITORS_MAX]; /* Samples written of each monitor. */
	uint32_t workers;                 /* Workers written. */
	uint8_t bytes[FRAME_HEADER_BYTES + WIRE_FRAME_BYTES_MAX];
};

/* The longest frames: a sample of every channel, and a rule over every channel on both sides. */
static_assert(20 + CHANNELS_PER_MONITOR_MAX * FRAME_READING_BYTES_MAX <= WIRE_FRAME_BYTES_MAX,
	      "a sample fits into one frame");
static_assert(4096 + 2 * CHANNELS_PER_MONITOR_MAX * sizeof(uint32_t) <= WIRE_FRAME_BYTES_MAX,
	      "a rule fits into one frame");
static_assert(METRIC_NAME_BYTES == FRAME_NAME_MAX + 1, "a name fits where names are kept");

struct wire *wire_new(int fd)
{
	struct wire *wire = mem_zero(sizeof(*wire));
	wire->fd = fd;
	/* Touched now, so that the measured window meets no page fault of ours. */
	for (size_t at = 0; at < sizeof(wire->bytes); at += PAGE_BYTES)
		*(volatile uint8_t *)&wire->bytes[at] = 0;
	return wire;
}

void wire_free(struct wire *wire)
{
	free(wire);
}

static void put_bytes(struct wire *wire, const void *bytes, size_t length)
{
	assert(length <= sizeof(wire->bytes) - wire->length);
	if (length)
		memcpy(wire->bytes + wire->length, bytes, length);
	wire->length += length;
}

static void put_u8(struct wire *wire, unsigned number)
{
	assert(number <= UINT8_MAX);
	const uint8_t byte = (uint8_t)number;
	put_bytes(wire, &byte, sizeof(byte));
}

static void put_u32(struct wire *wire, uint32_t number)
{
	const uint32_t little = htole32(number);
	put_bytes(wire, &little, sizeof(little));
}

static void put_u64(struct wire *wire, uint64_t number)
{
	const uint64_t little = htole64(number);
	put_bytes(wire, &little, sizeof(little));
}

static void put_f64(struct wire *wire, double number)
{
	uint64_t bits;
	memcpy(&bits, &number, sizeof(bits));
	put_u64(wire, bits);
}

/* Length, then the text, cut before the character that passes the limit; NULL is "". */
static void put_text(struct wire *wire, const char *text, size_t limit)
{
	size_t length = text ? strnlen(text, limit + 1) : 0;
	if (length > limit) {
		length = limit;
		while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
			length--;
	}
	put_u32(wire, (uint32_t)length);
	put_bytes(wire, text, length);
}

static void put_metric(struct wire *wire, const struct metric *metric)
{
	put_text(wire, metric->name, FRAME_NAME_MAX);
	put_text(wire, metric->unit, FRAME_UNIT_MAX);
	put_text(wire, metric->what, FRAME_LINE_MAX);
	put_u8(wire, metric->kind);
	put_u8(wire, metric->better);
	put_u8(wire, metric->role);
}

static void frame_begin(struct wire *wire, enum wire_type type)
{
	memset(wire->bytes, 0, FRAME_HEADER_BYTES);
	memcpy(wire->bytes, FRAME_SYNC, FRAME_SYNC_BYTES);
	wire->bytes[FRAME_TYPE_AT] = (uint8_t)type;
	wire->length = FRAME_HEADER_BYTES;
}

static int frame_end(struct wire *wire)
{
	const size_t payload = wire->length - FRAME_HEADER_BYTES;
	assert(payload <= WIRE_FRAME_BYTES_MAX);
	const uint32_t length = htole32((uint32_t)payload);
	memcpy(wire->bytes + FRAME_LENGTH_AT, &length, sizeof(length));
	uint32_t check = checksum_crc32c(0, wire->bytes, FRAME_CHECK_AT);
	check = checksum_crc32c(check, wire->bytes + FRAME_HEADER_BYTES, payload);
	check = htole32(check);
	memcpy(wire->bytes + FRAME_CHECK_AT, &check, sizeof(check));
	return fs_write_all(wire->fd, wire->bytes, wire->length);
}

int wire_hello(struct wire *wire, const struct wire_hello *hello)
{
	frame_begin(wire, WIRE_HELLO);
	put_u32(wire, WIRE_VERSION);
	put_u32(wire, hello->semantics);
	put_u64(wire, hello->started_wall_ns);
	put_text(wire, hello->version, FRAME_NAME_MAX);
	put_text(wire, hello->workload, FRAME_NAME_MAX);
	put_text(wire, hello->prefix, FRAME_NAME_MAX);
	put_text(wire, hello->isolation, FRAME_NAME_MAX);
	return frame_end(wire);
}

int wire_fact(struct wire *wire, const char *name, enum value_state state, enum missing why,
	      const char *text)
{
	frame_begin(wire, WIRE_FACT);
	put_u8(wire, state);
	put_u8(wire, state == VALUE_MISSING ? why : MISSING_NOT);
	put_text(wire, name, FRAME_NAME_MAX);
	put_text(wire, state == VALUE_KNOWN ? text : NULL, FRAME_TEXT_MAX);
	return frame_end(wire);
}

int wire_monitor(struct wire *wire, uint32_t id, const char *name, const char *absent_reason)
{
	assert(id < WIRE_MONITORS_MAX);
	frame_begin(wire, WIRE_MONITOR);
	put_u32(wire, id);
	put_u8(wire, absent_reason ? 0 : 1);
	put_text(wire, name, FRAME_MONITOR_NAME_MAX);
	put_text(wire, absent_reason, FRAME_LINE_MAX);
	return frame_end(wire);
}

int wire_channel(struct wire *wire, uint32_t monitor, uint32_t index, const struct channel *channel)
{
	assert(monitor < WIRE_MONITORS_MAX && index < CHANNELS_PER_MONITOR_MAX);
	frame_begin(wire, WIRE_CHANNEL);
	put_u32(wire, monitor);
	put_u32(wire, index);
	put_u8(wire, channel->kind);
	put_u8(wire, channel->width_bits);
	put_text(wire, channel->name, FRAME_NAME_MAX);
	return frame_end(wire);
}

static void put_indexes(struct wire *wire, const uint32_t *indexes, uint32_t n)
{
	assert(n <= CHANNELS_PER_MONITOR_MAX);
	put_u32(wire, n);
	for (uint32_t i = 0; i < n; i++)
		put_u32(wire, indexes[i]);
}

int wire_rule(struct wire *wire, uint32_t monitor, const struct metric_rule *rule)
{
	assert(monitor < WIRE_MONITORS_MAX);
	frame_begin(wire, WIRE_RULE);
	put_u32(wire, monitor);
	put_metric(wire, &rule->metric);
	put_f64(wire, rule->scale);
	put_indexes(wire, rule->parts, rule->n_parts);
	put_indexes(wire, rule->whole, rule->n_whole);
	return frame_end(wire);
}

int wire_phase(struct wire *wire, enum phase phase, uint64_t at_ns)
{
	frame_begin(wire, WIRE_PHASE);
	put_u32(wire, phase);
	put_u64(wire, at_ns);
	return frame_end(wire);
}

/* Written by hand and not by put_*: this is the only frame of which thousands go out, inside the
 * measured window. Counts and levels are the same 8 bytes here. */
static void put_readings(struct wire *wire, const struct reading *readings, uint32_t n)
{
	assert(n * (size_t)FRAME_READING_BYTES_MAX <= sizeof(wire->bytes) - wire->length);
	uint8_t *at = wire->bytes + wire->length;
	for (uint32_t i = 0; i < n; i++) {
		const bool known = readings[i].state == VALUE_KNOWN;
		const unsigned why = known ? 0 : readings[i].why;
		*at++ = (uint8_t)(readings[i].state | why << FRAME_STATE_BITS);
		if (!known)
			continue;
		const uint64_t little = htole64(readings[i].count);
		memcpy(at, &little, sizeof(little));
		at += sizeof(little);
	}
	wire->length = (size_t)(at - wire->bytes);
}

int wire_sample(struct wire *wire, uint32_t monitor, uint64_t at_ns, const struct reading *readings,
		uint32_t n)
{
	assert(monitor < WIRE_MONITORS_MAX && n <= CHANNELS_PER_MONITOR_MAX);
	frame_begin(wire, WIRE_SAMPLE);
	put_u32(wire, monitor);
	put_u32(wire, wire->sent[monitor]++);
	put_u64(wire, at_ns);
	put_u32(wire, n);
	put_readings(wire, readings, n);
	return frame_end(wire);
}

int wire_score(struct wire *wire, const struct metric *metric, struct value value)
{
	frame_begin(wire, WIRE_SCORE);
	put_metric(wire, metric);
	put_u64(wire, value_pack(value));
	return frame_end(wire);
}

int wire_worker(struct wire *wire, uint32_t index, const struct worker *worker)
{
	assert(index < WIRE_WORKERS_MAX);
	wire->workers++;
	frame_begin(wire, WIRE_WORKER);
	put_u32(wire, index);
	put_u64(wire, worker->operations);
	put_u64(wire, worker->elapsed_ns);
	return frame_end(wire);
}

int wire_cost(struct wire *wire, uint32_t monitor, uint64_t samples, uint64_t cpu_ns)
{
	assert(monitor < WIRE_MONITORS_MAX);
	frame_begin(wire, WIRE_COST);
	put_u32(wire, monitor);
	put_u32(wire, wire->sent[monitor]);
	put_u64(wire, samples);
	put_u64(wire, cpu_ns);
	return frame_end(wire);
}

int wire_log(struct wire *wire, const char *bytes, size_t length)
{
	while (length > 0) {
		const size_t portion = length < FRAME_TEXT_MAX ? length : FRAME_TEXT_MAX;
		frame_begin(wire, WIRE_LOG);
		put_bytes(wire, bytes, portion);
		const int failed = frame_end(wire);
		if (failed)
			return failed;
		bytes += portion;
		length -= portion;
	}
	return 0;
}

int wire_end(struct wire *wire, enum run_outcome outcome, const char *reason)
{
	frame_begin(wire, WIRE_END);
	put_u32(wire, outcome);
	put_u32(wire, wire->workers);
	put_text(wire, reason, FRAME_LINE_MAX);
	return frame_end(wire);
}
