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
	(void)vfprintf(stderr, format, arguments);
	(void)fputc('\n', stderr);
	va_end(arguments);
}
