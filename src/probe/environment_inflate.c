/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unpacks gzip. A Huffman code is kept as the number of codes of each length and the symbols in order of their codes,
 * which is all that a canonical code consists of: a code of length n is the n-bit number `first[n]` plus its rank
 * among the codes of that length. Reading bit by bit is slow and obviously right.
 */
#include "probe/environment_inflate.h"

#include "base/auto.h"
#include "base/macros.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define CODE_BITS_MAX 15
#define LITERAL_SYMBOLS 288 /* Two of them never appear, but take part in the fixed code. */
#define DISTANCE_SYMBOLS 30
#define LENGTH_SYMBOLS 19
#define END_OF_BLOCK 256

struct bits { /* The packed bytes, read from the lowest bit of each. */
	const uint8_t *at;
	const uint8_t *end;
	uint32_t held;
	unsigned n_held;
	bool ran_out;
};

struct code {
	uint16_t count[CODE_BITS_MAX + 1]; /* Codes of each length. */
	uint16_t first[CODE_BITS_MAX + 1]; /* Value of the first of them. */
	uint16_t index[CODE_BITS_MAX + 1]; /* Where its symbol stands. */
	uint16_t symbols[LITERAL_SYMBOLS];
};

struct output {
	char *bytes; /* Owned. */
	size_t length;
	size_t capacity;
	size_t limit;
};

static uint32_t take_bits(struct bits *bits, unsigned n)
{
	assert(n <= 16);
	while (bits->n_held < n) {
		if (bits->at == bits->end) {
			bits->ran_out = true;
			return 0;
		}
		bits->held |= (uint32_t)*bits->at++ << bits->n_held;
		bits->n_held += 8;
	}
	const uint32_t value = bits->held & ((1U << n) - 1);
	bits->held >>= n;
	bits->n_held -= n;
	return value;
}

/* A code that gives one bit pattern to two symbols is refused; unused patterns are found when they are read. */
static bool code_make(struct code *code, const uint8_t *lengths, unsigned n)
{
	assert(n <= LITERAL_SYMBOLS);
	*code = (struct code) { 0 };
	for (unsigned i = 0; i < n; i++)
		code->count[lengths[i]]++;
	code->count[0] = 0;
	unsigned value = 0;
	unsigned index = 0;
	uint16_t next[CODE_BITS_MAX + 1] = { 0 };
	for (unsigned bits = 1; bits <= CODE_BITS_MAX; bits++) {
		value = (value + code->count[bits - 1]) << 1;
		if (value + code->count[bits] > 1U << bits)
			return false;
		code->first[bits] = (uint16_t)value;
		code->index[bits] = next[bits] = (uint16_t)index;
		index += code->count[bits];
	}
	for (unsigned i = 0; i < n; i++)
		if (lengths[i] > 0)
			code->symbols[next[lengths[i]]++] = (uint16_t)i;
	return true;
}

/* The next symbol, or -1 when the bits are no code of this table. */
static int code_read(const struct code *code, struct bits *bits)
{
	unsigned value = 0;
	for (unsigned length = 1; length <= CODE_BITS_MAX && !bits->ran_out; length++) {
		value = value << 1 | take_bits(bits, 1);
		const unsigned rank = value - code->first[length];
		if (value >= code->first[length] && rank < code->count[length])
			return code->symbols[code->index[length] + rank];
	}
	return -1;
}

static int output_add(struct output *output, uint8_t byte)
{
	if (output->length == output->limit)
		return -EFBIG;
	output->bytes = mem_grow(output->bytes, &output->capacity, output->length + 2, 1);
	output->bytes[output->length++] = (char)byte;
	return 0;
}

static int output_repeat(struct output *output, size_t distance, unsigned length)
{
	if (distance > output->length)
		return -EBADMSG;
	for (unsigned i = 0; i < length; i++) {
		const int status =
			output_add(output, (uint8_t)output->bytes[output->length - distance]);
		if (status < 0)
			return status;
	}
	return 0;
}

/* Symbols 257 to 285: the lengths grow by one, then by 2, 4, 8, ... every four symbols; 285 is the longest. */
static bool read_length(struct bits *bits, int symbol, unsigned *ret_length)
{
	const unsigned step = (unsigned)symbol - 257;
	if (step > 28)
		return false;
	const unsigned extra = step < 8 || step == 28 ? 0 : step / 4 - 1;
	const unsigned base = step < 8     ? step + 3
			      : step == 28 ? 258
					   : ((4 + step % 4) << extra) + 3;
	*ret_length = base + take_bits(bits, extra);
	return true;
}

static bool read_distance(struct bits *bits, const struct code *code, size_t *ret_distance)
{
	const int symbol = code_read(code, bits);
	if (symbol < 0 || symbol >= DISTANCE_SYMBOLS)
		return false;
	const unsigned step = (unsigned)symbol;
	const unsigned extra = step < 4 ? 0 : step / 2 - 1;
	const unsigned base = step < 4 ? step + 1 : ((2 + step % 2) << extra) + 1;
	*ret_distance = base + take_bits(bits, extra);
	return true;
}

static int unpack_codes(struct bits *bits, const struct code *literals,
			const struct code *distances, struct output *output)
{
	for (;;) {
		const int symbol = code_read(literals, bits);
		int status = 0;
		unsigned length = 0;
		size_t distance = 0;
		if (symbol < 0)
			return -EBADMSG;
		if (symbol == END_OF_BLOCK)
			return 0;
		if (symbol < END_OF_BLOCK)
			status = output_add(output, (uint8_t)symbol);
		else if (!read_length(bits, symbol, &length) ||
			 !read_distance(bits, distances, &distance))
			status = -EBADMSG;
		else
			status = output_repeat(output, distance, length);
		if (status < 0)
			return status;
	}
}

static int unpack_stored(struct bits *bits, struct output *output)
{
	(void)take_bits(bits, bits->n_held % 8); /* The rest of the byte is padding. */
	const uint32_t length = take_bits(bits, 16);
	const uint32_t complement = take_bits(bits, 16);
	if (bits->ran_out || (length ^ complement) != 0xffff)
		return -EBADMSG;
	for (uint32_t i = 0; i < length; i++) {
		const uint8_t byte = (uint8_t)take_bits(bits, 8);
		const int status = bits->ran_out ? -EBADMSG : output_add(output, byte);
		if (status < 0)
			return status;
	}
	return 0;
}

static int unpack_fixed(struct bits *bits, struct output *output)
{
	uint8_t lengths[LITERAL_SYMBOLS];
	struct code literals;
	struct code distances;
	for (unsigned i = 0; i < LITERAL_SYMBOLS; i++)
		lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	const bool first = code_make(&literals, lengths, LITERAL_SYMBOLS);
	memset(lengths, 5, DISTANCE_SYMBOLS);
	const bool second = code_make(&distances, lengths, DISTANCE_SYMBOLS);
	assert(first && second);
	return unpack_codes(bits, &literals, &distances, output);
}

/* Code lengths, themselves packed: 16 repeats the last one, 17 and 18 are runs of zeros. */
static bool read_lengths(struct bits *bits, const struct code *code, uint8_t *lengths, unsigned n)
{
	unsigned at = 0;
	while (at < n) {
		const int symbol = code_read(code, bits);
		unsigned run = 1;
		uint8_t value = (uint8_t)symbol;
		if (symbol < 0 || (symbol == 16 && at == 0))
			return false;
		if (symbol == 16) {
			value = lengths[at - 1];
			run = 3 + take_bits(bits, 2);
		} else if (symbol > 16) {
			value = 0;
			run = symbol == 17 ? 3 + take_bits(bits, 3) : 11 + take_bits(bits, 7);
		}
		if (run > n - at)
			return false;
		memset(lengths + at, value, run);
		at += run;
	}
	return true;
}

static int unpack_dynamic(struct bits *bits, struct output *output)
{
	static const uint8_t order[LENGTH_SYMBOLS] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
						       11, 4,  12, 3, 13, 2, 14, 1, 15 };
	uint8_t lengths[LITERAL_SYMBOLS + 32] = { 0 };
	struct code code;
	struct code distances;
	const unsigned n_literals = take_bits(bits, 5) + 257;
	const unsigned n_distances = take_bits(bits, 5) + 1;
	const unsigned n_lengths = take_bits(bits, 4) + 4;
	for (unsigned i = 0; i < n_lengths; i++)
		lengths[order[i]] = (uint8_t)take_bits(bits, 3);
	if (n_literals > 286 || n_distances > DISTANCE_SYMBOLS ||
	    !code_make(&code, lengths, LENGTH_SYMBOLS))
		return -EBADMSG;
	memset(lengths, 0, sizeof(lengths));
	if (!read_lengths(bits, &code, lengths, n_literals + n_distances) ||
	    lengths[END_OF_BLOCK] == 0 || !code_make(&code, lengths, n_literals) ||
	    !code_make(&distances, lengths + n_literals, n_distances))
		return -EBADMSG;
	return unpack_codes(bits, &code, &distances, output);
}

static int unpack_blocks(struct bits *bits, struct output *output)
{
	bool last = false;
	while (!last) {
		last = take_bits(bits, 1) == 1;
		const uint32_t kind = take_bits(bits, 2);
		int status = -EBADMSG;
		if (bits->ran_out)
			return -EBADMSG;
		if (kind == 0)
			status = unpack_stored(bits, output);
		else if (kind == 1)
			status = unpack_fixed(bits, output);
		else if (kind == 2)
			status = unpack_dynamic(bits, output);
		if (status < 0)
			return status;
	}
	return bits->ran_out ? -EBADMSG : 0;
}

/* The check sum of gzip, CRC-32 of IEEE 802.3: another polynomial than the record stream's. */
static uint32_t crc32_ieee(const char *bytes, size_t length)
{
	uint32_t crc = 0xffffffff;
	for (size_t i = 0; i < length; i++) {
		crc ^= (uint8_t)bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

/* Length of the member's header, 0 when it is none. Flags: 2 check sum, 4 extra, 8 name, 16 comment. */
static size_t header_length(const uint8_t *bytes, size_t length)
{
	size_t at = 10;
	if (length < at || bytes[0] != 0x1f || bytes[1] != 0x8b || bytes[2] != 8 || bytes[3] & 0xe0)
		return 0;
	const unsigned flags = bytes[3];
	if (flags & 4) {
		if (length < at + 2)
			return 0;
		at += 2 + (size_t)(bytes[at] | bytes[at + 1] << 8);
	}
	for (unsigned flag = 8; flag <= 16; flag *= 2) {
		if (!(flags & flag))
			continue;
		const uint8_t *end = at < length ? memchr(bytes + at, 0, length - at) : NULL;
		if (!end)
			return 0;
		at = (size_t)(end - bytes) + 1;
	}
	at += flags & 2 ? 2 : 0;
	return at <= length ? at : 0;
}

static uint32_t little_endian(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

int environment_inflate(const void *bytes, size_t length, size_t limit, char **ret_text,
			size_t *ret_length)
{
	const size_t header = header_length(bytes, length);
	if (header == 0)
		return -EBADMSG;
	struct bits bits = { .at = (const uint8_t *)bytes + header,
			     .end = (const uint8_t *)bytes + length };
	struct output output = { .limit = limit };
	const int status = unpack_blocks(&bits, &output);
	AUTO(text) char *text = output.bytes;
	if (status < 0)
		return status;
	const uint8_t *trailer =
		bits.at - bits.n_held / 8; /* Whole bytes that were fetched and not used. */
	if (bits.end - trailer < 8 || little_endian(trailer) != crc32_ieee(text, output.length) ||
	    little_endian(trailer + 4) != (uint32_t)output.length)
		return -EBADMSG;
	if (!text)
		text = mem_zero(1);
	text[output.length] = '\0';
	*ret_text = KEEP(text);
	*ret_length = output.length;
	return 0;
}
