/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Was something switched on that is there to find bugs and costs speed? */
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "verdict/guard.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

extern const struct guard guard_debugging;

/* A fact whose value, or a word of it, fits the pattern. Words are split at blanks and colons. */
struct costly {
	const char *fact;
	const char *pattern;
	const char *what;
};

static const struct costly costly[] = {
	{ "process.preload", "*libefence*", "malloc debugging (Electric Fence)" },
	{ "process.preload", "*libduma*", "malloc debugging (DUMA)" },
	{ "process.preload", "*libdmalloc*", "malloc debugging (dmalloc)" },
	{ "process.preload", "*libc_malloc_debug*", "malloc debugging (glibc)" },
	{ "process.preload", "*libmcheck*", "malloc debugging (mcheck)" },
	{ "process.preload", "*libmemusage*", "malloc statistics (memusage)" },
	{ "process.preload", "*libpcprofile*", "profiling of every call" },
	{ "process.preload", "*lib?san*", "a sanitizer" },
	{ "process.preload", "*libubsan*", "a sanitizer" },
	{ "process.preload", "*vgpreload*", "valgrind" },
	{ "process.preload", "*libheaptrack*", "malloc tracing (heaptrack)" },
	{ "env.LD_AUDIT", "?*", "an auditing library of the loader" },
	{ "env.LD_DEBUG", "?*", "messages of the loader" },
	{ "env.LD_PROFILE", "?*", "profiling of a library" },
	{ "env.MALLOC_CHECK_", "[1-9]*", "malloc debugging" },
	{ "env.MALLOC_PERTURB_", "[1-9]*", "filling of freed memory" },
	{ "env.MALLOC_TRACE", "?*", "malloc tracing" },
	{ "env.GLIBC_TUNABLES", "glibc.malloc.check=[1-9]*", "malloc debugging" },
	{ "env.GLIBC_TUNABLES", "glibc.malloc.perturb=[1-9]*", "filling of freed memory" },
	{ "program.instruments", "?*-sanitizer", "a sanitizer, in the program" },
	{ "program.instruments", "electric-fence", "malloc debugging (Electric Fence)" },
	{ "program.instruments", "duma", "malloc debugging (DUMA)" },
	{ "program.instruments", "dmalloc", "malloc debugging (dmalloc)" },
	{ "probe.flags", "-fsanitize=*", "a sanitizer, in the probe and its workloads" },
	{ "kernel.command_line", "slub_debug", "checks of every slab object" },
	{ "kernel.command_line", "slub_debug=[!-]*", "checks of every slab object" },
	{ "kernel.command_line", "slab_debug", "checks of every slab object" },
	{ "kernel.command_line", "slab_debug=[!-]*", "checks of every slab object" },
	{ "kernel.command_line", "page_owner=on", "a stack trace for every page" },
	{ "kernel.command_line", "page_poison=[1oy]*", "filling of freed pages" },
	{ "kernel.command_line", "debug_pagealloc=on", "unmapping of freed pages" },
	{ "kernel.command_line", "kmemleak=on", "tracking of every allocation" },
	{ "kernel.command_line", "ftrace=function*", "tracing of every kernel function" },
	{ "kernel.config.KASAN", "y", "address checks" },
	{ "kernel.config.KCSAN", "y", "race checks" },
	{ "kernel.config.KMSAN", "y", "checks for memory that was never set" },
	{ "kernel.config.KCOV", "y", "coverage" },
	{ "kernel.config.GCOV_KERNEL", "y", "coverage" },
	{ "kernel.config.LOCKDEP", "y", "lock checks" },
	{ "kernel.config.PROVE_LOCKING", "y", "lock checks" },
	{ "kernel.config.LOCK_STAT", "y", "lock statistics" },
	{ "kernel.config.DEBUG_LOCK_ALLOC", "y", "lock checks" },
	{ "kernel.config.DEBUG_SPINLOCK", "y", "lock checks" },
	{ "kernel.config.DEBUG_MUTEXES", "y", "lock checks" },
	{ "kernel.config.DEBUG_RWSEMS", "y", "lock checks" },
	{ "kernel.config.DEBUG_KMEMLEAK", "y", "tracking of every allocation" },
	{ "kernel.config.DEBUG_PAGEALLOC_ENABLE_DEFAULT", "y", "unmapping of freed pages" },
	{ "kernel.config.SLUB_DEBUG_ON", "y", "checks of every slab object" },
	{ "kernel.config.DEBUG_OBJECTS", "y", "tracking of objects" },
	{ "kernel.config.DEBUG_VM_PGFLAGS", "y", "checks of every page flag" },
	{ "kernel.config.DEBUG_PREEMPT", "y", "checks of every per-CPU access" },
	{ "kernel.config.IRQSOFF_TRACER", "y", "tracing of every interrupt mask" },
	{ "kernel.config.PREEMPT_TRACER", "y", "tracing of every preemption count" },
	{ "kernel.config.LATENCYTOP", "y", "a stack trace for every wait" },
	{ "kernel.config.FAULT_INJECTION", "y", "fault injection" },
};

static bool fits(const struct costly *row, const char *value)
{
	if (!value || text_equal(value, "none"))
		return false;
	AUTO(text) char *words = mem_text(value);
	char *rest = NULL;
	for (char *word = strtok_r(words, " :", &rest); word; word = strtok_r(NULL, " :", &rest))
		if (fnmatch(row->pattern, word, 0) == 0)
			return true;
	return false;
}

/* The option may be compiled in and switched off at boot. */
static bool is_switched_off(const struct comparison *comparison, const struct costly *row,
			    size_t side)
{
	static const struct costly switches[] = {
		{ "kernel.config.DEBUG_KMEMLEAK", "kmemleak=off", "" },
		{ "kernel.config.DEBUG_PAGEALLOC_ENABLE_DEFAULT", "debug_pagealloc=off", "" },
		{ "kernel.config.SLUB_DEBUG_ON", "slub_debug=-", "" },
		{ "kernel.config.SLUB_DEBUG_ON", "slab_debug=-", "" },
		{ "kernel.config.KASAN", "kasan=off", "" },
		{ "kernel.config.DEBUG_OBJECTS", "no_debug_objects", "" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(switches); i++)
		if (text_equal(switches[i].fact, row->fact) &&
		    fits(&switches[i], guard_fact(comparison, "kernel.command_line", side)))
			return true;
	return false;
}

static bool is_on(const struct comparison *comparison, const struct costly *row, size_t side)
{
	return fits(row, guard_fact(comparison, row->fact, side)) &&
	       !is_switched_off(comparison, row, side);
}

/* Whether a subject sets this very thing: then it is what is asked. */
static bool is_the_question(const struct comparison *comparison, const struct costly *row,
			    size_t head)
{
	const struct job *jobs[] = { comparison->sides[0].job, comparison->sides[head].job };
	for (size_t j = 0; j < ARRAY_SIZE(jobs); j++)
		for (size_t i = 0; i < jobs[j]->n_settings; i++) {
			const struct setting *setting = &jobs[j]->settings[i];
			const bool preload = text_equal(setting->key, "LD_PRELOAD") &&
					     text_equal(row->fact, "process.preload");
			if (setting->kind == SETTING_ENV &&
			    (preload || (text_starts_with(row->fact, "env.") &&
					 text_equal(setting->key, row->fact + strlen("env.")))))
				return true;
		}
	return false;
}

/* "lock checks (kernel.config.LOCKDEP)": what it is, once, with the first fact that says so. */
static void add(struct text *list, const struct costly *row)
{
	if (list->length && strstr(text_string(list), row->what))
		return;
	const bool is_option = text_starts_with(row->fact, "kernel.config.");
	text_add(list, "%s%s (%s%s%s)", list->length ? ", " : "", row->what, row->fact,
		 is_option ? "" : " ", is_option ? "" : row->pattern);
}

static void withhold(struct comparison *comparison, size_t head, const char *name,
		     const struct text *only)
{
	if (only->length)
		guard_withhold(comparison, &guard_debugging, head, NULL,
			       "%s ran with %s and the other side did not: the change may be the "
			       "price of that",
			       name, text_string(only));
}

static void examine_head(struct comparison *comparison, size_t head)
{
	AUTO(text_buffer) struct text both = { 0 };
	AUTO(text_buffer) struct text only_base = { 0 };
	AUTO(text_buffer) struct text only_head = { 0 };
	AUTO(text_buffer) struct text asked = { 0 };
	for (size_t i = 0; i < ARRAY_SIZE(costly); i++) {
		const bool base = is_on(comparison, &costly[i], 0);
		const bool other = is_on(comparison, &costly[i], head);
		if (base && other)
			add(&both, &costly[i]);
		else if ((base || other) && is_the_question(comparison, &costly[i], head))
			add(&asked, &costly[i]);
		else if (base || other)
			add(base ? &only_base : &only_head, &costly[i]);
	}
	withhold(comparison, head, comparison->sides[0].name, &only_base);
	withhold(comparison, head, comparison->sides[head].name, &only_head);
	if (both.length)
		guard_warn(comparison, &guard_debugging, head, NULL,
			   "both sides ran with %s: what was measured may be that",
			   text_string(&both));
	if (asked.length)
		guard_warn(comparison, &guard_debugging, head, NULL,
			   "the subject switches %s on: the change is its price",
			   text_string(&asked));
}

static void examine(struct comparison *comparison)
{
	for (size_t head = 1; head < comparison->n_sides; head++)
		examine_head(comparison, head);
}

const struct guard guard_debugging = {
	.name = "debugging",
	.asks = "was malloc debugging, a sanitizer or a debugging kernel option on?",
	.explains =
		"What finds bugs costs speed, and not a little: a malloc debugging library that a package "
		"had put into a test box once serialised every free of a threaded program on one mutex, "
		"and the idle states of the CPU were blamed. The guard looks at preloaded libraries, "
		"variables of glibc (MALLOC_CHECK_, MALLOC_PERTURB_, GLIBC_TUNABLES) and of the loader, "
		"sanitizers in the probe or the program, and the kernel's configuration and command line (KASAN, KCSAN, "
		"lockdep and its kin, kmemleak, page_owner, SLUB debugging, debug_pagealloc, coverage, "
		"tracers). On one side only it withholds the verdict, unless a subject sets that very "
		"variable, which makes it the question; on both sides it warns, since what was measured "
		"may be the debugging. Options that distributions ship because they cost little "
		"(SLUB_DEBUG, DEBUG_LIST, KFENCE) are not among them.",
	.examine = examine,
};
