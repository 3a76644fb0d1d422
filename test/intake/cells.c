/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines into cells. */
#include "intake/cells.h"

#include "base/auto.h"
#include "base/mem.h"
#include "check.h"

static void splits(const char *line, const char *want)
{
	AUTO(text) char *said = mem_text("");
	struct cells *cells = mem_zero(sizeof(*cells));
	cells_split(cells, line, strlen(line), cells_separator(line, strlen(line)));
	for (size_t i = 0; i < cells->n; i++) {
		char *longer = mem_format("%s[%s]", said, cells->at[i]);
		free(said);
		said = longer;
	}
	free(cells);
	CHECK_TEXT(said, want);
}

static void commas_semicolons_and_tabs_part_cells_and_quotes_keep_them(void **state)
{
	splits("a, b ,c", "[a][b][c]");
	splits("a;b,c;d", "[a][b,c][d]");
	splits("a\tb;c", "[a][b;c]");
	splits("\"a,b\",\"say \"\"x\"\"\",3", "[a,b][say \"x\"][3]");
	splits("alone", "[alone]");
	splits(",", "[][]");
	splits("", "");
}

static void a_line_with_too_many_cells_gives_none(void **state)
{
	AUTO(text) char *line = mem_zero(CELLS_MAX + 2);
	memset(line, ',', CELLS_MAX - 1);
	struct cells *cells = mem_zero(sizeof(*cells));
	cells_split(cells, line, strlen(line), ',');
	CHECK_INT(cells->n, CELLS_MAX);
	line[CELLS_MAX - 1] = ',';
	cells_split(cells, line, strlen(line), ',');
	CHECK_INT(cells->n, 0);
	free(cells);
}

static void a_cell_is_found_by_its_whole_text(void **state)
{
	struct cells *cells = mem_zero(sizeof(*cells));
	cells_split(cells, "ab,a", 4, ',');
	CHECK_INT(cells_find(cells, "a"), 1);
	CHECK(cells_find(cells, "b") == SIZE_MAX);
	free(cells);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commas_semicolons_and_tabs_part_cells_and_quotes_keep_them),
		cmocka_unit_test(a_line_with_too_many_cells_gives_none),
		cmocka_unit_test(a_cell_is_found_by_its_whole_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
