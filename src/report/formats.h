/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the formats, each at the bottom of its own file; the first one is the default. */
#pragma once

#include "report/report.h"

extern const struct report_format format_table;
extern const struct report_format format_lkp;
extern const struct report_format format_json;
extern const struct report_format format_csv;
