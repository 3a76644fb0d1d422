/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Campaigns by name, in order, and what is done of them. */
#include "base/text.h"
#include "fixture.h"
#include "store/handle.h"

#include <errno.h>

static void a_campaign_is_found_by_its_name(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct campaign_row row = { 0 };
	struct error err = { 0 };
	const int64_t id = fixture_campaign(store, "O'Neil; DROP TABLE run", 12);

	(void)fixture_campaign(store, "later", 1);
	CHECK_INT(store_campaign_find(store, "O'Neil; DROP TABLE run", &row, &err), 0);
	CHECK_INT(row.id, id);
	CHECK_TEXT(row.name, "O'Neil; DROP TABLE run");
	CHECK_TEXT(row.plan, "{\"plan\":true}");
	CHECK_INT(row.runs_planned, 12);
	CHECK_INT(row.runs_done, 0);
	CHECK(!row.finished);
	CHECK(row.created_wall_ns > 1600000000 * FIXTURE_SECOND);
	campaign_row_done(&row);
	CHECK_INT(store_campaign_find(store, NULL, &row, &err), 0);
	CHECK_TEXT(row.name, "later"); /* The newest. */
	campaign_row_done(&row);
	store_close(store);
	fixture_remove(directory);
}

static void an_absent_campaign_is_said_to_be_absent(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct campaign_row row = { 0 };
	struct error err = { 0 };

	CHECK_INT(store_campaign_find(store, NULL, &row, &err), -ENOENT);
	CHECK_HOLDS(err.text, "no campaign yet");
	CHECK_INT(store_campaign_find(store, "x", &row, &err), -ENOENT);
	CHECK_HOLDS(err.text, "'x'");
	CHECK_INT(store_campaign_finish(store, 5, &err), -ENOENT);
	store_close(store);
	fixture_remove(directory);
}

static void a_name_is_taken_only_once(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct error err = { 0 };
	int64_t id = 0;

	(void)fixture_campaign(store, "x", 1);
	CHECK_INT(store_campaign_add(store, "x", "{}", 1, &id, &err), -EEXIST);
	CHECK_HOLDS(err.text, "assay resume x");
	CHECK_INT(id, 0);
	store_close(store);
	fixture_remove(directory);
}

static void a_name_is_made_when_none_is_given(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct campaign_row *rows = NULL;
	size_t n = 0;
	int64_t id = 0;

	for (unsigned i = 0; i < 3; i++) /* More than one within a second. */
		CHECK_INT(store_campaign_add(store, NULL, "{}", 1, &id, NULL), 0);
	CHECK_INT(store_campaign_list(store, 0, &rows, &n, NULL), 0);
	CHECK_INT(n, 3);
	for (size_t i = 0; i < n; i++) {
		CHECK(text_starts_with(rows[i].name, "2"));
		CHECK(rows[i].plan == NULL);
		CHECK_INT(rows[i].id, n - i); /* Newest first. */
		campaign_row_done(&rows[i]);
	}
	free(rows);
	CHECK_INT(store_campaign_list(store, 2, &rows, &n, NULL), 0);
	CHECK_INT(n, 2);
	CHECK_INT(rows[0].id, 3);
	campaign_row_done(&rows[0]);
	campaign_row_done(&rows[1]);
	free(rows);
	store_close(store);
	fixture_remove(directory);
}

static void only_runs_that_ended_count_as_done(void **state)
{
	static const enum run_outcome outcomes[] = { RUN_COMPLETE, RUN_FAILED, RUN_UNSUPPORTED,
						     RUN_TORN, RUN_INTERRUPTED };
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "x", 5);
	struct campaign_row row = { 0 };

	for (unsigned i = 0; i < ARRAY_SIZE(outcomes); i++) {
		struct job *job = fixture_job("base");
		struct run *run = fixture_run(i);
		int64_t id = 0;

		run->outcome = outcomes[i];
		CHECK_INT(store_run_put(store, campaign, i, 0, job, run, &id, NULL), 0);
		run_free(run);
		job_free(job);
	}
	CHECK_INT(store_campaign_find(store, "x", &row, NULL), 0);
	CHECK_INT(row.runs_done, 3);
	campaign_row_done(&row);
	CHECK_INT(store_campaign_finish(store, campaign, NULL), 0);
	CHECK_INT(store_campaign_find(store, "x", &row, NULL), 0);
	CHECK(row.finished);
	campaign_row_done(&row);
	store_close(store);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_campaign_is_found_by_its_name),
		cmocka_unit_test(an_absent_campaign_is_said_to_be_absent),
		cmocka_unit_test(a_name_is_taken_only_once),
		cmocka_unit_test(a_name_is_made_when_none_is_given),
		cmocka_unit_test(only_runs_that_ended_count_as_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
