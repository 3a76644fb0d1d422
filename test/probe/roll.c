/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/roll.h"

#include "base/random.h"
#include "check.h"

#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

#define N_PIDS 1000

static void each_pid_gives_its_worker_once(void **state)
{
	(void)state;
	struct roll *roll = roll_new(3);
	unsigned index = 99;
	roll_enter(roll, 100, 0);
	roll_enter(roll, 108, 1); /* The same place in a table of eight. */
	roll_enter(roll, 101, 2);
	CHECK(!roll_strike(roll, 116, &index));
	CHECK_INT(index, 99);
	CHECK(roll_strike(roll, 100, &index));
	CHECK_INT(index, 0);
	CHECK(!roll_strike(roll, 100, &index));
	/* Those that were put behind a struck entry are still found. */
	CHECK(roll_strike(roll, 108, &index));
	CHECK_INT(index, 1);
	CHECK(roll_strike(roll, 101, &index));
	CHECK_INT(index, 2);
	roll_free(roll);
}

static void random_pids_behave_as_in_a_plain_list(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 7);
	struct roll *roll = roll_new(N_PIDS);
	pid_t pids[N_PIDS];
	for (unsigned i = 0; i < N_PIDS; i++) {
		pids[i] = (pid_t)(1 + i * 40 + random_below(&random, 40));
		roll_enter(roll, pids[i], i);
	}
	for (unsigned i = 0; i < N_PIDS; i++) {
		const unsigned at =
			(i * 617) % N_PIDS; /* 617 has no divisor in common with 1000. */
		unsigned index = N_PIDS;
		CHECK(roll_strike(roll, pids[at], &index));
		CHECK_INT(index, at);
		CHECK(!roll_strike(roll, pids[at], &index));
	}
	roll_free(roll);
}

static void only_those_on_the_roll_are_killed(void **state)
{
	(void)state;
	struct roll *roll = roll_new(2);
	pid_t pids[3];
	for (unsigned i = 0; i < 3; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			for (;;)
				(void)pause();
	}
	unsigned index;
	roll_enter(roll, pids[0], 0);
	roll_enter(roll, pids[1], 1);
	CHECK(roll_strike(roll, pids[1], &index));
	roll_kill(roll);
	CHECK_INT(waitpid(pids[0], NULL, 0), pids[0]);
	CHECK_INT(waitpid(pids[1], NULL, WNOHANG), 0);
	CHECK_INT(waitpid(pids[2], NULL, WNOHANG), 0);
	for (unsigned i = 1; i < 3; i++) {
		(void)kill(pids[i], SIGKILL);
		(void)waitpid(pids[i], NULL, 0);
	}
	roll_free(roll);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_pid_gives_its_worker_once),
		cmocka_unit_test(random_pids_behave_as_in_a_plain_list),
		cmocka_unit_test(only_those_on_the_roll_are_killed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
