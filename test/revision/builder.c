/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds and their cache. */
#include "revision/builder.h"

#include "base/mem.h"
#include "check.h"
#include "revision/checkout.h"
#include "revision/git.h"
#include "revision/repository.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

static const char project[] =
	"echo 'echo made >made' >build.sh; git add .; git commit -qm good; git tag good;\n"
	"echo 'echo no luck; exit 3' >build.sh; git commit -qam bad; git tag bad";

struct situation {
	struct repository repository;
	char *clone;
	char *commit, *tree;
	struct builder_request request;
};

static void set_up(struct situation *at, const char *tag)
{
	struct error err = { 0 };
	char name[32];
	*at = (struct situation) { 0 };
	repository_make(&at->repository, project);
	CHECK_INT(checkout_clone(at->repository.path, at->repository.cache, &at->clone, &err), 0);
	CHECK_INT(git_commit(at->repository.path, tag, &at->commit, &err), 0);
	(void)snprintf(name, sizeof(name), "%s^{tree}", tag);
	const char *const words[] = { "rev-parse", name, NULL };
	CHECK_INT(git_run(at->repository.path, words, &at->tree, &err), 0);
	at->request = (struct builder_request) { .clone = at->clone,
						 .cache = at->repository.cache,
						 .commit = at->commit,
						 .tree = at->tree,
						 .command = "sh build.sh" };
}

static void tear_down(struct situation *at)
{
	free(at->clone);
	free(at->commit);
	free(at->tree);
	repository_done(&at->repository);
}

static void a_build_is_made_once(void **state)
{
	struct situation at;
	struct error err = { 0 };
	struct built first AUTO(built) = { 0 };
	struct built second AUTO(built) = { 0 };
	set_up(&at, "good");
	CHECK_INT(builder_get(&at.request, &first, &err), 0);
	CHECK(!first.was_cached && !first.is_broken && first.elapsed_ns > 0);
	AUTO(text) char *made = mem_format("%s/made", first.directory);
	CHECK_INT(access(made, R_OK), 0);
	CHECK_INT(builder_get(&at.request, &second, &err), 0);
	CHECK(second.was_cached);
	CHECK_TEXT(second.directory, first.directory);
	CHECK_INT(second.elapsed_ns, first.elapsed_ns);
	tear_down(&at);
}

static void another_command_arm_or_word_is_another_build(void **state)
{
	struct situation at;
	struct error err = { 0 };
	struct built plain AUTO(built) = { 0 };
	struct built fresh AUTO(built) = { 0 };
	struct built aligned AUTO(built) = { 0 };
	set_up(&at, "good");
	CHECK_INT(builder_get(&at.request, &plain, &err), 0);
	at.request.fresh = "once more";
	CHECK_INT(builder_get(&at.request, &fresh, &err), 0);
	at.request.arm = BUILDER_ALIGNED;
	CHECK_INT(builder_get(&at.request, &aligned, &err), 0);
	CHECK(!fresh.was_cached && !aligned.was_cached);
	CHECK(strcmp(plain.directory, fresh.directory) != 0);
	/* No path makes one program longer than another. */
	CHECK_INT(strlen(plain.directory), strlen(fresh.directory));
	CHECK_INT(strlen(plain.directory), strlen(aligned.directory));
	tear_down(&at);
}

static void a_commit_that_does_not_build_is_an_outcome_with_its_log(void **state)
{
	struct situation at;
	struct error err = { 0 };
	struct built built AUTO(built) = { 0 };
	struct built again AUTO(built) = { 0 };
	set_up(&at, "bad");
	CHECK_INT(builder_get(&at.request, &built, &err), 0);
	CHECK(built.is_broken);
	CHECK_TEXT(built.how, "exit code 3");
	AUTO(text) char *log = builder_log(&built);
	CHECK_HOLDS(log, "no luck");
	CHECK_INT(builder_get(&at.request, &again, &err), 0);
	CHECK(again.was_cached && again.is_broken);
	CHECK_TEXT(again.how, "exit code 3");
	tear_down(&at);
}

static void a_build_that_was_killed_is_made_anew(void **state)
{
	struct situation at;
	struct error err = { 0 };
	struct built built AUTO(built) = { 0 };
	struct built again AUTO(built) = { 0 };
	set_up(&at, "good");
	CHECK_INT(builder_get(&at.request, &built, &err), 0);
	AUTO(text) char *mark = mem_format("%s/../built", built.directory);
	CHECK_INT(unlink(mark), 0); /* As a killed build leaves it. */
	CHECK_INT(builder_get(&at.request, &again, &err), 0);
	CHECK(!again.was_cached && !again.is_broken);
	tear_down(&at);
}

static void two_that_want_the_same_wait_for_each_other(void **state)
{
	struct situation at;
	set_up(&at, "good");
	at.request.command = "echo begun >>../../count; sleep 0.3; sh build.sh";
	pid_t children[2];
	for (size_t i = 0; i < 2; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			struct built built = { 0 };
			const int failed = builder_get(&at.request, &built, /* err= */ NULL);
			_exit(failed || built.is_broken ? 1 : 0);
		}
	}
	for (size_t i = 0; i < 2; i++) {
		int status = -1;
		CHECK_INT(waitpid(children[i], &status, 0), children[i]);
		CHECK_INT(status, 0);
	}
	CHECK_INT(repository_shell(&at.repository, "test $(wc -l <../cache/builds/count) = 1"), 0);
	tear_down(&at);
}

static void nothing_is_left_of_a_build_whose_assay_was_killed(void **state)
{
	struct situation at;
	set_up(&at, "good");
	at.request.command = "sleep 600 & echo $! >../../pid; wait";
	const pid_t child = fork();
	if (child == 0) {
		struct built built = { 0 };
		(void)builder_get(&at.request, &built, /* err= */ NULL);
		_exit(0);
	}
	static const char begun[] =
		"n=0; until test -s ../cache/builds/pid; do sleep 0.05; n=$((n+1)); "
		"test $n -lt 600; done";
	static const char gone[] =
		"n=0; while kill -0 $(cat ../cache/builds/pid) 2>/dev/null; do sleep 0.05; "
		"n=$((n+1)); test $n -lt 600; done";
	CHECK_INT(repository_shell(&at.repository, begun), 0);
	CHECK_INT(kill(child, SIGKILL), 0);
	CHECK_INT(waitpid(child, /* status= */ NULL, 0), child);
	CHECK_INT(repository_shell(&at.repository, gone), 0);
	tear_down(&at);
}

static void an_interrupted_build_is_not_kept(void **state)
{
	struct situation at;
	struct error err = { 0 };
	struct built built AUTO(built) = { 0 };
	static volatile sig_atomic_t interrupted = 1;
	set_up(&at, "good");
	at.request.command = "sleep 600";
	at.request.interrupted = &interrupted;
	CHECK_INT(builder_get(&at.request, &built, &err), -EINTR);
	CHECK_INT(repository_shell(&at.repository, "! ls ../cache/builds/*/built 2>/dev/null"), 0);
	tear_down(&at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_is_made_once),
		cmocka_unit_test(another_command_arm_or_word_is_another_build),
		cmocka_unit_test(a_commit_that_does_not_build_is_an_outcome_with_its_log),
		cmocka_unit_test(a_build_that_was_killed_is_made_anew),
		cmocka_unit_test(two_that_want_the_same_wait_for_each_other),
		cmocka_unit_test(nothing_is_left_of_a_build_whose_assay_was_killed),
		cmocka_unit_test(an_interrupted_build_is_not_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
