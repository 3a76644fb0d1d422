/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacking gzip: whole members of every block kind, torn ones, changed ones, and garbage. */
#include "probe/environment_inflate.h"

#include "base/fs.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define LIMIT (4U << 20)

/* "hello hello hello hello\n" by the fixed code, with a match, made by gzip -n9. */
static const unsigned char fixed[] = { 0x1f, 0x8b, 8,    0,    0,    0,    0,    0,    2,    3,
				       0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27, 0xb9,
				       0x00, 0,    0x88, 0x59, 0x0b, 0x18, 0,    0,    0 };

/* "abc" stored as it is, its header with extra bytes, a name, a comment and a check sum. */
static const unsigned char stored[] = { 0x1f, 0x8b, 0x08, 0x1e, 0,    0,    0,    0,   0,
					3,    2,    0,    'x',  'y',  'n',  0,    'c', 0,
					0xaa, 0xbb, 1,    3,    0,    0xfc, 0xff, 'a', 'b',
					'c',  0xc2, 0x41, 0x24, 0x35, 3,    0,    0,   0 };

static int unpack(const void *bytes, size_t length, char **ret_text, size_t *ret_length)
{
	/* A block of exactly this size, so that the sanitizer sees each byte read beyond it. */
	char *copy = malloc(length > 0 ? length : 1);
	memcpy(copy, bytes, length);
	const int status = environment_inflate(copy, length, LIMIT, ret_text, ret_length);
	free(copy);
	return status;
}

static void a_stored_block_behind_a_full_header_is_unpacked(void **state)
{
	char *text = NULL;
	size_t length = 0;
	(void)state;
	CHECK_INT(unpack(stored, sizeof(stored), &text, &length), 0);
	CHECK_TEXT(text, "abc");
	CHECK_INT(length, 3);
	free(text);
}

static void a_block_of_the_fixed_code_is_unpacked(void **state)
{
	char *text = NULL;
	size_t length = 0;
	(void)state;
	CHECK_INT(unpack(fixed, sizeof(fixed), &text, &length), 0);
	CHECK_TEXT(text, "hello hello hello hello\n");
	free(text);
}

static void a_torn_member_is_refused_at_every_length(void **state)
{
	char *text = NULL;
	size_t length = 0;
	(void)state;
	for (size_t i = 0; i < sizeof(stored); i++)
		CHECK_INT(unpack(stored, i, &text, &length), -EBADMSG);
	for (size_t i = 0; i < sizeof(fixed); i++)
		CHECK_INT(unpack(fixed, i, &text, &length), -EBADMSG);
	CHECK(text == NULL);
}

static void a_changed_byte_of_the_content_is_seen(void **state)
{
	unsigned char changed[sizeof(stored)];
	char *text = NULL;
	size_t length = 0;
	(void)state;
	for (size_t i = 20; i < sizeof(stored); i++) {
		memcpy(changed, stored, sizeof(stored));
		changed[i] ^= 0x10;
		if (unpack(changed, sizeof(changed), &text, &length) == 0) {
			/* The padding behind a stored block's three first bits means nothing. */
			CHECK_INT(i, 20);
			CHECK_TEXT(text, "abc");
			free(text);
			text = NULL;
		}
	}
}

/* Packs with gzip, so that blocks with codes of their own are met. Skips without it. */
static char *pack(const char *bytes, size_t length, const char *level, size_t *ret_length)
{
	char path[] = "/tmp/assay-gzip-XXXXXX";
	char command[128];
	char *packed = NULL;
	const int fd = mkstemp(path);
	CHECK(fd >= 0);
	CHECK_INT(fs_write_all(fd, bytes, length), 0);
	(void)close(fd);
	(void)snprintf(command, sizeof(command), "gzip %s -f '%s' 2>/dev/null", level, path);
	if (system(command) != 0) {
		(void)unlink(path);
		print_message("skipped: there is no gzip\n");
		skip();
	}
	(void)snprintf(command, sizeof(command), "%s.gz", path);
	CHECK_INT(fs_read_whole_at(AT_FDCWD, command, LIMIT, &packed, ret_length, NULL), 0);
	(void)unlink(command);
	return packed;
}

/* A text with long and short repeats, or noise that cannot be packed. */
static char *make_text(struct random *random, size_t length, unsigned letters)
{
	char *text = mem_zero(length + 1);
	for (size_t i = 0; i < length;) {
		const size_t run = 1 + random_below(random, 300);
		const size_t back = i > 0 ? 1 + random_below(random, i < 32768 ? i : 32768) : 0;
		const bool repeat = back > 0 && letters < 256 && random_below(random, 3) == 0;
		for (size_t k = 0; k < run && i < length; k++, i++)
			text[i] = repeat ? text[i - back] : (char)random_below(random, letters);
	}
	return text;
}

static void what_gzip_packed_comes_out_as_it_was(void **state)
{
	static const struct {
		size_t length;
		unsigned letters;
		const char *level;
	} cases[] = { { 0, 2, "-6" },        { 1, 256, "-6" },     { 24, 3, "-9" },
		      { 5000, 4, "-1" },     { 200000, 60, "-9" }, { 200000, 20, "-1" },
		      { 100000, 256, "-6" }, { 300000, 200, "-6" } };
	struct random random;
	(void)state;
	random_seed(&random, 7);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = make_text(&random, cases[i].length, cases[i].letters);
		char *unpacked = NULL;
		size_t packed_length = 0;
		size_t length = 0;
		char *packed = pack(text, cases[i].length, cases[i].level, &packed_length);
		CHECK_INT(environment_inflate(packed, packed_length, LIMIT, &unpacked, &length), 0);
		CHECK_INT(length, cases[i].length);
		CHECK(memcmp(unpacked, text, length) == 0);
		if (cases[i].length > 0) {
			char *never = NULL;
			CHECK_INT(environment_inflate(packed, packed_length, cases[i].length - 1,
						      &never, &length),
				  -EFBIG);
		}
		free(unpacked);
		free(packed);
		free(text);
	}
}

static void damage_anywhere_never_passes_for_the_text(void **state)
{
	struct random random;
	size_t packed_length = 0;
	(void)state;
	random_seed(&random, 11);
	char *text = make_text(&random, 3000, 30);
	char *packed = pack(text, 3000, "-9", &packed_length);
	for (int i = 0; i < 3000; i++) {
		char *unpacked = NULL;
		size_t length = 0;
		const size_t at = random_below(&random, packed_length);
		const char before = packed[at];
		packed[at] = (char)((unsigned char)before ^ (1 + random_below(&random, 255)));
		/* Bytes of the header (time, name) may change without harm. */
		if (unpack(packed, packed_length, &unpacked, &length) == 0) {
			CHECK_INT(length, 3000);
			CHECK(memcmp(unpacked, text, length) == 0);
			free(unpacked);
		}
		packed[at] = before;
	}
	free(packed);
	free(text);
}

static void garbage_behind_a_valid_header_ends(void **state)
{
	struct random random;
	(void)state;
	random_seed(&random, 13);
	for (int i = 0; i < 3000; i++) {
		unsigned char bytes[300] = { 0x1f, 0x8b, 8 };
		char *text = NULL;
		size_t length = 0;
		const size_t size = 10 + random_below(&random, sizeof(bytes) - 10);
		for (size_t k = 10; k < size; k++)
			bytes[k] = (unsigned char)random_next(&random);
		const int status = unpack(bytes, size, &text, &length);
		CHECK(status == -EBADMSG || status == -EFBIG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stored_block_behind_a_full_header_is_unpacked),
		cmocka_unit_test(a_block_of_the_fixed_code_is_unpacked),
		cmocka_unit_test(a_torn_member_is_refused_at_every_length),
		cmocka_unit_test(a_changed_byte_of_the_content_is_seen),
		cmocka_unit_test(what_gzip_packed_comes_out_as_it_was),
		cmocka_unit_test(damage_anywhere_never_passes_for_the_text),
		cmocka_unit_test(garbage_behind_a_valid_header_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
