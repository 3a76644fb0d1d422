/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of measured false alarms. */
#include "cli/alarms_show.h"

#include "capture.h"
#include "check.h"

#include <math.h>

static char workload[] = "hackbench";
static char campaign[] = "night";
static char point[] = "hackbench/groups=4";
static char subject[] = "base";
static char metric[] = "hackbench.time_sec";

static void show(void *user)
{
	alarms_show(user);
}

static void a_rate_is_told_with_its_interval_and_what_it_rests_on(void **state)
{
	struct alarms alarms = { .workload = workload,
				 .n_splits = 30,
				 .n_twins = 1,
				 .n_withheld = 2,
				 .n_short = 3,
				 .low = 0.0,
				 .high = 0.112,
				 .seed = 77 };
	char *out = capture(stdout, show, &alarms);

	CHECK_HOLDS(out, "hackbench: 0 false alarms in 31 comparisons");
	CHECK_HOLDS(out, "95 % interval 0 to 11.2 %; promised: 1 %");
	CHECK_HOLDS(out, "30 splits of one subject's runs (seed 77), 1 pair of twins");
	CHECK_HOLDS(out, "2 whose verdicts guards withheld, 3 subjects with fewer than 3 runs");
	CHECK_HOLDS(out, "assay run hackbench --runs 20");
	CHECK(!strstr(out, "ALARM"));
	CHECK(!alarms_are_too_many(&alarms));
	free(out);
}

static void a_broken_promise_is_told_loudly(void **state)
{
	struct alarm found = { campaign, point, subject, metric, 7.25, 0.0011 };
	struct alarms alarms = { .workload = workload,
				 .n_splits = 400,
				 .n_alarms = 20,
				 .low = 0.03,
				 .high = 0.08,
				 .found = &found,
				 .n_found = 1 };
	char *out = capture(stdout, show, &alarms);

	CHECK(alarms_are_too_many(&alarms));
	CHECK_HOLDS(out, "ALARM");
	CHECK_HOLDS(out, "withheld from now on");
	CHECK_HOLDS(out, "hackbench.time_sec of night/base: +7.25 %, p 0.0011, at hackbench/");
	CHECK(!strstr(out, "assay run")); /* More comparisons are not what is wanting. */
	free(out);
}

static void nothing_measured_is_no_rate(void **state)
{
	struct alarms alarms = { .workload = workload, .n_short = 1, .high = 1.0 };
	char *out = capture(stdout, show, &alarms);
	json_t *document = alarms_json(&alarms);

	CHECK_HOLDS(out, "0 comparisons");
	CHECK(!strstr(out, "rate"));
	CHECK(!alarms_are_too_many(&alarms));
	CHECK(json_is_null(json_object_get(document, "rate_percent")));
	json_decref(document);
	free(out);
}

static void the_document_has_everything(void **state)
{
	struct alarm found = { campaign, point, subject, metric, (double)NAN, 0.0011 };
	struct alarms alarms = { .workload = workload,
				 .n_splits = 3,
				 .n_twins = 1,
				 .n_alarms = 1,
				 .low = 0.006,
				 .high = 0.8,
				 .seed = 9,
				 .found = &found,
				 .n_found = 1 };
	json_t *document = alarms_json(&alarms);
	const json_t *first = json_array_get(json_object_get(document, "found"), 0);

	CHECK_INT(json_integer_value(json_object_get(document, "comparisons")), 4);
	CHECK_INT(json_integer_value(json_object_get(document, "alarms")), 1);
	CHECK_INT(json_integer_value(json_object_get(document, "seed")), 9);
	CHECK_NEAR(json_real_value(json_object_get(document, "rate_percent")), 25, 1e-12);
	CHECK_NEAR(
		json_real_value(json_array_get(json_object_get(document, "interval_percent"), 0)),
		0.6, 1e-12);
	CHECK(json_is_false(json_object_get(document, "too_many")));
	CHECK_TEXT(json_string_value(json_object_get(first, "metric")), "hackbench.time_sec");
	CHECK(json_is_null(json_object_get(first, "change_percent")));
	json_decref(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_is_told_with_its_interval_and_what_it_rests_on),
		cmocka_unit_test(a_broken_promise_is_told_loudly),
		cmocka_unit_test(nothing_measured_is_no_rate),
		cmocka_unit_test(the_document_has_everything),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
