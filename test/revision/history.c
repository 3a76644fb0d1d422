/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commits between two ends. */
#include "revision/history.h"

#include "check.h"
#include "revision/repository.h"

#include <errno.h>

static const char line[] =
	"c() { echo $1 >$1; git add .; git commit -qm \"add $1\"; git tag c$1; }\n"
	"c 0; c 1; c 2; c 3";

/* A side branch that forks in front of the good end and is merged behind it. */
static const char side[] =
	"c() { echo $1 >$1; git add .; git commit -qm \"add $1\"; git tag c$1; }\n"
	"git checkout -q -b main; c 0; git checkout -q -b side; c s1; c s2;\n"
	"git checkout -q main; c 1; c 2; git merge -q --no-edit -m join side; git tag m; c 3";

static void a_line_is_read_from_good_to_bad(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	AUTO(history) struct history *history = NULL;
	repository_make(&repository, line);
	CHECK_INT(history_read(repository.path, "c0", "c3", &history, &err), 0);
	CHECK_INT(history->n, 4);
	CHECK_INT(history->good, 0);
	CHECK_INT(history->bad, 3);
	CHECK(!history->commits[0].is_candidate);
	CHECK_INT(history->commits[2].n_parents, 1);
	CHECK_INT(history->commits[2].parents[0], 1);
	CHECK_TEXT(history->commits[2].subject, "add 2");
	CHECK_INT(history->commits[2].n_paths, 1);
	CHECK_TEXT(history->commits[2].paths[0], "2");
	CHECK_INT(history_find(history, history->commits[1].id), 1);
	CHECK_INT(history_find(history, "nothing"), HISTORY_NONE);
	CHECK_TEXT(history->root, history->commits[0].id);
	repository_done(&repository);
}

static void a_merge_has_two_parents_and_what_it_brought(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	AUTO(history) struct history *history = NULL;
	repository_make(&repository, side);
	CHECK_INT(history_read(repository.path, "c1", "c3", &history, &err), 0);
	const struct history_commit *last = &history->commits[history->bad];
	const struct history_commit *merge = &history->commits[last->parents[0]];
	CHECK_TEXT(merge->subject, "join");
	CHECK_INT(merge->n_parents, 2);
	CHECK_TEXT(history->commits[merge->parents[0]].subject, "add 2");
	CHECK_TEXT(history->commits[merge->parents[1]].subject, "add s2");
	CHECK_INT(merge->n_paths, 2); /* Against the first parent. */
	/* The fork point is there to be measured, and is no candidate. */
	const struct history_commit *first = &history->commits[merge->parents[1]];
	first = &history->commits[first->parents[0]];
	CHECK_TEXT(first->subject, "add s1");
	CHECK_INT(first->n_parents, 1);
	CHECK(!history->commits[first->parents[0]].is_candidate);
	size_t n = 0;
	for (size_t i = 0; i < history->n; i++) {
		n += history->commits[i].is_candidate;
		for (size_t p = 0; p < history->commits[i].n_parents; p++)
			CHECK(history->commits[i].parents[p] < i);
	}
	CHECK_INT(n, 5);
	repository_done(&repository);
}

static void ends_that_are_no_ends_are_refused_with_what_to_do(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	AUTO(history) struct history *history = NULL;
	repository_make(&repository, side);
	CHECK_INT(history_read(repository.path, "c2", "c2", &history, &err), -EINVAL);
	CHECK_HOLDS(err.text, "the same commit");
	CHECK_INT(history_read(repository.path, "c2", "c0", &history, &err), -EINVAL);
	CHECK_HOLDS(err.text, "older");
	CHECK_INT(history_read(repository.path, "cs1", "c2", &history, &err), -EINVAL);
	CHECK_HOLDS(err.text, "give that as GOOD");
	CHECK_INT(history_read(repository.root, "c0", "c2", &history, &err), -EINVAL);
	CHECK_HOLDS(err.text, "not a git repository");
	CHECK(history == NULL);
	repository_done(&repository);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_read_from_good_to_bad),
		cmocka_unit_test(a_merge_has_two_parents_and_what_it_brought),
		cmocka_unit_test(ends_that_are_no_ends_are_refused_with_what_to_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
