/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's configuration: where it is found, its hash, its options. */
#include "base/checksum.h"
#include "check.h"
#include "probe/environment_tree.h"

#include <stdlib.h>
#include <unistd.h>

static const char config[] =
	"#\n# Linux/x86 6.9.1 Kernel Configuration\n#\nCONFIG_HZ=250\nCONFIG_HZ_250=y\n"
	"# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_DYNAMIC=y\nCONFIG_PSI=m\n"
	"CONFIG_CC_VERSION_TEXT=\"gcc (Debian) 12.2.0\"\n# CONFIG_KASAN is not supported\n";

static void check_options(const struct run *run)
{
	char hash[CHECKSUM_SHA256_HEX];
	checksum_sha256_hex(config, sizeof(config) - 1, hash);
	CHECK_TEXT(environment_tree_text(run, "kernel.config.sha256"), hash);
	CHECK_TEXT(environment_tree_text(run, "kernel.config.HZ"), "250");
	CHECK_TEXT(environment_tree_text(run, "kernel.config.PREEMPT"), "n");
	CHECK_TEXT(environment_tree_text(run, "kernel.config.PREEMPT_DYNAMIC"), "y");
	CHECK_TEXT(environment_tree_text(run, "kernel.config.PSI"), "m");
	CHECK_TEXT(environment_tree_text(run, "kernel.config.CC_VERSION_TEXT"),
		   "gcc (Debian) 12.2.0");
	CHECK_TEXT(environment_tree_text(run, "kernel.config.KASAN"), "missing: absent");
	CHECK_TEXT(environment_tree_text(run, "kernel.config.NUMA"), "missing: absent");
	CHECK_TEXT(environment_tree_text(run, "kernel.config.HZ_250"), "no such fact");
}

static void the_file_of_the_running_release_is_read(void **state)
{
	static const char *const files[] = { "boot/config-6.9.1", "lib/modules/6.9.1/config" };
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct environment_tree tree = environment_tree_make();
		environment_tree_file(&tree, "proc/sys/kernel/osrelease", "6.9.1\n");
		environment_tree_file(&tree, "boot/config-6.9.0", "CONFIG_HZ=100\n");
		environment_tree_file(&tree, files[i], config);
		struct run *run = environment_tree_facts(&tree, environment_config);
		CHECK_TEXT(environment_tree_text(run, "kernel.config.source"), files[i]);
		check_options(run);
		run_free(run);
		environment_tree_remove(&tree);
	}
}

static void the_packed_copy_of_the_kernel_comes_first(void **state)
{
	struct environment_tree tree = environment_tree_make();
	char command[256];
	(void)state;
	environment_tree_file(&tree, "proc/config", config);
	(void)snprintf(command, sizeof(command), "gzip -9 '%s/proc/config' 2>/dev/null", tree.path);
	if (system(command) != 0) {
		print_message("skipped: there is no gzip\n");
		environment_tree_remove(&tree);
		skip();
	}
	environment_tree_file(&tree, "proc/sys/kernel/osrelease", "6.9.1\n");
	environment_tree_file(&tree, "boot/config-6.9.1", "CONFIG_HZ=100\n");
	struct run *run = environment_tree_facts(&tree, environment_config);
	CHECK_TEXT(environment_tree_text(run, "kernel.config.source"), "proc/config.gz");
	check_options(run);
	run_free(run);
	environment_tree_remove(&tree);
}

static void a_damaged_copy_gives_way_to_the_file(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	environment_tree_file(&tree, "proc/config.gz", "no gzip at all");
	struct run *run = environment_tree_facts(&tree, environment_config);
	CHECK_TEXT(environment_tree_text(run, "kernel.config.source"), "missing: malformed");
	CHECK_TEXT(environment_tree_text(run, "kernel.config.HZ"), "no such fact");
	run_free(run);
	environment_tree_file(&tree, "proc/sys/kernel/osrelease", "6.9.1\n");
	environment_tree_file(&tree, "boot/config-6.9.1", config);
	run = environment_tree_facts(&tree, environment_config);
	CHECK_TEXT(environment_tree_text(run, "kernel.config.source"), "boot/config-6.9.1");
	run_free(run);
	environment_tree_remove(&tree);
}

static void without_a_file_the_configuration_is_missing(void **state)
{
	struct environment_tree tree = environment_tree_make();
	(void)state;
	struct run *run = environment_tree_facts(&tree, environment_config);
	CHECK_TEXT(environment_tree_text(run, "kernel.config.source"), "missing: absent");
	CHECK_TEXT(environment_tree_text(run, "kernel.config.sha256"), "missing: absent");
	CHECK_INT(run->n_facts, 2);
	run_free(run);
	environment_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_of_the_running_release_is_read),
		cmocka_unit_test(the_packed_copy_of_the_kernel_comes_first),
		cmocka_unit_test(a_damaged_copy_gives_way_to_the_file),
		cmocka_unit_test(without_a_file_the_configuration_is_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
