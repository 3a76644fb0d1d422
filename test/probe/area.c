/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/area.h"

#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include <sys/wait.h>

static void slots_never_share_a_pair_of_cache_lines(void **state)
{
	(void)state;
	struct area *area = area_new(3);
	CHECK(area);
	const uintptr_t phase = (uintptr_t)&area->phase;
	const uintptr_t first = (uintptr_t)&area->slots[0].operations;
	const uintptr_t second = (uintptr_t)&area->slots[1].operations;
	CHECK_INT(phase % AREA_LINE_BYTES, 0);
	CHECK_INT(first % AREA_LINE_BYTES, 0);
	CHECK(first - phase >= AREA_LINE_BYTES);
	CHECK_INT((second - first) % AREA_LINE_BYTES, 0);
	area_free(area, 3);
}

static void a_new_area_is_empty(void **state)
{
	(void)state;
	struct area *area = area_new(2);
	for (unsigned i = 0; i < 2; i++) {
		CHECK(slot_state(&area->slots[i]) == SLOT_STARTING);
		CHECK_INT(atomic_load(&area->slots[i].operations), 0);
		CHECK_INT(area->slots[i].begin.at_ns, 0);
	}
	area_free(area, 2);
}

static void what_a_child_writes_is_seen_by_the_parent(void **state)
{
	(void)state;
	struct area *area = area_new(2);
	const pid_t child = fork();
	if (child == 0) {
		area->slots[1].begin.operations = 42;
		slot_enter(&area->slots[1], SLOT_FINISHED);
		_exit(0);
	}
	CHECK(waitpid(child, NULL, 0) == child);
	CHECK(slot_state(&area->slots[1]) == SLOT_FINISHED);
	CHECK_INT(area->slots[1].begin.operations, 42);
	CHECK(slot_state(&area->slots[0]) == SLOT_STARTING);
	area_free(area, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_never_share_a_pair_of_cache_lines),
		cmocka_unit_test(a_new_area_is_empty),
		cmocka_unit_test(what_a_child_writes_is_seen_by_the_parent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
