/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same content gets the same id; an id gives its content back. */
#include "store/content.h"

#include "fixture.h"
#include "store/handle.h"

#include <errno.h>

static void the_same_content_is_kept_once(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	static const char ids[] = "\1\0\0\0\2\0\0\0";
	int64_t one = 0;
	int64_t other = 0;
	int64_t third = 0;

	CHECK_INT(content_put(&store->database, CONTENT_METRICS, ids, 8, &one, NULL), 0);
	CHECK_INT(content_put(&store->database, CONTENT_METRICS, ids, 8, &other, NULL), 0);
	CHECK_INT(content_put(&store->database, CONTENT_METRICS, ids, 4, &third, NULL), 0);
	CHECK_INT(one, other);
	CHECK(one != third);
	store_close(store);
	fixture_remove(directory);
}

static void content_comes_back(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);

	for (unsigned i = 0; i < CONTENT_COUNT; i++) {
		const enum content content = (enum content)i;
		char *back = NULL;
		size_t length = 0;
		int64_t id = 0;
		struct error err = { 0 };

		CHECK_INT(content_put(&store->database, content, "[34]", 4, &id, NULL), 0);
		CHECK_INT(content_get(&store->database, content, id, &back, &length, NULL), 0);
		CHECK_INT(length, 4);
		CHECK_TEXT(back, "[34]");
		free(back);
		CHECK_INT(content_get(&store->database, content, 99, &back, &length, &err),
			  -EBADMSG);
		CHECK_HOLDS(err.text, content_table(content));
		CHECK_HOLDS(err.text, "99");
	}
	store_close(store);
	fixture_remove(directory);
}

static void jobs_that_differ_in_anything_are_two(void **state)
{
	char *directory = fixture_directory();
	struct store *store = fixture_store(directory);
	struct job *job = fixture_job("base");
	struct job *other = job_copy(job);
	int64_t ids[3] = { 0 };

	CHECK_INT(content_put_job(&store->database, job, &ids[0], NULL), 0);
	CHECK_INT(content_put_job(&store->database, other, &ids[1], NULL), 0);
	other->interval_ns++;
	CHECK_INT(content_put_job(&store->database, other, &ids[2], NULL), 0);
	CHECK_INT(ids[0], ids[1]);
	CHECK(ids[2] != ids[0]);
	job_free(other);
	job_free(job);
	store_close(store);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_content_is_kept_once),
		cmocka_unit_test(content_comes_back),
		cmocka_unit_test(jobs_that_differ_in_anything_are_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
