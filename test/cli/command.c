/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the commands: sorted, filled, and without options that get in each other's way. */
#include "cli/command.h"

#include "base/macros.h"
#include "base/text.h"
#include "check.h"

static void commands_are_sorted_and_found_by_their_names(void **state)
{
	CHECK(command_row_count > 10);
	for (size_t i = 0; i < command_row_count; i++) {
		if (i > 0 && strcmp(command_rows[i - 1]->name, command_rows[i]->name) >= 0)
			fail_msg("'%s' stands behind '%s'", command_rows[i]->name,
				 command_rows[i - 1]->name);
		CHECK(command_find(command_rows[i]->name) == command_rows[i]);
	}
	CHECK(command_find("nosuch") == NULL);
	CHECK(command_find("") == NULL);
}

static void every_row_says_what_its_command_does(void **state)
{
	for (size_t i = 0; i < command_row_count; i++) {
		const struct command_row *row = command_rows[i];

		CHECK(row->words && row->options && row->run);
		CHECK(row->what && row->what[0]);
		CHECK(!strchr(row->what, '\n') && !text_ends_with(row->what, "."));
	}
}

static void check_options(const struct command_row *command)
{
	for (const struct option_row *row = command->options; row->name; row++) {
		if (!row->what || !row->what[0] || strchr(row->what, '\n'))
			fail_msg("--%s of '%s' says nothing", row->name, command->name);
		if (strcmp(row->name, "help") == 0 || row->letter == 'h')
			fail_msg("'%s' takes --help away", command->name);
		for (const struct option_row *other = command->options; other < row; other++) {
			if (strcmp(other->name, row->name) == 0)
				fail_msg("'%s' has --%s twice", command->name, row->name);
			if (row->letter && other->letter == row->letter)
				fail_msg("'%s' has -%c twice", command->name, row->letter);
		}
	}
}

static void no_command_has_an_option_or_a_letter_twice(void **state)
{
	for (size_t i = 0; i < command_row_count; i++)
		check_options(command_rows[i]);
}

/* Both are about a subject against itself: run is told how much of it to measure, doctor counts what
 * was measured. */
static const char about_itself[] = "aa";

static void an_option_means_the_same_in_every_command(void **state)
{
	for (size_t i = 0; i < command_row_count; i++)
		for (const struct option_row *row = command_rows[i]->options; row->name; row++)
			for (size_t j = 0; j < i; j++)
				for (const struct option_row *other = command_rows[j]->options;
				     other->name; other++)
					if (strcmp(row->name, other->name) == 0 &&
					    strcmp(row->name, about_itself) != 0 &&
					    !row->value != !other->value)
						fail_msg("--%s takes a value in one of '%s', '%s'",
							 row->name, command_rows[i]->name,
							 command_rows[j]->name);
}

static void exit_codes_are_those_of_git_bisect_run(void **state)
{
	CHECK_INT(EXIT_NO_REGRESSION, 0);
	CHECK_INT(EXIT_REGRESSION, 1);
	CHECK_INT(EXIT_CANNOT_SAY, 125);
	CHECK(EXIT_SURROUNDINGS >= 128 && EXIT_USAGE >= 128 && EXIT_CTRL_C >= 128);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_are_sorted_and_found_by_their_names),
		cmocka_unit_test(every_row_says_what_its_command_does),
		cmocka_unit_test(no_command_has_an_option_or_a_letter_twice),
		cmocka_unit_test(an_option_means_the_same_in_every_command),
		cmocka_unit_test(exit_codes_are_those_of_git_bisect_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
