/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every run carries its environment as facts. A side's value of a fact is what all its runs agree
 * on; two sides that disagree about a fact which no setting of their subjects explains differ in
 * more than the subject, and a reader must know it before he reads the numbers.
 */
#include "base/mem.h"
#include "base/text.h"
#include "verdict/guard.h"
#include "verdict/sides.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_SHOWN_MAX 4
#define MEMORY_BREATH 1.25 /* Sizes of memory that differ by less are alike. */

/* Of the moment, or another one in each run by its nature: no two runs agree about them. */
static const char *const volatile_facts[] = {
	"load.*",
	"steal.*",
	"psi.*",
	"free.*",
	"throttle.*",
	"cgroup.path",
	"sysctl.kernel.ns_last_pid",
	"sysctl.kernel.random.*",
	"sysctl.kernel.pty.nr",
};

/* Sizes that a hypervisor changes a little at any time (balloon, memory hot-plug). */
static const char *const breathing_facts[] = { "memory.total_mib", "node.*.memory_mib" };

/* What is known to decide speed by itself. */
static const char *const grave_facts[] = {
	"kernel.release",   "kernel.version",  "kernel.build_id", "kernel.command_line",
	"kernel.config.*",  "cpu.vendor",      "cpu.family",      "cpu.model",
	"cpu.model_name",   "cpu.stepping",    "cpu.microcode",   "cpu.count",
	"cpu.online",       "cpu.smt.control", "cpu.governor",    "cpu.turbo",
	"cpu.idle_states",  "node.count",      "vulnerability.*", "hypervisor",
	"machine.*",        "power.source",    "clock.source",    "process.preload",
	"env.LD_PRELOAD",   "env.MALLOC_*",    "env.GLIBC_*",     "probe.compiler",
	"probe.flags",      "libc.version",    "cgroup.cpu.max",  "cgroup.cpuset.*",
	"memory.total_mib", "program.*",
};

/* A setting of `kind` whose key matches explains a difference in the facts that match. The plain
 * cases (sysctl.KEY, env.KEY, cgroup.KEY) are made from the key. */
struct explanation {
	enum setting_kind kind;
	const char *key;
	const char *fact;
};

static const struct explanation explanations[] = {
	{ SETTING_SYSCTL, "vm.nr_hugepages*", "memory.hugepages.*" },
	{ SETTING_SYSCTL, "vm.dirty_*", "sysctl.vm.dirty_*" }, /* Setting one zeroes its twin. */
	{ SETTING_SYSCTL, "vm.overcommit_*", "sysctl.vm.overcommit_*" },
	{ SETTING_SYSCTL, "kernel.*watchdog", "sysctl.kernel.*watchdog" },
	{ SETTING_SYSCTL, "kernel.randomize_va_space", "process.aslr" },
	{ SETTING_SYSFS, "kernel/mm/transparent_hugepage/enabled", "thp.enabled" },
	{ SETTING_SYSFS, "kernel/mm/transparent_hugepage/defrag", "thp.defrag" },
	{ SETTING_SYSFS, "kernel/mm/transparent_hugepage/shmem_enabled", "thp.shmem_enabled" },
	{ SETTING_SYSFS, "kernel/mm/transparent_hugepage/khugepaged/*", "thp.khugepaged*" },
	{ SETTING_SYSFS, "kernel/mm/transparent_hugepage/hugepages-*", "thp.*kB.*" },
	{ SETTING_SYSFS, "kernel/mm/hugepages/*", "memory.hugepages.*" },
	{ SETTING_SYSFS, "kernel/mm/hugepages/*", "sysctl.vm.nr_hugepages*" },
	{ SETTING_SYSFS, "kernel/mm/ksm/*", "memory.ksm" },
	{ SETTING_SYSFS, "kernel/mm/lru_gen/*", "memory.lru_gen" },
	{ SETTING_SYSFS, "kernel/mm/numa/*", "memory.demotion" },
	{ SETTING_SYSFS, "module/zswap/*", "memory.zswap" },
	{ SETTING_SYSFS, "devices/system/node/*/hugepages/*", "memory.hugepages.*" },
	{ SETTING_SYSFS, "devices/system/clocksource/*", "clock.source" },
	{ SETTING_SYSFS, "devices/system/cpu/smt/control", "cpu.*" },
	{ SETTING_SYSFS, "devices/system/cpu/smt/control", "node.*.cpus" },
	{ SETTING_SYSFS, "devices/system/cpu/cpu*/online", "cpu.*" },
	{ SETTING_SYSFS, "devices/system/cpu/cpu*/online", "node.*.cpus" },
	{ SETTING_SYSFS, "devices/system/cpu/cpufreq/boost", "cpu.turbo" },
	{ SETTING_SYSFS, "devices/system/cpu/intel_pstate/no_turbo", "cpu.turbo" },
	{ SETTING_SYSFS, "devices/system/cpu/*/scaling_governor", "cpu.governor" },
	{ SETTING_SYSFS, "devices/system/cpu/*/scaling_*_freq", "cpu.frequency_khz_*" },
	{ SETTING_SYSFS, "devices/system/cpu/*/energy_performance_preference",
	  "cpu.energy_preference" },
	{ SETTING_SYSFS, "devices/system/cpu/*/cpuidle/*", "cpu.idle_states" },
	{ SETTING_SYSFS, "block/*/queue/scheduler", "block.*.scheduler" },
	{ SETTING_ENV, "LD_PRELOAD", "process.preload" },
	{ SETTING_ENV, "TMPDIR", "tmp.*" },
	{ SETTING_CGROUP, "*", "cgroup.*" },
	{ SETTING_PREFIX, "", "process.*" }, /* numactl, taskset, chrt, setarch, env ... */
	{ SETTING_PREFIX, "", "limit.*" },
	{ SETTING_PREFIX, "", "env.*" },
	{ SETTING_BINARY, "", "program.*" },
	{ SETTING_PARAM, "program", "program.*" },
	{ SETTING_KERNEL, "", "kernel.*" },
	{ SETTING_IDLE, "", "cpu.idle_states" },
	{ SETTING_GOVERNOR, "", "cpu.governor" },
	{ SETTING_GOVERNOR, "", "cpu.energy_preference" },
	{ SETTING_GOVERNOR, "", "cpu.frequency_khz_*" },
	{ SETTING_INSTANCES, "", "process.affinity" },
	{ SETTING_INSTANCES, "", "process.policy" },
};

static bool matches_any(const char *name, const char *const *patterns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fnmatch(patterns[i], name, 0) == 0)
			return true;
	return false;
}

/* "sysctl.vm.numa_stat" of the setting sysctl vm/numa_stat or vm.numa_stat; else NULL. */
static char *plain_fact(const struct setting *setting)
{
	if (setting->kind == SETTING_ENV)
		return mem_format("env.%s", setting->key);
	if (setting->kind != SETTING_SYSCTL)
		return NULL;
	char *fact = mem_format("sysctl.%s", setting->key);
	for (char *at = fact; *at; at++)
		if (*at == '/')
			*at = '.';
	return fact;
}

static bool setting_explains(const struct setting *setting, const char *fact)
{
	AUTO(text) char *plain = plain_fact(setting);
	if (plain && text_equal(plain, fact))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(explanations); i++) {
		const struct explanation *explanation = &explanations[i];
		if (explanation->kind == setting->kind &&
		    fnmatch(explanation->key, setting->key ? setting->key : "", 0) == 0 &&
		    fnmatch(explanation->fact, fact, 0) == 0)
			return true;
	}
	return false;
}

static bool job_explains(const struct job *job, const char *fact)
{
	for (size_t i = 0; i < job->n_settings; i++)
		if (setting_explains(&job->settings[i], fact))
			return true;
	return false;
}

/* ---- what a side says of one fact ---- */

static char *fact_text(const struct fact *fact)
{
	if (!fact)
		return mem_text("missing (not recorded)");
	if (fact->state == VALUE_MISSING)
		return mem_format("missing (%s)", missing_text(fact->why));
	if (fact->state == VALUE_NOT_APPLICABLE)
		return mem_text("not applicable");
	return mem_text(fact->text ? fact->text : "");
}

struct opinion { /* What the runs of a side say of a fact. */
	char *text;
	bool varies;
};

static inline void release_opinion(struct opinion *opinion)
{
	free(opinion->text);
}

/* A run counts when it recorded an environment at all: one that died early did not. */
static struct opinion ask_side(const struct compared_side *side, const char *name)
{
	char *values[VALUES_SHOWN_MAX] = { NULL };
	size_t n_values = 0;
	bool more = false;
	for (size_t i = 0; i < side->n_runs; i++) {
		if (side->runs[i]->n_facts == 0)
			continue;
		AUTO(text) char *value = fact_text(run_fact_find(side->runs[i], name));
		bool seen = false;
		for (size_t j = 0; !seen && j < n_values; j++)
			seen = text_equal(values[j], value);
		if (!seen && n_values < VALUES_SHOWN_MAX)
			values[n_values++] = KEEP(value);
		else
			more |= !seen;
	}
	struct text all = { 0 };
	text_add(&all, "%s", n_values > 1 ? "varies: " : "");
	for (size_t i = 0; i < n_values; i++) {
		text_add(&all, "%s%s", i ? ", " : "", values[i]);
		free(values[i]);
	}
	text_add(&all, "%s", more ? ", ..." : "");
	return (struct opinion) { .text = text_take(&all), .varies = n_values > 1 };
}

/* ---- the facts in which runs differ ---- */

struct names { /* Of facts; borrowed from the runs. */
	const char **names;
	size_t n, capacity;
};

static void add_name(struct names *names, const char *name)
{
	names->names = mem_grow(names->names, &names->capacity, names->n + 1, sizeof(const char *));
	names->names[names->n++] = name;
}

static bool is_same_fact(const struct fact *one, const struct fact *other)
{
	return one->state == other->state && one->why == other->why &&
	       text_equal(one->text, other->text);
}

/* Walks the sorted facts of two runs beside each other. */
static void add_differing(struct names *names, const struct run *one, const struct run *other)
{
	size_t i = 0;
	size_t j = 0;
	while (i < one->n_facts || j < other->n_facts) {
		const int order = i == one->n_facts ? 1
				  : j == other->n_facts
					  ? -1
					  : strcmp(one->facts[i].name, other->facts[j].name);
		if (order != 0)
			add_name(names, order < 0 ? one->facts[i].name : other->facts[j].name);
		else if (!is_same_fact(&one->facts[i], &other->facts[j]))
			add_name(names, one->facts[i].name);
		i += order <= 0;
		j += order >= 0;
	}
}

/* True when the fact is a size of memory and is about the same in all runs that know it. */
static bool only_breathes(const struct comparison *comparison, const char *name)
{
	double least = (double)INFINITY;
	double most = 0.0;
	if (!matches_any(name, breathing_facts, ARRAY_SIZE(breathing_facts)))
		return false;
	for (size_t side = 0; side < comparison->n_sides; side++)
		for (size_t i = 0; i < comparison->sides[side].n_runs; i++) {
			const struct run *run = comparison->sides[side].runs[i];
			const struct fact *fact = run_fact_find(run, name);
			double size;
			if (run->n_facts == 0)
				continue;
			if (!fact || fact->state != VALUE_KNOWN ||
			    !text_parse_f64(fact->text, &size))
				return false;
			least = fmin(least, size);
			most = fmax(most, size);
		}
	return most <= MEMORY_BREATH * least;
}

static int by_text(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* The names of the facts that are not alike in all runs which recorded an environment, sorted, each
 * once: nearly all facts are alike nearly always, and need no further look. */
static struct names differing_names(const struct comparison *comparison)
{
	struct names names = { 0 };
	const struct run *first = NULL;
	for (size_t side = 0; side < comparison->n_sides; side++)
		for (size_t i = 0; i < comparison->sides[side].n_runs; i++) {
			const struct run *run = comparison->sides[side].runs[i];
			if (first && run->n_facts)
				add_differing(&names, first, run);
			else if (run->n_facts)
				first = run;
		}
	if (names.n)
		qsort(names.names, names.n, sizeof(*names.names), by_text);
	size_t n_unique = 0;
	for (size_t i = 0; i < names.n; i++)
		if (n_unique == 0 || strcmp(names.names[n_unique - 1], names.names[i]) != 0)
			names.names[n_unique++] = names.names[i];
	names.n = n_unique;
	return names;
}

/* ---- the guard ---- */

extern const struct guard guard_environment;

static void add_difference(struct comparison *comparison, size_t *capacity, const char *fact,
			   size_t side, struct opinion *texts[2])
{
	comparison->differences =
		mem_grow(comparison->differences, capacity, comparison->n_differences + 1,
			 sizeof(*comparison->differences));
	comparison->differences[comparison->n_differences++] = (struct difference) {
		.fact = mem_text(fact),
		.side = side,
		.grave = matches_any(fact, grave_facts, ARRAY_SIZE(grave_facts)),
		.base_text = mem_text(texts[0]->text),
		.side_text = KEEP(texts[1]->text),
	};
}

static void compare_fact(struct comparison *comparison, size_t *capacity, const char *fact)
{
	const struct compared_side *base = &comparison->sides[0];
	__attribute__((cleanup(release_opinion))) struct opinion of_base = ask_side(base, fact);
	if (of_base.varies)
		guard_warn(comparison, &guard_environment, 0, NULL, "%s %s within the runs of %s",
			   fact, of_base.text, base->name);
	for (size_t i = 1; i < comparison->n_sides; i++) {
		const struct compared_side *side = &comparison->sides[i];
		__attribute__((cleanup(release_opinion))) struct opinion of_side =
			ask_side(side, fact);
		if (of_side.varies)
			guard_warn(comparison, &guard_environment, i, NULL,
				   "%s %s within the runs of %s", fact, of_side.text, side->name);
		const bool nothing_recorded = !of_base.text[0] || !of_side.text[0];
		if (text_equal(of_base.text, of_side.text) || nothing_recorded ||
		    job_explains(base->job, fact) || job_explains(side->job, fact))
			continue;
		struct opinion *texts[2] = { &of_base, &of_side };
		add_difference(comparison, capacity, fact, i, texts);
	}
}

static int by_gravity(const void *one, const void *other)
{
	const struct difference *a = one;
	const struct difference *b = other;
	if (a->grave != b->grave)
		return a->grave ? -1 : 1;
	const int order = strcmp(a->fact, b->fact);
	return order ? order : (a->side > b->side) - (a->side < b->side);
}

static void warn_differences(struct comparison *comparison, size_t side)
{
	struct text names = { 0 };
	size_t n_grave = 0;
	size_t n = 0;
	for (size_t i = 0; i < comparison->n_differences; i++) {
		const struct difference *difference = &comparison->differences[i];
		if (difference->side != side)
			continue;
		n++;
		if (difference->grave)
			text_add(&names, "%s%s", n_grave++ ? ", " : "", difference->fact);
	}
	const char *base = comparison->sides[0].name;
	const char *name = comparison->sides[side].name;
	if (n_grave)
		guard_warn(comparison, &guard_environment, side, NULL,
			   "the two sides %s and %s differ in more than the subject: %s", base,
			   name, text_string(&names));
	else if (n)
		guard_warn(comparison, &guard_environment, side, NULL,
			   "%zu value%s of the environment differ%s between %s and %s beyond the "
			   "subject",
			   n, n == 1 ? "" : "s", n == 1 ? "s" : "", base, name);
	text_done(&names);
}

static void examine(struct comparison *comparison)
{
	const struct names names = differing_names(comparison);
	size_t capacity = 0;
	for (size_t i = 0; i < names.n; i++)
		if (!matches_any(names.names[i], volatile_facts, ARRAY_SIZE(volatile_facts)) &&
		    !only_breathes(comparison, names.names[i]))
			compare_fact(comparison, &capacity, names.names[i]);
	free(names.names);
	if (comparison->n_differences)
		qsort(comparison->differences, comparison->n_differences,
		      sizeof(*comparison->differences), by_gravity);
	for (size_t side = 1; side < comparison->n_sides; side++)
		warn_differences(comparison, side);
}

const struct guard guard_environment = {
	.name = "environment",
	.asks = "do the sides differ in more than the subject?",
	.explains =
		"Each run records its environment as facts. A fact whose value differs between base "
		"and head, and that no setting of either subject explains, is listed; when it is one "
		"that is known to decide speed by itself (kernel, CPU, mitigations, governor, idle "
		"states, clock source, preloaded libraries, limits of the cgroup) it is named in the "
		"warning. Values of the moment (load, steal, pressure, free memory) are not compared, "
		"nor are sizes of memory that differ by less than a quarter: a hypervisor gives and "
		"takes some at any time. "
		"A value that varies within one side is told. It warns and withholds nothing: which "
		"of the differences matters, only a person can say. Measure both sides on the same "
		"machine, interleaved, with only the subject changed.",
	.examine = examine,
};
