/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's facts: release, build id among the ELF notes, compiler. */
#include "check.h"
#include "probe/environment_tree.h"

#define NOTES "sys/kernel/notes"

static void check_build_id(const void *notes, size_t length, const char *expected)
{
	struct environment_tree tree = environment_tree_make();
	environment_tree_bytes(&tree, NOTES, notes, length);
	struct run *run = environment_tree_facts(&tree, environment_kernel);
	CHECK_TEXT(environment_tree_text(run, "kernel.build_id"), expected);
	run_free(run);
	environment_tree_remove(&tree);
}

struct note {
	uint32_t name_bytes, descriptor_bytes, type;
	char name[8];
	unsigned char descriptor[8];
};

static void the_build_id_is_found_behind_other_notes(void **state)
{
	const struct note notes[] = {
		{ 6, 5, 257, "Linux", { 1, 2, 3, 4, 5 } },
		{ 6,
		  4,
		  3,
		  "Linux",
		  { 9, 9, 9, 9 } }, /* Type 3 of somebody else; its parts take 8 and 4 bytes. */
	};
	const unsigned char gnu[] = { 4, 0, 0,   0,   3,   0, 0,    0,    3,    0,
				      0, 0, 'G', 'N', 'U', 0, 0xab, 0x01, 0xff, 0 };
	unsigned char all[sizeof(notes[0]) + sizeof(notes[1]) - 4 + sizeof(gnu)];
	(void)state;
	memcpy(all, &notes[0], sizeof(notes[0]));
	memcpy(all + sizeof(notes[0]), &notes[1], sizeof(notes[1]) - 4);
	memcpy(all + sizeof(notes[0]) + sizeof(notes[1]) - 4, gnu, sizeof(gnu));
	check_build_id(all, sizeof(all), "ab01ff");
	check_build_id(all, sizeof(all) - 2, "missing: absent"); /* Torn inside the id. */
	check_build_id(all, sizeof(notes[0]), "missing: absent");
}

static void absurd_lengths_in_a_note_are_not_followed(void **state)
{
	const uint32_t name[] = { 0xfffffffe, 4, 3, 0x00554e47, 0 };
	const uint32_t descriptor[] = { 4, 0xffffffff, 3, 0x00554e47, 0 };
	const uint32_t empty[] = { 4, 0, 3, 0x00554e47 };
	(void)state;
	check_build_id(name, sizeof(name), "missing: absent");
	check_build_id(descriptor, sizeof(descriptor), "missing: absent");
	check_build_id(empty, sizeof(empty), "missing: absent");
	check_build_id("", 0, "missing: absent");
}

static void the_compiler_is_taken_out_of_its_brackets(void **state)
{
	static const struct {
		const char *version, *compiler;
	} cases[] = {
		{ "Linux version 6.1.0 (maker@host) (gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld 2.40) #1 SMP\n",
		  "gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld 2.40" },
		{ "Linux version 3.10 (a@b) (gcc version 4.8.5 (Red Hat) ) #1\n",
		  "gcc version 4.8.5 (Red Hat)" },
		{ "Linux version 3.10 (a@b) (gcc version\n", "missing: malformed" },
		{ "Linux\n", "missing: malformed" },
	};
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct environment_tree tree = environment_tree_make();
		environment_tree_file(&tree, "proc/version", cases[i].version);
		struct run *run = environment_tree_facts(&tree, environment_kernel);
		CHECK_TEXT(environment_tree_text(run, "kernel.compiler"), cases[i].compiler);
		run_free(run);
		environment_tree_remove(&tree);
	}
}

static void plain_files_become_facts(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, "proc/sys/kernel/osrelease", "6.9.1\n");
	environment_tree_file(&tree, "proc/cmdline", "root=/dev/vda quiet\n");
	environment_tree_file(&tree, "sys/kernel/debug/sched/preempt", "none voluntary (full)\n");
	struct run *run = environment_tree_facts(&tree, environment_kernel);
	CHECK_TEXT(environment_tree_text(run, "kernel.release"), "6.9.1");
	CHECK_TEXT(environment_tree_text(run, "kernel.command_line"), "root=/dev/vda quiet");
	CHECK_TEXT(environment_tree_text(run, "kernel.preempt_mode"), "full");
	CHECK_TEXT(environment_tree_text(run, "kernel.taint"), "missing: absent");
	CHECK_TEXT(environment_tree_text(run, "kernel.build_id"), "missing: absent");
	run_free(run);
	environment_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_build_id_is_found_behind_other_notes),
		cmocka_unit_test(absurd_lengths_in_a_note_are_not_followed),
		cmocka_unit_test(the_compiler_is_taken_out_of_its_brackets),
		cmocka_unit_test(plain_files_become_facts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
