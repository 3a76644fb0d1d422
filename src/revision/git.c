/* SPDX-License-Identifier: GPL-2.0-or-later */
/* git as a child. See git.h. */
#include "revision/git.h"

#include "base/auto.h"
#include "base/fs.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#define OUTPUT_BYTES_MAX (256U << 20) /* Subjects and paths of 20000 commits are a few MB. */
#define SAID_BYTES 400                /* Of git's complaint that go into a sentence. */
#define WORDS_MAX 40

/* In front of every command: the person's own settings that would run, sign, page or pack something. */
static const char *const before[] = {
	"git",
	"-c",
	"core.hooksPath=/dev/null",
	"-c",
	"core.quotePath=false",
	"-c",
	"gc.auto=0",
	"-c",
	"log.showSignature=false",
	"-c",
	"advice.detachedHead=false",
	"-c",
	"core.fsmonitor=false",
	"-c",
	"maintenance.auto=false",
};

/* Names and dates are fixed, so that a revert made twice is the same commit. */
static const char *const own_environment[] = {
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_PAGER=cat",
	"GIT_EDITOR=true",
	"LC_ALL=C",
	"GIT_AUTHOR_NAME=assay",
	"GIT_AUTHOR_EMAIL=assay@localhost",
	"GIT_AUTHOR_DATE=2000-01-01T00:00:00Z",
	"GIT_COMMITTER_NAME=assay",
	"GIT_COMMITTER_EMAIL=assay@localhost",
	"GIT_COMMITTER_DATE=2000-01-01T00:00:00Z",
};

/* Of the surrounding environment all but what leads git elsewhere. A new array of borrowed strings. */
static const char **make_environment(void)
{
	size_t n = 0;
	while (environ[n])
		n++;
	const char **list = mem_array(n + ARRAY_SIZE(own_environment) + 1, sizeof(*list));
	size_t at = 0;
	for (size_t i = 0; i < n; i++)
		if ((!text_starts_with(environ[i], "GIT_") &&
		     !text_starts_with(environ[i], "LC_")) ||
		    text_starts_with(environ[i], "GIT_CONFIG"))
			list[at++] = environ[i];
	for (size_t i = 0; i < ARRAY_SIZE(own_environment); i++)
		list[at++] = own_environment[i];
	return list;
}

/* The first line of what git complained of, without its "fatal: ". */
static void take_complaint(int fd, char *ret_said)
{
	char bytes[SAID_BYTES];
	const ssize_t got = fs_pread_all(fd, bytes, sizeof(bytes));
	const char *at = got > 0 ? bytes : "it said nothing";
	if (text_starts_with(at, "fatal: "))
		at += strlen("fatal: ");
	else if (text_starts_with(at, "error: "))
		at += strlen("error: ");
	const size_t length = strcspn(at, "\n");
	memcpy(ret_said, at, length);
	ret_said[length] = '\0';
	text_make_printable(ret_said, length);
}

static int call(const char *directory, const char *const *words, bool *ret_yes, char **ret_output,
		char *ret_said, struct error *err)
{
	const char *argv[ARRAY_SIZE(before) + WORDS_MAX + 3] = { NULL };
	size_t n = 0;
	for (; n < ARRAY_SIZE(before); n++)
		argv[n] = before[n];
	argv[n++] = "-C";
	argv[n++] = directory;
	for (size_t i = 0; words[i]; i++) {
		assert(i < WORDS_MAX);
		argv[n++] = words[i];
	}
	AUTO(fd) int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	AUTO(fd) int complaint = memfd_create("assay-git", MFD_CLOEXEC);
	if (nothing < 0 || complaint < 0)
		return error_errno(err, errno, "cannot open what git reads and writes");
	const char **environment = make_environment();
	const struct spawn spawn = {
		.argv = argv,
		.environment = environment,
		.fds = { { nothing, STDIN_FILENO }, { complaint, STDERR_FILENO } },
		.n_fds = 2,
	};
	char *output = NULL;
	int status = 0;
	const int failed = spawn_output(&spawn, OUTPUT_BYTES_MAX, &output, &status, err);
	mem_free_const(environment);
	if (failed)
		return failed;
	take_complaint(complaint, ret_said);
	*ret_yes = status == 0;
	size_t length = strlen(output);
	while (length > 0 && (output[length - 1] == '\n' || output[length - 1] == ' '))
		output[--length] = '\0';
	*ret_output = output;
	return 0;
}

int git_ask(const char *directory, const char *const *words, bool *ret_yes, char **ret_output,
	    struct error *err)
{
	char said[SAID_BYTES] = "";
	AUTO(text) char *output = NULL;
	const int failed = call(directory, words, ret_yes, &output, said, err);
	if (failed)
		return failed;
	if (ret_output)
		*ret_output = KEEP(output);
	return 0;
}

int git_run(const char *directory, const char *const *words, char **ret_output, struct error *err)
{
	char said[SAID_BYTES] = "";
	bool yes = false;
	AUTO(text) char *output = NULL;
	const int failed = call(directory, words, &yes, &output, said, err);
	if (failed)
		return failed;
	if (!yes)
		return error_set(err, EIO, "git %s in '%s': %s", words[0], directory, said);
	if (ret_output)
		*ret_output = KEEP(output);
	return 0;
}

int git_commit(const char *directory, const char *word, char **ret_commit, struct error *err)
{
	AUTO(text) char *name = mem_format("%s^{commit}", word);
	const char *const words[] = { "rev-parse",        "--verify", "--quiet",
				      "--end-of-options", name,       NULL };
	bool yes = false;
	AUTO(text) char *output = NULL;
	const int failed = git_ask(directory, words, &yes, &output, err);
	if (failed)
		return failed;
	/* Older gits print the option back. */
	const char *last = yes ? strrchr(output, '\n') : NULL;
	if (!yes || !*output)
		return error_set(err, EINVAL, "'%s' names no commit of the repository '%s'", word,
				 directory);
	*ret_commit = mem_text(last ? last + 1 : output);
	return 0;
}
