/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout.h on designs small enough to be written out. */
#include "stats/layout.h"

#include "base/macros.h"
#include "check.h"

static void runs_stand_block_by_block_the_head_first(void **state)
{
	const double values[] = { 1, 2, 3, 4, 5, 6 };
	const bool is_head[] = { false, true, true, false, false, true };
	const uint32_t blocks[] = { 9, 9, 4, 4, 9, 4 };
	const struct blocked blocked = { values, is_head, blocks, 6 };
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	CHECK_INT(layout->n_blocks, 2);
	CHECK_INT(layout->n, 6);
	CHECK_INT(layout->blocks[0].first, 0);
	CHECK_INT(layout->blocks[0].n, 3);
	CHECK_INT(layout->blocks[0].n_head, 1);
	CHECK_INT(layout->blocks[1].first, 3);
	CHECK_INT(layout->blocks[1].n_head, 2);
	const double want[] = { 2, 1, 5, 3, 6, 4 };
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		CHECK_NEAR(layout->values[i], want[i], 0.0);
}

static void blocks_of_one_side_are_left_out(void **state)
{
	const double values[] = { 1, 2, 3, 4, 5 };
	const bool is_head[] = { false, false, true, false, true };
	const uint32_t blocks[] = { 0, 0, 1, 1, 2 };
	const struct blocked blocked = { values, is_head, blocks, 5 };
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	CHECK_INT(layout->n_blocks, 1);
	CHECK_INT(layout->n, 2);
	CHECK_NEAR(layout->values[0], 3, 0.0);
	CHECK_NEAR(layout->values[1], 4, 0.0);
}

static void without_block_numbers_all_runs_are_one_block(void **state)
{
	const double values[] = { 1, -7, 3 };
	const bool is_head[] = { false, true, true };
	const struct blocked blocked = { values, is_head, NULL, 3 };
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	CHECK_INT(layout->n_blocks, 1);
	CHECK_INT(layout->blocks[0].n, 3);
	CHECK_INT(layout->blocks[0].n_head, 2);
	CHECK_NEAR(layout_magnitude(layout), 7, 0.0);
}

static void no_runs_make_no_blocks(void **state)
{
	const struct blocked blocked = { 0 };
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	CHECK_INT(layout->n_blocks, 0);
	CHECK_INT(layout->n, 0);
	CHECK_NEAR(layout_magnitude(layout), 0, 0.0);
}

static void a_prefix_ends_with_its_last_block(void **state)
{
	const double values[] = { 1, 2, 3, 4, 5, 6, 7 };
	const bool is_head[] = { false, true, true, false, true, true, false };
	const uint32_t blocks[] = { 0, 0, 1, 1, 1, 2, 2 };
	const struct blocked blocked = { values, is_head, blocks, 7 };
	AUTO(layout) struct layout *layout = layout_new(&blocked);
	const size_t runs[] = { 0, 2, 5, 7 };
	for (size_t n = 0; n < ARRAY_SIZE(runs); n++) {
		const struct layout prefix = layout_prefix(layout, n);
		CHECK_INT(prefix.n_blocks, n);
		CHECK_INT(prefix.n, runs[n]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_stand_block_by_block_the_head_first),
		cmocka_unit_test(blocks_of_one_side_are_left_out),
		cmocka_unit_test(without_block_numbers_all_runs_are_one_block),
		cmocka_unit_test(no_runs_make_no_blocks),
		cmocka_unit_test(a_prefix_ends_with_its_last_block),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
