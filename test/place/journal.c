/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A crashed assay's changes are undone from its journal; a living one's are left alone. */
#include "place/journal.h"

#include "place/tree.h"

#include <errno.h>

#include <sys/wait.h>

/* A child applies a change, writes its journal, and dies without undoing it. */
static void crash_with_change(const struct tree *tree, const char *directory)
{
	const pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		struct changes changes = { 0 };
		if (changes_add_write(&changes, tree->root_fd, "sys/knob", "changed", NULL) ||
		    journal_write(directory, &changes, NULL) ||
		    changes_apply(&changes, tree->root_fd, NULL))
			_exit(1);
		(void)raise(SIGKILL);
	}
	int status = 0;
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void the_changes_of_a_killed_writer_are_undone(void **state)
{
	struct tree tree = tree_new();
	struct error err;
	unsigned restored = 0;
	AUTO(text) char *directory = mem_format("%s/state/assay", tree.path);
	tree_put(&tree, "sys/knob", "before\n");
	crash_with_change(&tree, directory);
	CHECK_TEXT(tree_get(&tree, "sys/knob"), "changed");
	CHECK_INT(journal_recover(directory, tree.root_fd, &restored, &err), 0);
	CHECK_INT(restored, 1);
	CHECK_TEXT(tree_get(&tree, "sys/knob"), "before");
	CHECK_INT(journal_recover(directory, tree.root_fd, &restored, &err), 0);
	CHECK_INT(restored, 0);
	tree_done(&tree);
}

static void the_journal_of_a_living_writer_is_left_alone(void **state)
{
	struct tree tree = tree_new();
	struct error err;
	struct changes changes = { 0 };
	unsigned restored = 7;
	AUTO(text) char *directory = mem_format("%s/state", tree.path);
	tree_put(&tree, "sys/knob", "before\n");
	CHECK_INT(changes_add_write(&changes, tree.root_fd, "sys/knob", "mine", &err), 0);
	CHECK_INT(journal_write(directory, &changes, &err), 0);
	CHECK_INT(changes_apply(&changes, tree.root_fd, &err), 0);
	CHECK_INT(journal_recover(directory, tree.root_fd, &restored, &err), 0);
	CHECK_INT(restored, 0);
	CHECK_TEXT(tree_get(&tree, "sys/knob"), "mine");
	CHECK_INT(journal_remove(directory, &err), 0);
	changes_done(&changes);
	tree_done(&tree);
}

/* The number of the dead writer belongs to a living process that started at another time. */
static void a_reused_process_number_does_not_hide_a_journal(void **state)
{
	struct tree tree = tree_new();
	struct error err;
	unsigned restored = 0;
	AUTO(text) char *directory = mem_format("%s/state", tree.path);
	AUTO(text) char *name = mem_format("state/changes-%d-1.json", (int)getpid());
	tree_put(&tree, "sys/knob", "changed\n");
	tree_put(&tree, name,
		 "[{\"path\":\"sys/knob\",\"directory\":false,\"temporary\":false,"
		 "\"before\":\"old\"}]");
	CHECK_INT(journal_recover(directory, tree.root_fd, &restored, &err), 0);
	CHECK_INT(restored, 1);
	CHECK_TEXT(tree_get(&tree, "sys/knob"), "old");
	tree_done(&tree);
}

static void a_damaged_journal_is_told_and_kept(void **state)
{
	static const char *const damaged[] = {
		"",
		"[{",
		"{\"path\":1}",
		"[{\"path\":\"/etc/passwd\",\"before\":\"x\"}]",
		"[{\"path\":\"../x\",\"before\":\"x\"}]",
		"[{\"path\":\"sys/knob\"}]",
	};
	for (size_t i = 0; i < ARRAY_SIZE(damaged); i++) {
		struct tree tree = tree_new();
		struct error err;
		unsigned restored = 0;
		AUTO(text) char *directory = mem_format("%s/state", tree.path);
		tree_put(&tree, "state/changes-1-99.json", damaged[i]);
		const int failed = journal_recover(directory, tree.root_fd, &restored, &err);
		CHECK_INT(failed, -EBADMSG);
		CHECK_HOLDS(err.text, "changes-1-99.json");
		CHECK(fs_exists_at(tree.root_fd, "state/changes-1-99.json"));
		tree_done(&tree);
	}
}

static void no_directory_means_nothing_to_restore(void **state)
{
	struct tree tree = tree_new();
	struct error err;
	unsigned restored = 5;
	AUTO(text) char *directory = mem_format("%s/never-made", tree.path);
	CHECK_INT(journal_recover(directory, tree.root_fd, &restored, &err), 0);
	CHECK_INT(restored, 0);
	tree_done(&tree);
}

static void leftovers_name_the_files_and_change_nothing(void **state)
{
	struct tree tree = tree_new();
	AUTO(text) char *directory = mem_format("%s/state", tree.path);
	AUTO(text) char *damaged = mem_format("'%s/changes-1-99.json'", directory);
	AUTO(text_buffer) struct text files = { 0 };
	CHECK_INT(journal_leftovers(directory, &files), 0);
	tree_put(&tree, "sys/knob", "before\n");
	crash_with_change(&tree, directory);
	CHECK_INT(journal_leftovers(directory, &files), 1);
	CHECK_TEXT(text_string(&files), "/sys/knob");
	CHECK_TEXT(tree_get(&tree, "sys/knob"), "changed");
	tree_put(&tree, "state/changes-1-99.json", "[{");
	text_done(&files);
	files = (struct text) { 0 };
	CHECK_INT(journal_leftovers(directory, &files), 2);
	CHECK_HOLDS(text_string(&files), "/sys/knob");
	CHECK_HOLDS(text_string(&files), damaged);
	tree_done(&tree);
}

static void a_living_writer_leaves_nothing_over(void **state)
{
	struct tree tree = tree_new();
	struct error err;
	struct changes changes = { 0 };
	AUTO(text) char *directory = mem_format("%s/state", tree.path);
	AUTO(text_buffer) struct text files = { 0 };
	tree_put(&tree, "sys/knob", "before\n");
	CHECK_INT(changes_add_write(&changes, tree.root_fd, "sys/knob", "mine", &err), 0);
	CHECK_INT(journal_write(directory, &changes, &err), 0);
	CHECK_INT(journal_leftovers(directory, &files), 0);
	CHECK_TEXT(text_string(&files), "");
	changes_done(&changes);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_changes_of_a_killed_writer_are_undone),
		cmocka_unit_test(the_journal_of_a_living_writer_is_left_alone),
		cmocka_unit_test(a_reused_process_number_does_not_hide_a_journal),
		cmocka_unit_test(a_damaged_journal_is_told_and_kept),
		cmocka_unit_test(no_directory_means_nothing_to_restore),
		cmocka_unit_test(leftovers_name_the_files_and_change_nothing),
		cmocka_unit_test(a_living_writer_leaves_nothing_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
