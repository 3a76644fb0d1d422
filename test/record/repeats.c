/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Releasing a table of repeated runs; leaks are the sanitizer's to tell. */
#include "record/repeats.h"

#include "base/mem.h"
#include "check.h"

static void a_table_is_released_with_all_that_it_owns(void **state)
{
	struct repeats *repeats = mem_zero(sizeof(*repeats));

	repeats->metrics = mem_array(1, sizeof(*repeats->metrics));
	repeats->metrics[repeats->n_metrics++] = mem_text("hackbench.time_sec");
	repeats->groups = mem_array(1, sizeof(*repeats->groups));
	repeats->groups[repeats->n_groups++] = (struct repeat_group) {
		.campaign = 1,
		.point = mem_text("hackbench/groups=1"),
		.settings = mem_text("[]"),
		.n = 2,
	};
	repeats->n_runs = 2;
	repeats->values = mem_array(2, sizeof(*repeats->values));
	CHECK_INT(repeats->groups[0].first + repeats->groups[0].n, repeats->n_runs);
	repeats_free(repeats);
	repeats_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_released_with_all_that_it_owns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
