/* SPDX-License-Identifier: GPL-2.0-or-later */
/* git as a child. */
#include "revision/git.h"

#include "base/auto.h"
#include "check.h"
#include "revision/repository.h"

#include <errno.h>

static const char one_commit[] = "echo 1 >a; git add a; git commit -qm first; git tag start";

static void a_word_becomes_a_full_hash(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	repository_make(&repository, one_commit);
	AUTO(text) char *by_tag = NULL;
	AUTO(text) char *by_head = NULL;
	CHECK_INT(git_commit(repository.path, "start", &by_tag, &err), 0);
	CHECK_INT(git_commit(repository.path, "HEAD", &by_head, &err), 0);
	CHECK_TEXT(by_tag, by_head);
	CHECK_INT(strlen(by_tag), 40);
	repository_done(&repository);
}

static void a_word_that_names_nothing_is_bad_input(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	AUTO(text) char *commit = NULL;
	repository_make(&repository, one_commit);
	CHECK_INT(git_commit(repository.path, "nowhere", &commit, &err), -EINVAL);
	CHECK_HOLDS(err.text, "'nowhere' names no commit");
	/* A word that looks like an option is a word. */
	CHECK_INT(git_commit(repository.path, "--all", &commit, &err), -EINVAL);
	CHECK(commit == NULL);
	repository_done(&repository);
}

static void what_git_complains_of_is_the_sentence(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	const char *const words[] = { "log", "nowhere..start", NULL };
	repository_make(&repository, one_commit);
	CHECK_INT(git_run(repository.path, words, /* ret_output= */ NULL, &err), -EIO);
	CHECK_HOLDS(err.text, "git log");
	CHECK_HOLDS(err.text, "nowhere");
	CHECK(strstr(err.text, "fatal") == NULL);
	repository_done(&repository);
}

static void a_failure_can_be_an_answer(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	const char *const yes_words[] = { "cat-file", "-e", "start", NULL };
	const char *const no_words[] = { "cat-file", "-e", "nowhere", NULL };
	bool yes = false;
	repository_make(&repository, one_commit);
	CHECK_INT(git_ask(repository.path, yes_words, &yes, /* ret_output= */ NULL, &err), 0);
	CHECK(yes);
	CHECK_INT(git_ask(repository.path, no_words, &yes, /* ret_output= */ NULL, &err), 0);
	CHECK(!yes);
	repository_done(&repository);
}

static void a_surrounding_git_dir_leads_nowhere(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	AUTO(text) char *commit = NULL;
	repository_make(&repository, one_commit);
	(void)setenv("GIT_DIR", "/nonexistent", /* overwrite= */ 1);
	const int answer = git_commit(repository.path, "start", &commit, &err);
	(void)unsetenv("GIT_DIR");
	CHECK_INT(answer, 0);
	repository_done(&repository);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_becomes_a_full_hash),
		cmocka_unit_test(a_word_that_names_nothing_is_bad_input),
		cmocka_unit_test(what_git_complains_of_is_the_sentence),
		cmocka_unit_test(a_failure_can_be_an_answer),
		cmocka_unit_test(a_surrounding_git_dir_leads_nowhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
