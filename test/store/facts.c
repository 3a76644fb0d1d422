/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of facts and a run's own make the run's facts again, whatever the two are. */
#include "store/facts.h"

#include "fixture.h"

#include <errno.h>

static void check_comes_back(const char *set, const struct run *run, size_t own_n)
{
	struct run *back = run_new();
	char *own = NULL;
	size_t n = 0;

	CHECK_INT(facts_own(set, run, &own, &n, NULL), 0);
	CHECK_INT(n, own_n);
	CHECK_INT(facts_back(set, own, back, NULL), 0);
	fixture_same_facts(back, run);
	free(own);
	run_free(back);
}

static void only_what_changes_with_every_run_is_the_runs_own(void **state)
{
	struct run *one = fixture_run(1);
	struct run *other = fixture_run(2);
	char *set = facts_set(one);
	char *same = facts_set(other);

	CHECK_TEXT(same, set); /* "load.1min" is not in it. */
	check_comes_back(set, one, 1);
	check_comes_back(set, other, 1);
	free(same);
	free(set);
	run_free(one);
	run_free(other);
}

static void a_fact_that_differs_is_the_runs_own(void **state)
{
	struct run *one = fixture_run(1);
	struct run *other = fixture_run(1);
	char *set = facts_set(one);

	CHECK_TEXT(other->facts[1].name, "cpu.model");
	free(other->facts[1].text);
	other->facts[1].text = mem_text("Imaginary 9001");
	check_comes_back(set, other, 2);
	CHECK_TEXT(other->facts[0].name, "cpu.microcode");
	other->facts[0].why = MISSING_ABSENT;
	check_comes_back(set, other, 3);
	run_fact_add(other, "zzz", VALUE_NOT_APPLICABLE, MISSING_NOT, NULL);
	run_fact_add(other, "aaa", VALUE_KNOWN, MISSING_NOT, "");
	run_sort(other);
	check_comes_back(set, other, 5);
	free(set);
	run_free(one);
	run_free(other);
}

static void a_fact_that_a_run_lacks_is_not_given_to_it(void **state)
{
	struct run *one = fixture_run(1);
	struct run *none = run_new();
	char *set = facts_set(one);

	check_comes_back(set, none, 5); /* All but the load. */
	check_comes_back("[]", one, one->n_facts);
	check_comes_back("[]", none, 0);
	free(set);
	run_free(none);
	run_free(one);
}

static void damaged_facts_are_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"{}",
		"[[\"a\"]]",
		"[[\"\",\"x\"]]",
		"[[5,\"x\"]]",
		"[[\"a\",7]]",
		"[[\"a\",{\"missing\":-1}]]",
		"[[\"a\",\"1\"],[\"a\",\"2\"]]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct run *run = run_new();
		struct error err = { 0 };

		CHECK_INT(facts_back("[]", texts[i], run, &err), -EBADMSG);
		CHECK_INT(facts_back(texts[i], "[]", run, &err), -EBADMSG);
		CHECK_INT(run->n_facts, 0);
		run_free(run);
	}
}

/* Random sets and random runs against each other. */
static void any_run_comes_back_from_any_set(void **state)
{
	struct random random;

	random_seed(&random, 99);
	for (unsigned round = 0; round < 200; round++) {
		struct run *runs[2] = { run_new(), run_new() };

		for (unsigned i = 0; i < 40; i++) {
			char name[2] = { (char)('a' + random_below(&random, 26)), '\0' };
			struct run *run = runs[i % 2];

			switch (random_below(&random, 3)) {
			case 0:
				run_fact_add(run, name, VALUE_NOT_APPLICABLE, MISSING_NOT, NULL);
				break;
			case 1:
				run_fact_add(run, name, VALUE_MISSING, MISSING_DENIED, NULL);
				break;
			default:
				run_fact_add(run, name, VALUE_KNOWN, MISSING_NOT,
					     random_below(&random, 2) ? "x" : "y");
			}
		}
		run_sort(runs[0]);
		run_sort(runs[1]);
		char *set = facts_set(runs[0]);
		char *own = NULL;
		size_t n = 0;
		struct run *back = run_new();

		CHECK_INT(facts_own(set, runs[1], &own, &n, NULL), 0);
		CHECK_INT(facts_back(set, own, back, NULL), 0);
		fixture_same_facts(back, runs[1]);
		run_free(back);
		free(own);
		free(set);
		run_free(runs[0]);
		run_free(runs[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_changes_with_every_run_is_the_runs_own),
		cmocka_unit_test(a_fact_that_differs_is_the_runs_own),
		cmocka_unit_test(a_fact_that_a_run_lacks_is_not_given_to_it),
		cmocka_unit_test(damaged_facts_are_refused),
		cmocka_unit_test(any_run_comes_back_from_any_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
