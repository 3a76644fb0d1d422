/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/mappings.h"

#include "check.h"

#include <stdio.h>

/* Lines of /proc/self/maps. */
static unsigned count_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned n = 0;
	int byte;
	CHECK(maps);
	while ((byte = fgetc(maps)) != EOF)
		n += byte == '\n';
	CHECK_INT(fclose(maps), 0);
	return n;
}

static void a_process_has_a_hundred_mappings_more(void **state)
{
	struct mappings mappings = { 0 };
	const unsigned before = count_mappings();
	CHECK_INT(mappings_add(&mappings, NULL), 0);
	CHECK(count_mappings() >= before + 100);
	mappings_remove(&mappings);
	CHECK(count_mappings() < before + 10);
}

static void none_can_be_removed(void **state)
{
	struct mappings mappings = { 0 };
	mappings_remove(&mappings);
	CHECK(mappings.first == NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_has_a_hundred_mappings_more),
		cmocka_unit_test(none_can_be_removed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
