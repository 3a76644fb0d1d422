/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commits laid out. */
#include "revision/checkout.h"

#include "base/auto.h"
#include "base/mem.h"
#include "check.h"
#include "revision/git.h"
#include "revision/repository.h"

#include <unistd.h>

static const char two[] = "echo one >a; git add a; git commit -qm first; git tag first;\n"
			  "echo two >a; git commit -qam second; git tag second;\n"
			  "echo b >b; git add b; git commit -qm third; git tag third";

/* Everything that is in the repository, with times. */
#define PICTURE "cd .. && find repo -type f -printf '%p %T@ ' -exec sha256sum {} + | sort >"

static void the_persons_repository_stays_as_it_is(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	AUTO(text) char *clone = NULL;
	repository_make(&repository, two);
	CHECK_INT(repository_shell(&repository, PICTURE "before"), 0);
	CHECK_INT(checkout_clone(repository.path, repository.cache, &clone, &err), 0);
	AUTO(text) char *directory = mem_format("%s/tree", repository.cache);
	AUTO(text) char *file = mem_format("%s/a", directory);
	CHECK_INT(checkout_make(clone, "first", directory, &err), 0);
	CHECK_INT(access(file, R_OK), 0);
	CHECK_INT(repository_shell(&repository, "test \"$(cat ../cache/tree/a)\" = one"), 0);
	CHECK_INT(checkout_remove(clone, directory, &err), 0);
	CHECK(access(directory, F_OK) < 0);
	CHECK_INT(repository_shell(&repository, PICTURE "after; cmp before after"), 0);
	repository_done(&repository);
}

static void commits_of_later_need_no_new_clone(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	AUTO(text) char *clone = NULL;
	AUTO(text) char *again = NULL;
	AUTO(text) char *later = NULL;
	repository_make(&repository, two);
	CHECK_INT(checkout_clone(repository.path, repository.cache, &clone, &err), 0);
	CHECK_INT(repository_shell(&repository, "echo c >c; git add c; git commit -qm fourth"), 0);
	CHECK_INT(checkout_clone(repository.path, repository.cache, &again, &err), 0);
	CHECK_TEXT(again, clone);
	CHECK_INT(git_commit(repository.path, "HEAD", &later, &err), 0);
	AUTO(text) char *directory = mem_format("%s/tree", repository.cache);
	CHECK_INT(checkout_make(clone, later, directory, &err), 0);
	CHECK_INT(repository_shell(&repository, "test -f ../cache/tree/c"), 0);
	repository_done(&repository);
}

static void a_revert_is_a_commit_of_our_own(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	AUTO(text) char *clone = NULL;
	AUTO(text) char *revert = NULL;
	repository_make(&repository, two);
	CHECK_INT(checkout_clone(repository.path, repository.cache, &clone, &err), 0);
	AUTO(text) char *directory = mem_format("%s/tree", repository.cache);
	CHECK_INT(checkout_revert(clone, "second", "third", directory, &revert, &err), 0);
	CHECK(revert != NULL);
	CHECK_INT(checkout_make(clone, revert, directory, &err), 0);
	CHECK_INT(repository_shell(
			  &repository,
			  "test \"$(cat ../cache/tree/a)\" = one && test -f ../cache/tree/b"),
		  0);
	repository_done(&repository);
}

static void a_revert_that_does_not_apply_is_none(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	AUTO(text) char *clone = NULL;
	AUTO(text) char *revert = NULL;
	repository_make(&repository, two);
	CHECK_INT(
		repository_shell(&repository, "echo three >a; git commit -qam over; git tag over"),
		0);
	CHECK_INT(checkout_clone(repository.path, repository.cache, &clone, &err), 0);
	AUTO(text) char *directory = mem_format("%s/tree", repository.cache);
	CHECK_INT(checkout_revert(clone, "second", "over", directory, &revert, &err), 0);
	CHECK(revert == NULL);
	CHECK(access(directory, F_OK) < 0);
	repository_done(&repository);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_persons_repository_stays_as_it_is),
		cmocka_unit_test(commits_of_later_need_no_new_clone),
		cmocka_unit_test(a_revert_is_a_commit_of_our_own),
		cmocka_unit_test(a_revert_that_does_not_apply_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
