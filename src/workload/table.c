/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of workloads; rows.h is one ROW(identifier) for each name in meson.build's list. */
#include "base/macros.h"
#include "base/text.h"
#include "workload/workload.h"

#include <string.h>

#define ROW(identifier) extern const struct workload workload_##identifier;
#include "workload/rows.h"
#undef ROW

const struct workload *const workload_table[] = {
#define ROW(identifier) &workload_##identifier,
#include "workload/rows.h"
#undef ROW
};

const size_t workload_table_count = ARRAY_SIZE(workload_table);

static bool has_name(const struct plugin *about, const char *name)
{
	if (text_equal(about->name, name))
		return true;
	if (!about->suite || !text_starts_with(name, about->suite))
		return false;
	const char *rest = name + strlen(about->suite);
	return *rest == '/' && text_equal(about->name, rest + 1);
}

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; i < workload_table_count; i++)
		if (has_name(&workload_table[i]->about, name))
			return workload_table[i];
	return NULL;
}
