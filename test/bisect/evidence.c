/* SPDX-License-Identifier: GPL-2.0-or-later */
/* evidence.h: the presets are valid, and each limit has its sentence. */
#include "bisect/evidence.h"

#include "check.h"

#include <errno.h>

static void the_presets_are_valid(void **state)
{
	const struct bisect_options options = evidence_preset();
	CHECK_INT(evidence_check(&options, NULL), 0);
}

static void refused(struct bisect_options options, const char *piece)
{
	struct error err = { 0 };
	CHECK_INT(evidence_check(&options, &err), -EINVAL);
	CHECK_HOLDS(err.text, piece);
}

static void what_makes_no_sense_is_refused_with_a_sentence(void **state)
{
	struct bisect_options options = evidence_preset();
	options.confidence = 1.0;
	refused(options, "confidence");
	options = evidence_preset();
	options.no_change = 0.0;
	refused(options, "probability");
	options = evidence_preset();
	options.cost_run = 0.0;
	refused(options, "cost");
	options = evidence_preset();
	options.confirm_min = 21;
	refused(options, "confirmation");
	options = evidence_preset();
	options.ends_max = 2;
	refused(options, "ends");
	options = evidence_preset();
	options.changes_max = 5;
	refused(options, "changes");
	options = evidence_preset();
	options.reach = -1.0;
	refused(options, "reach");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_presets_are_valid),
		cmocka_unit_test(what_makes_no_sense_is_refused_with_a_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
