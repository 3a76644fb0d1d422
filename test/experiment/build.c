/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces are copied, kept in order, and taken away again. */
#include "experiment/build.h"

#include "check.h"

static void pieces_are_copied_and_keep_their_order(void **state)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();
	char name[] = "hackbench";
	for (unsigned i = 0; i < 20; i++) {
		name[8] = (char)('a' + i);
		struct selected *selected = build_selected(experiment, name);
		struct values *values = build_values(selected, name);
		build_text(values, name);
		build_text(values, "x");
		build_setting(build_subject(experiment, name), SETTING_ENV, name, "value");
		build_monitor(experiment, name);
	}
	build_string(&experiment->question, name);
	build_string(&experiment->question, "why?");
	CHECK_TEXT(experiment->question, "why?");
	CHECK_INT(experiment->n_selected, 20);
	CHECK_TEXT(experiment->selected[2].workload, "hackbencc");
	CHECK_TEXT(experiment->selected[19].values[0].name, "hackbenct");
	CHECK_INT(experiment->selected[19].values[0].n_texts, 2);
	CHECK_TEXT(experiment->selected[19].values[0].texts[0], "hackbenct");
	CHECK_TEXT(experiment->subjects[0].settings[0].key, "hackbenca");
	CHECK_TEXT(experiment->monitors[1], "hackbencb");
}

static void the_last_piece_can_be_dropped(void **state)
{
	AUTO(experiment) struct experiment *experiment = experiment_new();
	build_subject(experiment, "base");
	build_setting(build_subject(experiment, "head"), SETTING_ENV, "A", "b");
	build_drop_subject(experiment);
	CHECK_INT(experiment->n_subjects, 1);
	CHECK_TEXT(experiment->subjects[0].name, "base");
	build_text(build_values(build_selected(experiment, "w"), "p"), "1");
	build_drop_selected(experiment);
	CHECK_INT(experiment->n_selected, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_copied_and_keep_their_order),
		cmocka_unit_test(the_last_piece_can_be_dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
