/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Golden texts: what a renderer gives is compared byte for byte with a file of test/golden/. A wanted
 * change is recorded by running the tests with UPDATE=1 and read in the diff before it is kept.
 */
#pragma once

#include "base/auto.h"
#include "base/fs.h"
#include "base/mem.h"
#include "check.h"

#include <errno.h>
#include <stdlib.h>

/* The line in which two texts part, for the message. */
static inline unsigned golden_line(const char *have, const char *want)
{
	unsigned line = 1;
	while (*have && *have == *want) {
		line += *have == '\n';
		have++;
		want++;
	}
	return line;
}

static inline void golden_check(const char *name, const char *have)
{
	const char *folder = getenv("ASSAY_TEST_GOLDEN");
	if (!folder)
		fail_msg("ASSAY_TEST_GOLDEN is not set: run this by meson test");
	AUTO(text) char *path = mem_format("%s/%s", folder, name);
	struct error err = { 0 };
	if (getenv("UPDATE")) {
		if (fs_replace(path, have, strlen(have), 0644, &err) < 0)
			fail_msg("cannot record '%s': %s", path, err.text);
		return;
	}
	AUTO(file) FILE *file = fopen(path, "re");
	if (!file)
		fail_msg("cannot open '%s': %s; UPDATE=1 records it", path, strerror(errno));
	AUTO(text) char *want = mem_zero(1U << 20);
	const size_t length = fread(want, 1, (1U << 20) - 1, file);
	want[length] = '\0';
	if (strcmp(have, want) != 0)
		fail_msg("%s differs from line %u on; UPDATE=1 records what there is now:\n%s",
			 name, golden_line(have, want), have);
}
