/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/barrier.h"

#include "base/clock.h"
#include "check.h"

#include <unistd.h>

#include <sys/wait.h>

#define N_CHILDREN 5

static pid_t fork_waiter(struct barrier *barrier)
{
	const pid_t child = fork();
	if (child != 0)
		return child;
	barrier_drop_harness_ends(barrier);
	barrier_tell(barrier);
	barrier_wait_wake(barrier);
	_exit(0);
}

static unsigned listen_for(const struct barrier *barrier, unsigned n)
{
	const uint64_t deadline_ns = clock_monotonic_ns() + 20 * NS_PER_SEC;
	unsigned told = 0;
	while (told < n && clock_monotonic_ns() < deadline_ns)
		told += barrier_listen(barrier->ready[0], deadline_ns);
	return told;
}

static void one_byte_releases_all_and_is_read_by_nobody(void **state)
{
	(void)state;
	struct barrier barrier;
	struct error err = { 0 };
	CHECK_INT(barrier_init(&barrier, &err), 0);
	pid_t children[N_CHILDREN];
	for (unsigned i = 0; i < N_CHILDREN; i++)
		children[i] = fork_waiter(&barrier);
	CHECK_INT(listen_for(&barrier, N_CHILDREN), N_CHILDREN);
	for (unsigned i = 0; i < N_CHILDREN; i++)
		CHECK_INT(waitpid(children[i], NULL, WNOHANG), 0);
	barrier_open_wake(&barrier);
	for (unsigned i = 0; i < N_CHILDREN; i++)
		CHECK_INT(waitpid(children[i], NULL, 0), children[i]);
	char byte;
	CHECK_INT(read(barrier.wake[0], &byte, 1), 1);
	barrier_done(&barrier);
}

static void listening_ends_at_the_deadline(void **state)
{
	(void)state;
	struct barrier barrier;
	struct error err = { 0 };
	CHECK_INT(barrier_init(&barrier, &err), 0);
	/* The children of the test before may still have a signal waiting. */
	(void)barrier_listen(barrier.ready[0], clock_monotonic_ns());
	const uint64_t deadline_ns = clock_monotonic_ns() + 20 * NS_PER_MS;
	CHECK_INT(barrier_listen(barrier.ready[0], deadline_ns), 0);
	CHECK(clock_monotonic_ns() >= deadline_ns);
	barrier_done(&barrier);
}

static void listening_ends_when_a_child_ends_even_before_it_began(void **state)
{
	(void)state;
	const pid_t child = fork();
	if (child == 0)
		_exit(0);
	siginfo_t info;
	CHECK_INT(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	const uint64_t begin_ns = clock_monotonic_ns();
	CHECK_INT(barrier_listen(-1, begin_ns + 30 * NS_PER_SEC), 0);
	CHECK(clock_monotonic_ns() < begin_ns + 30 * NS_PER_SEC);
	CHECK_INT(waitpid(child, NULL, 0), child);
}

int main(void)
{
	barrier_hold_back_child_signals();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_byte_releases_all_and_is_read_by_nobody),
		cmocka_unit_test(listening_ends_at_the_deadline),
		cmocka_unit_test(listening_ends_when_a_child_ends_even_before_it_began),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
