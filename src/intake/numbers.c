/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plain numbers, one a line, in the order of the runs. Blank lines and "# ..." are skipped. */
#include "base/macros.h"
#include "intake/format.h"
#include "intake/lines.h"

#include <errno.h>

#define SHOWN_MAX 60 /* Bytes of a wrong line. */

static int complain(const struct intake_document *document, size_t number, const char *line,
		    size_t length, struct error *err)
{
	const int shown = length > SHOWN_MAX ? SHOWN_MAX : (int)length;
	return error_set(err, EINVAL, "%s:%zu: '%.*s' is not a number; write one number a line",
			 document->path, number, shown, line);
}

static int parse(const char *bytes, size_t length, const struct intake_options *options,
		 struct intake_document *document, struct error *err)
{
	struct lines lines = lines_make(bytes, length);
	struct intake_series *series;
	int failed = intake_series_at(document, "value", "1", NULL, &series, err);
	const char *line;
	size_t n;
	while (!failed && lines_next_data(&lines, &line, &n)) {
		struct value value;
		if (!lines_parse_value(line, n, &value))
			return complain(document, lines.number, line, n, err);
		failed = intake_add(document, series, value, lines.number, err);
	}
	return failed;
}

static bool sniff(const char *bytes, size_t length)
{
	(void)bytes; /* Whatever no other format knows. */
	(void)length;
	return true;
}

const struct intake_format intake_numbers = {
	.name = "numbers",
	.what = "plain numbers, one a line",
	.sniff = sniff,
	.parse = parse,
};
