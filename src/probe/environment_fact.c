/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a file to a fact. See environment_fact.h. */
#include "probe/environment_fact.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/text.h"
#include "record/wire.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void release_folder(DIR *folder)
{
	(void)closedir(folder); /* It was only read. */
}

DEFINE_AUTO(folder, DIR *, release_folder);

static void send_fact(struct environment *environment, const char *name, enum value_state state,
		      enum missing why, const char *text)
{
	assert(name[0] && (state == VALUE_KNOWN) == (text != NULL));
	if (environment->failure < 0)
		return;
	const int status = wire_fact(environment->wire, name, state, why, text);
	if (status < 0)
		environment->failure = status;
}

void environment_known(struct environment *environment, const char *name, const char *text)
{
	AUTO(text_buffer) struct text clean = { 0 };
	for (const char *at = text; *at;) {
		const size_t blank = strspn(at, " \t\n\r\v\f");
		if (blank > 0 && clean.length > 0 && at[blank])
			text_add_bytes(&clean, " ", 1);
		at += blank;
		const size_t word = strcspn(at, " \t\n\r\v\f");
		text_add_bytes(&clean, at, word);
		at += word;
	}
	for (size_t i = 0; i < clean.length; i++)
		if ((unsigned char)clean.bytes[i] < ' ' || clean.bytes[i] == 0x7f)
			clean.bytes[i] = '?';
	send_fact(environment, name, VALUE_KNOWN, MISSING_NOT, text_string(&clean));
}

void environment_number(struct environment *environment, const char *name, uint64_t number)
{
	char text[24];
	(void)snprintf(text, sizeof(text), "%" PRIu64, number);
	send_fact(environment, name, VALUE_KNOWN, MISSING_NOT, text);
}

void environment_missing(struct environment *environment, const char *name, enum missing why)
{
	assert(why != MISSING_NOT);
	send_fact(environment, name, VALUE_MISSING, why, /* text= */ NULL);
}

void environment_line(struct environment *environment, const char *name, const char *path)
{
	char line[ENVIRONMENT_LINE_BYTES];
	const ssize_t length = fs_read_line_at(environment->root_fd, path, line, sizeof(line));
	if (length < 0)
		environment_missing(environment, name, missing_from_errno((int)-length));
	else
		environment_known(environment, name, line);
}

void environment_choose(char *text, const char brackets[static 2])
{
	const char *open = strchr(text, brackets[0]);
	const char *close = open ? strchr(open, brackets[1]) : NULL;
	if (!close)
		return;
	const size_t length = (size_t)(close - open) - 1;
	memmove(text, open + 1, length);
	text[length] = '\0';
}

void environment_chosen(struct environment *environment, const char *name, const char *path,
			const char brackets[static 2])
{
	char line[ENVIRONMENT_LINE_BYTES];
	const ssize_t length = fs_read_line_at(environment->root_fd, path, line, sizeof(line));
	if (length < 0) {
		environment_missing(environment, name, missing_from_errno((int)-length));
		return;
	}
	environment_choose(line, brackets);
	environment_known(environment, name, line);
}

void environment_distinct_add(struct environment_distinct *distinct, const char *text)
{
	for (unsigned i = 0; i < distinct->n; i++)
		if (strncmp(distinct->values[i], text, sizeof(distinct->values[i]) - 1) == 0)
			return;
	if (distinct->n == ENVIRONMENT_DISTINCT_MAX) {
		distinct->n_dropped++;
		return;
	}
	(void)snprintf(distinct->values[distinct->n], sizeof(distinct->values[0]), "%s", text);
	distinct->n++;
}

void environment_distinct_read(struct environment_distinct *distinct, int root_fd, const char *path)
{
	char line[256];
	const ssize_t length = fs_read_line_at(root_fd, path, line, sizeof(line));
	if (length < 0)
		distinct->why = missing_from_errno((int)-length);
	else
		environment_distinct_add(distinct, line);
}

void environment_distinct_record(struct environment *environment, const char *name,
				 const struct environment_distinct *distinct)
{
	if (distinct->n == 0) {
		const enum missing why = distinct->why;
		environment_missing(environment, name, why == MISSING_NOT ? MISSING_ABSENT : why);
		return;
	}
	AUTO(text_buffer) struct text all = { 0 };
	if (distinct->n > 1)
		text_add(&all, "mixed: ");
	for (unsigned i = 0; i < distinct->n; i++)
		text_add(&all, "%s%s", i == 0 ? "" : ", ", distinct->values[i]);
	if (distinct->n_dropped > 0)
		text_add(&all, ", ...");
	environment_known(environment, name, text_string(&all));
}

int environment_folder_each(int root_fd, const char *path,
			    void (*each)(const char *name, void *user), void *user)
{
	AUTO(fd) int fd = fs_open_at(root_fd, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	AUTO(folder) DIR *folder = fdopendir(fd);
	if (!folder)
		return -errno;
	(void)KEEP_FD(fd); /* The folder owns it now. */
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
		if (entry->d_name[0] != '.')
			each(entry->d_name, user);
	return 0;
}

const char *environment_next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line == '\n' ? line + 1 : line;
}

void environment_copy(char *buffer, size_t size, const char *bytes, size_t length)
{
	assert(size > 0);
	const size_t kept = length < size ? length : size - 1;
	memcpy(buffer, bytes, kept);
	buffer[kept] = '\0';
}
