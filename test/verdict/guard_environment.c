/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which differences of the environment the subject explains, and which a reader must be told. */
#include "base/macros.h"
#include "check.h"
#include "verdict/guard.h"
#include "verdict/sample.h"

struct guarded {
	struct sample base, head;
	struct compared_side sides[2];
	struct comparison comparison;
};

static void begin(struct guarded *guarded, size_t n_runs)
{
	*guarded = (struct guarded) { 0 };
	guarded->base = sample_make("tip", n_runs);
	guarded->head = sample_make("patched", n_runs);
}

static void guard(struct guarded *guarded)
{
	guarded->sides[0] = sample_side(&guarded->base);
	guarded->sides[1] = sample_side(&guarded->head);
	guarded->comparison = (struct comparison) { .sides = guarded->sides, .n_sides = 2 };
	guard_find("environment")->examine(&guarded->comparison);
}

static void end(struct guarded *guarded)
{
	guard_forget(&guarded->comparison);
	sample_done(&guarded->base);
	sample_done(&guarded->head);
}

static void equal_environments_say_nothing(void **state)
{
	struct guarded guarded;
	begin(&guarded, 3);
	sample_fact(&guarded.base, "kernel.release", "6.1.0");
	sample_fact(&guarded.head, "kernel.release", "6.1.0");
	guard(&guarded);
	CHECK_INT(guarded.comparison.n_differences, 0);
	CHECK_INT(guarded.comparison.n_notes, 0);
	end(&guarded);
}

static void memory_that_a_hypervisor_gives_and_takes_is_no_difference(void **state)
{
	struct guarded guarded;
	begin(&guarded, 2);
	sample_fact(&guarded.base, "node.0.memory_mib", "7130");
	sample_fact(&guarded.head, "node.0.memory_mib", "7642");
	sample_fact(&guarded.base, "memory.total_mib", "8000");
	sample_fact(&guarded.head, "memory.total_mib", "16000");
	guard(&guarded);
	CHECK_INT(guarded.comparison.n_differences, 1);
	CHECK_TEXT(guarded.comparison.differences[0].fact, "memory.total_mib");
	end(&guarded);
}

static void a_grave_difference_is_named_in_the_warning(void **state)
{
	struct guarded guarded;
	begin(&guarded, 2);
	sample_fact(&guarded.base, "cpu.governor", "performance");
	sample_fact(&guarded.head, "cpu.governor", "powersave");
	sample_fact(&guarded.base, "a.small.thing", "1");
	sample_fact(&guarded.head, "a.small.thing", "2");
	guard(&guarded);
	CHECK_INT(guarded.comparison.n_differences, 2);
	CHECK_TEXT(guarded.comparison.differences[0].fact, "cpu.governor");
	CHECK(guarded.comparison.differences[0].grave);
	CHECK_TEXT(guarded.comparison.differences[0].base_text, "performance");
	CHECK_TEXT(guarded.comparison.differences[0].side_text, "powersave");
	CHECK(!guarded.comparison.differences[1].grave);
	CHECK_INT(guarded.comparison.n_notes, 1);
	CHECK_TEXT(guarded.comparison.notes[0].text, "the two sides tip and patched differ in more "
						     "than the subject: cpu.governor");
	end(&guarded);
}

static void small_differences_are_counted(void **state)
{
	struct guarded guarded;
	begin(&guarded, 2);
	sample_fact(&guarded.base, "irqbalance", "running");
	sample_fact(&guarded.head, "irqbalance", "not running");
	guard(&guarded);
	CHECK_INT(guarded.comparison.n_notes, 1);
	CHECK_TEXT(guarded.comparison.notes[0].text,
		   "1 value of the environment differs between tip "
		   "and patched beyond the subject");
	end(&guarded);
}

static void facts_of_the_moment_are_not_compared(void **state)
{
	static const char *const facts[] = {
		"load.1",          "steal.ticks",   "psi.cpu.some_avg10",
		"free.memory_mib", "throttle.core", "cgroup.path"
	};
	struct guarded guarded;
	begin(&guarded, 2);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		sample_fact(&guarded.base, facts[i], "1");
		sample_fact(&guarded.head, facts[i], "2");
	}
	guard(&guarded);
	CHECK_INT(guarded.comparison.n_differences, 0);
	CHECK_INT(guarded.comparison.n_notes, 0);
	end(&guarded);
}

struct explained {
	enum setting_kind kind;
	const char *key;
	const char *fact;
};

/* Whether a setting of the head (or of the base) explains the fact. */
static bool is_explained(const struct explained *row, bool by_base)
{
	struct guarded guarded;
	begin(&guarded, 2);
	sample_fact(&guarded.base, row->fact, "one");
	sample_fact(&guarded.head, row->fact, "other");
	sample_setting(by_base ? &guarded.base : &guarded.head, row->kind, row->key, "other");
	guard(&guarded);
	const bool explained = guarded.comparison.n_differences == 0;
	CHECK_INT(guarded.comparison.n_notes, explained ? 0 : 1);
	end(&guarded);
	return explained;
}

static void a_setting_explains_its_own_fact(void **state)
{
	static const struct explained rows[] = {
		{ SETTING_SYSCTL, "vm.numa_stat", "sysctl.vm.numa_stat" },
		{ SETTING_SYSCTL, "vm/numa_stat", "sysctl.vm.numa_stat" },
		{ SETTING_SYSCTL, "vm.dirty_bytes", "sysctl.vm.dirty_ratio" },
		{ SETTING_SYSCTL, "vm.nr_hugepages", "memory.hugepages.2048kB" },
		{ SETTING_SYSFS, "kernel/mm/transparent_hugepage/enabled", "thp.enabled" },
		{ SETTING_SYSFS, "kernel/mm/transparent_hugepage/hugepages-64kB/enabled",
		  "thp.64kB.enabled" },
		{ SETTING_SYSFS, "devices/system/cpu/intel_pstate/no_turbo", "cpu.turbo" },
		{ SETTING_SYSFS, "devices/system/cpu/cpu1/online", "cpu.count" },
		{ SETTING_SYSFS, "block/sda/queue/scheduler", "block.sda.scheduler" },
		{ SETTING_ENV, "MALLOC_ARENA_MAX", "env.MALLOC_ARENA_MAX" },
		{ SETTING_ENV, "LD_PRELOAD", "process.preload" },
		{ SETTING_CGROUP, "memory.max", "cgroup.memory.max" },
		{ SETTING_PREFIX, "", "process.affinity" },
		{ SETTING_KERNEL, "", "kernel.release" },
		{ SETTING_IDLE, "", "cpu.idle_states" },
		{ SETTING_GOVERNOR, "", "cpu.governor" },
		{ SETTING_INSTANCES, "", "process.affinity" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!is_explained(&rows[i], false) || !is_explained(&rows[i], true))
			fail_msg("%s is not explained by %s %s", rows[i].fact,
				 setting_kind_text(rows[i].kind), rows[i].key);
	}
}

static void a_setting_explains_nothing_else(void **state)
{
	static const struct explained rows[] = {
		{ SETTING_SYSCTL, "vm.numa_stat", "sysctl.vm.swappiness" },
		{ SETTING_SYSCTL, "vm.numa_stat", "kernel.release" },
		{ SETTING_SYSFS, "kernel/mm/transparent_hugepage/enabled", "thp.defrag" },
		{ SETTING_ENV, "FOO", "env.LD_PRELOAD" },
		{ SETTING_PARAM, "groups", "cpu.count" },
		{ SETTING_PARAM, "kernel.release", "kernel.release" },
		{ SETTING_KERNEL, "", "cpu.governor" },
		{ SETTING_GOVERNOR, "", "cpu.model_name" },
		{ SETTING_IDLE, "", "cpu.governor" },
		{ SETTING_BINARY, "", "libc.version" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (is_explained(&rows[i], false))
			fail_msg("%s is explained by %s %s", rows[i].fact,
				 setting_kind_text(rows[i].kind), rows[i].key);
}

static void missing_and_known_differ(void **state)
{
	struct guarded guarded;
	begin(&guarded, 2);
	sample_fact(&guarded.base, "cpu.turbo", "on");
	for (size_t i = 0; i < 2; i++)
		run_fact_add(guarded.head.runs[i], "cpu.turbo", VALUE_MISSING, MISSING_DENIED,
			     NULL);
	sample_fact(&guarded.head, "only.in.head", "x");
	guard(&guarded);
	CHECK_INT(guarded.comparison.n_differences, 2);
	CHECK_TEXT(guarded.comparison.differences[0].side_text, "missing (permission denied)");
	CHECK_TEXT(guarded.comparison.differences[1].base_text, "missing (not recorded)");
	end(&guarded);
}

static void a_side_that_does_not_agree_with_itself_is_told(void **state)
{
	struct guarded guarded;
	begin(&guarded, 2);
	sample_fact(&guarded.base, "cpu.microcode", "0x1");
	run_fact_add(guarded.head.runs[0], "cpu.microcode", VALUE_KNOWN, MISSING_NOT, "0x1");
	run_fact_add(guarded.head.runs[1], "cpu.microcode", VALUE_KNOWN, MISSING_NOT, "0x2");
	guard(&guarded);
	CHECK_INT(guarded.comparison.n_differences, 1);
	CHECK_TEXT(guarded.comparison.differences[0].side_text, "varies: 0x1, 0x2");
	CHECK_HOLDS(guarded.comparison.notes[0].text,
		    "cpu.microcode varies: 0x1, 0x2 within the runs of patched");
	end(&guarded);
}

static void a_run_that_recorded_nothing_is_no_opinion(void **state)
{
	struct guarded guarded;
	begin(&guarded, 2);
	sample_fact(&guarded.base, "cpu.microcode", "0x1");
	run_fact_add(guarded.head.runs[0], "cpu.microcode", VALUE_KNOWN, MISSING_NOT, "0x1");
	sample_fail(&guarded.head, 1, RUN_TORN, "");
	guard(&guarded);
	CHECK_INT(guarded.comparison.n_differences, 0);
	CHECK_INT(guarded.comparison.n_notes, 0);
	end(&guarded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_environments_say_nothing),
		cmocka_unit_test(a_grave_difference_is_named_in_the_warning),
		cmocka_unit_test(small_differences_are_counted),
		cmocka_unit_test(facts_of_the_moment_are_not_compared),
		cmocka_unit_test(a_setting_explains_its_own_fact),
		cmocka_unit_test(a_setting_explains_nothing_else),
		cmocka_unit_test(missing_and_known_differ),
		cmocka_unit_test(memory_that_a_hypervisor_gives_and_takes_is_no_difference),
		cmocka_unit_test(a_side_that_does_not_agree_with_itself_is_told),
		cmocka_unit_test(a_run_that_recorded_nothing_is_no_opinion),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
