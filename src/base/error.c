/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentence of a failure, kept by the caller. See error.h. */
#include "base/error.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void mark_cut(struct error *err, int length)
{
	if (length >= ERROR_TEXT_BYTES)
		memcpy(err->text + ERROR_TEXT_BYTES - 4, "...", 4);
}

static void set_text(struct error *err, int code, const char *format, va_list arguments)
	PRINTF_LIKE(3, 0);

static void set_text(struct error *err, int code, const char *format, va_list arguments)
{
	err->code = code;
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 does not see va_start. */
	mark_cut(err, vsnprintf(err->text, sizeof(err->text), format, arguments));
}

int error_set(struct error *err, int code, const char *format, ...)
{
	assert(code > 0);
	if (!err)
		return -code;
	va_list arguments;
	va_start(arguments, format);
	set_text(err, code, format, arguments);
	va_end(arguments);
	return -code;
}

int error_errno(struct error *err, int code, const char *format, ...)
{
	assert(code > 0);
	if (!err)
		return -code;
	va_list arguments;
	va_start(arguments, format);
	set_text(err, code, format, arguments);
	va_end(arguments);
	char why[128];
	const size_t used = strlen(err->text);
	mark_cut(err, (int)used + snprintf(err->text + used, sizeof(err->text) - used, ": %s",
					   strerror_r(code, why, sizeof(why))));
	return -code;
}

/* Adds a piece as far as it fits; gives the length that the whole would have. */
static int add_text(struct error *err, int used, const char *piece)
{
	const int length = (int)strlen(piece);
	const int room = used < ERROR_TEXT_BYTES ? ERROR_TEXT_BYTES - 1 - used : 0;
	const int taken = length < room ? length : room;
	if (taken > 0) {
		memcpy(err->text + used, piece, (size_t)taken);
		err->text[used + taken] = '\0';
	}
	return used + length;
}

int error_at(struct error *err, const char *format, ...)
{
	if (!err)
		return -EIO;
	char sentence[ERROR_TEXT_BYTES];
	memcpy(sentence, err->text, sizeof(sentence));
	va_list arguments;
	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 does not see va_start. */
	int used = vsnprintf(err->text, sizeof(err->text), format, arguments);
	va_end(arguments);
	const char *const pieces[] = { ": ", sentence };
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++)
		used = add_text(err, used, pieces[i]);
	mark_cut(err, used);
	return err->code ? -err->code : -EIO;
}
