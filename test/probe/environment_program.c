/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program that is run: where it is, its hash, and what it was built with to find bugs. */
#include "base/mem.h"
#include "check.h"
#include "probe/environment_tree.h"

#include <stdlib.h>

#include <sys/stat.h>

static const char *command; /* For the part below, which takes none. */

static void record(struct environment *environment)
{
	environment_program(environment, command);
}

/* A program of these bytes in the tree; its path. */
static char *make(const struct environment_tree *tree, const char *name, const void *bytes,
		  size_t length)
{
	char *path = mem_format("%s/%s", tree->path, name);
	environment_tree_bytes(tree, name, bytes, length);
	CHECK_INT(chmod(path, 0755), 0);
	return path;
}

static struct run *facts_of(const struct environment_tree *tree, const char *words)
{
	command = words;
	return environment_tree_facts(tree, record);
}

static void a_program_is_found_on_the_path_and_hashed(void **state)
{
	struct environment_tree tree = environment_tree_make();
	AUTO(text) char *path = make(&tree, "bin/abc", "abc", 3);
	AUTO(text) char *folder = mem_format("/nowhere:%s/bin", tree.path);
	AUTO(text) char *before = mem_text(getenv("PATH"));
	CHECK_INT(setenv("PATH", folder, 1), 0);
	struct run *run = facts_of(&tree, "  'abc' -S 10");
	CHECK_TEXT(environment_tree_text(run, "program.path"), path);
	CHECK_TEXT(environment_tree_text(run, "program.sha256"),
		   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	CHECK_TEXT(environment_tree_text(run, "program.instruments"), "none");
	run_free(run);
	CHECK_INT(setenv("PATH", before ? before : "/bin", 1), 0);
	environment_tree_remove(&tree);
}

static void what_finds_bugs_is_named(void **state)
{
	static const char both[] = "ELF\0__asan_init\0libduma.so.0\0";
	static const char near[] = "x__asan_init\0__asan_init_v4\0libdumas.so\0__tsan_init";
	struct environment_tree tree = environment_tree_make();
	AUTO(text) char *one = make(&tree, "one", both, sizeof(both));
	AUTO(text) char *other = make(&tree, "other", near, sizeof(near) - 1);
	struct run *run = facts_of(&tree, one);
	CHECK_TEXT(environment_tree_text(run, "program.instruments"), "address-sanitizer duma");
	run_free(run);
	run = facts_of(&tree, other);
	CHECK_TEXT(environment_tree_text(run, "program.instruments"), "none");
	run_free(run);
	environment_tree_remove(&tree);
}

static void a_program_that_is_not_there_is_missing(void **state)
{
	static const char *const commands[] = { "/no/such/program", "no-such-program-anywhere", "",
						"   " };
	struct environment_tree tree = environment_tree_make();
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct run *run = facts_of(&tree, commands[i]);
		CHECK_TEXT(environment_tree_text(run, "program.path"), "missing: absent");
		CHECK_TEXT(environment_tree_text(run, "program.sha256"), "missing: absent");
		CHECK_TEXT(environment_tree_text(run, "program.instruments"), "missing: absent");
		run_free(run);
	}
	environment_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_is_found_on_the_path_and_hashed),
		cmocka_unit_test(what_finds_bugs_is_named),
		cmocka_unit_test(a_program_that_is_not_there_is_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
