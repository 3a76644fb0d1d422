/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which machines are of one type, and runs of an old store that get theirs. */
#include "store/machine.h"

#include "base/macros.h"
#include "fixture.h"
#include "store/handle.h"
#include "store/noise.h"

static char *type_of(const char *const (*facts)[2], size_t n)
{
	struct run *run = run_new();

	for (size_t i = 0; i < n; i++)
		run_fact_add(run, facts[i][0], VALUE_KNOWN, MISSING_NOT, facts[i][1]);
	run_sort(run);
	char *type = store_machine_type(run);

	run_free(run);
	return type;
}

static void check_type(const char *const (*facts)[2], size_t n, const char *want)
{
	char *type = type_of(facts, n);

	CHECK_TEXT(type, want);
	free(type);
}

static void the_type_is_made_of_processor_size_and_hypervisor(void **state)
{
	static const char *const server[][2] = {
		{ "cpu.model_name", "Imaginary 9000 @ 2.0GHz" },
		{ "cpu.count", "64" },
		{ "node.count", "2" },
		{ "memory.total_mib", "257539" },
		{ "hypervisor", "none" },
		{ "machine.name", "anna" },
	};
	static const char *const guest[][2] = {
		{ "cpu.vendor", "0x41" }, { "cpu.family", "8" },          { "cpu.model", "0xd0c" },
		{ "cpu.count", "2" },     { "memory.total_mib", "3911" }, { "hypervisor", "kvm" },
	};

	check_type(server, ARRAY_SIZE(server),
		   "Imaginary 9000 @ 2.0GHz, CPUs 64, nodes 2, 256 GiB, bare");
	check_type(guest, ARRAY_SIZE(guest), "0x41 8 0xd0c, CPUs 2, nodes 1, 4 GiB, guest of kvm");
}

static void memory_is_rounded_so_that_kernels_do_not_make_types(void **state)
{
	static const struct {
		const char *mib;
		const char *gib;
	} cases[] = {
		{ "1967", " 2 GiB" },   { "2010", " 2 GiB" },   { "5839", " 6 GiB" },
		{ "7751", " 8 GiB" },   { "15908", " 16 GiB" }, { "15501", " 16 GiB" },
		{ "12011", " 12 GiB" }, { "505", " 0.5 GiB" },  { "0", " ? GiB" },
		{ "plenty", " ? GiB" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *const facts[][2] = { { "cpu.model_name", "X" },
						 { "memory.total_mib", cases[i].mib } };
		char *type = type_of(facts, ARRAY_SIZE(facts));

		CHECK_HOLDS(type, cases[i].gib);
		free(type);
	}
}

static void a_run_that_does_not_name_its_processor_has_no_type(void **state)
{
	static const char *const facts[][2] = { { "cpu.count", "4" }, { "hypervisor", "kvm" } };

	CHECK(type_of(facts, ARRAY_SIZE(facts)) == NULL);
}

static int64_t number_of(struct store *store, const char *sql)
{
	int64_t number = -1;

	CHECK_INT(database_number(&store->database, sql, &number, NULL), 0);
	return number;
}

static void runs_of_one_type_share_a_row(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "x", 3);
	struct job *job = fixture_job("base");
	struct run *bare = run_new();
	int64_t id = 0;
	uint64_t bytes = 0;
	uint64_t removed = 0;

	for (uint64_t i = 0; i < 2; i++)
		(void)fixture_put(store, campaign, i, "base", i);
	CHECK_INT(store_run_put(store, campaign, 2, 0, job, bare, &id, NULL), 0);
	CHECK_INT(number_of(store, "SELECT count(*) FROM machine"), 1);
	CHECK_INT(number_of(store, "SELECT count(machine_id) FROM run"), 2);
	/* It goes with its last run. */
	CHECK_INT(store_run_remove(store,
				   &(struct run_query) { .ids = (int64_t[]) { 1, 2 }, .n_ids = 2 },
				   &removed, NULL),
		  0);
	CHECK_INT(store_gc(store, &bytes, NULL), 0);
	CHECK_INT(number_of(store, "SELECT count(*) FROM machine"), 0);
	job_free(job);
	run_free(bare);
	store_close(store);
	fixture_remove(directory);
}

static void old_runs_get_their_machine_from_set_and_own_facts(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "x", 3);
	struct job *job = fixture_job("base");
	struct run *other = fixture_run(2);
	int64_t id = 0;

	for (uint64_t i = 0; i < 2; i++)
		(void)fixture_put(store, campaign, i, "base", i);
	run_fact_add(other, "cpu.count", VALUE_KNOWN, MISSING_NOT, "3"); /* Its own fact. */
	run_sort(other);
	CHECK_INT(store_run_put(store, campaign, 2, 0, job, other, &id, NULL), 0);
	CHECK_INT(database_run(&store->database,
			       "CREATE TEMP TABLE had AS SELECT run_id, type FROM run"
			       " JOIN machine USING (machine_id);"
			       "UPDATE run SET machine_id = NULL; DELETE FROM machine",
			       NULL),
		  0);
	CHECK_INT(number_of(store, "SELECT count(DISTINCT type) FROM temp.had"), 2);
	CHECK_INT(machine_fill(&store->database, NULL), 0);
	CHECK_INT(number_of(store, "SELECT count(*) FROM run JOIN machine m USING (machine_id)"
				   " JOIN temp.had h USING (run_id) WHERE h.type = m.type"),
		  3);
	job_free(job);
	run_free(other);
	store_close(store);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_type_is_made_of_processor_size_and_hypervisor),
		cmocka_unit_test(memory_is_rounded_so_that_kernels_do_not_make_types),
		cmocka_unit_test(a_run_that_does_not_name_its_processor_has_no_type),
		cmocka_unit_test(runs_of_one_type_share_a_row),
		cmocka_unit_test(old_runs_get_their_machine_from_set_and_own_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
