/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a fuzz target over every file of a corpus folder, given as the only argument, so that each
 * input that was ever interesting is tried in every build. An empty or absent folder is a failure.
 */
#include "base/auto.h"
#include "base/fs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>

#define INPUT_BYTES_MAX (1U << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(int folder_fd, const char *name)
{
	AUTO(text) char *bytes = NULL;
	size_t length = 0;
	struct error err = { 0 };
	const int failed =
		fs_read_whole_at(folder_fd, name, INPUT_BYTES_MAX, &bytes, &length, &err);
	if (failed) {
		(void)fprintf(stderr, "%s\n", err.text);
		return failed;
	}
	(void)printf("%s: %zu bytes\n", name, length);
	(void)fflush(stdout); /* A crash leaves the name of its input as the last line. */
	return LLVMFuzzerTestOneInput((const uint8_t *)bytes, length);
}

int main(int argc, char **argv)
{
	DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
	if (!folder) {
		(void)fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	int failures = 0;
	int inputs = 0;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		if (entry->d_name[0] == '.')
			continue;
		inputs++;
		failures += replay(dirfd(folder), entry->d_name) != 0;
	}
	(void)closedir(folder);
	(void)printf("%d inputs, %d failures\n", inputs, failures);
	return failures || inputs == 0;
}
