/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All guards on comparisons of a healthy machine: a guard that always speaks is not heard. */
#include "verdict/sides_made.h"

#define COMPARISONS 200

static void show_notes(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_notes; i++)
		(void)printf("%s: %s\n", comparison->notes[i].guard, comparison->notes[i].text);
}

static void nothing_is_said_of_equal_sides_that_were_measured_well(void **state)
{
	struct sides_made made;
	made_begin(&made, 10);
	made_score(&made, 1e6, 1e6, 1);
	made_judge(&made);
	show_notes(made.comparison);
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void nothing_is_said_of_a_change_that_was_measured_well(void **state)
{
	struct sides_made made;
	made_begin(&made, 10);
	made_score(&made, 1e6, 1.1e6, 1);
	made_judge(&made);
	show_notes(made.comparison);
	CHECK_INT(made_notes(&made), 0);
	CHECK_INT(made.comparison->rows[0].findings[1].verdict, VERDICT_BETTER);
	made_end(&made);
}

/* Each guard of chance alone has its rate of one in a thousand for each side and score; over 200
 * comparisons of 2 sides all of them together stay at some per cent. */
static void of_many_clean_comparisons_few_are_spoken_of_and_none_withheld(void **state)
{
	size_t n_spoken = 0;
	for (uint64_t seed = 1; seed <= COMPARISONS; seed++) {
		struct sides_made made;
		made_begin_seeded(&made, 6 + seed % 15, seed);
		made_score(&made, 1e6, seed % 2 ? 1e6 : 1.02e6, seed % 3 ? 1 : 4);
		made_judge(&made);
		show_notes(made.comparison);
		n_spoken += made_notes(&made) > 0;
		for (size_t i = 0; i < made_notes(&made); i++)
			CHECK(!made.comparison->notes[i].withholds);
		made_end(&made);
	}
	(void)printf("spoken of: %zu of %d\n", n_spoken, COMPARISONS);
	CHECK(n_spoken <= COMPARISONS / 25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_said_of_equal_sides_that_were_measured_well),
		cmocka_unit_test(nothing_is_said_of_a_change_that_was_measured_well),
		cmocka_unit_test(of_many_clean_comparisons_few_are_spoken_of_and_none_withheld),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
