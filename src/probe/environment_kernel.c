/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel that runs: release, build, command line, taint. Its configuration is environment_config.c's. */
#include "base/fs.h"
#include "base/text.h"
#include "probe/environment_fact.h"

#include <assert.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>

#define NOTES_BYTES_MAX 16384
#define BUILD_ID_BYTES_MAX 64

/* Four-byte alignment of the parts of an ELF note. */
static size_t aligned(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* The build id among the ELF notes of the kernel image, as hexadecimal digits; false when there is none. */
static bool find_build_id(const char *notes, size_t length, char *hex, size_t hex_size)
{
	size_t at = 0;
	while (at <= length && length - at >= sizeof(Elf32_Nhdr)) {
		Elf32_Nhdr note;
		memcpy(&note, notes + at, sizeof(note));
		const size_t name = at + sizeof(note);
		if (note.n_namesz > length || note.n_descsz > length)
			return false; /* Also keeps the sums below from overflowing. */
		const size_t descriptor = name + aligned(note.n_namesz);
		if (descriptor + note.n_descsz > length)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    memcmp(notes + name, "GNU", sizeof("GNU")) == 0) {
			if (note.n_descsz == 0 || 2 * (size_t)note.n_descsz >= hex_size)
				return false;
			for (size_t i = 0; i < note.n_descsz; i++)
				(void)snprintf(hex + 2 * i, 3, "%02x",
					       (unsigned char)notes[descriptor + i]);
			return true;
		}
		at = descriptor + aligned(note.n_descsz);
	}
	return false;
}

static void record_build_id(struct environment *environment)
{
	char notes[NOTES_BYTES_MAX];
	char hex[2 * BUILD_ID_BYTES_MAX + 1];
	const ssize_t length =
		fs_read_at(environment->root_fd, "sys/kernel/notes", notes, sizeof(notes));
	if (length < 0)
		environment_missing(environment, "kernel.build_id",
				    missing_from_errno((int)-length));
	else if (find_build_id(notes, (size_t)length, hex, sizeof(hex)))
		environment_known(environment, "kernel.build_id", hex);
	else
		environment_missing(environment, "kernel.build_id", MISSING_ABSENT);
}

/* The end of the bracket that opens at `open`, or NULL. */
static const char *matching_bracket(const char *open)
{
	int depth = 0;
	for (const char *at = open; *at; at++) {
		depth += (*at == '(') - (*at == ')');
		if (depth == 0)
			return at;
	}
	return NULL;
}

/* /proc/version: "Linux version RELEASE (who@where) (COMPILER) #1 ...", the second bracket holds brackets itself. */
static void record_compiler(struct environment *environment)
{
	char version[ENVIRONMENT_LINE_BYTES];
	const ssize_t length =
		fs_read_line_at(environment->root_fd, "proc/version", version, sizeof(version));
	if (length < 0) {
		environment_missing(environment, "kernel.compiler",
				    missing_from_errno((int)-length));
		return;
	}
	const char *builder = strchr(version, '(');
	const char *end = builder ? matching_bracket(builder) : NULL;
	const char *compiler = end ? strchr(end, '(') : NULL;
	end = compiler ? matching_bracket(compiler) : NULL;
	if (!end) {
		environment_missing(environment, "kernel.compiler", MISSING_MALFORMED);
		return;
	}
	version[end - version] = '\0';
	environment_known(environment, "kernel.compiler", compiler + 1);
}

void environment_kernel(struct environment *environment)
{
	environment_line(environment, "kernel.release", "proc/sys/kernel/osrelease");
	environment_line(environment, "kernel.version", "proc/sys/kernel/version");
	environment_line(environment, "kernel.architecture", "proc/sys/kernel/arch");
	environment_line(environment, "kernel.command_line", "proc/cmdline");
	environment_line(environment, "kernel.taint", "proc/sys/kernel/tainted");
	environment_line(environment, "kernel.lsm", "sys/kernel/security/lsm");
	environment_chosen(environment, "kernel.preempt_mode", "sys/kernel/debug/sched/preempt",
			   "()");
	record_build_id(environment);
	record_compiler(environment);
}
