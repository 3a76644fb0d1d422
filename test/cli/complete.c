/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may stand at the cursor. */
#include "cli/complete.h"

#include "base/text.h"
#include "capture.h"
#include "filled.h"

struct asking {
	const char *const *words;
	size_t n;
};

static void ask(void *user)
{
	const struct asking *asking = user;

	complete_print(asking->words, asking->n, asking->n - 1);
}

/* The candidates at the last of the words, one a line. New string. */
static char *answer(const char *const *words)
{
	struct asking asking = { .words = words };

	while (words[asking.n])
		asking.n++;
	return capture(stdout, ask, &asking);
}

#define WORDS(...) ((const char *const[]) { __VA_ARGS__, NULL })

static void check_offers(const char *const *words, const char *want)
{
	char *have = answer(words);

	CHECK_TEXT(have, want);
	free(have);
}

static void commands_come_first(void **state)
{
	check_offers(WORDS("assay", "ru"), "run\nruns\n");
	check_offers(WORDS("assay", "x"), "");
	char *all = answer(WORDS("assay", ""));

	CHECK_HOLDS(all, "compare\n");
	CHECK_HOLDS(all, "version\n");
	free(all);
}

static void each_command_has_its_own_words(void **state)
{
	CHECK_INT(setenv("ASSAY_EXPERIMENTS", "/nonexistent", 1), 0);
	check_offers(WORDS("assay", "run", "hack"), "hackbench\n");
	check_offers(WORDS("assay", "list", "m"), "metrics\nmonitors\n");
	check_offers(WORDS("assay", "store", ""), "backup\ncheck\ngc\nmerge\n");
	check_offers(WORDS("assay", "completion", "z"), "zsh\n");
	check_offers(WORDS("assay", "help", "compl"), "completion\n");
	check_offers(WORDS("assay", "nosuch", ""), "");
}

static void ready_experiments_are_offered_to_run(void **state)
{
	const char *ready = getenv("ASSAY_TEST_EXPERIMENTS");
	CHECK(ready);
	CHECK_INT(setenv("ASSAY_EXPERIMENTS", ready, 1), 0);
	check_offers(WORDS("assay", "run", "numa-s"), "numa-stat\n");
	check_offers(WORDS("assay", "doctor", "numa-s"), ""); /* It asks for a workload. */
	check_offers(WORDS("assay", "list", "e"), "experiments\n");
}

static void options_are_offered_behind_a_dash(void **state)
{
	check_offers(WORDS("assay", "version", "--"), "--json\n--help\n");
	check_offers(WORDS("assay", "run", "--see"), "--seed\n");
}

static void a_value_follows_its_option(void **state)
{
	check_offers(WORDS("assay", "compare", "a", "--format", ""), "table\nlkp\njson\ncsv\n");
	check_offers(WORDS("assay", "compare", "a", "-f", "t"), "table\n");
	check_offers(WORDS("assay", "compare", "--explain", "sta"), "starved\n");
	check_offers(WORDS("assay", "run", "brk1", "--isolation", "s"), "subreaper\n");
	check_offers(WORDS("assay", "run", "brk1", "-m", "mp"), "mpstat\n");
	check_offers(WORDS("assay", "run", "brk1", "--until", ""), "decided\n");
	check_offers(WORDS("assay", "run", "brk1", "--better", "l"), "lower\n");
	check_offers(WORDS("assay", "compare", "a", "--method", "w"), "welch\n");
	check_offers(WORDS("assay", "compare", "a", "--effect", ""), "auto\n");
	check_offers(WORDS("assay", "run", "brk1", "--seed", ""), ""); /* Anything. */
}

static void parameters_are_those_of_the_workload_in_the_line(void **state)
{
	check_offers(WORDS("assay", "run", "hackbench", "-p", "g"), "groups=\n");
	check_offers(WORDS("assay", "run", "hackbench", "-p", "ipc=p"), "ipc=pipe\n");
	check_offers(WORDS("assay", "run", "getppid1", "--param", "mode="),
		     "mode=process\nmode=thread\n");
	check_offers(WORDS("assay", "run", "-p", "g"), "");
}

static void the_store_gives_campaigns_subjects_and_runs(void **state)
{
	struct filled filled;

	filled_open(&filled);
	const int64_t monday =
		filled_campaign(&filled, "monday", (const char *const[]) { "base", "head", NULL },
				(const double[]) { 1, 2 }, 2);

	(void)setenv("ASSAY_STORE", filled.directory, 1);
	check_offers(WORDS("assay", "mark", "hack"), "hackbench.time_sec\n");
	check_offers(WORDS("assay", "mark", "mon"), "monday\n");
	check_offers(WORDS("assay", "mark", "monday", ""), "expected\ninvalid\n");
	check_offers(WORDS("assay", "compare", ""), "base\nhead\nmonday\n");
	check_offers(WORDS("assay", "compare", "base", "h"), "head\n");
	check_offers(WORDS("assay", "resume", ""), "monday\n");
	check_offers(WORDS("assay", "show", ""), "1\n2\n3\n4\n");
	check_offers(WORDS("assay", "runs", "--subject", ""), "base\nhead\n");
	check_offers(WORDS("assay", "rm", "-c", "mon"), "monday\n");
	CHECK_INT(store_campaign_finish(filled.store, monday, NULL), 0);
	check_offers(WORDS("assay", "resume", ""), ""); /* Nothing is left to run. */
	check_offers(WORDS("assay", "rm", "-c", "mon"), "monday\n");
	filled_done(&filled);
}

static void without_a_store_nothing_is_offered_and_nothing_said(void **state)
{
	(void)setenv("ASSAY_STORE", "/nowhere/at/all", 1);
	check_offers(WORDS("assay", "compare", ""), "");
	check_offers(WORDS("assay", "show", ""), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_come_first),
		cmocka_unit_test(each_command_has_its_own_words),
		cmocka_unit_test(ready_experiments_are_offered_to_run),
		cmocka_unit_test(options_are_offered_behind_a_dash),
		cmocka_unit_test(a_value_follows_its_option),
		cmocka_unit_test(parameters_are_those_of_the_workload_in_the_line),
		cmocka_unit_test(the_store_gives_campaigns_subjects_and_runs),
		cmocka_unit_test(without_a_store_nothing_is_offered_and_nothing_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
