/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pointers: parts, escapes, the star. */
#include "intake/pointer.h"

#include "check.h"
#include "intake/json_text.h"

#include <errno.h>

static json_t *document(void)
{
	json_error_t wrong;
	return json_loads("{\"a/b\": {\"m~n\": 1}, \"list\": [{\"x\": 2}, {\"y\": 3}, {\"x\": 4}],"
			  " \"*\": 5}",
			  0, &wrong);
}

static void escapes_and_numbers_are_followed(void **state)
{
	__attribute__((cleanup(auto_release_json_document))) json_t *json = document();
	CHECK_INT(json_integer_value(pointer_find(json, "/a~1b/m~0n")), 1);
	CHECK_INT(json_integer_value(pointer_find(json, "/list/1/y")), 3);
	CHECK(pointer_find(json, "") == json);
	CHECK(pointer_find(json, "/list/3/y") == NULL);
	CHECK(pointer_find(json, "/list/-1/y") == NULL);
	CHECK(pointer_find(json, "/nothing/here") == NULL);
}

static void count(const struct pointer_hit *hit, void *user)
{
	int *sums = user;
	sums[0]++;
	sums[1] += hit->value ? (int)json_integer_value(hit->value) : 100;
	sums[2] += (int)hit->index;
}

static void the_star_is_each_item_and_those_without_the_rest_are_told(void **state)
{
	__attribute__((cleanup(auto_release_json_document))) json_t *json = document();
	int sums[3] = { 0 };
	CHECK(pointer_each(json, "/list/*/x", count, sums));
	CHECK_INT(sums[0], 3);
	CHECK_INT(sums[1], 106);
	CHECK_INT(sums[2], 3);
	CHECK(!pointer_each(json, "/absent/*/x", count, sums));
	CHECK_INT(sums[0], 3);
}

static void what_is_no_pointer_is_refused(void **state)
{
	static const char *const wrong[] = { "jobs", "/a/~2", "/a~", "/*/x/*" };
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct error err = { 0 };
		CHECK_INT(pointer_check(wrong[i], /* may_star= */ true, &err), -EINVAL);
		CHECK_HOLDS(err.text, wrong[i]);
	}
	CHECK_INT(pointer_check("/*/x", /* may_star= */ false, NULL), -EINVAL);
	CHECK_INT(pointer_check("/*/x", /* may_star= */ true, NULL), 0);
	CHECK(pointer_has_star("/a/*"));
	CHECK(!pointer_has_star("/a*/b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_and_numbers_are_followed),
		cmocka_unit_test(the_star_is_each_item_and_those_without_the_rest_are_told),
		cmocka_unit_test(what_is_no_pointer_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
