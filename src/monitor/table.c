/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of monitors. rows.h is written by the build from the sorted list in meson.build, one
 * ROW(identifier) a line.
 */
#include "base/macros.h"
#include "monitor/monitor.h"

#include <string.h>

#define ROW(identifier) extern const struct monitor monitor_##identifier;
#include "monitor/rows.h"
#undef ROW

const struct monitor *const monitor_table[] = {
#define ROW(identifier) &monitor_##identifier,
#include "monitor/rows.h"
#undef ROW
};

const size_t monitor_table_count = ARRAY_SIZE(monitor_table);

const struct monitor *monitor_find(const char *name)
{
	for (size_t i = 0; i < monitor_table_count; i++) {
		if (strcmp(monitor_table[i]->about.name, name) == 0)
			return monitor_table[i];
	}
	return NULL;
}
