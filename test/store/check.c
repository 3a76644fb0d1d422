/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A check finds nothing in a sound store, and each kind of damage in a damaged one. */
#include "base/fs.h"
#include "base/text.h"
#include "fixture.h"
#include "store/handle.h"

#include <errno.h>
#include <fcntl.h>

static void note_line(const char *line, void *user)
{
	struct text *lines = user;

	text_add(lines, "%s\n", line);
}

/* The number of findings; their lines in *lines. */
static uint64_t check(struct store *store, struct text *lines)
{
	uint64_t bad = 99;
	struct error err = { 0 };

	if (store_check(store, note_line, lines, &bad, &err) < 0)
		fail_msg("cannot check: %s", err.text);
	return bad;
}

static struct store *store_of_three(const char *directory)
{
	struct store *store = fixture_store(directory);
	const int64_t campaign = fixture_campaign(store, "x", 3);

	for (uint64_t i = 0; i < 3; i++)
		(void)fixture_put(store, campaign, i, "base", i);
	return store;
}

static void nothing_is_found_in_a_sound_store(void **state)
{
	char *directory = fixture_directory();
	struct store *store = store_of_three(directory);
	struct text lines = { 0 };

	CHECK_INT(check(store, &lines), 0);
	CHECK_INT(lines.length, 0);
	store_close(store);
	fixture_remove(directory);
}

static void check_finds(const char *sql, uint64_t findings, const char *word)
{
	char *directory = fixture_directory();
	struct store *store = store_of_three(directory);
	struct text lines = { 0 };

	CHECK_INT(database_run(&store->database, "PRAGMA foreign_keys = OFF", NULL), 0);
	CHECK_INT(database_run(&store->database, sql, NULL), 0);
	const uint64_t found = check(store, &lines);

	CHECK_HOLDS(text_string(&lines), word);
	CHECK_INT(found, findings);
	text_done(&lines);
	store_close(store);
	fixture_remove(directory);
}

static void each_damage_is_found(void **state)
{
	check_finds("UPDATE run_series SET content = x'00' WHERE run_id = 2", 1, "run 2");
	check_finds("UPDATE run_log SET content = x'00'", 3, "run 3");
	check_finds("DELETE FROM run_values WHERE run_id = 1", 1, "run 1");
	check_finds("UPDATE run SET facts = '{' WHERE run_id = 1", 1, "facts");
	check_finds("UPDATE metric SET unit = '' , name = '' WHERE metric_id = 1", 3, "metric 1");
	/* The set's own digest, and the three runs that cannot be read any more. */
	check_finds("UPDATE metricset SET content = substr(content, 5)", 4, "table metricset");
	check_finds("UPDATE job SET content = content || ' '", 1, "table job");
	/* The reference, and the run that cannot be read any more. */
	check_finds("UPDATE run SET factset_id = 77 WHERE run_id = 3", 2, "belongs to a row of");
}

static void damaged_pages_are_found(void **state)
{
	char *directory = fixture_directory();
	struct store *store = store_of_three(directory);
	char *path = mem_format("%s/%s", directory, STORE_FILE_NAME);
	struct text lines = { 0 };
	int64_t page = 0;
	char noise[4096];

	CHECK_INT(database_number(&store->database,
				  "SELECT rootpage FROM sqlite_schema WHERE name = 'run_values'",
				  &page, NULL),
		  0);
	store_close(store);
	AUTO(fd) int fd = open(path, O_RDWR | O_CLOEXEC);

	memset(noise, 0x5a, sizeof(noise));
	CHECK_INT(pwrite(fd, noise, sizeof(noise), 4096 * (page - 1)), sizeof(noise));
	store = fixture_store(directory);
	CHECK(check(store, &lines) > 0);
	text_done(&lines);
	store_close(store);
	free(path);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_found_in_a_sound_store),
		cmocka_unit_test(each_damage_is_found),
		cmocka_unit_test(damaged_pages_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
