/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole environment: of this machine, of an empty tree, and of a full disk. */
#include "probe/environment.h"

#include "check.h"
#include "probe/environment_tree.h"
#include "record/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void record_all(struct environment *environment)
{
	CHECK_INT(environment_record(environment->root_fd, environment->wire), 0);
}

static void this_machine_tells_what_every_machine_has(void **state)
{
	static const char *const always[] = { "kernel.release", "kernel.version",   "cpu.count",
					      "cpu.online",     "memory.total_mib", "load.1",
					      "steal.ticks",    "process.user",     "libc.version",
					      "probe.flags",    "tmp.filesystem" };
	struct environment_tree tree = { .fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	(void)state;
	struct run *run = environment_tree_facts(&tree, record_all);
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
		const struct fact *fact = run_fact_find(run, always[i]);
		if (!fact || fact->state != VALUE_KNOWN || !fact->text[0])
			fail_msg("%s is not known: %s", always[i],
				 environment_tree_text(run, always[i]));
	}
	run_free(run);
	(void)close(tree.fd);
}

static void no_name_comes_twice_and_all_are_dotted_words(void **state)
{
	struct environment_tree tree = { .fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	(void)state;
	struct run *run = environment_tree_facts(&tree, record_all);
	CHECK(run->n_facts > 100);
	for (size_t i = 0; i < run->n_facts; i++) {
		const char *name = run->facts[i].name;
		if (i > 0 && strcmp(run->facts[i - 1].name, name) >= 0)
			fail_msg("%s comes twice or out of order", name);
		if (strpbrk(name, " \t\n="))
			fail_msg("'%s' is no name", name);
	}
	run_free(run);
	(void)close(tree.fd);
}

static void an_empty_tree_is_all_missing_and_never_zero(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	struct run *run = environment_tree_facts(&tree, record_all);
	CHECK(run->n_facts > 50);
	for (size_t i = 0; i < run->n_facts; i++) {
		const struct fact *fact = &run->facts[i];
		/* These are of this process, whatever the root; the last one is the absence of a file. */
		static const char *const own[] = { "process.",  "env.",   "limit.",
						   "libc.",     "probe.", "tmp.directory",
						   "irqbalance" };
		bool is_own = false;
		for (size_t k = 0; k < sizeof(own) / sizeof(own[0]); k++)
			is_own = is_own || strncmp(fact->name, own[k], strlen(own[k])) == 0;
		if (!is_own && (fact->state != VALUE_MISSING || fact->why != MISSING_ABSENT))
			fail_msg("%s is '%s' in an empty tree", fact->name,
				 environment_tree_text(run, fact->name));
	}
	run_free(run);
	environment_tree_remove(&tree);
}

static void a_full_disk_is_reported(void **state)
{
	(void)state;
	const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	const int root_fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		print_message("skipped: there is no /dev/full\n");
		skip();
	}
	struct wire *wire = wire_new(fd);
	CHECK_INT(environment_record(root_fd, wire), -ENOSPC);
	wire_free(wire);
	(void)close(root_fd);
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_machine_tells_what_every_machine_has),
		cmocka_unit_test(no_name_comes_twice_and_all_are_dotted_words),
		cmocka_unit_test(an_empty_tree_is_all_missing_and_never_zero),
		cmocka_unit_test(a_full_disk_is_reported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
