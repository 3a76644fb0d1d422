/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of formats. A new one is a file with one row, and its name here. */
#include "report/report.h"

#include "base/macros.h"
#include "report/formats.h"

const struct report_format *const report_formats[] = {
	&format_table,
	&format_lkp,
	&format_json,
	&format_csv,
};
const size_t report_format_count = ARRAY_SIZE(report_formats);

const struct report_format *report_format_find(const char *name)
{
	for (size_t i = 0; i < report_format_count; i++)
		if (text_equal(report_formats[i]->name, name))
			return report_formats[i];
	return NULL;
}
