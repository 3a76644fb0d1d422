/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recorded trees for the tests of the environment. See environment_tree.h. */
#include "probe/environment_tree.h"

#include "base/fs.h"
#include "base/mem.h"
#include "check.h"
#include "record/stream.h"
#include "record/wire.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

struct environment_tree environment_tree_make(void)
{
	/* Recorded machines have thousands of files: in memory they are made in no time. */
	struct environment_tree tree = { .path = "/dev/shm/assay-tree-XXXXXX" };
	if (access("/dev/shm", W_OK) != 0)
		(void)snprintf(tree.path, sizeof(tree.path), "/tmp/assay-tree-XXXXXX");
	CHECK(mkdtemp(tree.path) != NULL);
	tree.fd = open(tree.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(tree.fd >= 0);
	return tree;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
	(void)status;
	(void)kind;
	(void)at;
	return remove(path);
}

void environment_tree_remove(struct environment_tree *tree)
{
	if (tree->fd < 0)
		return;
	(void)close(tree->fd);
	CHECK_INT(nftw(tree->path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	tree->fd = -1;
}

/* The archives hold one folder, which is the root of the recorded machine. */
static void enter_single_folder(struct environment_tree *tree)
{
	DIR *folder = opendir(tree->path);
	CHECK(folder != NULL);
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		if (entry->d_name[0] == '.')
			continue;
		const int fd = openat(tree->fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		CHECK(fd >= 0);
		(void)close(tree->fd);
		tree->fd = fd;
		break;
	}
	(void)closedir(folder);
}

struct environment_tree environment_tree_unpack(const char *archive)
{
	const char *cases = getenv("ASSAY_TEST_CASES");
	char command[1280];
	char path[768];
	(void)snprintf(path, sizeof(path), "%s/%s", cases ? cases : "", archive);
	if (!cases || access(path, R_OK) != 0) {
		print_message("skipped: there is no recorded machine %s\n", path);
		return (struct environment_tree) { .fd = -1 };
	}
	struct environment_tree tree = environment_tree_make();
	(void)snprintf(
		command, sizeof(command), "tar -xf '%s' -C '%s' %s 2>/dev/null", path, tree.path,
		"--exclude='*/cpufreq' --exclude='*/cpuidle' --exclude='*/power' --exclude='*/hotplug' "
		"--exclude='*/thermal_throttle' --exclude='*/msr' --exclude='*/microcode' --exclude='*/bus'");
	if (system(command) != 0) { /* No tar, or no bzip2, on this machine. */
		print_message("skipped: %s cannot be unpacked\n", path);
		environment_tree_remove(&tree);
		return tree;
	}
	enter_single_folder(&tree);
	return tree;
}

void environment_tree_bytes(const struct environment_tree *tree, const char *path,
			    const void *bytes, size_t length)
{
	char copy[512];
	(void)snprintf(copy, sizeof(copy), "%s", path);
	for (char *slash = strchr(copy, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		CHECK(mkdirat(tree->fd, copy, 0755) == 0 || errno == EEXIST);
		*slash = '/';
	}
	const int fd = openat(tree->fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	CHECK(fd >= 0);
	CHECK_INT(fs_write_all(fd, bytes, length), 0);
	(void)close(fd);
}

void environment_tree_file(const struct environment_tree *tree, const char *path, const char *text)
{
	environment_tree_bytes(tree, path, text, strlen(text));
}

struct run *environment_tree_facts(const struct environment_tree *tree,
				   void (*part)(struct environment *))
{
	const int fd = memfd_create("facts", MFD_CLOEXEC);
	CHECK(fd >= 0);
	struct wire *wire = wire_new(fd);
	const struct wire_hello hello = {
		.version = "", .workload = "", .prefix = "", .isolation = ""
	};
	CHECK_INT(wire_hello(wire, &hello), 0);
	struct environment environment = { .root_fd = tree->fd, .wire = wire };
	part(&environment);
	CHECK_INT(environment.failure, 0);
	wire_free(wire);
	struct stream *stream = stream_new();
	char *bytes = NULL;
	size_t length = 0;
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_INT(fs_read_whole_at(AT_FDCWD, path, 1U << 26, &bytes, &length, /* err= */ NULL), 0);
	CHECK_INT(stream_feed(stream, bytes, length, /* err= */ NULL), 0);
	CHECK_INT(stream_skipped_bytes(stream), 0);
	struct run *run = stream_finish(stream);
	stream_free(stream);
	free(bytes);
	(void)close(fd);
	return run;
}

const char *environment_tree_text(const struct run *run, const char *name)
{
	static char text[128];
	const struct fact *fact = run_fact_find(run, name);
	if (!fact)
		return "no such fact";
	if (fact->state == VALUE_KNOWN)
		return fact->text;
	(void)snprintf(text, sizeof(text), "missing: %s", missing_text(fact->why));
	return text;
}
