/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reading half of the record stream on foreign bytes. The first byte says how they come: bit 0
 * clear, as they are; set, as frames made of them with checksums that hold, since no search finds
 * its way through a checksum. The other bits are the size of the portions.
 *
 * A frame of the second kind is written as type, length (u16, little-endian), payload.
 */
#include "record/stream.h"

#include "base/checksum.h"
#include "base/mem.h"
#include "base/text.h"
#include "record/frame.h"

#include <assert.h>
#include <endian.h>
#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_frame(struct text *stream, uint8_t type, const uint8_t *payload, size_t length)
{
	uint8_t header[FRAME_HEADER_BYTES] = { 0 };
	memcpy(header, FRAME_SYNC, FRAME_SYNC_BYTES);
	header[FRAME_TYPE_AT] = type;
	const uint32_t little = htole32((uint32_t)length);
	memcpy(header + FRAME_LENGTH_AT, &little, sizeof(little));
	uint32_t check = checksum_crc32c(0, header, FRAME_CHECK_AT);
	check = htole32(checksum_crc32c(check, payload, length));
	memcpy(header + FRAME_CHECK_AT, &check, sizeof(check));
	text_add_bytes(stream, (const char *)header, sizeof(header));
	text_add_bytes(stream, (const char *)payload, length);
}

static void add_frames(struct text *stream, const uint8_t *data, size_t size)
{
	while (size >= 3) {
		const size_t claimed = data[1] | (size_t)data[2] << 8;
		const size_t length = claimed < size - 3 ? claimed : size - 3;
		add_frame(stream, data[0], data + 3, length);
		data += 3 + length;
		size -= 3 + length;
	}
}

/* What every reader of a run relies on. */
static void check_run(const struct run *run)
{
	assert(run->workload && run->reason && run->log && run->isolation && run->probe_version);
	assert(run->outcome < RUN_OUTCOME_COUNT);
	for (size_t i = 0; i < run->n_metrics; i++) {
		const struct measured *measured = &run->metrics[i];
		assert(measured->metric.name[0] && measured->metric.unit[0]);
		assert(measured->value.state < VALUE_STATE_COUNT);
		if (value_is_known(measured->value))
			assert(isfinite(measured->value.number));
		else
			assert((measured->value.state == VALUE_MISSING) ==
			       (measured->value.why != MISSING_NOT));
		if (i)
			assert(strcmp(run->metrics[i - 1].metric.name, measured->metric.name) < 0);
	}
	for (size_t i = 0; i < run->n_facts; i++) {
		assert((run->facts[i].state == VALUE_KNOWN) == (run->facts[i].text != NULL));
		if (i)
			assert(strcmp(run->facts[i - 1].name, run->facts[i].name) < 0);
	}
	for (size_t i = 0; i < run->n_series; i++)
		for (uint32_t j = 0; j < run->series[i].n_channels; j++)
			assert(run->series[i].channels[j].name[0]);
}

static struct run *read_in_portions(const struct text *bytes, size_t portion, size_t *ret_skipped)
{
	AUTO(stream) struct stream *stream = stream_new();
	for (size_t at = 0; at < bytes->length; at += portion) {
		const size_t rest = bytes->length - at;
		struct error err = { 0 };
		if (stream_feed(stream, bytes->bytes + at, rest < portion ? rest : portion, &err))
			assert(err.text[0]);
	}
	struct run *run = stream_finish(stream);
	*ret_skipped = stream_skipped_bytes(stream);
	return run;
}

/* Of a run read twice in portions of different sizes nothing may differ. */
static void check_same(const struct run *one, const struct run *other)
{
	assert(one->n_metrics == other->n_metrics);
	assert(one->n_facts == other->n_facts);
	assert(one->n_series == other->n_series);
	assert(one->outcome == other->outcome);
	assert(strcmp(one->log, other->log) == 0);
	for (size_t i = 0; i < one->n_metrics; i++)
		assert(value_pack(one->metrics[i].value) == value_pack(other->metrics[i].value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	struct text bytes = { 0 };
	if (data[0] & 1)
		add_frames(&bytes, data + 1, size - 1);
	else
		text_add_bytes(&bytes, (const char *)data + 1, size - 1);
	size_t skipped_by_portions = 0;
	size_t skipped = 0;
	AUTO(run)
	struct run *run =
		read_in_portions(&bytes, (size_t)(data[0] >> 1) + 1, &skipped_by_portions);
	AUTO(run) struct run *again = read_in_portions(&bytes, bytes.length + 1, &skipped);
	check_run(run);
	check_same(run, again);
	assert(skipped == skipped_by_portions);
	text_done(&bytes);
	return 0;
}
