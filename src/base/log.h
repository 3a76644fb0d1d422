/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug lines on standard error, off unless ASSAY_DEBUG is set. Rooms below cli/ use only this
 * level: a failure travels as struct error, a doubt about data travels with the result.
 */
#pragma once

#include "base/macros.h"

void log_debug(const char *format, ...) PRINTF_LIKE(1, 2);
