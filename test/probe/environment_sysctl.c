/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sysctls: every short value, none of those that change by themselves. */
#include "check.h"
#include "probe/environment_tree.h"

#include <unistd.h>

#include <sys/stat.h>

#define SYSCTL "proc/sys/"

static void short_values_are_recorded_under_their_names(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, SYSCTL "vm/swappiness", "60\n");
	environment_tree_file(&tree, SYSCTL "vm/lowmem_reserve_ratio", "256\t256\t32\n");
	environment_tree_file(&tree, SYSCTL "kernel/yama/ptrace_scope", "1\n");
	environment_tree_file(&tree, SYSCTL "kernel/a.b", "x\n");
	environment_tree_file(&tree, SYSCTL "kernel/empty", "\n");
	environment_tree_file(&tree, SYSCTL "user/max_user_namespaces", "9\n");
	environment_tree_file(&tree, SYSCTL "net/ipv4/tcp_mem", "1\n");
	struct run *run = environment_tree_facts(&tree, environment_sysctl);
	CHECK_TEXT(environment_tree_text(run, "sysctl.vm.swappiness"), "60");
	CHECK_TEXT(environment_tree_text(run, "sysctl.vm.lowmem_reserve_ratio"), "256 256 32");
	CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.yama.ptrace_scope"), "1");
	CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.a/b"), "x");
	CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.empty"), "");
	CHECK_TEXT(environment_tree_text(run, "sysctl.user.max_user_namespaces"), "9");
	CHECK_INT(run->n_facts, 6);
	run_free(run);
	environment_tree_remove(&tree);
}

static void values_that_change_by_themselves_are_left_out(void **state)
{
	static const char *const out[] = {
		"kernel/random/uuid", "kernel/random/boot_id",
		"kernel/ns_last_pid", "kernel/pty/nr",
		"kernel/hostname",    "vm/stat_refresh",
		"vm/drop_caches",     "kernel/sched_domain/cpu0/domain0"
	};
	struct environment_tree tree = environment_tree_make();
	(void)state;
	for (size_t i = 0; i < sizeof(out) / sizeof(out[0]); i++) {
		char path[96];
		(void)snprintf(path, sizeof(path), SYSCTL "%s", out[i]);
		environment_tree_file(&tree, path, "1\n");
	}
	environment_tree_file(&tree, SYSCTL "kernel/pty/max", "4096\n");
	environment_tree_file(&tree, SYSCTL "kernel/randomize_va_space", "2\n");
	struct run *run = environment_tree_facts(&tree, environment_sysctl);
	CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.pty.max"), "4096");
	CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.randomize_va_space"), "2");
	CHECK_TEXT(environment_tree_text(run, "sysctl.user.max_user_namespaces"),
		   "missing: absent");
	CHECK_INT(run->n_facts, 3);
	run_free(run);
	environment_tree_remove(&tree);
}

static void tables_and_long_values_are_left_out(void **state)
{
	struct environment_tree tree = environment_tree_make();
	char longest[258];
	(void)state;
	memset(longest, 'x', sizeof(longest));
	longest[257] = '\0';
	environment_tree_file(&tree, SYSCTL "kernel/too_long", longest);
	longest[256] = '\0';
	environment_tree_file(&tree, SYSCTL "kernel/long_enough", longest);
	environment_tree_file(&tree, SYSCTL "kernel/core_modes", "file\npipe\n");
	struct run *run = environment_tree_facts(&tree, environment_sysctl);
	CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.long_enough"), longest);
	CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.too_long"), "no such fact");
	CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.core_modes"), "no such fact");
	run_free(run);
	environment_tree_remove(&tree);
}

static void what_may_not_be_read_is_missing_and_what_only_acts_is_no_fact(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, SYSCTL "kernel/secret", "1\n");
	environment_tree_file(&tree, SYSCTL "kernel/action", "1\n");
	CHECK_INT(fchmodat(tree.fd, SYSCTL "kernel/action", 0200, 0), 0);
	CHECK_INT(fchmodat(tree.fd, SYSCTL "kernel/secret", 0004, 0), 0);
	struct run *run = environment_tree_facts(&tree, environment_sysctl);
	CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.action"), "no such fact");
	if (geteuid() == 0) /* Root may read everything. */
		CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.secret"), "1");
	else
		CHECK_TEXT(environment_tree_text(run, "sysctl.kernel.secret"),
			   "missing: permission denied");
	run_free(run);
	environment_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_values_are_recorded_under_their_names),
		cmocka_unit_test(values_that_change_by_themselves_are_left_out),
		cmocka_unit_test(tables_and_long_values_are_left_out),
		cmocka_unit_test(what_may_not_be_read_is_missing_and_what_only_acts_is_no_fact),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
