/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the intact frames in a flow of bytes. A candidate begins with the sync; it is a frame when
 * its length is allowed and its checksum holds, and what is no frame is passed over byte by byte up
 * to the next candidate. See stream.h and frame.h.
 */
#include "record/stream.h"

#include "base/checksum.h"
#include "base/mem.h"
#include "record/decode.h"
#include "record/finish.h"
#include "record/frame.h"
#include "record/wire.h"

#include <endian.h>
#include <string.h>

#define FEED_BYTES_MAX (1U << 16) /* Taken at a time, so that the buffer stays near one frame. */

/* A failed candidate is searched for frames inside it, and bytes made for the purpose could have
 * the same megabyte checked for each of its bytes. After so many bytes checked in vain for each
 * byte fed, failed candidates are passed over whole. */
#define VAIN_CHECKS_PER_BYTE 16
#define VAIN_CHECKS_FREE (64U << 20)

struct stream {
	struct decoded *decoded;
	uint8_t *bytes; /* Not yet understood: at most one incomplete frame between two feeds. */
	size_t length, capacity;
	size_t skipped;
	uint64_t fed, checked_in_vain;
	struct error newer; /* code is set once the stream is known to be of a newer format. */
};

struct stream *stream_new(void)
{
	struct stream *stream = mem_zero(sizeof(*stream));
	stream->decoded = decoded_new();
	return stream;
}

void stream_free(struct stream *stream)
{
	if (!stream)
		return;
	decoded_free(stream->decoded);
	free(stream->bytes);
	free(stream);
}

static uint32_t read_u32(const uint8_t *at)
{
	uint32_t little;
	memcpy(&little, at, sizeof(little));
	return le32toh(little);
}

/* Bytes from `at` on that can be no part of a frame's beginning. */
static size_t length_to_sync(const uint8_t *at, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const uint8_t *found = memchr(at + i, FRAME_SYNC[0] & 0xff, length - i);
		if (!found)
			return length;
		i = (size_t)(found - at);
		const size_t seen = length - i < FRAME_SYNC_BYTES ? length - i : FRAME_SYNC_BYTES;
		if (memcmp(found, FRAME_SYNC, seen) == 0)
			return i;
	}
	return length;
}

/* How many bytes to pass over behind a candidate whose checksum failed. */
static size_t length_of_failed(struct stream *stream, size_t whole)
{
	stream->checked_in_vain += whole;
	const bool is_hostile =
		stream->checked_in_vain > VAIN_CHECKS_FREE + stream->fed * VAIN_CHECKS_PER_BYTE;
	return is_hostile ? whole : FRAME_SYNC_BYTES;
}

static void take_frame(struct stream *stream, const uint8_t *frame, size_t whole)
{
	if (frame[FRAME_FLAGS_AT] != 0)
		return; /* As of an unknown type: it says something that only later versions know. */
	const enum decode_result result =
		decoded_take(stream->decoded, frame[FRAME_TYPE_AT], frame + FRAME_HEADER_BYTES,
			     whole - FRAME_HEADER_BYTES, &stream->newer);
	if (result == DECODE_MALFORMED)
		stream->skipped += whole;
}

/* The candidate is no frame: passes over its beginning, or over all of it. */
static size_t reject(struct stream *stream, size_t length)
{
	stream->skipped += length;
	return length;
}

/* What stands at the candidate: the number of bytes done with, or 0 when more must come. When no
 * more can come, a candidate that waits for its rest waits in vain: its length was damaged, or the
 * stream is torn inside it. */
static size_t take_candidate(struct stream *stream, const uint8_t *at, size_t length, bool is_last)
{
	const size_t beginning = length < FRAME_SYNC_BYTES ? length : FRAME_SYNC_BYTES;
	if (length < FRAME_HEADER_BYTES)
		return is_last ? reject(stream, beginning) : 0;
	const size_t payload = read_u32(at + FRAME_LENGTH_AT);
	const size_t whole = FRAME_HEADER_BYTES + payload;
	if (payload > WIRE_FRAME_BYTES_MAX)
		return reject(stream, beginning);
	if (length < whole)
		return is_last ? reject(stream, beginning) : 0;
	uint32_t check = checksum_crc32c(0, at, FRAME_CHECK_AT);
	check = checksum_crc32c(check, at + FRAME_HEADER_BYTES, payload);
	if (check != read_u32(at + FRAME_CHECK_AT))
		return reject(stream, length_of_failed(stream, whole));
	take_frame(stream, at, whole);
	return whole;
}

/* Takes all frames that are whole; what may still become one is moved to the buffer's front. */
static void scan(struct stream *stream, bool is_last)
{
	size_t at = 0;
	while (at < stream->length && !stream->newer.code) {
		const size_t foreign = length_to_sync(stream->bytes + at, stream->length - at);
		stream->skipped += foreign;
		at += foreign;
		if (at == stream->length)
			break;
		const size_t done =
			take_candidate(stream, stream->bytes + at, stream->length - at, is_last);
		if (done == 0)
			break;
		at += done;
	}
	stream->length -= at;
	if (at && stream->length)
		memmove(stream->bytes, stream->bytes + at, stream->length);
}

int stream_feed(struct stream *stream, const void *bytes, size_t length, struct error *err)
{
	const uint8_t *at = bytes;
	while (length > 0 && !stream->newer.code) {
		const size_t portion = length < FEED_BYTES_MAX ? length : FEED_BYTES_MAX;
		stream->bytes =
			mem_grow(stream->bytes, &stream->capacity, stream->length + portion, 1);
		memcpy(stream->bytes + stream->length, at, portion);
		stream->length += portion;
		stream->fed += portion;
		at += portion;
		length -= portion;
		scan(stream, /* is_last= */ false);
	}
	if (stream->newer.code)
		return error_set(err, stream->newer.code, "%s", stream->newer.text);
	return 0;
}

enum phase stream_phase(const struct stream *stream)
{
	return stream->decoded->phase;
}

bool stream_has_ended(const struct stream *stream)
{
	return stream->decoded->has_ended;
}

size_t stream_skipped_bytes(const struct stream *stream)
{
	return stream->skipped;
}

struct run *stream_finish(struct stream *stream)
{
	scan(stream, /* is_last= */ true);
	struct run *run = finish_run(stream->decoded);
	decoded_free(stream->decoded);
	free(stream->bytes);
	*stream = (struct stream) { .decoded = decoded_new(), .skipped = stream->skipped };
	return run;
}
