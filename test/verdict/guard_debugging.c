/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Malloc debugging, sanitizers and debugging kernels: the story of ebizzy. */
#include "verdict/sides_made.h"

struct costly {
	const char *fact, *text, *piece;
};

static const struct costly rows[] = {
	{ "process.preload", "/usr/lib/libefence.so.0", "Electric Fence" },
	{ "process.preload", "/usr/lib/libduma.so.0.0 /lib/libx.so", "DUMA" },
	{ "process.preload", "libc_malloc_debug.so.0", "malloc debugging (glibc)" },
	{ "process.preload", "/usr/lib/gcc/libasan.so.8", "a sanitizer" },
	{ "env.MALLOC_CHECK_", "3", "malloc debugging" },
	{ "env.MALLOC_PERTURB_", "165", "filling of freed memory" },
	{ "env.GLIBC_TUNABLES", "glibc.pthread.rseq=1:glibc.malloc.check=3", "malloc debugging" },
	{ "program.instruments", "address-sanitizer undefined-sanitizer", "in the program" },
	{ "probe.flags", "-O2 -fsanitize=address,undefined", "a sanitizer" },
	{ "kernel.command_line", "quiet slub_debug=FZ psi=1", "every slab object" },
	{ "kernel.command_line", "quiet page_owner=on", "a stack trace for every page" },
	{ "kernel.config.LOCKDEP", "y", "lock checks (kernel.config.LOCKDEP)" },
	{ "kernel.config.KASAN", "y", "address checks" },
	{ "kernel.config.DEBUG_KMEMLEAK", "y", "tracking of every allocation" },
};

static void begin(struct sides_made *made)
{
	made_begin(made, 4);
	made_score(made, 100, 100, 1);
}

static void on_one_side_it_withholds(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (int on_base = 0; on_base < 2; on_base++) {
			struct sides_made made;
			begin(&made);
			sample_fact(on_base ? &made.base : &made.head, rows[i].fact, rows[i].text);
			made_ask(&made, "debugging");
			made_check(&made, true, rows[i].piece);
			CHECK_HOLDS(made.comparison->notes[0].text,
				    on_base ? "base ran" : "head ran");
			made_end(&made);
		}
}

static void on_both_sides_it_warns(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sides_made made;
		begin(&made);
		made_fact(&made, rows[i].fact, rows[i].text);
		made_ask(&made, "debugging");
		made_check(&made, false, rows[i].piece);
		made_end(&made);
	}
}

static void what_costs_little_is_left_alone(void **state)
{
	static const char *const facts[][2] = {
		{ "process.preload", "/usr/lib/libjemalloc.so.2" },
		{ "env.MALLOC_CHECK_", "0" },
		{ "env.MALLOC_ARENA_MAX", "2" },
		{ "env.GLIBC_TUNABLES", "glibc.malloc.arena_max=2" },
		{ "kernel.command_line", "slub_debug=- page_owner=off kmemleak=off" },
		{ "kernel.config.SLUB_DEBUG", "y" },
		{ "kernel.config.DEBUG_KERNEL", "y" },
		{ "kernel.config.KASAN", "n" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		struct sides_made made;
		begin(&made);
		sample_fact(&made.head, facts[i][0], facts[i][1]);
		made_ask(&made, "debugging");
		CHECK_INT(made_notes(&made), 0);
		made_end(&made);
	}
}

static void compiled_in_and_switched_off_is_off(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_fact(&made.head, "kernel.config.DEBUG_KMEMLEAK", "y");
	sample_fact(&made.head, "kernel.command_line", "quiet kmemleak=off");
	made_ask(&made, "debugging");
	CHECK_INT(made_notes(&made), 0);
	made_end(&made);
}

static void what_the_subject_sets_is_the_question(void **state)
{
	struct sides_made made;
	begin(&made);
	sample_fact(&made.head, "env.MALLOC_PERTURB_", "165");
	sample_setting(&made.head, SETTING_ENV, "MALLOC_PERTURB_", "165");
	made_ask(&made, "debugging");
	made_check(&made, false, "the change is its price");
	made_end(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_one_side_it_withholds),
		cmocka_unit_test(on_both_sides_it_warns),
		cmocka_unit_test(what_costs_little_is_left_alone),
		cmocka_unit_test(compiled_in_and_switched_off_is_off),
		cmocka_unit_test(what_the_subject_sets_is_the_question),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
