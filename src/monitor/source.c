/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of the kernel's that is read again and again. See source.h. */
#include "monitor/source.h"

#include "base/fs.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BYTES 4096U
#define SPARE_BYTES 4096U

/* Files in /proc have no size of their own, so the buffer grows until one reading fits. */
static ssize_t read_to_fit(struct source *source)
{
	for (size_t size = FIRST_BYTES; size <= SOURCE_BYTES_MAX; size *= 2) {
		free(source->bytes);
		source->bytes = mem_zero(size);
		source->size = size;
		const ssize_t got = fs_pread_all(source->fd, source->bytes, size);
		if (got < 0 || (size_t)got < size - 1)
			return got;
	}
	return -EFBIG;
}

int source_open(struct source *source, int root_fd, const char *path, struct error *err)
{
	*source = (struct source) { .fd = fs_open_at(root_fd, path, O_RDONLY) };
	if (source->fd < 0) {
		const int code = -source->fd;
		source->fd = -1;
		return error_errno(err, code, "cannot open '%s'", path);
	}
	const ssize_t got = read_to_fit(source);
	if (got <= 0) {
		source_done(source);
		return got < 0 ? error_errno(err, (int)-got, "cannot read '%s'", path)
			       : error_set(err, ENODATA, "'%s' is empty", path);
	}
	source->size = 2 * (size_t)got + SPARE_BYTES;
	source->length = (size_t)got;
	char *bytes = mem_zero(source->size + SOURCE_MARGIN_BYTES);
	memcpy(bytes, source->bytes, source->length + 1);
	free(source->bytes);
	source->bytes = bytes;
	assert(source->length < source->size);
	return 0;
}

void source_done(struct source *source)
{
	if (source->fd >= 0)
		(void)close(source->fd); /* Only read from: nothing can be lost. */
	free(source->bytes);
	*source = (struct source) { .fd = -1 };
}

enum missing source_read(struct source *source)
{
	assert(source->fd >= 0 && source->size > 0);
	source->length = 0;
	const ssize_t got = fs_pread_all(source->fd, source->bytes, source->size);
	if (got == -ENODEV) /* The node or device that the open file belongs to was taken out. */
		return MISSING_OFFLINE;
	if (got < 0)
		return missing_from_errno((int)-got);
	if (got == 0 || (size_t)got >= source->size - 1)
		return MISSING_MALFORMED;
	source->length = (size_t)got;
	return MISSING_NOT;
}

const char *source_next_line(const char *at, const char *end)
{
	assert(at <= end);
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	return newline ? newline + 1 : end;
}

static const char *find_between(const char *from, const char *end, const char *key, size_t length)
{
	for (const char *line = from; line < end; line = source_next_line(line, end)) {
		if (memcmp(line, key, length) == 0)
			return line;
	}
	return NULL;
}

const char *source_find_line(const struct source *source, const char *from, const char *key,
			     size_t length)
{
	assert(length <= SOURCE_MARGIN_BYTES);
	const char *const end = source->bytes + source->length;
	assert(from >= source->bytes && from <= end);
	const char *const found = find_between(from, end, key, length);
	return found ? found : find_between(source->bytes, from, key, length);
}
