/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files are changed, read back and put back. */
#include "place/change.h"

#include "place/tree.h"

#include <errno.h>

static void a_change_is_applied_and_undone(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	tree_put(&tree, "proc/sys/vm/numa_stat", "1\n");
	CHECK_INT(changes_add_write(&changes, tree.root_fd, "proc/sys/vm/numa_stat", "0", &err), 0);
	CHECK_TEXT(tree_get(&tree, "proc/sys/vm/numa_stat"), "1");
	CHECK_INT(changes_apply(&changes, tree.root_fd, &err), 0);
	CHECK_TEXT(tree_get(&tree, "proc/sys/vm/numa_stat"), "0");
	CHECK_INT(changes_undo(&changes, tree.root_fd, &err), 0);
	CHECK_TEXT(tree_get(&tree, "proc/sys/vm/numa_stat"), "1");
	changes_done(&changes);
	tree_done(&tree);
}

static void two_changes_of_one_file_end_at_the_first_value(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	tree_put(&tree, "sys/knob", "one\n");
	CHECK_INT(changes_add_write(&changes, tree.root_fd, "sys/knob", "two", &err), 0);
	CHECK_INT(changes_add_write(&changes, tree.root_fd, "sys/knob", "three", &err), 0);
	CHECK_INT(changes_apply(&changes, tree.root_fd, &err), 0);
	CHECK_TEXT(tree_get(&tree, "sys/knob"), "three");
	CHECK_INT(changes_undo(&changes, tree.root_fd, &err), 0);
	CHECK_TEXT(tree_get(&tree, "sys/knob"), "one");
	changes_done(&changes);
	tree_done(&tree);
}

static void the_chosen_word_of_a_bracketed_file_is_what_was_there(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	tree_put(&tree, "sys/thp", "always [madvise] never\n");
	CHECK_INT(changes_add_write(&changes, tree.root_fd, "sys/thp", "always", &err), 0);
	CHECK_TEXT(changes.items[0].before, "madvise");
	changes_done(&changes);
	tree_done(&tree);
}

static void an_absent_file_is_an_error_that_names_it(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	CHECK_INT(changes_add_write(&changes, tree.root_fd, "proc/sys/vm/nothing", "0", &err),
		  -ENOENT);
	CHECK_HOLDS(err.text, "/proc/sys/vm/nothing");
	CHECK_HOLDS(err.text, "does not have it");
	CHECK_INT(changes.n, 0);
	changes_done(&changes);
	tree_done(&tree);
}

/* As dirty_bytes and dirty_ratio: the kernel has changed the other file behind our back. */
static void a_kept_file_is_not_written_but_put_back(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	tree_put(&tree, "sys/bytes", "0\n");
	tree_put(&tree, "sys/ratio", "20\n");
	CHECK_INT(changes_add_write(&changes, tree.root_fd, "sys/bytes", "4096", &err), 0);
	CHECK_INT(changes_add_kept(&changes, tree.root_fd, "sys/ratio", &err), 0);
	CHECK_INT(changes_add_kept(&changes, tree.root_fd, "sys/absent", &err), 0);
	CHECK_INT(changes.n, 2);
	CHECK_INT(changes_apply(&changes, tree.root_fd, &err), 0);
	CHECK_TEXT(tree_get(&tree, "sys/bytes"), "4096");
	CHECK_TEXT(tree_get(&tree, "sys/ratio"), "20");
	tree_put(&tree, "sys/ratio", "0\n");
	CHECK_INT(changes_undo(&changes, tree.root_fd, &err), 0);
	CHECK_TEXT(tree_get(&tree, "sys/bytes"), "0");
	CHECK_TEXT(tree_get(&tree, "sys/ratio"), "20");
	changes_done(&changes);
	tree_done(&tree);
}

static void a_file_that_was_empty_is_empty_again(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	tree_put(&tree, "sys/ports", "\n");
	CHECK_INT(changes_add_write(&changes, tree.root_fd, "sys/ports", "8080", &err), 0);
	CHECK_INT(changes_apply(&changes, tree.root_fd, &err), 0);
	CHECK_INT(changes_undo(&changes, tree.root_fd, &err), 0);
	AUTO(text) char *content = NULL;
	size_t length = 0;
	CHECK_INT(fs_read_whole_at(tree.root_fd, "sys/ports", 4096, &content, &length, &err), 0);
	/* The kernel takes no write of nothing for a write. */
	CHECK_TEXT(content, "\n");
	changes_done(&changes);
	tree_done(&tree);
}

/* A directory stands where the second file should be written: the first one must come back. */
static void a_failure_in_the_middle_undoes_what_was_applied(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	tree_put(&tree, "sys/first", "1\n");
	tree_put(&tree, "sys/group/inside", "1\n");
	CHECK_INT(changes_add_write(&changes, tree.root_fd, "sys/first", "2", &err), 0);
	changes_add_temporary(&changes, "sys/group", "2");
	CHECK(changes_apply(&changes, tree.root_fd, &err) < 0);
	CHECK_TEXT(tree_get(&tree, "sys/first"), "2");
	CHECK_INT(changes_undo(&changes, tree.root_fd, &err), 0);
	CHECK_TEXT(tree_get(&tree, "sys/first"), "1");
	changes_done(&changes);
	tree_done(&tree);
}

static void a_made_directory_is_removed_again(void **state)
{
	struct tree tree = tree_new();
	struct changes changes = { 0 };
	struct error err;
	tree_put(&tree, "cgroup/here", "");
	changes_add_directory(&changes, "cgroup/run");
	CHECK_INT(changes_apply(&changes, tree.root_fd, &err), 0);
	CHECK(fs_exists_at(tree.root_fd, "cgroup/run"));
	CHECK_INT(changes_undo(&changes, tree.root_fd, &err), 0);
	CHECK(!fs_exists_at(tree.root_fd, "cgroup/run"));
	changes_done(&changes);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_is_applied_and_undone),
		cmocka_unit_test(two_changes_of_one_file_end_at_the_first_value),
		cmocka_unit_test(the_chosen_word_of_a_bracketed_file_is_what_was_there),
		cmocka_unit_test(an_absent_file_is_an_error_that_names_it),
		cmocka_unit_test(a_kept_file_is_not_written_but_put_back),
		cmocka_unit_test(a_file_that_was_empty_is_empty_again),
		cmocka_unit_test(a_failure_in_the_middle_undoes_what_was_applied),
		cmocka_unit_test(a_made_directory_is_removed_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
