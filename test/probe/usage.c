/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/usage.h"

#include "check.h"

static struct rusage reading(long seconds, long count, long resident)
{
	return (struct rusage) {
		.ru_utime = { .tv_sec = seconds, .tv_usec = 250000 },
		.ru_stime = { .tv_sec = 2 * seconds },
		.ru_minflt = count,
		.ru_majflt = count + 1,
		.ru_nvcsw = count * 2,
		.ru_nivcsw = count * 3,
		.ru_inblock = count * 4,
		.ru_oublock = count * 5,
		.ru_maxrss = resident,
	};
}

static void differences_are_summed_and_the_largest_size_is_kept(void **state)
{
	(void)state;
	const struct rusage begin = reading(1, 10, 100);
	const struct rusage end = reading(4, 30, 900);
	const struct rusage other_begin = reading(0, 0, 50);
	const struct rusage other_end = reading(1, 5, 200);
	struct usage usage = { .elapsed_ns = 77 };
	usage_add(&usage, &begin, &end);
	usage_add(&usage, &other_begin, &other_end);
	CHECK_INT(usage.elapsed_ns, 77);
	CHECK_INT(usage.user_ns, 4000000000LL);
	CHECK_INT(usage.system_ns, 8000000000LL);
	CHECK_INT(usage.minor_faults, 25);
	CHECK_INT(usage.major_faults, 25);
	CHECK_INT(usage.voluntary_switches, 50);
	CHECK_INT(usage.involuntary_switches, 75);
	CHECK_INT(usage.blocks_in, 100);
	CHECK_INT(usage.blocks_out, 125);
	CHECK_INT(usage.max_resident_kib, 900);
}

static void nothing_ever_falls_below_zero(void **state)
{
	(void)state;
	const struct rusage low = reading(1, 10, 100);
	const struct rusage high = reading(4, 30, 900);
	struct usage usage = { 0 };
	usage_add(&usage, &high, &low);
	CHECK_INT(usage.user_ns, 0);
	CHECK_INT(usage.minor_faults, 0);
	usage_take_away(&usage, &low, &high);
	CHECK_INT(usage.system_ns, 0);
	CHECK_INT(usage.voluntary_switches, 0);
}

static void the_samplers_part_can_be_taken_away(void **state)
{
	(void)state;
	const struct rusage zero = { 0 };
	const struct rusage all = reading(5, 100, 10);
	const struct rusage own = reading(1, 10, 10);
	struct usage usage = { 0 };
	usage_add(&usage, &zero, &all);
	usage_take_away(&usage, &zero, &own);
	CHECK_INT(usage.user_ns, 4000000000LL);
	CHECK_INT(usage.involuntary_switches, 270);
	CHECK_INT(usage.max_resident_kib, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences_are_summed_and_the_largest_size_is_kept),
		cmocka_unit_test(nothing_ever_falls_below_zero),
		cmocka_unit_test(the_samplers_part_can_be_taken_away),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
