/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories and files with the right owner, and store_default_directory, which asks the same
 * question: on whose behalf does this program run?
 */
#include "store/owner.h"

#include "base/auto.h"
#include "base/mem.h"
#include "base/text.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

static bool id_from_environment(const char *name, uint32_t *ret_id)
{
	const char *text = getenv(name);
	uint64_t number = 0;

	if (!text || !text_parse_u64(text, &number) || number >= UINT32_MAX)
		return false;
	*ret_id = (uint32_t)number;
	return true;
}

struct owner owner_find(void)
{
	uid_t user = 0;
	gid_t group = 0;

	if (geteuid() == 0 && id_from_environment("SUDO_UID", &user) && user != 0 &&
	    id_from_environment("SUDO_GID", &group))
		return (struct owner) { .user = user, .group = group, .is_invoking = true };
	return (struct owner) { .user = geteuid(), .group = getegid() };
}

static int make_directory(const struct owner *owner, const char *path, struct error *err)
{
	if (mkdir(path, 0700) < 0) {
		if (errno == EEXIST)
			return 0;
		return error_errno(err, errno, "cannot make the directory '%s'", path);
	}
	if (!owner->is_invoking)
		return 0;

	/* Through a descriptor: the name may be somebody else's to change. */
	AUTO(fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || fchown(fd, owner->user, owner->group) < 0)
		return error_errno(err, errno, "cannot give the directory '%s' to user %u", path,
				   owner->user);
	return 0;
}

int owner_make_directories(const struct owner *owner, const char *path, struct error *err)
{
	AUTO(text) char *part = mem_text(path);

	for (char *at = part; *at; at++) {
		if (*at != '/' || at == part)
			continue;
		*at = '\0';
		int rc = make_directory(owner, part, err);

		if (rc < 0)
			return rc;
		*at = '/';
	}
	return make_directory(owner, part, err);
}

int owner_make_file(const struct owner *owner, const char *path, struct error *err)
{
	AUTO(fd) int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0) {
		if (errno == EEXIST)
			return -EEXIST;
		return error_errno(err, errno, "cannot make '%s'", path);
	}
	if (owner->is_invoking && fchown(fd, owner->user, owner->group) < 0)
		return error_errno(err, errno, "cannot give '%s' to user %u", path, owner->user);
	return 0;
}

/* The user's name, or the number when there is none. New string. */
static char *user_name(uid_t user)
{
	const struct passwd *entry = getpwuid(user);

	return entry ? mem_text(entry->pw_name) : mem_format("%u", user);
}

int owner_check(const char *path, struct error *err)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return error_errno(err, errno, "cannot look at '%s'", path);
	if (status.st_uid == geteuid() || geteuid() == 0)
		return 0;

	AUTO(text) char *name = user_name(status.st_uid);

	return error_set(err, EACCES,
			 "the store '%s' belongs to user '%s': use that user, or another store "
			 "(--store DIRECTORY)",
			 path, name);
}

char *store_default_directory(void)
{
	const char *chosen = getenv("ASSAY_STORE");

	if (chosen && chosen[0])
		return mem_text(chosen);

	const struct owner owner = owner_find();
	const char *data = getenv("XDG_DATA_HOME");
	const char *home = getenv("HOME");

	/* Root's own environment says nothing of the user for whom it acts. */
	if (owner.is_invoking)
		data = home = NULL;
	if (data && data[0] == '/')
		return mem_format("%s/assay", data);
	if (!home || home[0] != '/') {
		const struct passwd *entry = getpwuid(owner.user);

		home = entry && entry->pw_dir ? entry->pw_dir : NULL;
	}
	if (home)
		return mem_format("%s/.local/share/assay", home);
	/* A user without a home; owner_check refuses the directory when it is somebody else's. */
	return mem_format("/var/tmp/assay-%u", owner.user);
}
