/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CRC-32C by table (reflected polynomial 0x82f63b78, RFC 3720 appendix B.4) and SHA-256 (FIPS
 * 180-4). */
#include "base/checksum.h"

#include <string.h>

#define CRC32C_POLYNOMIAL 0x82f63b78U
#define SHA256_BLOCK 64

static uint32_t crc_table[256];

/* Runs before main, so that no reader in any thread meets a half-filled table. */
__attribute__((constructor)) static void fill_crc_table(void)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t rest = byte;
		for (unsigned bit = 0; bit < 8; bit++)
			rest = (rest >> 1) ^ (rest & 1 ? CRC32C_POLYNOMIAL : 0);
		crc_table[byte] = rest;
	}
}

uint32_t checksum_crc32c(uint32_t seed, const void *bytes, size_t length)
{
	const uint8_t *at = bytes;
	uint32_t rest = ~seed;
	for (size_t i = 0; i < length; i++)
		rest = (rest >> 8) ^ crc_table[(rest ^ at[i]) & 0xff];
	return ~rest;
}

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t sha256_constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate_right(uint32_t word, unsigned by)
{
	return (word >> by) | (word << (32 - by));
}

static void sha256_schedule(uint32_t words[64], const uint8_t *block)
{
	for (unsigned i = 0; i < 16; i++)
		words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
			   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (unsigned i = 16; i < 64; i++) {
		const uint32_t early = words[i - 15];
		const uint32_t late = words[i - 2];
		words[i] = words[i - 16] + words[i - 7] +
			   (rotate_right(early, 7) ^ rotate_right(early, 18) ^ (early >> 3)) +
			   (rotate_right(late, 17) ^ rotate_right(late, 19) ^ (late >> 10));
	}
}

static void sha256_block(uint32_t hash[8], const uint8_t *block)
{
	uint32_t words[64];
	uint32_t v[8];
	sha256_schedule(words, block);
	memcpy(v, hash, sizeof(v));
	for (unsigned i = 0; i < 64; i++) {
		const uint32_t sum_e =
			rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
		const uint32_t choose = (v[4] & v[5]) ^ (~v[4] & v[6]);
		const uint32_t one = v[7] + sum_e + choose + sha256_constants[i] + words[i];
		const uint32_t sum_a =
			rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
		const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += one;
		v[0] = one + sum_a + majority;
	}
	for (unsigned i = 0; i < 8; i++)
		hash[i] += v[i];
}

/* The last one or two blocks: the rest of the message, a 1 bit, zeros, the length in bits. */
static void sha256_finish(uint32_t hash[8], const uint8_t *rest, size_t rest_length, uint64_t total)
{
	uint8_t last[2 * SHA256_BLOCK] = { 0 };
	if (rest_length)
		memcpy(last, rest, rest_length);
	last[rest_length] = 0x80;
	const size_t size = rest_length + 9 <= SHA256_BLOCK ? SHA256_BLOCK : 2 * SHA256_BLOCK;
	const uint64_t bits = total * 8;
	for (unsigned i = 0; i < 8; i++)
		last[size - 1 - i] = (uint8_t)(bits >> (8 * i));
	for (size_t at = 0; at < size; at += SHA256_BLOCK)
		sha256_block(hash, last + at);
}

void checksum_sha256(const void *bytes, size_t length,
		     uint8_t ret_digest[static CHECKSUM_SHA256_BYTES])
{
	uint32_t hash[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const uint8_t *at = bytes;
	size_t rest = length;
	for (; rest >= SHA256_BLOCK; rest -= SHA256_BLOCK, at += SHA256_BLOCK)
		sha256_block(hash, at);
	sha256_finish(hash, at, rest, length);
	for (unsigned i = 0; i < CHECKSUM_SHA256_BYTES; i++)
		ret_digest[i] = (uint8_t)(hash[i / 4] >> (24 - 8 * (i % 4)));
}

void checksum_sha256_hex(const void *bytes, size_t length, char ret_hex[static CHECKSUM_SHA256_HEX])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t digest[CHECKSUM_SHA256_BYTES];
	checksum_sha256(bytes, length, digest);
	for (unsigned i = 0; i < CHECKSUM_SHA256_BYTES; i++) {
		ret_hex[2 * i] = digits[digest[i] >> 4];
		ret_hex[2 * i + 1] = digits[digest[i] & 15];
	}
	ret_hex[2 * CHECKSUM_SHA256_BYTES] = '\0';
}
