/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary tree of files. See tree.h. */
#include "monitor/tree.h"

#include "base/auto.h"
#include "base/fs.h"
#include "check.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#define FILE_BYTES_MAX (1U << 20)

void tree_make(struct tree *tree)
{
	(void)snprintf(tree->path, sizeof(tree->path), "/tmp/assay-tree-XXXXXX");
	CHECK(mkdtemp(tree->path) != NULL);
	struct error err;
	tree->fd = fs_root_open(tree->path, &err);
	CHECK(tree->fd >= 0);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
	return remove(path);
}

void tree_done(struct tree *tree)
{
	CHECK(close(tree->fd) == 0);
	CHECK(nftw(tree->path, remove_entry, 8, FTW_DEPTH | FTW_PHYS) == 0);
}

void tree_put_bytes(const struct tree *tree, const char *path, const void *bytes, size_t length)
{
	char full[PATH_MAX];
	struct error err = { 0 };
	(void)snprintf(full, sizeof(full), "%s/%s", tree->path, path);
	char *slash = strrchr(full, '/');
	*slash = '\0';
	CHECK_INT(fs_make_dirs(full, 0700, &err), 0);
	*slash = '/';
	AUTO(fd) int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0);
	CHECK_INT(fs_write_all(fd, bytes, length), 0);
}

void tree_put(const struct tree *tree, const char *path, const char *text)
{
	tree_put_bytes(tree, path, text, strlen(text));
}

static void copy_file(const struct tree *tree, int root_fd, const char *from, const char *path)
{
	AUTO(text) char *bytes = NULL;
	size_t length;
	struct error err = { 0 };
	if (fs_read_whole_at(root_fd, from, FILE_BYTES_MAX, &bytes, &length, &err) < 0)
		fail_msg("%s", err.text);
	tree_put_bytes(tree, path, bytes, length);
}

void tree_copy_file(const struct tree *tree, const char *file, const char *path)
{
	copy_file(tree, AT_FDCWD, file, path);
}

static void copy_folder(const struct tree *tree, const char *folder, int root_fd, const char *below)
{
	char full[PATH_MAX];
	(void)snprintf(full, sizeof(full), "%s/%s", folder, below);
	DIR *directory = opendir(full);
	CHECK(directory != NULL);
	const struct dirent *entry;
	while ((entry = readdir(directory))) {
		char path[PATH_MAX];
		struct stat status;
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s%s%s", below, *below ? "/" : "",
			       entry->d_name);
		if (fstatat(root_fd, path, &status, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (S_ISDIR(status.st_mode))
			copy_folder(tree, folder, root_fd, path);
		else if (S_ISREG(status.st_mode))
			copy_file(tree, root_fd, path, path);
	}
	CHECK(closedir(directory) == 0);
}

bool tree_copy(const struct tree *tree, const char *folder)
{
	struct error err;
	AUTO(fd) int root_fd = fs_root_open(folder, &err);
	if (root_fd < 0)
		return false;
	copy_folder(tree, folder, root_fd, "");
	return true;
}

void tree_load(const struct tree *tree, const char *fixture)
{
	char folder[PATH_MAX];
	const char *fixtures = getenv("ASSAY_TEST_FIXTURES");
	CHECK(fixtures != NULL);
	(void)snprintf(folder, sizeof(folder), "%s/%s", fixtures, fixture);
	if (!tree_copy(tree, folder))
		fail_msg("there is no fixture '%s'", folder);
}

bool tree_case(const char *path, char full[static PATH_MAX])
{
	const char *cases = getenv("ASSAY_TEST_CASES");
	(void)snprintf(full, PATH_MAX, "%s/%s", cases ? cases : "", path);
	if (cases && access(full, R_OK) == 0)
		return true;
	printf("skipped: the recorded inputs are not here (%s)\n", full);
	return false;
}
