/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the program speaks. See say.h. */
#include "cli/say.h"

#include "cli/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/ioctl.h>

#define WIDTH_WITHOUT_TERMINAL 100
#define WIDTH_MIN 60

int say_error(int failed, const struct error *err)
{
	(void)fflush(stdout); /* Keeps the order on a terminal; its failure is told by say_done. */
	(void)fprintf(stderr, "assay: error: %s\n", err->text);
	return failed == -EINVAL ? EXIT_USAGE : EXIT_SURROUNDINGS;
}

int say_usage(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	(void)fputs("assay: error: ", stderr);
	(void)vfprintf(stderr, format, arguments);
	(void)fputc('\n', stderr);
	va_end(arguments);
	return EXIT_USAGE;
}

void say_warning(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	(void)fputs("assay: warning: ", stderr);
	(void)vfprintf(stderr, format, arguments);
	(void)fputc('\n', stderr);
	va_end(arguments);
}

void say_note(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	(void)vfprintf(stderr, format, arguments);
	(void)fputc('\n', stderr);
	va_end(arguments);
}

int say_json(json_t *document)
{
	(void)json_dumpf(document, stdout, JSON_INDENT(2)); /* say_done sees a failing stdout. */
	(void)putchar('\n');
	json_decref(document);
	return say_done(EXIT_NO_REGRESSION);
}

int say_done(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	if (errno == EPIPE)
		return code; /* The reader has seen enough: not a failure of ours. */
	(void)fprintf(stderr, "assay: error: cannot write to standard output: %s\n",
		      strerror(errno));
	return EXIT_SURROUNDINGS;
}

bool say_has_colour(void)
{
	const char *refused = getenv("NO_COLOR");
	return isatty(STDOUT_FILENO) && !(refused && *refused);
}

unsigned say_width(void)
{
	struct winsize size;
	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 ||
	    size.ws_col == 0)
		return WIDTH_WITHOUT_TERMINAL;
	return size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col;
}
