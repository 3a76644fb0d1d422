/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two checksums: CRC-32C (Castagnoli) for frames that may be torn, SHA-256 (FIPS 180-4) for the
 * identity of things.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* CRC-32C of a block; `seed` is 0 at the start, the previous answer when continuing. */
uint32_t checksum_crc32c(uint32_t seed, const void *bytes, size_t length);
/* The same without the processor's instruction: what other machines run, and the tests compare. */
uint32_t checksum_crc32c_plain(uint32_t seed, const void *bytes, size_t length);

#define CHECKSUM_SHA256_BYTES 32
#define CHECKSUM_SHA256_HEX 65 /* With the terminating NUL. */

void checksum_sha256(const void *bytes, size_t length,
		     uint8_t ret_digest[static CHECKSUM_SHA256_BYTES]);
void checksum_sha256_hex(const void *bytes, size_t length,
			 char ret_hex[static CHECKSUM_SHA256_HEX]);
