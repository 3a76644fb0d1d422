/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bisection as a document. */
#include "cli/bisect_case.h"

#include "base/mem.h"
#include "check.h"
#include "cli/bisect_made.h"

#include <errno.h>

static void a_case_comes_back_as_it_was(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(5, "regex:score ([0-9]+)");
	AUTO(bisect_case) struct bisect_case *back = NULL;
	struct error err = { 0 };
	bisection->given = mem_array(1, sizeof(*bisection->given));
	bisection->n_given = 1;
	bisection->given[0] = (struct bisect_given) {
		.commit = 3, .session = 9, .value = 0.1, .run = mem_text("older/4")
	};
	AUTO(text) char *text = bisect_case_text(bisection);
	CHECK(bisect_case_is(text));
	CHECK_INT(bisect_case_parse(text, &back, &err), 0);
	AUTO(text) char *again = bisect_case_text(back);
	CHECK_TEXT(again, text);
	CHECK_NEAR(back->given[0].value, 0.1, 0.0);
	CHECK_TEXT(back->score, "regex:score ([0-9]+)");
	CHECK_INT(graph_commits(back->graph), 5);
}

static void a_plan_of_another_kind_is_no_bisection(void **state)
{
	AUTO(bisect_case) struct bisect_case *back = NULL;
	struct error err = { 0 };
	CHECK(!bisect_case_is("{\"jobs\":[]}"));
	CHECK(!bisect_case_is(NULL));
	CHECK_INT(bisect_case_parse("{\"jobs\":[]}", &back, &err), -EINVAL);
	CHECK(back == NULL);
}

/* Each byte of the text is damaged in turn: it is refused, or it is another sound case. */
static void a_damaged_text_is_refused_or_sound(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(3, NULL);
	AUTO(text) char *text = bisect_case_text(bisection);
	size_t n_refused = 0;
	for (size_t i = strlen("{\"assay\":\"" BISECT_CASE_FORMAT "\""); text[i]; i++) {
		AUTO(bisect_case) struct bisect_case *back = NULL;
		struct error err = { 0 };
		const char was = text[i];
		text[i] = '9';
		const int answer = bisect_case_parse(text, &back, &err);
		text[i] = was;
		n_refused += answer != 0;
		CHECK(answer == 0 || (answer == -EBADMSG && err.text[0] && !back));
	}
	CHECK(n_refused > 0);
}

static void paths_are_files_folders_and_patterns(void **state)
{
	AUTO(bisect_case) struct bisect_case *bisection = bisect_made(4, NULL);
	bisection->paths = mem_array(1, sizeof(char *));
	bisection->n_paths = 1;
	static const char *const fits[] = { "src", "src/", "src/a.c", "*.c" };
	for (size_t i = 0; i < 4; i++) {
		bisection->paths[0] = mem_text(fits[i]);
		CHECK(bisect_case_touches(bisection, 1));
		free(bisection->paths[0]);
	}
	bisection->paths[0] = mem_text("sr");
	CHECK(!bisect_case_touches(bisection, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_case_comes_back_as_it_was),
		cmocka_unit_test(a_plan_of_another_kind_is_no_bisection),
		cmocka_unit_test(a_damaged_text_is_refused_or_sound),
		cmocka_unit_test(paths_are_files_folders_and_patterns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
