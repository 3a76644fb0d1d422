/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files written for the time of a run, and what was in them before. See change.h. */
#include "place/change.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#define CONTENT_BYTES 4096
#define CHANGES_MAX 65536
#define RMDIR_TRIES 100 /* A control group is busy until the kernel has buried its last task. */

void changes_done(struct changes *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		free(changes->items[i].path);
		free(changes->items[i].value);
		free(changes->items[i].before);
	}
	free(changes->items);
	*changes = (struct changes) { 0 };
}

static struct change *add(struct changes *changes, enum change_kind kind, const char *path)
{
	assert(path[0] != '/');
	assert(changes->n < CHANGES_MAX);
	changes->items = mem_grow(changes->items, &changes->capacity, changes->n + 1,
				  sizeof(*changes->items));
	struct change *change = &changes->items[changes->n++];
	*change = (struct change) { .kind = kind, .path = mem_text(path) };
	return change;
}

/* The chosen word of "always [madvise] never", in place; other texts stay as they are. */
static char *chosen_word(char *content)
{
	char *open = strchr(content, '[');
	char *close = open ? strchr(open, ']') : NULL;
	if (!close)
		return content;
	*close = '\0';
	return open + 1;
}

static int read_content(int root_fd, const char *path, char *buffer, size_t size,
			char **ret_content, struct error *err)
{
	const ssize_t length = fs_read_line_at(root_fd, path, buffer, size);
	if (length == -ENOENT)
		return error_set(err, ENOENT, "cannot set '/%s': this kernel does not have it",
				 path);
	if (length < 0)
		return error_errno(err, (int)-length, "cannot read '/%s' before changing it", path);
	*ret_content = chosen_word(buffer);
	return 0;
}

int changes_add_write(struct changes *changes, int root_fd, const char *path, const char *value,
		      struct error *err)
{
	char buffer[CONTENT_BYTES];
	char *content = NULL;
	const int failed = read_content(root_fd, path, buffer, sizeof(buffer), &content, err);
	if (failed)
		return failed;
	struct change *change = add(changes, CHANGE_WRITE, path);
	change->value = mem_text(value);
	change->before = mem_text(content);
	return 0;
}

int changes_add_kept(struct changes *changes, int root_fd, const char *path, struct error *err)
{
	/* What nobody may write cannot be put back, and is not changed either. */
	if (faccessat(root_fd, path, W_OK, AT_EACCESS) < 0)
		return 0;
	const int failed = changes_add_write(changes, root_fd, path, /* value= */ "", err);
	if (!failed)
		changes->items[changes->n - 1].kept = true;
	return failed;
}

void changes_add_directory(struct changes *changes, const char *path)
{
	add(changes, CHANGE_DIRECTORY, path);
}

void changes_add_temporary(struct changes *changes, const char *path, const char *value)
{
	struct change *change = add(changes, CHANGE_WRITE, path);
	change->value = mem_text(value);
	change->temporary = true;
}

static int write_content(int root_fd, const char *path, const char *value, struct error *err)
{
	AUTO(fd) int fd = fs_open_at(root_fd, path, O_WRONLY | O_TRUNC);
	int failed = fd < 0 ? fd : fs_write_all(fd, value, strlen(value));
	if (failed == -EACCES || failed == -EPERM)
		return error_set(err, EACCES,
				 "cannot write '/%s': the kernel asks for root here (run the same "
				 "command under sudo)",
				 path);
	if (failed)
		return error_errno(err, -failed, "cannot write '%s' to '/%s'", value, path);
	return 0;
}

/* Equal as the kernel understands it: blanks between numbers may differ (tabs in /proc/sys). */
static bool same_content(const char *one, const char *other)
{
	for (;;) {
		while (isspace((unsigned char)*one))
			one++;
		while (isspace((unsigned char)*other))
			other++;
		if (*one != *other)
			return false;
		if (!*one)
			return true;
		one++;
		other++;
	}
}

static int apply_write(const struct change *change, int root_fd, struct error *err)
{
	if (change->kept)
		return 0;
	const int failed = write_content(root_fd, change->path, change->value, err);
	if (failed || change->temporary)
		return failed;
	char buffer[CONTENT_BYTES];
	char *content = NULL;
	const int unread =
		read_content(root_fd, change->path, buffer, sizeof(buffer), &content, err);
	if (unread)
		return unread;
	if (!same_content(content, change->value))
		return error_set(err, EIO, "'/%s' was set to '%s' but reads '%s'", change->path,
				 change->value, content);
	return 0;
}

static int apply_directory(const struct change *change, int root_fd, struct error *err)
{
	if (mkdirat(root_fd, change->path, 0755) == 0 || errno == EEXIST)
		return 0;
	if (errno == EACCES || errno == EPERM || errno == EROFS)
		return error_set(err, EACCES,
				 "cannot make control group '/%s': it needs root here (run the "
				 "same command under sudo)",
				 change->path);
	return error_errno(err, errno, "cannot make control group '/%s'", change->path);
}

int changes_apply(struct changes *changes, int root_fd, struct error *err)
{
	for (size_t i = 0; i < changes->n; i++) {
		const struct change *change = &changes->items[i];
		/* Counted before it is tried: a write that was taken but reads back differently
		 * is undone too. */
		changes->n_applied = i + 1;
		const int failed = change->kind == CHANGE_WRITE
					   ? apply_write(change, root_fd, err)
					   : apply_directory(change, root_fd, err);
		if (failed)
			return failed;
	}
	return 0;
}

static int undo_directory(const struct change *change, int root_fd, struct error *err)
{
	for (unsigned tries = 0;; tries++) {
		if (unlinkat(root_fd, change->path, AT_REMOVEDIR) == 0 || errno == ENOENT)
			return 0;
		if (errno != EBUSY || tries == RMDIR_TRIES)
			return error_errno(err, errno, "cannot remove control group '/%s'",
					   change->path);
		clock_sleep_until_ns(clock_monotonic_ns() + 10 * NS_PER_MS);
	}
}

static int undo_write(const struct change *change, int root_fd, struct error *err)
{
	if (change->temporary)
		return 0;
	char buffer[CONTENT_BYTES];
	char *content = NULL;
	if (read_content(root_fd, change->path, buffer, sizeof(buffer), &content, err) == 0) {
		assert(content);
		if (same_content(content, change->before))
			return 0;
	}
	/* To write nothing would change nothing: an empty line empties the file. */
	const char *before = *change->before ? change->before : "\n";
	const int failed = write_content(root_fd, change->path, before, err);
	/* No word of the person's was wrong here. */
	return failed == -EINVAL ? -EIO : failed;
}

int changes_undo(struct changes *changes, int root_fd, struct error *err)
{
	int first_failure = 0;
	struct error later;
	while (changes->n_applied > 0) {
		const struct change *change = &changes->items[--changes->n_applied];
		struct error *told = first_failure ? &later : err;
		const int failed = change->kind == CHANGE_WRITE
					   ? undo_write(change, root_fd, told)
					   : undo_directory(change, root_fd, told);
		if (failed && !first_failure)
			first_failure = failed;
	}
	return first_failure;
}
