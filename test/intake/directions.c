/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of directions: what it says, what is wrong in one, and that the shipped one is sound. */
#include "intake/directions.h"

#include "base/fs.h"
#include "base/mem.h"
#include "check.h"

#include <errno.h>
#include <fcntl.h>

static void refused(const char *text, const char *sentence)
{
	struct directions *directions = NULL;
	struct error err = { 0 };
	CHECK_INT(directions_parse(text, strlen(text), "d.yaml", &directions, &err), -EINVAL);
	CHECK_TEXT(err.text, sentence);
}

static void the_first_pattern_that_fits_holds_and_the_rest_is_unknown(void **state)
{
	static const char text[] = "- {metric: a.b.x, unit: s, better: lower, what: one}\n"
				   "- {metric: 'a.b.*', unit: ops/s, better: higher, what: two}\n";
	AUTO(directions) struct directions *directions = NULL;
	CHECK_INT(directions_parse(text, strlen(text), "d.yaml", &directions, NULL), 0);
	CHECK_INT(directions_find(directions, "a.b.x")->better, BETTER_LOWER);
	CHECK_INT(directions_find(directions, "a.b.y")->better, BETTER_HIGHER);
	CHECK(directions_find(directions, "a.c") == NULL);
	CHECK(directions_find(directions, "xa.b.y") == NULL);
	CHECK(directions_find(NULL, "a.b.x") == NULL);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
	refused("- {metric: speed, unit: s, better: lower, what: x}\n",
		"d.yaml:1:12: 'speed' must begin with a program's name and have a dot");
	refused("- {metric: a.b, unit: s, better: lwer, what: x}\n",
		"d.yaml:1:34: unknown better 'lwer', did you mean 'lower'?");
	refused("- {metric: a.b, unit: s, better: lower}\n", "d.yaml:1:3: 'what' is missing here");
	refused("a: b\n", "d.yaml:1:1: a list of up to 1000 rows is wanted");
}

static void the_shipped_table_is_sound_and_no_row_hides_another(void **state)
{
	AUTO(text) char *path = mem_format("%s/directions.yaml", getenv("ASSAY_DATA"));
	AUTO(text) char *text = NULL;
	size_t length = 0;
	struct error err = { 0 };
	AUTO(directions) struct directions *directions = NULL;
	CHECK_INT(fs_read_whole_at(AT_FDCWD, path, 1U << 20, &text, &length, &err), 0);
	if (directions_parse(text, length, path, &directions, &err))
		CHECK_FAIL("%s", err.text);
	CHECK(directions->n > 20);
	for (size_t i = 0; i < directions->n; i++)
		CHECK(directions_find(directions, directions->rows[i].name) ==
		      &directions->rows[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_pattern_that_fits_holds_and_the_rest_is_unknown),
		cmocka_unit_test(what_is_wrong_is_told_with_its_place),
		cmocka_unit_test(the_shipped_table_is_sound_and_no_row_hides_another),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
