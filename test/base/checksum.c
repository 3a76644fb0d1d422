/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Against published vectors: RFC 3720 B.4 for CRC-32C, FIPS 180 examples for SHA-256. */
#include "base/checksum.h"

#include "base/mem.h"
#include "check.h"

#include <stdlib.h>

typedef uint32_t crc_function(uint32_t seed, const void *bytes, size_t length);

static void check_vectors(crc_function *crc)
{
	uint8_t bytes[32] = { 0 };
	CHECK_INT(crc(0, "123456789", 9), 0xe3069283);
	CHECK_INT(crc(0, "", 0), 0);
	CHECK_INT(crc(0, bytes, sizeof(bytes)), 0x8a9136aa);
	memset(bytes, 0xff, sizeof(bytes));
	CHECK_INT(crc(0, bytes, sizeof(bytes)), 0x62a8ab43);
	for (uint8_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i;
	CHECK_INT(crc(0, bytes, sizeof(bytes)), 0x46dd794e);
	for (uint8_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(31 - i);
	CHECK_INT(crc(0, bytes, sizeof(bytes)), 0x113fdb5c);
}

static void crc32c_gives_the_published_vectors(void **state)
{
	check_vectors(checksum_crc32c);
}

static void the_plain_crc32c_gives_the_published_vectors(void **state)
{
	check_vectors(checksum_crc32c_plain);
}

static void both_crcs_agree_at_every_length_and_alignment(void **state)
{
	uint8_t bytes[100];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 37 + 11);
	for (size_t from = 0; from < 9; from++)
		for (size_t length = 0; from + length <= sizeof(bytes); length++)
			CHECK_INT(checksum_crc32c(7, bytes + from, length),
				  checksum_crc32c_plain(7, bytes + from, length));
}

/* Bit by bit from the polynomial, sharing nothing with the table. */
static void the_table_follows_from_the_polynomial(void **state)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		const uint8_t one = (uint8_t)byte;
		uint32_t rest = ~0U ^ byte;
		for (unsigned bit = 0; bit < 8; bit++)
			rest = (rest >> 1) ^ (rest & 1 ? 0x82f63b78U : 0);
		CHECK_INT(checksum_crc32c_plain(0, &one, 1), ~rest);
	}
}

static void crc32c_can_be_continued_at_any_byte(void **state)
{
	static const char digits[] = "123456789";
	for (size_t i = 0; i <= 9; i++) {
		const uint32_t first = checksum_crc32c(0, digits, i);
		CHECK_INT(checksum_crc32c(first, digits + i, 9 - i), 0xe3069283);
	}
}

static void check_sha256(const void *bytes, size_t length, const char *want)
{
	char hex[CHECKSUM_SHA256_HEX];
	checksum_sha256_hex(bytes, length, hex);
	CHECK_TEXT(hex, want);
}

static void sha256_gives_the_published_vectors(void **state)
{
	check_sha256("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	check_sha256("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
		     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void sha256_of_a_million_letters_is_right(void **state)
{
	char *letters = mem_zero(1000000);
	memset(letters, 'a', 1000000);
	check_sha256(letters, 1000000,
		     "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	free(letters);
}

/* The message's end may leave room for the length in its last block or not. */
static void sha256_pads_right_around_the_end_of_a_block(void **state)
{
	char letters[65];
	memset(letters, 'a', sizeof(letters));
	check_sha256(letters, 55,
		     "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
	check_sha256(letters, 56,
		     "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
	check_sha256(letters, 64,
		     "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

static void the_digest_is_the_bytes_of_the_hex(void **state)
{
	uint8_t digest[CHECKSUM_SHA256_BYTES];
	checksum_sha256("abc", 3, digest);
	CHECK_INT(digest[0], 0xba);
	CHECK_INT(digest[31], 0xad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crc32c_gives_the_published_vectors),
		cmocka_unit_test(the_plain_crc32c_gives_the_published_vectors),
		cmocka_unit_test(both_crcs_agree_at_every_length_and_alignment),
		cmocka_unit_test(the_table_follows_from_the_polynomial),
		cmocka_unit_test(crc32c_can_be_continued_at_any_byte),
		cmocka_unit_test(sha256_gives_the_published_vectors),
		cmocka_unit_test(sha256_of_a_million_letters_is_right),
		cmocka_unit_test(sha256_pads_right_around_the_end_of_a_block),
		cmocka_unit_test(the_digest_is_the_bytes_of_the_hex),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
