/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of formats. See format.h. */
#include "intake/format.h"

#include "base/macros.h"

#include <string.h>

const struct intake_format *const intake_formats[] = {
	&intake_hyperfine, &intake_google_benchmark, &intake_json, &intake_benchstat,
	&intake_csv,       &intake_numbers,
};
const size_t intake_format_count = ARRAY_SIZE(intake_formats);

const struct intake_format *intake_format_find(const char *name)
{
	for (size_t i = 0; i < intake_format_count; i++)
		if (strcmp(intake_formats[i]->name, name) == 0)
			return intake_formats[i];
	return NULL;
}

const struct intake_format *intake_format_sniff(const char *bytes, size_t length)
{
	for (size_t i = 0; i < intake_format_count; i++)
		if (intake_formats[i]->sniff(bytes, length))
			return intake_formats[i];
	return intake_formats[intake_format_count - 1];
}
