/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mpstat. */
#include "check.h"
#include "monitor/tree.h"
#include "monitor/watch.h"

static struct watch *start(struct tree *tree)
{
	tree_make(tree);
	tree_load(tree, "two-nodes/t0");
	struct watch *watch = watch_must(tree->fd, "mpstat");
	watch_sample(watch);
	return watch;
}

static void stop(struct tree *tree, struct watch *watch)
{
	watch_close(watch);
	tree_done(tree);
}

static void shares_are_over_all_cpus_with_guests_apart(void **state)
{
	struct tree tree;
	struct watch *watch = start(&tree);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	CHECK_VALUE(watch, "mpstat.cpu.all.usr%", 100 * 150 / 396.0);
	CHECK_VALUE(watch, "mpstat.cpu.all.guest%", 100 * 50 / 396.0);
	CHECK_VALUE(watch, "mpstat.cpu.all.sys%", 100 * 60 / 396.0);
	CHECK_VALUE(watch, "mpstat.cpu.all.idle%", 100 * 130 / 396.0);
	CHECK_VALUE(watch, "mpstat.cpu.all.iowait%", 100 * 2 / 396.0);
	CHECK_VALUE(watch, "mpstat.cpu.all.soft%", 100 * 4 / 396.0);
	CHECK_VALUE(watch, "mpstat.cpu.all.nice%", 0);
	CHECK_VALUE(watch, "mpstat.cpu.all.irq%", 0);
	stop(&tree, watch);
}

static void a_cpu_that_goes_and_a_counter_that_falls_give_no_absurd_share(void **state)
{
	struct tree tree;
	struct watch *watch = start(&tree);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	tree_load(&tree, "two-nodes/t2");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "cpu1.usr").why, MISSING_OFFLINE);
	CHECK_INT(watch_reading(watch, "cpu130.idle").count, 3160);
	CHECK_VALUE(watch, "mpstat.cpu.all.usr%", 100 * 210 / 598.0);
	CHECK_VALUE(watch, "mpstat.cpu.all.idle%", 100 * 250 / 598.0);
	CHECK_VALUE(watch, "mpstat.cpu.all.iowait%", 100 * 2 / 598.0);
	stop(&tree, watch);
}

static void the_shares_add_up_to_a_hundred(void **state)
{
	static const char *const names[] = { "usr",  "nice",  "sys",   "iowait", "irq",
					     "soft", "steal", "guest", "gnice",  "idle" };
	struct tree tree;
	struct watch *watch = start(&tree);
	tree_load(&tree, "two-nodes/t1");
	watch_sample(watch);
	double sum = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char name[64];
		(void)snprintf(name, sizeof(name), "mpstat.cpu.all.%s%%", names[i]);
		sum += watch_value(watch, name).number;
	}
	CHECK_NEAR(sum, 100, 1e-9);
	stop(&tree, watch);
}

static void a_guest_tick_that_was_rounded_up_gives_no_step_backwards(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_put(&tree, "proc/stat", "cpu0 10 0 0 50 0 0 0 0 0 0\n");
	struct watch *watch = watch_must(tree.fd, "mpstat");
	watch_sample(watch);
	tree_put(&tree, "proc/stat", "cpu0 10 0 0 50 0 0 0 0 1 0\n");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "cpu0.usr").count, 10);
	CHECK_VALUE(watch, "mpstat.cpu.all.usr%", 0);
	CHECK_VALUE(watch, "mpstat.cpu.all.guest%", 100);
	stop(&tree, watch);
}

static void a_damaged_line_is_that_cpus_alone(void **state)
{
	struct tree tree;
	tree_make(&tree);
	tree_put(&tree, "proc/stat", "cpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 5\n");
	struct watch *watch = watch_must(tree.fd, "mpstat");
	tree_put(&tree, "proc/stat", "cpu0 1 1\ncpu1 1 1 1 2\nintr 5\ncpu0 9 9 9 9\n");
	watch_sample(watch);
	CHECK_INT(watch_reading(watch, "cpu0.idle").why, MISSING_MALFORMED);
	CHECK_INT(watch_reading(watch, "cpu1.idle").count, 2);
	CHECK_INT(watch_reading(watch, "cpu1.guest").why, MISSING_ABSENT);
	stop(&tree, watch);
}

/* One machine at two instants, against what sysstat prints for it. */
static void check_against_sysstat(const char *from, const char *to, const double want[static 7])
{
	static const char *const names[] = {
		"usr", "nice", "sys", "iowait", "irq", "soft", "idle"
	};
	char folder[PATH_MAX];
	struct tree tree;
	tree_make(&tree);
	CHECK(tree_case(from, folder) && tree_copy(&tree, folder));
	struct watch *watch = watch_must(tree.fd, "mpstat");
	watch_sample(watch);
	CHECK(tree_case(to, folder) && tree_copy(&tree, folder));
	watch_sample(watch);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char name[64];
		(void)snprintf(name, sizeof(name), "mpstat.cpu.all.%s%%", names[i]);
		CHECK_NEAR(watch_value(watch, name).number, want[i], 0.0051);
	}
	stop(&tree, watch);
}

static void cpus_that_come_and_go_are_summed_as_sysstat_sums_them(void **state)
{
	char folder[PATH_MAX];
	if (!tree_case("proc-sys/sysstat", folder))
		skip();
	check_against_sysstat("proc-sys/sysstat/root1", "proc-sys/sysstat/root2",
			      (const double[]) { 2.15, 12.50, 1.84, 0.12, 0.34, 0.19, 82.88 });
	check_against_sysstat("proc-sys/sysstat/root2", "proc-sys/sysstat/root3",
			      (const double[]) { 2.28, 0.00, 1.55, 0.48, 0.19, 0.19, 95.31 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_over_all_cpus_with_guests_apart),
		cmocka_unit_test(a_cpu_that_goes_and_a_counter_that_falls_give_no_absurd_share),
		cmocka_unit_test(the_shares_add_up_to_a_hundred),
		cmocka_unit_test(a_guest_tick_that_was_rounded_up_gives_no_step_backwards),
		cmocka_unit_test(a_damaged_line_is_that_cpus_alone),
		cmocka_unit_test(cpus_that_come_and_go_are_summed_as_sysstat_sums_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
