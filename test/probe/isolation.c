/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/isolation.h"

#include "check.h"

#include <unistd.h>

#include <sys/wait.h>

static void the_words_are_known_and_others_are_not(void **state)
{
	(void)state;
	enum isolation_choice choice = ISOLATION_COUNT;
	CHECK(isolation_parse("auto", &choice));
	CHECK_INT(choice, ISOLATION_AUTO);
	CHECK(isolation_parse("pid-namespace", &choice));
	CHECK_INT(choice, ISOLATION_PID_NAMESPACE);
	CHECK(isolation_parse("cgroup", &choice));
	CHECK_INT(choice, ISOLATION_CGROUP);
	CHECK(isolation_parse("subreaper", &choice));
	CHECK_INT(choice, ISOLATION_SUBREAPER);
	choice = ISOLATION_CGROUP;
	CHECK(!isolation_parse("none", &choice));
	CHECK(!isolation_parse("", &choice));
	CHECK_INT(choice, ISOLATION_CGROUP);
}

static int automatic(void)
{
	struct isolation *isolation = NULL;
	struct error err = { 0 };
	if (isolation_new(ISOLATION_AUTO, &isolation, &err) != 0)
		return 1;
	const char *text = isolation_text(isolation);
	const bool known = strstr(text, "pid-namespace") == text || strcmp(text, "cgroup") == 0 ||
			   strcmp(text, "subreaper") == 0;
	isolation_end(isolation, 0);
	isolation_free(isolation);
	return known ? 0 : 2;
}

static void some_way_works_everywhere(void **state)
{
	(void)state;
	const pid_t child = fork();
	if (child == 0)
		_exit(automatic());
	int status = -1;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK_INT(status, 0);
}

/* The race that a parent-death signal alone loses: the supervisor is dead before the harness asks. */
static void a_harness_whose_supervisor_is_dead_already_does_not_settle(void **state)
{
	(void)state;
	int life[2];
	int go[2];
	CHECK_INT(pipe(life), 0);
	CHECK_INT(pipe(go), 0);
	const pid_t supervisor = fork();
	if (supervisor == 0) {
		struct isolation *isolation = NULL;
		struct error err = { 0 };
		if (isolation_new(ISOLATION_SUBREAPER, &isolation, &err) != 0)
			_exit(1);
		if (fork() == 0) {
			char byte;
			(void)close(life[0]);
			(void)close(go[1]);
			(void)read(go[0], &byte, 1);
			(void)isolation_settle(isolation, &err);
			(void)write(life[1], "settled", 7);
			_exit(0);
		}
		_exit(0);
	}
	(void)close(life[1]);
	(void)close(go[0]);
	CHECK_INT(waitpid(supervisor, NULL, 0), supervisor);
	CHECK_INT(write(go[1], ".", 1), 1);
	char said[16];
	CHECK_INT(read(life[0], said, sizeof(said)), 0);
	(void)close(life[0]);
	(void)close(go[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_words_are_known_and_others_are_not),
		cmocka_unit_test(some_way_works_everywhere),
		cmocka_unit_test(a_harness_whose_supervisor_is_dead_already_does_not_settle),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
