/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts of a machine, read from a tree made of a few files. */
#include "cli/here.h"

#include "base/fs.h"
#include "base/text.h"
#include "store/fixture.h"

#include <sys/stat.h>

static void write_file(const char *directory, const char *name, const char *text)
{
	char *path = mem_format("%s/%s", directory, name);

	CHECK_INT(fs_replace(path, text, strlen(text), 0600, NULL), 0);
	free(path);
}

/* A directory with a processor and its memory. New string. */
static char *make_tree(void)
{
	char *directory = fixture_directory();
	char *proc = mem_format("%s/proc", directory);

	CHECK_INT(mkdir(proc, 0700), 0);
	free(proc);
	write_file(directory, "proc/cpuinfo",
		   "processor\t: 0\nvendor_id\t: Imaginary\nmodel name\t: Imaginary 9000\n"
		   "flags\t\t: fpu\n");
	write_file(directory, "proc/meminfo", "MemTotal:       8056832 kB\n");
	return directory;
}

static void the_facts_are_those_of_the_tree(void **state)
{
	char *directory = make_tree();
	AUTO(fd) int root_fd = fs_root_open(directory, NULL);
	struct run *run = NULL;
	struct error err = { 0 };

	CHECK(root_fd >= 0);
	if (here_environment(root_fd, &run, &err) < 0)
		fail_msg("%s", err.text);
	const struct fact *model = run_fact_find(run, "cpu.model_name");

	CHECK(model && model->state == VALUE_KNOWN);
	CHECK_TEXT(model->text, "Imaginary 9000");
	CHECK_INT(run->n_metrics, 0);
	run_free(run);
	fixture_remove(directory);
}

static void the_type_of_a_machine_is_made_of_its_facts(void **state)
{
	char *directory = make_tree();
	char *type = here_machine(directory);

	CHECK(type != NULL && text_starts_with(type, "Imaginary 9000, CPUs "));
	CHECK_HOLDS(type, ", 8 GiB, bare");
	free(type);
	fixture_remove(directory);
}

static void a_tree_that_says_nothing_has_no_type(void **state)
{
	char *directory = fixture_directory();

	CHECK(here_machine(directory) == NULL);
	CHECK(here_machine("/nowhere") == NULL);
	fixture_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_facts_are_those_of_the_tree),
		cmocka_unit_test(the_type_of_a_machine_is_made_of_its_facts),
		cmocka_unit_test(a_tree_that_says_nothing_has_no_type),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
