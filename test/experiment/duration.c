/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations: exact values, and what is none. */
#include "experiment/duration.h"

#include "base/macros.h"
#include "check.h"

#include <errno.h>

static void each_unit_has_its_nanoseconds(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = {
		{ "200us", 200000 },
		{ "500ms", 500000000 },
		{ "0s", 0 },
		{ "1s", 1000000000 },
		{ "0.1s", 100000000 },
		{ "1.000000001s", 1000000001 },
		{ "0.5us", 500 },
		{ "1.5m", 90000000000 },
		{ "2min", 120000000000 },
		{ "0.25h", 900000000000 },
		{ "0.123456789h", 444444440400 },
		{ "8784h", DURATION_NS_MAX },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t ns = 77;
		struct error err = { 0 };
		if (duration_parse(rows[i].text, &ns, &err) < 0)
			fail_msg("%s", err.text);
		CHECK_INT(ns, rows[i].ns);
	}
}

static void a_number_without_a_unit_is_no_duration(void **state)
{
	static const char *const wrong[] = {
		"",    "1",  "s",   "1 s",  "-1s", "1.s", ".5s",           "1e3s",
		"1ss", "1d", "1.5", "1,5s", " 1s", "1s ", "1.0000000001s", "99999999999999999999s"
	};
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		uint64_t ns = 77;
		struct error err = { 0 };
		CHECK_INT(duration_parse(wrong[i], &ns, &err), -EINVAL);
		CHECK_HOLDS(err.text, "is no duration such as 500ms, 1s or 2m");
		CHECK_INT(ns, 77);
	}
}

static void more_than_a_year_is_refused(void **state)
{
	uint64_t ns = 77;
	CHECK_INT(duration_parse("8784.5h", &ns, NULL), -EINVAL);
	CHECK_INT(duration_parse("9000h", &ns, NULL), -EINVAL);
	CHECK_INT(ns, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_unit_has_its_nanoseconds),
		cmocka_unit_test(a_number_without_a_unit_is_no_duration),
		cmocka_unit_test(more_than_a_year_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
