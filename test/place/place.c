/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places are found by name; recovery without a journal does nothing. */
#include "place/place.h"

#include "place/tree.h"

static void the_host_is_a_place_and_the_moon_is_not(void **state)
{
	CHECK(place_find("host") == &place_host);
	CHECK(place_find("moon") == NULL);
	CHECK(place_host.check && place_host.carry && place_host.what);
}

static void recovery_without_a_journal_restores_nothing(void **state)
{
	struct tree tree = tree_new();
	struct error err;
	unsigned restored = 3;
	const struct place_options options = { .state_directory = tree.path };
	CHECK_INT(place_recover(&options, &restored, &err), 0);
	CHECK_INT(restored, 0);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_host_is_a_place_and_the_moon_is_not),
		cmocka_unit_test(recovery_without_a_journal_restores_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
