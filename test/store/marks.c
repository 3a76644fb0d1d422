/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks are kept, withdrawn, and carried along. */
#include "store/marks.h"

#include "fixture.h"
#include "store/handle.h"

#include <errno.h>
#include <math.h>

static int64_t mark_metric(struct store *store, const char *metric, const char *why)
{
	const struct mark_row mark = {
		.metric = mem_text(metric),
		.point = mem_text("*groups=4*"),
		.tolerance_percent = 2.5,
		.why = mem_text(why),
		.who = mem_text("anna"),
	};
	struct error err = { 0 };
	int64_t id = 0;

	if (store_mark_add(store, &mark, &id, &err) < 0)
		fail_msg("%s", err.text);
	free(mark.metric);
	free(mark.point);
	free(mark.why);
	free(mark.who);
	return id;
}

static int mark_campaign(struct store *store, int64_t campaign, int64_t *ret_id, struct error *err)
{
	char empty[] = "";
	char base[] = "base";
	char head[] = "head";
	char why[] = "the box was on fire";
	char who[] = "bert";
	const struct mark_row mark = {
		.metric = empty,
		.campaign = campaign,
		.base = base,
		.head = head,
		.point = empty,
		.invalid = true,
		.tolerance_percent = (double)NAN,
		.why = why,
		.who = who,
	};

	return store_mark_add(store, &mark, ret_id, err);
}

static struct mark_row *list(struct store *store, bool withdrawn_too, size_t want)
{
	struct mark_row *rows = NULL;
	struct error err = { 0 };
	size_t n = 0;

	if (store_mark_list(store, withdrawn_too, &rows, &n, &err) < 0)
		fail_msg("%s", err.text);
	CHECK_INT(n, want);
	return rows;
}

static void a_mark_comes_back_as_it_was_made(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "x", 3);
	int64_t id = 0;

	CHECK_INT(mark_metric(store, "proc-vmstat.*", "a knob was turned"), 1);
	CHECK_INT(mark_campaign(store, campaign, &id, NULL), 0);
	CHECK_INT(id, 2);
	struct mark_row *rows = list(store, false, 2);

	CHECK_TEXT(rows[0].metric, "proc-vmstat.*");
	CHECK(rows[0].campaign == 0 && !rows[0].campaign_name && !rows[0].base && !rows[0].head);
	CHECK_TEXT(rows[0].point, "*groups=4*");
	CHECK(!rows[0].invalid && rows[0].tolerance_percent == 2.5);
	CHECK_TEXT(rows[0].why, "a knob was turned");
	CHECK_TEXT(rows[0].who, "anna");
	CHECK(rows[0].made_wall_ns > 0 && rows[0].withdrawn_wall_ns == 0 && !rows[0].withdrawn_by);
	CHECK_TEXT(rows[1].metric, "");
	CHECK_INT(rows[1].campaign, campaign);
	CHECK_TEXT(rows[1].campaign_name, "x");
	CHECK_TEXT(rows[1].base, "base");
	CHECK_TEXT(rows[1].head, "head");
	CHECK(rows[1].invalid && isnan(rows[1].tolerance_percent));
	mark_rows_free(rows, 2);
	store_close(store);
	fixture_remove(directory);
}

static void a_mark_of_no_campaign_is_refused(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct error err = { 0 };
	int64_t id = 0;

	CHECK_INT(mark_campaign(store, 17, &id, &err), -ENOENT);
	CHECK_TEXT(err.text, "there is no campaign 17");
	mark_rows_free(list(store, true, 0), 0);
	store_close(store);
	fixture_remove(directory);
}

static void a_withdrawn_mark_is_kept(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct error err = { 0 };
	const int64_t id = mark_metric(store, "hackbench.time_sec", "known");

	CHECK_INT(store_mark_withdraw(store, id + 1, "bert", &err), -ENOENT);
	CHECK_INT(store_mark_withdraw(store, id, "bert", &err), 0);
	CHECK_INT(store_mark_withdraw(store, id, "carl", &err), -EALREADY);
	CHECK_HOLDS(err.text, "bert");
	mark_rows_free(list(store, false, 0), 0);
	struct mark_row *rows = list(store, true, 1);

	CHECK_TEXT(rows[0].withdrawn_by, "bert");
	CHECK(rows[0].withdrawn_wall_ns >= rows[0].made_wall_ns);
	CHECK_TEXT(rows[0].why, "known");
	mark_rows_free(rows, 1);
	store_close(store);
	fixture_remove(directory);
}

static void a_mark_outlives_the_campaign_that_it_speaks_of(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "x", 1);
	uint64_t removed = 0;
	int64_t id = 0;

	CHECK_INT(mark_campaign(store, campaign, &id, NULL), 0);
	CHECK_INT(store_run_remove(store, &(struct run_query) { .campaign = campaign }, &removed,
				   NULL),
		  0);
	struct mark_row *rows = list(store, false, 1);

	CHECK_INT(rows[0].campaign, 0);
	CHECK_TEXT(rows[0].campaign_name, "x");
	mark_rows_free(rows, 1);
	store_close(store);
	fixture_remove(directory);
}

static uint64_t merge(struct store *into, const char *from)
{
	struct error err = { 0 };
	uint64_t n = 0;

	if (store_merge(into, from, &n, &err) < 0)
		fail_msg("%s", err.text);
	return n;
}

static void merging_brings_marks_once_and_what_was_withdrawn(void **state)
{
	char *directories[2] = { fixture_directory(), fixture_directory() };
	struct store *stores[2] = { fixture_store(directories[0]), fixture_store(directories[1]) };
	const int64_t other = fixture_campaign(stores[1], "same", 1);
	int64_t id = 0;

	(void)fixture_campaign(stores[0], "same", 1); /* Another one of the same name. */
	(void)mark_metric(stores[1], "hackbench.time_sec", "there");
	CHECK_INT(mark_campaign(stores[1], other, &id, NULL), 0);
	(void)mark_metric(stores[0], "hackbench.time_sec", "here");
	(void)merge(stores[0], directories[1]);
	(void)merge(stores[0], directories[1]);
	struct mark_row *rows = list(stores[0], true, 3);

	CHECK_TEXT(rows[0].why, "here");
	CHECK_TEXT(rows[1].why, "there");
	CHECK(rows[1].tolerance_percent == 2.5);
	CHECK_TEXT(rows[2].campaign_name, "same-2"); /* As it is called here. */
	mark_rows_free(rows, 3);
	CHECK_INT(store_mark_withdraw(stores[1], 1, "bert", NULL), 0);
	(void)merge(stores[0], directories[1]);
	rows = list(stores[0], false, 2);
	CHECK_TEXT(rows[0].why, "here");
	CHECK_TEXT(rows[1].why, "the box was on fire");
	mark_rows_free(rows, 2);
	for (unsigned i = 0; i < 2; i++) {
		store_close(stores[i]);
		fixture_remove(directories[i]);
	}
}

static void the_names_of_metrics_are_sorted_and_unique(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	char **names = NULL;
	size_t n = 99;

	CHECK_INT(store_metric_names(store, &names, &n, NULL), 0);
	CHECK_INT(n, 0);
	free(names);
	(void)fixture_put(store, fixture_campaign(store, "x", 1), 0, "base", 0);
	CHECK_INT(database_run(&store->database,
			       "INSERT INTO metric (name, unit, kind, better, role, what)"
			       " VALUES ('hackbench.time_sec', 'ms', 0, 0, 0, '')",
			       NULL),
		  0);
	CHECK_INT(store_metric_names(store, &names, &n, NULL), 0);
	CHECK_INT(n, 41);
	CHECK_TEXT(names[0], "hackbench.time_sec");
	for (size_t i = 1; i < n; i++)
		CHECK(strcmp(names[i - 1], names[i]) < 0);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	store_close(store);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mark_comes_back_as_it_was_made),
		cmocka_unit_test(a_mark_of_no_campaign_is_refused),
		cmocka_unit_test(a_withdrawn_mark_is_kept),
		cmocka_unit_test(a_mark_outlives_the_campaign_that_it_speaks_of),
		cmocka_unit_test(merging_brings_marks_once_and_what_was_withdrawn),
		cmocka_unit_test(the_names_of_metrics_are_sorted_and_unique),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
