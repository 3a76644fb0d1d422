/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug lines. See log.h. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void log_debug(const char *format, ...)
{
	if (!getenv("ASSAY_DEBUG"))
		return;
	va_list arguments;
	va_start(arguments, format);
	(void)fputs("assay: debug: ", stderr);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 does not see va_start. */
	(void)vfprintf(stderr, format, arguments);
	(void)fputc('\n', stderr);
	va_end(arguments);
}
