/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/clock.h"

#include "check.h"

#include <signal.h>
#include <time.h>

#include <sys/time.h>

static void the_monotonic_clock_never_goes_back(void **state)
{
	uint64_t before = clock_monotonic_ns();
	for (int i = 0; i < 100000; i++) {
		const uint64_t now = clock_monotonic_ns();
		CHECK(now >= before);
		before = now;
	}
}

static void the_wall_clock_is_the_one_that_people_read(void **state)
{
	const time_t before = time(NULL);
	const uint64_t now = clock_wall_ns() / NS_PER_SEC;
	const time_t after = time(NULL);
	/* time() may read a tick behind. */
	CHECK(now + 1 >= (uint64_t)before && now <= (uint64_t)after + 1);
}

static void the_cpu_clock_counts_work_and_not_sleep(void **state)
{
	const uint64_t start = clock_thread_cpu_ns();
	const uint64_t wall = clock_monotonic_ns();
	clock_sleep_until_ns(wall + 50 * NS_PER_MS);
	const uint64_t slept = clock_monotonic_ns() - wall;
	CHECK(clock_thread_cpu_ns() - start < slept);
	while (clock_thread_cpu_ns() - start < NS_PER_MS)
		;
}

static void a_sleep_ends_when_the_time_has_come_and_not_before(void **state)
{
	const uint64_t deadline = clock_monotonic_ns() + 5 * NS_PER_MS;
	clock_sleep_until_ns(deadline);
	CHECK(clock_monotonic_ns() >= deadline);
	clock_sleep_until_ns(0); /* Long past: returns at once. */
}

static volatile sig_atomic_t alarms;

static void count_alarm(int signal)
{
	alarms++;
}

static void a_signal_does_not_end_a_sleep_early(void **state)
{
	const struct sigaction action = { .sa_handler = count_alarm };
	const struct itimerval every_millisecond = { { 0, 1000 }, { 0, 1000 } };
	const struct itimerval never = { 0 };
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &every_millisecond, NULL), 0);
	const uint64_t deadline = clock_monotonic_ns() + 20 * NS_PER_MS;
	clock_sleep_until_ns(deadline);
	const uint64_t now = clock_monotonic_ns();
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	CHECK(now >= deadline);
	CHECK(alarms > 0);
}

static void seconds_are_thousand_million_nanoseconds(void **state)
{
	CHECK_NEAR(clock_seconds(1500000000), 1.5, 0);
	CHECK_NEAR(clock_seconds(0), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_monotonic_clock_never_goes_back),
		cmocka_unit_test(the_wall_clock_is_the_one_that_people_read),
		cmocka_unit_test(the_cpu_clock_counts_work_and_not_sleep),
		cmocka_unit_test(a_sleep_ends_when_the_time_has_come_and_not_before),
		cmocka_unit_test(a_signal_does_not_end_a_sleep_early),
		cmocka_unit_test(seconds_are_thousand_million_nanoseconds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
