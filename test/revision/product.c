/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a build made. */
#include "revision/product.h"

#include "check.h"
#include "revision/repository.h"

static void a_product_is_its_programs(void **state)
{
	struct repository repository;
	struct error err = { 0 };
	struct product one = { 0 };
	struct product other = { 0 };
	repository_make(&repository,
			"mkdir sub; echo 'int main(void) { return 0; }' >a.c; cc -o sub/a a.c");
	CHECK_INT(product_read(repository.path, "sub/a --fast", &one, &err), 0);
	CHECK_INT(one.n_files, 1);
	CHECK_HOLDS(one.program, "sub/a");
	CHECK_INT(repository_shell(&repository, "echo more >notes; touch sub/a"), 0);
	CHECK_INT(product_read(repository.path, "sh run.sh", &other, &err), 0);
	CHECK_TEXT(other.hash, one.hash);
	CHECK(other.program == NULL); /* A shell of the system is not what was built. */
	product_done(&other);
	CHECK_INT(repository_shell(&repository, "cp sub/a b"), 0);
	CHECK_INT(product_read(repository.path, "sub/a", &other, &err), 0);
	CHECK_INT(other.n_files, 2);
	CHECK(strcmp(other.hash, one.hash) != 0);
	product_done(&one);
	product_done(&other);
	repository_done(&repository);
}

static void only_what_is_compiled_or_read_by_people_is_harmless(void **state)
{
	CHECK(product_is_compiled("src/a.c"));
	CHECK(product_is_compiled("Makefile"));
	CHECK(product_is_compiled("doc/README.md"));
	CHECK(product_is_compiled("man/tool.1"));
	CHECK(!product_is_compiled("data/table.txt"));
	CHECK(!product_is_compiled("run.sh"));
	CHECK(!product_is_compiled("lib/a.py"));
	CHECK(!product_is_compiled("c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_product_is_its_programs),
		cmocka_unit_test(only_what_is_compiled_or_read_by_people_is_harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
