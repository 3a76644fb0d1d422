/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blobs. A series is n u64 of times and, channel by channel, n u64 of readings (a count, or the
 * bits of a float64); each column is written as differences modulo 2^64, which makes the small
 * steps of counters small numbers; then all first bytes, all second bytes, ... (byte planes), then
 * one byte of state and one of reason a reading; all of it one zstd frame.
 */
#include "store/pack.h"

#include "base/auto.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <zstd.h>

#define FOLD_LEVEL 3
#define SERIES_BYTES_MAX (256ULL << 20)
#define READING_BYTES 10U /* 8 of the number, state, reason. */

static void put_u64(uint8_t *bytes, uint64_t number)
{
	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(number >> (8 * i));
}

uint8_t *pack_u32(const uint32_t *numbers, size_t n)
{
	uint8_t *bytes = mem_array(n, 4);

	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < 4; k++)
			bytes[4 * i + k] = (uint8_t)(numbers[i] >> (8 * k));
	return bytes;
}

uint8_t *pack_u64(const uint64_t *numbers, size_t n)
{
	uint8_t *bytes = mem_array(n, 8);

	for (size_t i = 0; i < n; i++)
		put_u64(bytes + 8 * i, numbers[i]);
	return bytes;
}

uint32_t pack_u32_at(const uint8_t *bytes, size_t index)
{
	uint32_t number = 0;

	for (unsigned k = 4; k-- > 0;)
		number = number << 8 | bytes[4 * index + k];
	return number;
}

uint64_t pack_u64_at(const uint8_t *bytes, size_t index)
{
	uint64_t number = 0;

	for (unsigned k = 8; k-- > 0;)
		number = number << 8 | bytes[8 * index + k];
	return number;
}

uint8_t *pack_fold(const void *bytes, size_t length, size_t *ret_length)
{
	const size_t room = ZSTD_compressBound(length);
	uint8_t *frame = mem_zero(room);
	const size_t folded = ZSTD_compress(frame, room, bytes, length, FOLD_LEVEL);

	assert(!ZSTD_isError(folded)); /* There is room for the worst case. */
	*ret_length = folded;
	return frame;
}

int pack_unfold(const void *frame, size_t frame_length, size_t limit, uint8_t **ret_bytes,
		size_t *ret_length, struct error *err)
{
	const unsigned long long length = ZSTD_getFrameContentSize(frame, frame_length);

	if (length == ZSTD_CONTENTSIZE_ERROR || length == ZSTD_CONTENTSIZE_UNKNOWN ||
	    length > limit)
		return error_set(err, EBADMSG, "damaged zstd frame of %zu bytes", frame_length);

	AUTO(bytes) uint8_t *bytes = mem_zero((size_t)length + 1);
	const size_t unfolded = ZSTD_decompress(bytes, (size_t)length, frame, frame_length);

	if (ZSTD_isError(unfolded) || unfolded != length)
		return error_set(err, EBADMSG, "damaged zstd frame of %zu bytes: %s", frame_length,
				 ZSTD_isError(unfolded) ? ZSTD_getErrorName(unfolded)
							: "it is too short");
	*ret_length = unfolded;
	*ret_bytes = KEEP(bytes);
	return 0;
}

/* Bytes of a series before folding; 0 when it is beyond the limit. */
static size_t series_bytes(const struct series *series)
{
	const uint64_t readings = (uint64_t)series->n_samples * series->n_channels;

	if (readings > SERIES_BYTES_MAX / READING_BYTES)
		return 0;
	const uint64_t bytes = readings * READING_BYTES + (uint64_t)series->n_samples * 8;

	return bytes > SERIES_BYTES_MAX ? 0 : (size_t)bytes;
}

static uint64_t reading_bits(const struct reading *reading, enum channel_kind kind)
{
	uint64_t bits = 0;

	if (reading->state != VALUE_KNOWN)
		return 0;
	if (kind == CHANNEL_COUNTER)
		return reading->count;
	static_assert(sizeof(bits) == sizeof(reading->level), "a level is a float64");
	memcpy(&bits, &reading->level, sizeof(bits));
	return bits;
}

/* One number into its eight byte planes. */
static void planes_put(uint8_t *planes, size_t n, size_t index, uint64_t number)
{
	for (unsigned k = 0; k < 8; k++)
		planes[k * n + index] = (uint8_t)(number >> (8 * k));
}

static uint64_t planes_at(const uint8_t *planes, size_t n, size_t index)
{
	uint64_t number = 0;

	for (unsigned k = 8; k-- > 0;)
		number = number << 8 | planes[k * n + index];
	return number;
}

static void fill_planes(const struct series *series, uint8_t *planes, uint8_t *states)
{
	const size_t samples = series->n_samples;
	const size_t numbers = samples * ((size_t)series->n_channels + 1);
	const size_t readings = samples * series->n_channels;
	uint64_t before = 0;

	for (size_t s = 0; s < samples; s++) {
		planes_put(planes, numbers, s, series->times_ns[s] - before);
		before = series->times_ns[s];
	}
	for (size_t c = 0; c < series->n_channels; c++) {
		before = 0;
		for (size_t s = 0; s < samples; s++) {
			const struct reading *reading =
				&series->readings[s * series->n_channels + c];
			const uint64_t bits = reading_bits(reading, series->channels[c].kind);
			const size_t at = c * samples + s;

			planes_put(planes, numbers, samples + at, bits - before);
			before = bits;
			states[at] = reading->state;
			states[readings + at] = reading->why;
		}
	}
}

int pack_series(const struct series *series, uint8_t **ret_bytes, size_t *ret_length,
		struct error *err)
{
	const size_t length = series_bytes(series);

	if (length == 0 && series->n_samples > 0)
		return error_set(err, EFBIG,
				 "the series of monitor '%s' has %u samples of %u channels, more "
				 "than a store takes: use a longer interval",
				 series->monitor ? series->monitor : "?", series->n_samples,
				 series->n_channels);

	AUTO(bytes) uint8_t *planes = mem_zero(length);
	const size_t numbers = (size_t)series->n_samples * ((size_t)series->n_channels + 1);

	assert(planes);

	fill_planes(series, planes, planes + 8 * numbers);
	*ret_bytes = pack_fold(planes, length, ret_length);
	return 0;
}

static struct reading reading_from(uint64_t bits, uint8_t state, uint8_t why,
				   enum channel_kind kind)
{
	struct reading reading = { .state = state, .why = why };

	if (state == VALUE_KNOWN && kind == CHANNEL_COUNTER)
		reading.count = bits;
	else if (state == VALUE_KNOWN)
		memcpy(&reading.level, &bits, sizeof(bits));
	return reading;
}

static int read_planes(const uint8_t *planes, struct series *series, struct error *err)
{
	const size_t samples = series->n_samples;
	const size_t numbers = samples * ((size_t)series->n_channels + 1);
	const size_t readings = samples * series->n_channels;
	const uint8_t *states = planes + 8 * numbers;
	uint64_t bits = 0;

	for (size_t s = 0; s < samples; s++)
		series->times_ns[s] = bits += planes_at(planes, numbers, s);
	for (size_t c = 0; c < series->n_channels; c++) {
		bits = 0;
		for (size_t s = 0; s < samples; s++) {
			const size_t at = c * samples + s;

			bits += planes_at(planes, numbers, samples + at);
			if (states[at] >= VALUE_STATE_COUNT)
				return error_set(err, EBADMSG, "reading of unknown state %u",
						 states[at]);
			series->readings[s * series->n_channels + c] = reading_from(
				bits, states[at], states[readings + at], series->channels[c].kind);
		}
	}
	return 0;
}

int pack_series_back(const void *bytes, size_t length, struct series *series, struct error *err)
{
	AUTO(bytes) uint8_t *unfolded = NULL;
	size_t unfolded_length = 0;
	int rc = pack_unfold(bytes, length, SERIES_BYTES_MAX, &unfolded, &unfolded_length, err);

	if (rc < 0)
		return rc;
	if (unfolded_length != series_bytes(series))
		return error_set(err, EBADMSG, "%zu bytes of samples where %zu are due",
				 unfolded_length, series_bytes(series));

	assert(unfolded && !series->times_ns && !series->readings);
	series->times_ns = mem_array(series->n_samples, sizeof(*series->times_ns));
	series->readings = mem_array((size_t)series->n_samples * series->n_channels,
				     sizeof(*series->readings));
	return read_planes(unfolded, series, err);
}
