/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that the workload `command` is to run: which file it is, the hash of its bytes, and what it was built or
 * linked with to find bugs. Two builds of one source are two programs, and one with a sanitizer measures the
 * sanitizer.
 *
 * Symbols are looked for as whole strings among all bytes, so a stripped program is seen by what it imports, and no
 * format of executables needs to be known. A compiler, which holds the same words to write them elsewhere, is taken for
 * one of its products.
 */
#include "base/auto.h"
#include "base/checksum.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/text.h"
#include "probe/environment.h"
#include "probe/environment_fact.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM_BYTES_MAX (64U << 20) /* Hashing takes about 3 ms a MiB; larger ones are missing. */

static const struct {
	const char *symbol; /* A whole string, or the beginning of a library's name. */
	const char *what;
} instruments[] = {
	{ "__asan_init", "address-sanitizer" },
	{ "__tsan_init", "thread-sanitizer" },
	{ "__msan_init", "memory-sanitizer" },
	{ "__ubsan_handle_type_mismatch_v1", "undefined-sanitizer" },
	{ "libefence.so", "electric-fence" },
	{ "libduma.so", "duma" },
	{ "libdmalloc.so", "dmalloc" },
};

/* The first word of the command line, without quotes. New string. */
static char *first_word(const char *program)
{
	program += strspn(program, " ");
	char *word = mem_text_n(program, strcspn(program, " "));
	char *to = word;
	for (const char *from = word; *from; from++)
		if (*from != '\'' && *from != '"')
			*to++ = *from;
	*to = '\0';
	return word;
}

/* A symbol begins behind a NUL, and ends with one; a library's name goes on with its version. */
static bool holds(const char *bytes, size_t length, const char *symbol)
{
	const size_t wanted = strlen(symbol);
	const bool is_library = text_ends_with(symbol, ".so");
	const char *const end = bytes + length;
	for (const char *at = bytes; (at = memmem(at, (size_t)(end - at), symbol, wanted)); at++) {
		const char *const behind = at + wanted;
		if (at > bytes && at[-1] == '\0' && behind < end &&
		    (*behind == '\0' || (is_library && *behind == '.')))
			return true;
	}
	return false;
}

static void record_content(struct environment *environment, const char *bytes, size_t length)
{
	char hash[CHECKSUM_SHA256_HEX];
	AUTO(text_buffer) struct text found = { 0 };
	checksum_sha256_hex(bytes, length, hash);
	environment_known(environment, "program.sha256", hash);
	for (size_t i = 0; i < ARRAY_SIZE(instruments); i++)
		if (holds(bytes, length, instruments[i].symbol))
			text_add(&found, "%s%s", found.length ? " " : "", instruments[i].what);
	environment_known(environment, "program.instruments",
			  found.length ? text_string(&found) : "none");
}

static void record_missing(struct environment *environment, enum missing why)
{
	environment_missing(environment, "program.sha256", why);
	environment_missing(environment, "program.instruments", why);
}

void environment_program(struct environment *environment, const char *program)
{
	AUTO(text) char *word = first_word(program);
	AUTO(text) char *path = spawn_find(word, getenv("PATH"));
	if (!path) {
		environment_missing(environment, "program.path", MISSING_ABSENT);
		record_missing(environment, MISSING_ABSENT);
		return;
	}
	AUTO(text) char *whole = realpath(path, /* resolved= */ NULL);
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	environment_known(environment, "program.path", whole ? whole : path);
	AUTO(fd) int here = fs_root_open("/", /* err= */ NULL);
	const int status = here < 0 || !whole ? -ENOENT
					      : fs_read_whole_at(here, whole + 1, PROGRAM_BYTES_MAX,
								 &bytes, &length, /* err= */ NULL);
	if (status < 0)
		record_missing(environment,
			       status == -EFBIG ? MISSING_MALFORMED : missing_from_errno(-status));
	else
		record_content(environment, bytes, length);
}

int environment_record_program(struct wire *wire, const char *program)
{
	struct environment environment = { .root_fd = -1, .wire = wire };
	environment_program(&environment, program);
	return environment.failure;
}
