/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Function bodies beside each other. */
#include "revision/layout.h"

#include "check.h"
#include "revision/repository.h"

static const char programs[] =
	"f='__attribute__((noinline)) int f(int x) { int s = 0; for (int i = 0; i < x; i++) s += i * x; return s; }'\n"
	"g='__attribute__((noinline)) int g(int x) { return f(x) + 7; }'\n"
	"u='int unused(int x) { return x * 77 / 3; }'; m='int main(void) { return g(3); }'\n"
	"printf '%s\\n' \"$f\" \"$g\" \"$m\" >base.c; printf '%s\\n' \"$u\" \"$f\" \"$g\" \"$m\" >moved.c\n"
	"sed s/7/8/ base.c >changed.c; for n in base moved changed; do cc -O1 -o $n $n.c; done\n"
	"cp base same; strip -o bare base";

static struct layout compare(const struct repository *repository, const char *head)
{
	char one[160];
	char other[160];
	struct layout layout;
	(void)snprintf(one, sizeof(one), "%s/base", repository->path);
	(void)snprintf(other, sizeof(other), "%s/%s", repository->path, head);
	layout_compare(one, other, &layout);
	return layout;
}

static void functions_that_only_moved_are_told_from_changed_ones(void **state)
{
	struct repository repository;
	repository_make(&repository, programs);
	struct layout layout = compare(&repository, "same");
	CHECK_TEXT(layout_kind_text(layout.kind), "same");
	layout = compare(&repository, "moved");
	CHECK_TEXT(layout_kind_text(layout.kind), "moved");
	CHECK_INT(layout.n_changed, 0);
	CHECK(layout.n_moved >= 3);
	CHECK_INT(layout.n_one_sided, 1);
	layout = compare(&repository, "changed");
	CHECK_TEXT(layout_kind_text(layout.kind), "changed");
	CHECK_INT(layout.n_changed, 1);
	CHECK_TEXT(layout.changed[0], "g");
	repository_done(&repository);
}

static void without_symbols_nothing_is_said(void **state)
{
	struct repository repository;
	repository_make(&repository, programs);
	const struct layout layout = compare(&repository, "bare");
	CHECK_INT(layout.kind, LAYOUT_UNKNOWN);
	CHECK_HOLDS(layout.reason, "symbols");
	repository_done(&repository);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_that_only_moved_are_told_from_changed_ones),
		cmocka_unit_test(without_symbols_nothing_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
